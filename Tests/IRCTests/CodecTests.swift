import ChatModel
import IRC
import TestSupport
import Testing

struct CodecTests {
  private func read<Result>(_ text: String, _ body: (IncomingLine) -> Result) -> Result {
    Array(text.utf8).withUnsafeBytes { body(IncomingLine($0)) }
  }

  @Test func `takes a line that is cut at any byte`() {
    let whole = Array(
      "@time=2026-11-30T08:00:00.000Z;msgid=a\\:b\\ :nick!u@h PRIVMSG #c :안녕 \u{1}x\u{1}".utf8)
    for length in 0...whole.count {
      whole[..<length].withUnsafeBytes { bytes in
        let line = IncomingLine(bytes)
        _ = (line.allTags, line.source.map(line.text), line.verbText, line.number)
        for index in -1...line.parameters.count { _ = line.parameter(index) }
      }
    }
  }

  @Test func `reads what is not UTF-8 as people wrote it before`() {
    Array("PRIVMSG #c :caf".utf8 + [0xe9, 0x20, 0x80]).withUnsafeBytes { bytes in
      #expect(IncomingLine(bytes).parameter(1) == "café €")
    }
  }

  @Test func `reads tags with bad escapes and of 6 KB`() {
    let long = String(repeating: "x", count: 6_000)
    read("@a=\\;b=\\q\\;c;=d;;e=\(long);e=2 PING") { line in
      #expect(line.allTags == ["a": "", "b": "q", "c": "", "e": "2"])
      #expect(line.isVerb("PING"))
    }
  }

  @Test func `writes one line, whatever it is given`() {
    let line = OutgoingLine("PRIVMSG", "#a", trailing: "x\r\nQUIT\0")
    #expect(line.bytes == Array("PRIVMSG #a :x  QUIT ".utf8))
  }

  @Test(arguments: [
    (CaseMapping.rfc1459, "Jane[]\\^", "jane{}|~"), (.strictRFC1459, "J[]\\~", "j{}|~"),
    (.ascii, "J[]\\~", "j[]\\~"), (.unicode, "ÉMinsu", "éminsu"),
  ])
  func `folds case as the server does`(_ mapping: CaseMapping, _ name: String, _ folded: String) {
    #expect(mapping.fold(name) == folded)
    #expect(Array(name.utf8).withUnsafeBytes { mapping.fold($0) } == folded)
  }

  @Test func `knows what a server says about itself, however wrong`() {
    var features = ServerFeatures()
    for token in [
      "CASEMAPPING=ascii", "CHANTYPES=#", "PREFIX=(qo)~@", "CHANMODES=b,k,l,im", "NICKLEN=30",
      "NICKLEN=99999999999999999999", "LINELEN=-1", "TARGMAX=PRIVMSG:4,WHOIS:,X", "=", "-",
      "PREFIX=", "STATUSMSG=\\x40+\\x2", "PREFIX=(qo)~@",
    ] { features.take(token) }
    #expect(features.caseMapping == .ascii)
    #expect(features.nickLength == 30)
    #expect(features.lineLength == 512)
    #expect(features.targetLimit(of: "PRIVMSG") == 4)
    #expect(features.targetLimit(of: "WHOIS") == nil)
    #expect(features.channel(inTarget: "@#ops") == "#ops")
    #expect(!features.isChannel("&local"))
    features.take("-NICKLEN")
    #expect(features.nickLength == 9)
  }

  @Test func `reads modes with the parameters that they have`() {
    let features = ServerFeatures()
    let changes = ModeChange.read(["+ov-bl+k", "jane", "bob", "*!*@*", "key"], features)
    let texts = changes.map { "\($0.isSet ? "+" : "-")\($0.mode)\($0.parameter ?? "")" }
    #expect(texts == ["+ojane", "+vbob", "-b*!*@*", "-l", "+kkey"])
    #expect(ModeChange.read(["+o"], features).first?.parameter == nil)
  }

  @Test func `takes formatting out of text, and tells where it was`() {
    let text = FormattedText("a\u{2}b\u{3}4,2c\u{f}d\u{3},e\u{4}ff00aaf\u{1d}\u{1d}")
    #expect(text.plain == "abcd,ef")
    var bold = TextStyle()
    bold.isBold = true
    var coloured = bold
    (coloured.foreground, coloured.background) = (9, 4)
    var exact = TextStyle()
    exact.foreground = 13
    #expect(
      text.styles == [
        StyledRange(start: 1, end: 2, style: bold), StyledRange(start: 2, end: 3, style: coloured),
        StyledRange(start: 6, end: 7, style: exact),
      ])
    #expect(FormattedText("\u{3}123").plain == "3")
    #expect(FormattedText("\u{3}99x").styles.isEmpty)
    // Bytes of UTF-8, whatever the characters are.
    #expect(FormattedText("안\u{2}녕\u{2}!").styles == [StyledRange(start: 3, end: 6, style: bold)])
    #expect((16...99).compactMap { FormattedText("\u{3}\($0)x").styles.first }.count == 83)
  }

  @Test func `finds addresses of pictures`() {
    let text =
      "https://a.example/x.PNG?y=1 <http://b.example/z.jpg>. https://c.example.png ftp://d/e.gif"
    #expect(
      PictureAddresses.find(in: text) == ["https://a.example/x.PNG?y=1", "http://b.example/z.jpg"])
  }

  @Test(
    arguments: [
      ("irc://jane@irc.test/#room", "irc.test", 6667, "#room", "jane"),
      ("ircs://irc.test:7000/%23room", "irc.test", 7000, "#room", nil),
      ("irc://[::1]:6668/bob", "::1", 6668, "bob", nil),
      ("irc://irc.test#a", "irc.test", 6667, "#a", nil),
      ("IRCS://irc.test", "irc.test", 6697, "", nil),
    ] as [(String, String, Int, String, String?)])
  func `reads addresses`(
    _ text: String, _ host: String, _ port: Int, _ room: String, _ nick: String?
  ) throws {
    let address = try #require(IRCAddress(text))
    #expect(address.host == host)
    #expect(address.port == port)
    #expect(address.room == room)
    #expect(address.nick == nick)
  }

  @Test(arguments: ["", "irc:", "http://x/", "irc://", "irc://x:0/", "irc://x:99999", "irc://[::1"])
  func `refuses what is no address`(_ text: String) {
    #expect(IRCAddress(text) == nil)
  }
}
