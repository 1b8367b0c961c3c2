import ChatModel
import Glibc
import Testing

extension Promises {
  /// A citizen of the shell.
  @Suite struct Shell {
    /// A command, the status that it is to end with, and a part of what it
    /// says on standard error.
    static let statuses: [(script: String, status: Int32, says: String)] = [
      ("$banter send", 64, "wants a room"), ("$banter send lobby ''", 64, "empty"),
      ("$banter --nonsense", 64, "--nonsense"), ("$banter -x", 64, "-x"),
      ("$banter tail", 64, "wants a room"), ("$banter tail lobby -n x", 64, "whole number"),
      ("$banter tail lobby -n", 64, "-n"), ("$banter tail a b", 64, "too much"),
      ("$banter one two </dev/null", 64, "too much"), ("$banter log", 64, "check"),
      ("$banter log nothing", 64, "search"), ("$banter --style round tail x", 64, "bubble"),
      ("$banter --as ' ' send x y", 64, "name"), ("$banter --as", 64, "--as"),
      ("$banter --tail -1 </dev/null", 64, "--tail"), ("$banter send .. x", 64, "folder"),
      ("$banter tail missing", 66, "missing"), ("$banter log check missing.jsonl", 66, "missing"),
      ("mkdir room.jsonl; $banter send ./room.jsonl x", 65, "folder"),
      ("mkdir room.jsonl; $banter tail ./room.jsonl", 65, "folder"),
      ("echo no >bad; $banter log check bad", 65, ""),
      ("$banter send --no-queue tcp://host.invalid/room x", 69, "host.invalid"),
      ("yes '' | head -n 1024 >big.jsonl; ulimit -f 1; $banter send ./big.jsonl x", 74, "big"),
      ("$banter send /proc/room.jsonl x", 73, "/proc"),
      ("$banter send ./mistyped/room.jsonl x", 73, "make the folder first"),
      ("echo x >file; $banter send ./file/room.jsonl x", 73, "Not a directory"),
      ("$banter send lobby x --json", 64, "--json does not belong to banter send"),
      ("$banter log check x --tail 3", 64, "--tail does not belong to banter log"),
      ("$banter -f </dev/null", 64, "--follow does not belong to banter;"),
      ("$banter send ./$(printf 'a\\377').jsonl x", 64, "is not UTF-8"),
      ("printf 'all: build\\n' >Makefile; $banter send ./Makefile x", 65, "this is no room"),
      ("printf 'no newline' >notes.txt; $banter send ./notes.txt x", 65, "this is no room"),
      ("$banter plugins twist", 64, "banter plugins check NAME"),
      ("$banter user", 64, "add, remove, list"),
      ("LC_ALL=ko_KR.UTF-8 $banter --nonsense", 64, "--nonsense 옵션은 없습니다"),
      ("LC_ALL=ko_KR.UTF-8 $banter tail missing", 66, "이름을 확인하세요"),
    ]

    @Test(arguments: statuses)
    func `a failure has its status and one line that says why`(
      script: String, status: Int32, says: String
    ) async throws {
      let world = World()
      let result = await world.run("trap '' XFSZ; \(script)")
      #expect(result.status == status)
      #expect(result.errorText.contains(says))
      if !says.isEmpty {
        #expect(result.errorText.hasPrefix("banter: "))
        #expect(result.errorText.count { $0 == "\n" } == 1)
      }
    }

    @Test func `options stand anywhere, and -- ends them`() async throws {
      let world = World()
      let sent = await world.run(
        """
        $banter send --as Jane lobby one && $banter --as Jane send lobby two &&
        $banter send lobby --as=Jane three && $banter send lobby four --as Jane &&
        $banter send --as Jane -- lobby --as five && echo six | $banter -- send --as Jane &&
        echo seven | $banter --as Jane -- send
        """)
      #expect(sent.status == 64, "after -- nothing is an option: \(sent.errorText)")
      #expect(world.contents() == ["one", "two", "three", "four", "--as five"])
      #expect(await world.run("echo seven | $banter --as Jane -- send").status == 0)
      #expect(world.contents(of: "send") == ["seven"])
      let senders = (world.messages() + world.messages(of: "send")).map(\.profileName)
      #expect(senders == Array(repeating: "Jane", count: 6))
    }

    @Test func `lines that are piped in are sent as they are`() async throws {
      let world = World()
      let lines = ["/quit", " //x", "//y", "\tz ", "안녕", "\u{1B}[2J", "last without newline"]
      world.folder.write("input", lines.joined(separator: "\n"))
      #expect(await world.run("$banter <input").status == 0)
      #expect(world.contents() == lines)
    }

    @Test(arguments: ["0<&-", "</dev/null", "<&- >&-", "0<&- 1>&- 2>&-"])
    func `without input it ends at once and sends nothing`(redirection: String) async throws {
      let world = World()
      let result = await world.run("$banter \(redirection)", seconds: 10)
      #expect(result.status == 0)
      #expect(result.output.isEmpty && world.contents().isEmpty)
    }

    @Test(arguments: ["tail lobby -n 100000", "tail lobby --json", "tail -f lobby", "--help"])
    func `a reader that has enough ends it quietly`(arguments: String) async throws {
      let world = World()
      for number in 0..<2_000 { world.say("message \(number)") }
      let result = await world.run(
        "$banter \(arguments) | head -1; echo ${PIPESTATUS[0]}", seconds: 10)
      #expect(result.lines.count == 2)
      #expect(result.lines.last == "0")
      #expect(result.errors.isEmpty)
    }

    @Test func `tail -f goes on, and Ctrl-C ends it with 130`() async throws {
      let world = World()
      world.say("old")
      let terminal = try Terminal(world, "tail -f lobby")
      try await terminal.expect("old")
      world.say("new")
      try await terminal.expect("new")
      terminal.type("C-c")
      try await terminal.expectEnd(status: 130)
    }

    @Test func `tail -f waits for a room that is not there yet, and says so`() async throws {
      let world = World()
      let terminal = try Terminal(world, "tail -f fresh", columns: 120)
      try await terminal.expect("waiting for it")
      #expect(await world.run("$banter send fresh hello").status == 0)
      try await terminal.expect("hello")
    }

    @Test func `tail shows the last ones, and --json gives back what is in the file`()
      async throws
    {
      let world = World()
      for number in 1...60 { world.say("message \(number)") }
      let tail = await world.run("$banter tail lobby")
      #expect(tail.lines.count { $0.contains("message ") } == 50)
      #expect(!tail.output.contains(0x1B))
      let few = await world.run("$banter tail lobby -n 2 --json | jq -r .content")
      #expect(few.lines == ["message 59", "message 60"])
      #expect(await world.run("$banter tail lobby -n 0").output.isEmpty)
    }

    @Test(arguments: ["", "send", "tail", "log", "log search", "log check"])
    func `every subcommand has its help`(name: String) async throws {
      let help = await World().run("$banter \(name) --help")
      #expect(help.status == 0 && help.errors.isEmpty)
      #expect(help.text.contains("-h, --help"))
      #expect(help.text.contains("banter \(name)"))
      let korean = await World(["LC_MESSAGES": "ko_KR.UTF-8"]).run("$banter \(name) --help")
      #expect(korean.text.contains("옵션:") && korean.text.contains("도움말"))
      #expect(help.lines.allSatisfy { $0.count < 80 }, "\(help.text)")
      #expect(await World().run("$banter --version").text.hasPrefix("banter "))
    }

    @Test func `a full output is an error`() async throws {
      let world = World()
      world.say("x")
      for arguments in ["tail lobby", "--help", "--version"] {
        let result = await world.run("$banter \(arguments) >/dev/full")
        #expect(result.status == 74, "\(arguments)")
        #expect(result.errorText.contains("No space"), "\(arguments)")
      }
      world.append("bad\n")
      let check = await world.run("$banter log check data/banter/rooms/lobby.jsonl >/dev/full")
      #expect(check.status == 74)
    }

    @Test func `at the prompt with its output in a file it works without escapes`() async throws {
      let world = World()
      world.say("old")
      let terminal = try Terminal(world, script: "$banter | tee output >/dev/null; echo ENDED")
      #expect(await eventually { world.folder.read("output")?.isEmpty == false })
      terminal.enter("typed")
      #expect(await eventually { world.contents().last == "typed" })
      terminal.type("C-d")
      try await terminal.expect("ENDED")
      let output = String(decoding: world.folder.read("output") ?? [], as: UTF8.self)
      #expect(output.contains("old") && output.contains("typed"))
      #expect(!output.contains("\u{1B}"))
    }

    /// Whether this test may become somebody else, and mount.
    private static let isRoot = getuid() == 0

    @Test(.enabled(if: isRoot, "becoming somebody else needs root"))
    func `missing permission has its status, for sending and for reading`() async throws {
      let world = World()
      world.say("x")
      let result = await world.run(
        """
        chmod 755 . data data/banter data/banter/rooms; chmod 644 data/banter/rooms/lobby.jsonl
        cp $banter copy; chmod 755 copy; nobody="setpriv --reuid 65534 --clear-groups ./copy"
        $nobody send lobby x; echo $?; $nobody send fresh x; echo $?; $nobody tail lobby | wc -l
        chmod 600 data/banter/rooms/lobby.jsonl; $nobody tail lobby; echo $?
        """)
      #expect(result.lines == ["77", "77", "2", "77"])
      let told = result.errorText.split(separator: "\n")
      #expect(told.count { $0.contains("lobby.jsonl") || $0.contains("fresh") } == 3)
      #expect(told.count { $0.contains("config.json: Permission denied") } == 4)
      #expect(told.count == 7)
    }

    @Test(.enabled(if: isRoot, "mounting needs root"))
    func `a read-only and a full file system have their status, and lose nothing`() async throws {
      let world = World()
      world.say("x")
      let result = await world.run(
        """
        export banter; unshare -m true 2>/dev/null || { echo unable; exit; }
        unshare -m sh -c 'mount --bind data data && mount -o remount,ro,bind data &&
          { $banter send lobby x; echo $?; $banter send fresh x; echo $?; $banter tail lobby | wc -l; }'
        mkdir small; unshare -m sh -c 'mount -t tmpfs -o size=64k tmpfs small &&
          { $banter send small/room.jsonl first; head -c 70000 /dev/zero >small/fill
            yes filler | head -c 5000 | $banter send small/room.jsonl --no-queue; echo $?
            rm small/fill; $banter send small/room.jsonl last; echo $?
            $banter log check small/room.jsonl >/dev/null; echo $?; }' 2>errors
        grep -c banter: errors
        """)
      guard result.lines != ["unable"] else { return }
      #expect(result.lines == ["77", "77", "2", "74", "0", "0", "1"], "\(result.errorText)")
    }
  }
}
