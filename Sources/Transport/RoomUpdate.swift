package import ChatModel

/// What a room has to tell, in the order in which it happened.
package enum RoomUpdate: Sendable {
  /// Events that were there on joining, oldest first; several may follow one
  /// another.
  case replay([RoomEvent])
  /// The replay is over; the room had been read up to here.
  case live(Cursor)
  /// Events that have arrived since, in the order of the room.
  case events([RoomEvent])
  /// Something in the room cannot be read. It is told once and passed over.
  case problem(RoomProblem)
  /// The room was truncated or replaced: earlier cursors are void. What is
  /// there now follows, also what is known already.
  case reset
  /// Who one is to the far side, where it decides.
  case identity(Profile)
  /// What the far side understands beside what every room does.
  case commands([RoomCommand])
  /// What the room is about.
  case title(String)
  /// It is about that from now on, as events in it have told already.
  case newTitle(String)
  /// Somebody speaks to the user in another room of the far side, which is not
  /// open.
  case offer(room: String)
  /// Something that the user has to know of the way to the room.
  case notice(String)
  /// The way to the room has changed.
  case state(ConnectionState)
}

/// A part of a room that is no event.
package struct RoomProblem: Hashable, Sendable {
  /// The file, or the address of the room.
  package var source: String
  /// Where the first bad line begins, counted from 0.
  package var byteOffset: Int64
  /// The same as a line, counted from 1; nil when the file was not read from
  /// its start.
  package var lineNumber: Int?
  /// How many bad lines there are one after the other, at least 1; the reason
  /// is that of the first.
  package var lineCount: Int
  /// What is wrong, as a clause without a full stop.
  package var reason: String

  package init(
    source: String, byteOffset: Int64, lineNumber: Int? = nil, lineCount: Int = 1, reason: String
  ) {
    self.source = source
    self.byteOffset = byteOffset
    self.lineNumber = lineNumber
    self.lineCount = lineCount
    self.reason = reason
  }
}

extension RoomProblem: CustomStringConvertible {
  /// `file: line 3 (byte 120): why`, on one line; with the number of further
  /// bad lines where there are any.
  package var description: String {
    let place = lineNumber.map { "line \($0) (byte \(byteOffset))" } ?? "byte \(byteOffset)"
    let further = lineCount > 1 ? "; \(lineCount - 1) more bad lines follow it" : ""
    return "\(source): \(place): \(reason)\(further)"
  }
}

/// How a room can be reached at the moment.
package enum ConnectionState: Hashable, Sendable {
  case connecting
  case online
  /// Broken off, tried again in that time.
  case reconnecting(in: Duration, reason: TransportError)
  /// Cannot be reached; goes on by itself when it can.
  case offline(reason: TransportError)
  /// Will not work without somebody's doing.
  case fatal(reason: TransportError)

  /// Why it cannot be reached; nil while it can be, or that is being tried.
  package var reason: TransportError? {
    switch self {
    case .connecting, .online: nil
    case .reconnecting(_, let reason), .offline(let reason), .fatal(let reason): reason
    }
  }
}
