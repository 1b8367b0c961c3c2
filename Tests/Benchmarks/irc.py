"""A server of IRC that floods one client, and clients at a terminal."""
import os
import pathlib
import random
import socket
import tempfile
import threading
import time

from prompt import Prompt

LAST = "the-last-of-them"


class FloodServer:
    """Lets one client into #flood and says `count` things at once when told to."""

    def __init__(self, count):
        chance = random.Random(7)
        words = "build failed fixed the server is up again lunch anybody 안녕하세요 점심 뭐 먹을까요".split()
        said = [
            f":user{number % 50}!u@host PRIVMSG #flood :{number} "
            + " ".join(chance.choices(words, k=chance.randint(3, 16))) + "\r\n"
            for number in range(count)
        ]
        said.append(f":user1!u@host PRIVMSG #flood :{LAST}\r\n")
        self.flood = "".join(said).encode()
        self.joined = threading.Event()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        self.client, _ = self.listener.accept()
        nick = "me"
        for line in self.client.makefile("rb"):
            verb, *rest = line.decode(errors="replace").split()
            match verb:
                case "CAP" if rest[0] == "LS":
                    self.say("CAP * LS :")
                case "NICK":
                    nick = rest[0].lstrip(":")
                case "USER":
                    self.say(f"001 {nick} :Welcome")
                    self.say(f"005 {nick} CHANTYPES=# CASEMAPPING=rfc1459 :are supported")
                    self.say(f"422 {nick} :no message of the day")
                case "PING":
                    self.say(f"PONG bench {' '.join(rest)}")
                case "JOIN":
                    self.client.sendall(f":{nick}!u@host JOIN #flood\r\n".encode())
                    self.say(f"353 {nick} = #flood :{nick} " + " ".join(f"user{n}" for n in range(50)))
                    self.say(f"366 {nick} #flood :End")
                    self.joined.set()

    def say(self, text):
        self.client.sendall(f":bench {text}\r\n".encode())

    def begin(self):
        threading.Thread(target=lambda: self.client.sendall(self.flood), daemon=True).start()


def measure(count, words, environment, first=b""):
    """Seconds until a client has the last message on its screen; peak KiB of all its processes."""
    server = FloodServer(count)
    with tempfile.TemporaryDirectory() as home:
        variables = environment | {"HOME": home, "XDG_STATE_HOME": home + "/state"}
        prompt = Prompt([word.format(port=server.port, home=home) for word in words], variables)
        if first:
            time.sleep(1)
            prompt.type(first)
        end = time.perf_counter() + 30
        while not server.joined.is_set():
            assert time.perf_counter() < end, bytes(prompt.output[-2000:])
            prompt.read(0.1)
        # The client has the names, and has drawn what it draws.
        quiet = time.perf_counter() + 1
        while time.perf_counter() < quiet:
            prompt.read(0.1)
        begin = time.perf_counter()
        server.begin()
        seconds = prompt.wait_for(LAST.encode(), len(prompt.output)) - begin
        peak = sum(map(peak_kib, family(prompt.pid)))
        os.kill(prompt.pid, 15)
        while True:
            try:
                if not prompt.read(5):
                    break
            except OSError:
                break
        os.waitpid(prompt.pid, 0)
        os.close(prompt.terminal)
    return seconds, peak


def family(pid):
    """A process and what it has started."""
    found = [pid]
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            found += family(int(child))
    return found


def peak_kib(pid):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1])
    return 0
