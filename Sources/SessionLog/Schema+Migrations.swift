extension Schema {
  /// One step each, in the order in which they came.
  static let migrations = [
    // Times are milliseconds since 1970 (UTC).
    """
    CREATE TABLE room (
      id INTEGER PRIMARY KEY,
      address TEXT NOT NULL UNIQUE,  -- such as file:///home/jane/team.jsonl
      name TEXT NOT NULL,            -- what the prompt calls it
      cursor TEXT,                   -- how far the room has been read
      taken_in TEXT,                 -- the cursor up to which its past was taken in
      read_time INTEGER,             -- the time of the newest message that was seen
      draft TEXT,                    -- the line that was typed and not sent
      draft_owner INTEGER            -- the session that is typing it
    );
    CREATE TABLE session (
      id INTEGER PRIMARY KEY,
      room INTEGER NOT NULL REFERENCES room,
      transport TEXT NOT NULL,       -- file, memory
      profile_id TEXT NOT NULL,      -- who was at the prompt
      profile_name TEXT NOT NULL,
      started_at INTEGER NOT NULL,
      ended_at INTEGER               -- NULL while it goes on, and after a crash
    );
    CREATE INDEX session_by_room ON session (room, started_at);
    CREATE TABLE profile (
      id INTEGER PRIMARY KEY,
      room INTEGER NOT NULL REFERENCES room,
      profile_id TEXT NOT NULL,
      name TEXT NOT NULL DEFAULT '', -- the newest that is known
      image TEXT,
      fields TEXT,                   -- JSON, further fields such as about
      first_seen INTEGER NOT NULL,
      last_seen INTEGER NOT NULL,
      UNIQUE (room, profile_id)
    );
    CREATE TABLE message (
      id INTEGER PRIMARY KEY,        -- grows in the order in which the log took them in
      room INTEGER NOT NULL REFERENCES room,
      session INTEGER REFERENCES session,  -- in which it was first seen
      author INTEGER NOT NULL REFERENCES profile,
      message_id TEXT NOT NULL,
      name TEXT,                     -- the author's, as it was then
      content TEXT,                  -- as it is now; NULL when it was deleted
      original TEXT,                 -- as it was first, when it was edited
      details TEXT,                  -- the event without content, when it has more fields
      created_at INTEGER,            -- the author's clock
      time INTEGER NOT NULL,         -- the same, but never later than it arrived
      state INTEGER NOT NULL         -- 0 as it was, 1 edited, 2 deleted
    );
    CREATE UNIQUE INDEX message_by_id ON message (room, message_id);
    CREATE INDEX message_by_room ON message (room, time);
    CREATE INDEX message_by_time ON message (time);
    CREATE TABLE change (
      id INTEGER PRIMARY KEY,
      room INTEGER NOT NULL REFERENCES room,
      session INTEGER REFERENCES session,
      event_id TEXT NOT NULL,
      message_id TEXT,               -- NULL for what is about no message
      profile_id TEXT,
      kind TEXT NOT NULL,            -- edit, delete, reaction, profile, notice
      content TEXT,                  -- the new text, the reaction, or the event's JSON
      removed INTEGER NOT NULL DEFAULT 0,
      created_at INTEGER,
      time INTEGER NOT NULL,
      UNIQUE (room, event_id)
    );
    CREATE INDEX change_by_message ON change (room, message_id);
    CREATE TABLE outbox (
      id INTEGER PRIMARY KEY,        -- grows in the order in which they were said
      room INTEGER NOT NULL REFERENCES room,
      event_id TEXT NOT NULL,
      event TEXT NOT NULL,           -- JSON, as it goes into the room
      failure TEXT,                  -- why it was not taken; NULL while it waits
      since TEXT,                    -- the cursor at the first attempt
      owner INTEGER,                 -- the session that is to send it
      UNIQUE (room, event_id)
    );
    -- Every three characters of every message, for search; see README.md.
    CREATE VIRTUAL TABLE message_text USING fts5 (
      text, content='', columnsize=0, detail=none, tokenize='trigram case_sensitive 1'
    );
    CREATE TABLE search_state (
      indexed_to INTEGER NOT NULL    -- messages up to this id are in message_text
    );
    INSERT INTO search_state VALUES (0);

    CREATE VIEW messages AS
    -- One row a message, as it is now.
    SELECT
      message.id AS number,          -- order of arrival; others refer to it
      room.name AS room,
      room.address AS room_address,
      datetime(message.time / 1000, 'unixepoch') AS time,  -- UTC
      profile.profile_id,
      coalesce(nullif(message.name, ''), nullif(profile.name, ''), profile.profile_id) AS name,
      message.content,               -- NULL when it was deleted
      json_extract(message.details, '$.images') AS images,   -- JSON list
      json_extract(message.details, '$.files') AS files,     -- JSON list
      json_extract(message.details, '$.replyTo') AS reply_to,  -- a message_id
      CASE message.state WHEN 1 THEN 'edited' WHEN 2 THEN 'deleted' END AS state,
      message.message_id,
      message.session
    FROM message
    JOIN room ON room.id = message.room
    JOIN profile ON profile.id = message.author
    ORDER BY message.time, message.id;

    CREATE VIEW sessions AS
    -- One row a run at the prompt.
    SELECT
      session.id AS number,
      room.name AS room,
      room.address AS room_address,
      session.transport,
      session.profile_id,
      session.profile_name AS name,
      datetime(session.started_at / 1000, 'unixepoch') AS started,  -- UTC
      datetime(session.ended_at / 1000, 'unixepoch') AS ended,      -- NULL after a crash
      (SELECT count(*) FROM message
        WHERE message.room = session.room AND message.time >= session.started_at
          AND message.time <= coalesce(
            session.ended_at,
            (SELECT max(seen.time) FROM message AS seen
              WHERE seen.room = session.room AND seen.session = session.id))
      ) AS messages                  -- said in the room meanwhile
    FROM session JOIN room ON room.id = session.room
    ORDER BY session.id;

    CREATE VIEW profiles AS
    -- One row a profile and room.
    SELECT
      profile.profile_id,
      profile.name,
      room.name AS room,
      room.address AS room_address,
      profile.image,
      profile.fields,                -- JSON object
      datetime(profile.first_seen / 1000, 'unixepoch') AS first_seen,
      datetime(profile.last_seen / 1000, 'unixepoch') AS last_seen
    FROM profile JOIN room ON room.id = profile.room;
    """,
    """
    CREATE TABLE network_id (
      id INTEGER PRIMARY KEY,        -- grows in the order in which they were told
      room INTEGER NOT NULL REFERENCES room,
      network_id TEXT NOT NULL,      -- under which the room's network keeps a message, or a part
      message_id TEXT NOT NULL,      -- under which it was sent, and is in this log
      UNIQUE (room, network_id)
    );
    CREATE INDEX network_id_by_room ON network_id (room);
    """,
  ]
}
