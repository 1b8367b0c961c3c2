#!/usr/bin/env python3
"""A plugin that does what plugins should not, one thing after its name.

The name stands in the file `name` of its home. What it has of good manners: it welcomes,
lets in, acknowledges, answers pings and ends with its input.
"""

import json
import os
import signal
import subprocess
import sys
import time

with open(os.environ["HOME"] + "/name") as file:
    NAME = file.read()
out = sys.stdout.buffer
CAPABILITIES = {
    "history": {"before": True, "after": True, "depth": "full"},
    "order": "total", "dedupe": "none" if NAME == "doubtful" else "server", "echo": "id",
}


def raw(data):
    out.write(data)
    out.flush()


def say(**line):
    raw(json.dumps(line, ensure_ascii=False).encode() + b"\n")


def event(room, number, content=None):
    say(type="event", room=room, cursor=f"c{number}", event={
        "messageID": f"{room}-{number}", "profileID": "jane", "content": content or f"{number}"})


if NAME == "banner":
    raw(b"Welcome to this machine\n\nmotd: \xff\xfe no UTF-8 \x1b[31m\n")
elif NAME == "babble":
    raw(b"no protocol\n" * 10_000)
elif NAME == "stderr":
    sys.stderr.write("chatter\n" * 25_000 + "last words\n")
    sys.stderr.flush()
elif NAME == "exits":
    sys.stderr.write("no configuration\n")
    sys.exit(3)
elif NAME == "deaf":
    time.sleep(3600)
elif NAME == "stubborn":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
elif NAME == "parent":
    child = subprocess.Popen(["sleep", "3600"], stdin=subprocess.DEVNULL)
    with open(os.environ["HOME"] + "/grandchild", "w") as file:
        file.write(str(child.pid))

with open(os.environ["HOME"] + "/pids", "a") as file:
    file.write(f"{os.getpid()}\n")

password = None
held = []
for line in sys.stdin.buffer:
    request = json.loads(line)
    kind, ref, room = request["type"], request.get("ref"), request.get("room")
    if kind == "hello":
        if NAME == "environment":
            sys.stderr.write(json.dumps(dict(os.environ)) + "\n")
            sys.stderr.flush()
        if NAME == "asks":
            say(type="need", ref="n1", name="password for fake", secret=True)
            continue
        say(type="welcome", version=2 if NAME == "version" else 1, server="fake",
            self={"profileID": "me", "profileName": request.get("settings", {}).get("nick", "me")},
            capabilities=CAPABILITIES,
            commands=[{"name": "topic", "args": "[text]", "help": "what the room is about"}])
    elif kind == "given":
        if request["value"] != "sesame":
            say(type="need", ref="n2", name="password for fake", secret=True)
            continue
        say(type="welcome", version=1, server="fake", self={"profileID": "me"},
            capabilities=CAPABILITIES)
    elif kind == "join":
        if room == "forbidden":
            say(type="error", ref=ref, **{"class": "denied"}, code="banned", message="you are banned here")
            continue
        say(type="joined", ref=ref, room=room, title=f"about {room}")
        say(type="live", room=room, cursor="c0")
        if NAME == "sated":
            time.sleep(3600)
        elif NAME == "junk":
            raw(b"oops\n")
            event(room, 1)
            raw(b"{\"type\":\"tomorrow\",\"room\":\"x\"}\n[]\n")
            event(room, 2)
        elif NAME == "long":
            raw(b"x" * (10 << 20) + b"\n")
        elif NAME == "halves":
            for part in (b'{"type":"event","room":"', room.encode(), b'","cursor":"c1","event":{"messageID":"h",',
                         "\"profileID\":\"jane\",\"content\":\"민수".encode()[:-1], "민수".encode()[-1:] + b'"}}\n'):
                raw(part)
                time.sleep(0.02)
        elif NAME == "twice":
            event(room, 1)
            event(room, 2)
            event(room, 1)
            event(room, 3)
    elif kind == "send":
        body = request["event"]
        if body.get("content") == "crash" and not os.path.exists(os.environ["HOME"] + "/crashed"):
            open(os.environ["HOME"] + "/crashed", "w").close()
            os._exit(9)
        ack = dict(type="ack", ref=ref, room=room, id=body["messageID"], cursor="c9", roomID="net-1")
        if NAME == "reorders":
            held.append(ack)
            if len(held) == 3:
                for ack in reversed(held):
                    say(**ack)
        else:
            say(**ack)
    elif kind == "command":
        if request["args"] == "bad":
            say(type="error", ref=ref, **{"class": "invalid"}, code="bad", message="no such topic")
        else:
            say(type="done", ref=ref, notice=f"{request['name']}: {request['args']}")
    elif kind == "leave":
        say(type="left", ref=ref)
        with open(os.environ["HOME"] + "/left", "a") as file:
            file.write(room + "\n")
    elif kind == "history":
        say(type="page", ref=ref, events=[], more=False)
    elif kind == "ping":
        if NAME != "silent":
            say(type="pong")
    elif kind == "bye":
        if NAME in ("stubborn",):
            continue
        say(type="bye")
        break

if NAME == "stubborn":
    while True:
        time.sleep(3600)
