#!/usr/bin/env python3
"""A plugin that does what plugins should not, one thing after its name.

The name stands in the file `name` of its home. What it has of good manners: it welcomes,
lets in, acknowledges, answers pings and ends with its input.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import time

with open(os.environ["HOME"] + "/name") as file:
    NAME = file.read()
out = sys.stdout.buffer
CAPABILITIES = {
    "history": {"depth": "none"} if NAME == "mute-forgetful" else {"before": True, "after": True, "depth": "full"},
    "order": "total", "dedupe": "none" if NAME in ("doubtful", "mute", "mute-forgetful") else "server",
    "echo": "no" if NAME == "renames-silently" else "id",
}


def home(name):
    return os.environ["HOME"] + "/" + name


def note(name, text):
    with open(home(name), "a") as file:
        file.write(text + "\n")


def noted(name):
    if not os.path.exists(home(name)):
        return []
    with open(home(name)) as file:
        return file.read().splitlines()


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
late = []
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
        if NAME == "shy" and 1 not in request["versions"]:
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
        if NAME == "late":
            late.append(ref)
            continue
        say(type="joined", ref=ref, room=room, title=f"about {room}")
        if NAME.startswith("renames"):
            for number, text in enumerate(noted("sent"), 1):
                event(room, number, text)
        say(type="live", room=room, cursor="c0")
        if NAME == "gives-up" and len(noted("pids")) == 1:
            say(type="state", state="fatal", error="the password is wrong")
        if NAME == "sated":
            time.sleep(3600)
        elif NAME == "junk":
            raw(b"oops\n")
            event(room, 1)
            raw(b"{\"type\":\"tomorrow\",\"room\":\"x\"}\n[]\n")
            raw(b'{"type":"event","room":"' + room.encode() + b'","cursor":"c2","event":{"messageID":"bytes",'
                b'"profileID":"jane","content":"\xff\xfe"}}\n')
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
        if NAME.startswith("mute"):
            note("sent", body["content"])
            continue
        if NAME.startswith("renames"):
            parts = body["content"].split()
            numbers = range(len(noted("sent")) + 1, len(noted("sent")) + len(parts) + 1)
            for part in parts:
                note("sent", part)
            if NAME == "renames":
                say(type="event", room=room, cursor=f"c{numbers[-1]}", event=body)
            say(type="ack", ref=ref, room=room, id=body["messageID"], cursor=f"c{numbers[-1]}",
                roomIDs=[f"{room}-{number}" for number in numbers])
            continue
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
        if NAME == "late":
            say(type="error", ref=late.pop(0), **{"class": "denied"}, code="denied", message="too late")
            say(type="joined", ref=late.pop(0), room="b")
            say(type="live", room="b", cursor="c0")
        with open(os.environ["HOME"] + "/left", "a") as file:
            file.write(room + "\n")
    elif kind == "history" and NAME == "mute-forgetful":
        say(type="error", ref=ref, **{"class": "unsupported"}, code="unsupported", message="no past here")
    elif kind == "history":
        say(type="page", ref=ref, events=[], more=False)
    elif kind == "ping":
        if NAME != "silent":
            say(type="pong")
    elif kind == "bye":
        if NAME in ("stubborn",):
            continue
        if NAME == "verbose":
            raw(b'{"type":"log","level":"info","message":"good-bye"}\n' * 50_000)
            note("said", "all")
        elif NAME == "lingers":
            socket.socket(fileno=1).shutdown(socket.SHUT_WR)
            note("closed", "yes")
            while not noted("go"):
                time.sleep(0.01)
            os._exit(0)
        say(type="bye")
        break

if NAME == "stubborn":
    while True:
        time.sleep(3600)
