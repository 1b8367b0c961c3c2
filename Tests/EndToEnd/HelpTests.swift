import Testing

extension Promises {
  /// What `--help` says is about the subcommand that was asked for.
  @Suite struct Help {
    @Test(arguments: [
      ("user add", ["--room ROOM", "a,b", "the user may only read"]),
      ("serve", ["take nothing in from anyone", "tells on standard error"]),
      ("log export", ["only this room"]),
      ("user", ["Asks for a password", "lets go of that user", "A line each"]),
      ("outbox", ["the room's address", "exit status 75", "Gives up all that waits"]),
      ("", ["66 no such room", "69 unreachable", "76 what"]),
    ])
    func `an option and a subcommand are told as they are there`(
      _ command: String, _ parts: [String]
    ) async {
      let help = await World().run("$banter \(command) --help")
      for part in parts { #expect(help.text.contains(part), "\(help.text)") }
      let texts = help.lines.filter { !$0.hasPrefix("  ") }
      #expect(texts.allSatisfy { $0.count < 80 }, "\(help.text)")
    }

    @Test func `the manual names every option once`() async throws {
      let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
      let manual = String(decoding: contents(of: "/\(root)/share/banter.1") ?? [], as: UTF8.self)
      let lines = manual.split(separator: "\n")
      let named = zip(lines, lines.dropFirst()).filter { $0.0 == ".TP" }.map(\.1)
        .flatMap { $0.matches(of: /\\-\\-[a-z\\-]+/).map { String($0.output) } }
      let options = await World().run(
        "for c in '' send tail serve 'user add' 'log export' 'outbox list'; do $banter $c --help; done"
          + " | grep -o '^ *\\(-., \\)*--[a-z-]*' | grep -o -e '--.*' | sort -u")
      #expect(options.lines.count > 25)
      for option in options.lines {
        #expect(named.count { $0 == option.replacing("-", with: "\\-") } == 1, "\(option)")
      }
    }
  }
}
