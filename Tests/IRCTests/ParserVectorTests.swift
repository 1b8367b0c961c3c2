import Glibc
import IRC
import TestSupport
import Testing

/// The vectors of irc-parser-tests (Daniel Oaks and others, CC0), beside this
/// file, through the line modes of the program.
struct ParserVectorTests {
  /// Runs a script of Python in which `cases` are the tests of a vector file,
  /// and `run(mode, objects)` answers what `banter-irc` makes of each object.
  private func python(_ vectors: String, _ script: String) async -> Outcome {
    let head = """
      import json, subprocess, yaml
      cases = yaml.safe_load(open(\(literal("\(folder)/Vectors/\(vectors).yaml"))))["tests"]
      def run(mode, objects):
          text = "".join(json.dumps(item) + "\\n" for item in objects)
          done = subprocess.run([\(literal(Program.products + "/banter-irc")), mode], input=text,
              stdout=subprocess.PIPE, encoding="utf-8", check=True)
          return [json.loads(line) for line in done.stdout.splitlines()]
      faults = []
      """
    let tail = "for fault in faults: print(fault)\nprint(len(cases), 'cases')"
    return await Program.run("python3 -c \(quoted([head, script, tail].joined(separator: "\n")))")
  }

  private var folder: String {
    String(#filePath.prefix(upTo: #filePath.lastIndex(of: "/") ?? #filePath.endIndex))
  }

  private func literal(_ path: String) -> String { "\"\(path)\"" }

  @Test func `splits every line of the vectors`() async {
    let outcome = await python(
      "msg-split",
      """
      for case, parts in zip(cases, run("--parse", [{"line": c["input"]} for c in cases])):
          wanted = case["atoms"]
          for key, empty in (("tags", {}), ("source", None), ("verb", None), ("params", [])):
              if parts.get(key, empty) != wanted.get(key, empty): faults.append((case, parts))
      """)
    #expect(outcome.lines == ["35 cases"], "\(outcome.errorText)")
  }

  @Test func `joins every line of the vectors`() async {
    let outcome = await python(
      "msg-join",
      """
      answers = run("--join", [{"params": [], **c["atoms"]} for c in cases])
      for case, answer in zip(cases, answers):
          if answer["line"] not in case["matches"]: faults.append((case, answer))
      """)
    #expect(outcome.lines == ["17 cases"], "\(outcome.errorText)")
  }

  /// The cases as rows of texts, which `script` prints as lines of fields with
  /// unit separators between them.
  private func rows(_ vectors: String, _ script: String) async -> [[String]] {
    let text = await python(vectors, script).text
    return text.split(separator: "\u{1e}").dropLast().map { row in
      row.split(separator: "\u{1f}", omittingEmptySubsequences: false).map(String.init)
    }
  }

  @Test func `splits every source of the vectors`() async {
    let rows = await rows(
      "userhost-split",
      """
      for c in cases:
          atoms = [c["atoms"].get(key, "") for key in ("nick", "user", "host")]
          print("\\x1f".join([c["source"]] + atoms), end="\\x1e")
      """)
    #expect(rows.count == 9)
    for row in rows {
      let source = Source(row[0])
      #expect([source.nick, source.user ?? "", source.host ?? ""] == Array(row[1...]))
    }
  }

  @Test func `matches every mask of the vectors`() async {
    let rows = await rows(
      "mask-match",
      """
      for c in cases:
          for kind in ("matches", "fails"):
              for text in c[kind]: print("\\x1f".join([c["mask"], text, kind]), end="\\x1e")
      """)
    #expect(rows.count == 26)
    for row in rows { #expect(Mask.matches(row[0], row[1]) == (row[2] == "matches"), "\(row)") }
  }

  @Test func `knows every host of the vectors`() async {
    let rows = await rows(
      "validate-hostname",
      """
      for c in cases: print("\\x1f".join([c["host"], str(c["valid"])]), end="\\x1e")
      """)
    #expect(rows.count == 13)
    for row in rows { #expect(HostName.isValid(row[0]) == (row[1] == "True"), "\(row)") }
  }
}
