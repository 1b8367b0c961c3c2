import Testing

/// In the background the terminal is the shell's.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct JobControlTests {
  private func shell() async throws -> Tmux {
    let terminal = try Tmux(100, 20, command: "bash --norc --noprofile")
    try await terminal.expect("sh> ▮")
    return terminal
  }

  /// Asks the shell for its jobs until one is in that state.
  private func expectJob(
    _ state: String, in terminal: Tmux, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let deadline = ContinuousClock.now + .seconds(20)
    var number = 0
    repeat {
      number += 1
      terminal.type("clear; jobs; echo ASKED \(number)", "Enter")
      try await terminal.expect { $0.contains("ASKED \(number)") && $0.last == "sh> ▮" }
      if terminal.screen.contains(where: { $0.contains(state) }) { return }
    } while ContinuousClock.now < deadline
    Issue.record("no job is \(state)", sourceLocation: sourceLocation)
  }

  @Test func `begun in the background it stops, and has its terminal after fg`() async throws {
    let terminal = try await shell()
    terminal.type("clear; stty -a >$FIFO.a; $DEMO $FIFO &", "Enter")
    try await terminal.expect { $0.last == "sh> ▮" }
    terminal.arrive("arrived")
    try await expectJob("Stopped", in: terminal)
    terminal.type("stty -a | cmp - $FIFO.a && echo SAME", "Enter")
    try await terminal.expect { $0.suffix(2) == ["SAME", "sh> ▮"] && !$0.contains("arrived") }
    terminal.type("clear; fg", "Enter")
    try await terminal.expect { $0.suffix(2) == ["arrived", "room> ▮"] }
    terminal.type("abc", "Enter")
    try await terminal.expect { $0.suffix(2) == ["GOT[abc]", "room> ▮"] }
  }

  @Test(arguments: ["C-z", "STOP"])
  func `continued in the background it stops again, and the line is kept`(
    stop: String
  ) async throws {
    let terminal = try await shell()
    terminal.type("clear; sh -c 'echo $$ >$FIFO.id; exec $DEMO $FIFO'", "Enter")
    try await terminal.expect("room> ▮")
    terminal.type("abc", "Left")
    try await terminal.expect("room> ab▮c")
    if stop == "C-z" {
      terminal.type("C-z")
    } else {
      terminal.signal("STOP")
    }
    try await terminal.expect { $0.last == "sh> ▮" }
    terminal.type("clear; bg", "Enter")
    terminal.arrive("arrived")
    try await expectJob("Stopped", in: terminal)
    #expect(!terminal.screen.contains("arrived"))
    terminal.type("clear; fg", "Enter")
    try await terminal.expect { $0.suffix(2) == ["arrived", "room> ab▮c"] }
    terminal.type("X", "Enter")
    try await terminal.expect { $0.suffix(2) == ["GOT[abXc]", "room> ▮"] }
  }

  @Test(arguments: ["C-z", "STOP"])
  func `it is told once that it was continued`(stop: String) async throws {
    let terminal = try await shell()
    terminal.type("clear; sh -c 'echo $$ >$FIFO.id; DEMO_CONTINUED=1 exec $DEMO $FIFO'", "Enter")
    try await terminal.expect("room> ▮")
    if stop == "C-z" {
      terminal.type("C-z")
    } else {
      terminal.signal("STOP")
    }
    try await terminal.expect { $0.last == "sh> ▮" }
    terminal.type("clear; fg", "Enter")
    try await terminal.expect { $0.suffix(2) == ["CONTINUED", "room> ▮"] }
    terminal.type("abc", "Enter")
    try await terminal.expect { $0.suffix(3) == ["CONTINUED", "GOT[abc]", "room> ▮"] }
    #expect(terminal.screen.count { $0 == "CONTINUED" } == 1)
  }

  @Test func `a request to end is heard in the background`() async throws {
    let terminal = try await shell()
    terminal.type("clear; $DEMO &", "Enter")
    try await expectJob("Stopped", in: terminal)
    terminal.type("clear; id=$(jobs -p); kill %1", "Enter")
    terminal.type("while [ -e /proc/$id ]; do sleep 0.1; done", "Enter")
    try await terminal.expect { $0.contains { $0.contains("Terminated") } }
  }

  @Test func `where no shell would continue it, the terminal is gone`() async throws {
    let terminal = try await shell()
    terminal.type("clear; (set -m; $DEMO >$FIFO.out 2>&1 & exit)", "Enter")
    terminal.type("clear; until grep BYE $FIFO.out; do sleep 0.1; done", "Enter")
    try await terminal.expect { $0.last == "sh> ▮" && $0.contains("BYE") }
  }
}
