import Dispatch
import TerminalText
import Testing

@testable import LinePrompt

@Suite(.serialized, .timeLimit(.minutes(5)))
struct QuestionTests {
  @MainActor
  @Test func `what the terminal answers is noted as it is read, whoever it goes to`() {
    let prompt = LinePrompt(LinePrompt.Configuration(measure: TextMeasure()))
    for (bytes, isOver) in [("\u{1B}[6;20;10t", false), ("y\u{1B}[?62;22c", true)] {
      prompt.repliesExpectedUntil = .distantFuture
      prompt.take(Array(bytes.utf8))
      #expect((prompt.repliesExpectedUntil == nil) == isOver)
    }
  }

  @Test(arguments: PromptState.all, ["ask", "secret"])
  func `a question leaves a readline state unharmed`(state: PromptState, kind: String) async throws
  {
    let terminal = try Tmux(80, 12, inputrc: state.inputrc)
    try await terminal.expect { $0.first?.hasSuffix("room> ▮") == true }
    for key in state.keys {
      terminal.type(key)
      if key == "Escape" { try await terminal.expect { $0.joined().contains("(cmd)") } }
    }
    try await terminal.expect { $0.joined().hasSuffix(state.shows) }
    let before = terminal.screen
    terminal.arrive("@\(kind) why?")
    try await terminal.expect { $0.last == "why? ▮" }
    terminal.type("네", "yes", "Left", "BSpace", "s")
    if kind == "ask" { try await terminal.expect { $0.last == "why? 네yes▮" } }
    terminal.arrive("meanwhile")
    try await terminal.expect { $0.contains("meanwhile") && $0.last?.hasPrefix("why? ") == true }
    terminal.type("Enter")
    try await terminal.expect { screen in
      screen.filter { $0 != "meanwhile" && $0 != "ANSWER[네yes]" } == before
        && screen.contains("ANSWER[네yes]")
    }
    for key in state.ending { terminal.type(key) }
    try await terminal.expect { screen in
      let text = screen.joined()
      return text.contains("GOT[\(state.gives)]") && text.hasSuffix("room> ▮")
    }
  }

  @Test func `a secret never comes to the screen, nor into the history`() async throws {
    let terminal = try Tmux(60, 8)
    try await terminal.expect("room> ▮")
    terminal.type("안녕하세", "Left")
    try await terminal.expect("room> 안녕하▮세")
    terminal.arrive("@secret password>")
    try await terminal.expect("password> ▮")
    terminal.type("hunter2")
    terminal.arrive("@prompt other>", "arrived")
    try await terminal.expect("arrived\npassword> ▮")
    #expect(!terminal.bytes.contains("hunter"))
    terminal.type("Enter")
    try await terminal.expect("arrived\nANSWER[hunter2]\nother> 안녕하▮세")
    terminal.type("End", "요", "Enter", "Up")
    try await terminal.expect(
      "arrived\nANSWER[hunter2]\nGOT[안녕하세요]\nother> 안녕하세요▮")
    terminal.type("C-_", "C-a", "C-k", "C-y")
    try await terminal.expect { $0.last == "other> 안녕하세요▮" }
  }

  @Test(arguments: ["C-c", "C-d", "C-g"])
  func `a key gives no answer`(key: String) async throws {
    let terminal = try Tmux(60, 8)
    try await terminal.expect("room> ▮")
    terminal.type("typed")
    terminal.arrive("@ask sure?")
    try await terminal.expect("sure? ▮")
    terminal.type(key)
    try await terminal.expect("ANSWER[none]\nroom> typed▮")
  }

  @Test func `a question is withdrawn`() async throws {
    let terminal = try Tmux(60, 8)
    try await terminal.expect("room> ▮")
    terminal.arrive("@ask sure?")
    try await terminal.expect("sure? ▮")
    terminal.type("y")
    try await terminal.expect("sure? y▮")
    terminal.arrive("@withdraw")
    try await terminal.expect("ANSWER[none]\nroom> ▮")
  }

  @Test func `a pasted answer waits for Enter`() async throws {
    let terminal = try Tmux(60, 8)
    try await terminal.expect("room> ▮")
    terminal.arrive("@ask sure?")
    try await terminal.expect("sure? ▮")
    terminal.paste("ye\ns\n")
    try await terminal.expect("sure? yes▮")
    terminal.type("Enter")
    try await terminal.expect("ANSWER[yes]\nroom> ▮")
  }

  @Test func `a question stays over a change of the window and a stop`() async throws {
    let terminal = try Tmux(60, 8, command: "bash --norc -i")
    try await terminal.expect { $0.last == "sh> ▮" }
    terminal.type("$DEMO $FIFO", "Enter")
    try await terminal.expect { $0.last == "room> ▮" }
    terminal.type("typed")
    try await terminal.expect { $0.last == "room> typed▮" }
    terminal.arrive("@ask sure?")
    try await terminal.expect { $0.last == "sure? ▮" }
    terminal.type("ye")
    terminal.resize(40, 8)
    try await terminal.expect { $0.contains("SIZE 40x8") && $0.last == "sure? ye▮" }
    terminal.type("C-z")
    try await terminal.expect { $0.last == "sh> ▮" }
    terminal.type("fg", "Enter")
    try await terminal.expect { $0.last == "sure? ye▮" }
    terminal.type("s", "Enter")
    try await terminal.expect { $0.contains("ANSWER[yes]") && $0.last == "room> typed▮" }
  }
}
