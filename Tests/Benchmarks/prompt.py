"""Banter at a terminal of its own, and measures that take turns."""
import fcntl
import os
import pty
import select
import statistics
import struct
import termios
import time


class Prompt:
    """A program at an 80x24 terminal that is read as fast as it writes."""

    def __init__(self, words, environment):
        self.output = bytearray()
        self.begin = time.perf_counter()
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.execve(words[0], words, environment)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))

    def read(self, seconds):
        """Takes what comes within that time; whether anything came."""
        if not select.select([self.terminal], [], [], seconds)[0]:
            return False
        self.output += os.read(self.terminal, 1 << 20)
        return True

    def wait_for(self, text, start=0, limit=300):
        """When it is there: looked for from `start` on."""
        end = time.perf_counter() + limit
        while self.output.find(text, max(0, start)) < 0:
            assert time.perf_counter() < end, (text, bytes(self.output[-2000:]))
            before = len(self.output)
            self.read(1)
            start = max(start, before - len(text)) if start < before else start
        return time.perf_counter()

    def type(self, keys):
        os.write(self.terminal, keys)

    def end(self):
        """Peak KiB, after leaving as a user would."""
        self.type(b"\x15\x04")
        while True:
            try:
                self.read(5)
            except OSError:
                break
        _, status, usage = os.wait4(self.pid, 0)
        os.close(self.terminal)
        return usage.ru_maxrss


def in_turn(rounds, *measures):
    """Each measure once a round; the medians of what they return."""
    values = [[measure() for measure in measures] for _ in range(rounds)]
    return [[statistics.median(parts) for parts in zip(*column)] for column in zip(*values)]


def show(what, value, peer="", note=""):
    print(f"{what:<52} {value:>12}  {peer} {note}".rstrip(), flush=True)
