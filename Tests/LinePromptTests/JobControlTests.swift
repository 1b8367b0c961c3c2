import Testing

/// In the background the terminal is the shell's.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct JobControlTests {
  private func shell() async throws -> Tmux {
    let terminal = try Tmux(100, 20, command: "bash --norc --noprofile")
    try await terminal.expect("sh> ▮")
    return terminal
  }

  @Test func `begun in the background it stops, and has its terminal after fg`() async throws {
    let terminal = try await shell()
    terminal.type("clear; stty -a >$FIFO.a; $DEMO $FIFO &", "Enter")
    try await terminal.expect { $0.last == "sh> ▮" }
    terminal.arrive("arrived")
    terminal.type("sleep 1; stty -a | cmp - $FIFO.a && echo SAME; jobs", "Enter")
    try await terminal.expect { screen in
      screen.contains("SAME") && screen.contains { $0.contains("Stopped") }
        && !screen.contains("arrived") && screen.last == "sh> ▮"
    }
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
    terminal.type("sleep 0.5; clear; jobs", "Enter")
    try await terminal.expect { screen in
      screen.first?.contains("Stopped") == true && screen.last == "sh> ▮" && screen.count == 2
    }
    terminal.type("clear; fg", "Enter")
    try await terminal.expect { $0.suffix(2) == ["arrived", "room> ab▮c"] }
    terminal.type("X", "Enter")
    try await terminal.expect { $0.suffix(2) == ["GOT[abXc]", "room> ▮"] }
  }

  @Test func `a request to end is heard in the background`() async throws {
    let terminal = try await shell()
    terminal.type("clear; $DEMO & sleep 0.5; jobs", "Enter")
    try await terminal.expect { $0.contains { $0.contains("Stopped") } && $0.last == "sh> ▮" }
    terminal.type("clear; kill %1; sleep 0.5; jobs", "Enter")
    try await terminal.expect { $0.contains { $0.contains("Terminated") } }
  }

  @Test func `where no shell would continue it, the terminal is gone`() async throws {
    let terminal = try await shell()
    terminal.type("clear; (set -m; $DEMO >$FIFO.out 2>&1 & exit) ; sleep 3; cat $FIFO.out", "Enter")
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

    try await terminal.expect { $0.last == "sh> ▮" && $0.contains("BYE") }
  }
}
