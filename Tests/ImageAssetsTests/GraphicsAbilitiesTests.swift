import TestSupport
import Testing

@testable import ImageAssets

@Suite struct GraphicsAbilitiesTests {
  private static let kitty = "\u{1b}_Gi=4207;OK\u{1b}\\"
  private static let wezterm = "\u{1b}P>|WezTerm 20240203\u{1b}\\"
  private static let cell = "\u{1b}[6;21;11t"
  private static let sixel = "\u{1b}[?62;4;22c"
  private static let attributes = "\u{1b}[?62;22c"

  private func abilities(_ replies: [String]) -> GraphicsAbilities {
    var abilities = GraphicsAbilities()
    for reply in replies { abilities.take(Array(reply.utf8)) }
    return abilities
  }

  @Test func `takes the answers in any order`() {
    let all = [Self.kitty, Self.wezterm, Self.cell, Self.sixel]
    for first in all.indices {
      for second in all.indices where second != first {
        var order = all.indices.filter { $0 != first && $0 != second }
        order.insert(contentsOf: [first, second], at: 0)
        let abilities = abilities(order.map { all[$0] })
        #expect(abilities.hasKitty && abilities.hasITerm && abilities.hasSixel)
        #expect(abilities.cell == PixelSize(width: 11, height: 21))
        #expect(abilities.isComplete)
      }
    }
  }

  @Test(arguments: [
    ([kitty, attributes], GraphicsProtocol.kitty, GraphicsProtocol.blocks),
    ([kitty, sixel], .kitty, .sixel), ([wezterm, attributes], .iterm, .blocks),
    (["\u{1b}P>|iTerm2 3.5\u{1b}\\"], .iterm, .blocks), ([sixel], .sixel, .sixel),
    ([attributes], .blocks, .blocks), ([], .blocks, .blocks),
    (["\u{1b}P>|XTerm(390)\u{1b}\\", "\u{1b}[?4c"], .blocks, .blocks),
  ])
  func `knows what is best, alone and in a multiplexer`(
    replies: [String], alone: GraphicsProtocol, inside: GraphicsProtocol
  ) {
    #expect(abilities(replies).best(isInside: false) == alone)
    #expect(abilities(replies).best(isInside: true) == inside)
  }

  @Test func `only the attributes are the last answer`() {
    #expect(!abilities([Self.kitty, Self.wezterm, Self.cell]).isComplete)
    #expect(abilities([Self.attributes]).isComplete)
  }

  @Test(arguments: [
    "", "\u{1b}", "\u{1b}_", "x", "\u{1b}_Gi=4207;ENOTSUPP\u{1b}\\", "\u{1b}_Gi=1;OK\u{1b}\\",
    "\u{1b}P>|\u{1b}\\", "\u{1b}P1$r4c\u{1b}\\", "\u{1b}[6;0;0t", "\u{1b}[6;-1;20t",
    "\u{1b}[6;99999999999999999999;20t", "\u{1b}[6;201;10t", "\u{1b}[4;20;10t", "\u{1b}[6;20t",
    "\u{1b}[6;20;10;5t", "\u{1b}[4c", "\u{1b}[>4;4;4c", "\u{1b}]1337;OK\u{7}", "\u{1b}[\u{ff}c",
    "\u{1b}_Gi=4207;\u{1b}\\", "\u{1b}P>|not iTerm2\u{1b}\\",
  ])
  func `is not moved by anything else`(reply: String) {
    #expect(abilities([reply]) == GraphicsAbilities())
  }

  @Test func `survives whatever a terminal says`() {
    var random = SeededRandom(seed: 11)
    let parts = ["\u{1b}", "[", "?", ";", "6", "4", "c", "t", "_G", "i=4207;OK", "P>|", "\\", "é"]
    for _ in 0..<5_000 {
      let count = Int.random(in: 0..<12, using: &random)
      let text = (0..<count).map { _ in random.pick(parts) }.joined()
      let cell = abilities([text]).cell
      #expect(cell.map { (1...200).contains($0.width) && (1...200).contains($0.height) } ?? true)
    }
  }

  @Test func `asks the attributes last, and for nothing that is not answered at once`() {
    let question = GraphicsAbilities.question(isInside: false)
    #expect(question.hasSuffix("\u{1b}[c"))
    #expect(question.hasPrefix("\u{1b}_Gi=4207,s=1,v=1,a=q,"))
    // tmux takes it for the title of its window.
    #expect(!GraphicsAbilities.question(isInside: true).contains("\u{1b}_"))
  }
}
