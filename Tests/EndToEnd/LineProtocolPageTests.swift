import Glibc
import Testing

/// The conversation on the protocol's page is one that a hub has.
@Suite(.timeLimit(.minutes(2))) struct LineProtocolPageTests {
  private static let page: String = {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let path = "/\(root)/Sources/ChatSession/ChatSession.docc/Line-protocol.md"
    return String(decoding: contents(of: path) ?? [], as: UTF8.self)
  }()

  /// What stands between one fence and the next, in the order of the page.
  private static let blocks: [[Substring]] =
    page
    .split(separator: "\n```\n", omittingEmptySubsequences: false).enumerated()
    .filter { $0.offset % 2 == 1 }
    .map { $0.element.split(separator: "\n") }

  private static let roomFile = blocks.first { $0.allSatisfy { $0.hasPrefix("{") } } ?? []
  private static let conversation = blocks.flatMap(\.self)
    .filter { $0.hasPrefix("-> ") || $0.hasPrefix("<- ") }

  /// Says what the page says, and prints what it says and hears; one answer
  /// is waited for after the other.
  private static let script: String = {
    let steps = conversation.map { line in
      line.hasPrefix("-> ") ? "say \(quoted(String(line.dropFirst(3))))" : "hear"
    }
    return #"""
      $banter serve rooms --open --listen tcp://127.0.0.1:0 2>log & hub=$!
      trap 'exec 3>&-; kill $hub; wait $hub' EXIT
      until grep -q serving log; do sleep 0.02; kill -0 $hub || { cat log >&2; exit 1; }; done
      exec 3<>/dev/tcp/127.0.0.1/$(sed -n 's/.*serving: tcp:.*://p' log)
      say() { printf '%s\n' "$1" >&3; printf -- '-> %s\n' "$1"; }
      hear() {
        IFS= read -r -t 20 line <&3 || { echo '<- nothing'; exit 1; }
        # Who comes and goes is told with an id of its own.
        case $line in *'"event":{"type":"presence"'*) hear;; *) printf -- '<- %s\n' "$line";; esac
      }
      """# + "\n" + steps.joined(separator: "\n")
  }()

  @Test func `what the page says is what a hub says`() async {
    let world = World()
    mkdir("\(world.folder.path)/rooms", 0o700)
    world.folder.write("rooms/team.jsonl", Self.roomFile.map { "\($0)\n" }.joined())
    let outcome = await world.run(Self.script)
    let said = outcome.text.split(separator: "\n")
    for (line, expected) in zip(said, Self.conversation) where line != expected {
      Issue.record("the page has\n\(expected)\nand the hub\n\(line)")
      break
    }
    #expect(said.count == Self.conversation.count, "\(outcome.errorText)")
  }

  @Test func `the page has every kind of line that it promises`() {
    #expect(Self.roomFile.count == 2)
    for type in [
      "hello", "welcome", "join", "joined", "event", "live", "send", "ack", "history", "page",
      "members", "ping", "pong", "error", "leave", "left", "bye",
    ] {
      let isThere = Self.conversation.contains { $0.dropFirst(3).hasPrefix(#"{"type":"\#(type)""#) }
      #expect(isThere, "\(type)")
    }
  }
}
