import Glibc
import Testing

extension Promises {
  /// Loops that look for what happens rarely: short in every run, long in
  /// `make soak`.
  @Suite struct Soak {
    /// Each round starts a sender of many lines and one of a single message,
    /// and kills both at some moment, while another sender goes on and on.
    @Test func `killed senders swallow nothing, and nothing acknowledged is lost or doubled`()
      async throws
    {
      let world = World()
      let rounds = isSoak ? 200 : 16
      let run = await world.run(
        """
        { i=0; while [ ! -e stop ]; do
            for j in 1 2 3 4 5; do i=$((i+1)); echo "steady $i"; done; sleep 0.005
          done; } | $banter send lobby & steady=$!
        for n in $(seq \(rounds)); do
          $banter send lobby < <(seq -f "killed $n %g" 3000) & killed=$!
          timeout -s KILL 0.0$((n % 7)) $banter send lobby "single $n" && echo "single $n" >>told &
          single=$!
          sleep 0.0$((n % 9)); kill -9 $killed; wait $killed $single
        done 2>/dev/null
        touch stop; wait $steady; echo $?
        $banter send lobby last; touch told
        """, seconds: 110)
      #expect(run.lines.last == "0", "\(run.errorText)")
      let read = await world.run("jq -Rr 'fromjson? | .content' \(world.path()); touch told")
      let contents = read.lines
      #expect(Set(contents).count == contents.count, "something is there twice")
      #expect(contents.last == "last")
      let steady = contents.filter { $0.hasPrefix("steady") }
      #expect(!steady.isEmpty && steady == (1...steady.count).map { "steady \($0)" })
      for round in 1...rounds {
        let killed = contents.filter { $0.hasPrefix("killed \(round) ") }
        #expect(killed == killed.indices.map { "killed \(round) \($0 + 1)" })
      }
      let told = String(decoding: world.folder.read("told") ?? [], as: UTF8.self)
      // A limit of 0 is none: of every seven some are never killed.
      #expect(!told.isEmpty)
      let missing = Set(told.split(separator: "\n").map(String.init)).subtracting(contents)
      #expect(missing.isEmpty)
      let torn = await world.run("$banter log check \(world.path()) | grep -c 'line '")
      #expect(Int(torn.lines.first ?? "") ?? 0 <= rounds)
    }

    /// Lines of random fields and random bytes, in every form of output.
    @Test(arguments: ["", "--json", "--style bubble", "--style compact"])
    func `random lines act on no terminal`(options: String) async throws {
      var random = SeededRandom(seed: 17)
      for round in 0..<(isSoak ? 100 : 2) {
        let world = World()
        var bytes: [UInt8] = []
        for number in 0..<200 { bytes += line(number, &random) }
        world.append(bytes: bytes)
        world.say("the end")
        let tail = await world.run("$banter tail lobby -n 999 --color never \(options)")
        #expect(tail.status == 0 && tail.text.contains("the end"), "round \(round)")
        for output in [tail.output, tail.errors] {
          #expect(Hostile.fault(in: output, atPrompt: false) == nil, "round \(round)")
        }
      }
    }

    private func line(_ number: Int, _ random: inout SeededRandom) -> [UInt8] {
      guard number % 8 != 0 else {
        return (0..<40).map { _ in UInt8.random(in: 0...255, using: &random) } + [0x0A]
      }
      let fields = (0..<6).map { _ in json(text(&random)) }
      let type = ["message", "message", "notice", "profile", "edit", "reaction", "delete"]
        .randomElement(using: &random)
      let line =
        #"{"type":"\#(type ?? "")","messageID":"m\#(number / 3)","eventID":"e\#(number)","#
        + #""profileID":\#(fields[0]),"profileName":\#(fields[1]),"content":\#(fields[2]),"#
        + #""reaction":\#(fields[3]),"images":[\#(fields[4])],"files":[{"path":\#(fields[5])}]}"#
      return Array(line.utf8) + [0x0A]
    }

    /// Of the scalars half are such as act or join, the others any.
    private func text(_ random: inout SeededRandom) -> String {
      let acting: [ClosedRange<UInt32>] = [
        0...0x1F, 0x7F...0x9F, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x2069, 0x300...0x30F,
        0x1F3FB...0x1F469, 0x5B...0x5D, 0x30...0x6D,
      ]
      var scalars = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        let range = Bool.random(using: &random) ? acting.randomElement(using: &random) : nil
        let value = UInt32.random(in: range ?? 0...0x10FFFF, using: &random)
        if let scalar = Unicode.Scalar(value) { scalars.append(scalar) }
      }
      return String(scalars)
    }
  }
}
