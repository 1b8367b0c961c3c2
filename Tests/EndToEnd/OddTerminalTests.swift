import Testing

extension Promises {
  /// Terminals that answer what they are asked late, in pieces, or not at all.
  @Suite struct OddTerminals {
    @Test(
      .enabled(if: hasPrograms),
      arguments: [
        "none", "whole", "bytes", "backwards", "between", "late", "hostile", "half2", "half5",
        "half14", "half20", "half40", "half42",
      ], ["안녕 hello 세상", "hello 안녕 세상"])
    func `no answer lands in the typed line, and no key is lost`(mode: String, words: String)
      async throws
    {
      let world = World(["TERM": "xterm-256color"])
      let image = try await world.image()
      world.say("look", images: [image])
      world.folder.write("terminal.py", Self.program)
      world.folder.write("words", words)
      let outcome = await world.run("python3 terminal.py \(mode) words $banter --style compact")
      #expect(outcome.status == 0, "\(outcome.errorText)")
      #expect(world.contents() == ["look", words], "\(outcome.text)")
    }

    /// Begins a command that asks the terminal, then types the words of a file,
    /// a character at a time.
    private static let program = #"""
      import fcntl, os, pty, select, struct, sys, termios, time

      mode, words, command = sys.argv[1], open(sys.argv[2], encoding="utf-8").read(), sys.argv[3:]
      room = os.environ["XDG_DATA_HOME"] + "/banter/rooms/lobby.jsonl"
      kitty, attributes = b"\x1b_Gi=4207;OK\x1b\\", b"\x1b[?62;22c"
      answers = kitty + b"\x1bP>|Odd(1)\x1b\\\x1b[6;20;10t" + attributes
      output, begin = bytearray(), time.monotonic()
      pid, terminal = pty.fork()
      if pid == 0:
          os.execvp(command[0], command)
      fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))


      def read(seconds):
          """Takes what comes within that time."""
          end = time.monotonic() + seconds
          while (left := end - time.monotonic()) > 0:
              if not select.select([terminal], [], [], left)[0]:
                  return True
              try:
                  output.extend(os.read(terminal, 65536))
              except OSError:
                  return False
          return True


      def wait_for(text, start=0):
          while output.find(text, start) < 0:
              assert time.monotonic() - begin < 60 and read(0.05), (text, bytes(output[-2000:]))


      def type(text):
          for character in text:
              os.write(terminal, character.encode())
              read(0.03)


      def answer():
          if mode == "whole":
              os.write(terminal, answers)
          elif mode == "bytes":
              for byte in answers:
                  os.write(terminal, bytes([byte]))
                  read(0.005)
          elif mode == "backwards":
              os.write(terminal, attributes)
              read(0.2)
              os.write(terminal, kitty)
          elif mode.startswith("half"):
              os.write(terminal, answers[:int(mode.removeprefix("half"))])
              # As long as a hand needs for the next key.
              read(0.3)
          elif mode == "hostile":
              os.write(terminal, b"\x1b_Gi=4207;" + b"x" * 5000 + b"\x1b\\\x1b]52;c;AAAA\x07")
              os.write(terminal, b"\x1bP>|\xff\x1b\\" + attributes)


      wait_for(b"> ")
      type("/images\r")
      wait_for(b"\x1b[c")
      if mode == "between":
          # Each answer between two keys, as a terminal sends them.
          parts = [kitty, b"\x1bP>|Odd(1)\x1b\\", b"\x1b[6;20;10t", attributes]
          for index, character in enumerate(words):
              type(character)
              if index < len(parts):
                  os.write(terminal, parts[index])
      elif mode == "late":
          type(words[:4])
          while read(0.1) and time.monotonic() - begin < 4:
              pass
          os.write(terminal, answers)
          type(words[4:])
      else:
          answer()
          type(words)
      wait_for(b"image 1 of 1")
      if mode != "late":
          # The picture: kitty's, or blocks.
          kitty_is_known = mode in ("whole", "bytes", "between", "half14", "half20", "half40", "half42")
          wait_for(b"_Ga=T" if kitty_is_known else b"\xe2\x96\x84")
      # What is typed behind half an answer is held for a second.
      wait_for(words.encode())
      type("\r")
      while words.encode() not in open(room, "rb").read():
          assert time.monotonic() - begin < 60 and read(0.05), bytes(output[-2000:])
      type("\x04")
      while read(0.2) and time.monotonic() - begin < 60:
          pass
      sys.stdout.buffer.write(output)
      """#
  }
}
