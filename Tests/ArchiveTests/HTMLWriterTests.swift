import ChatModel
import TerminalText
import Testing

@testable import Archive

struct HTMLWriterTests {
  /// What is between the head and the end of the page.
  private func main(_ messages: [ArchivedMessage], options: ExportOptions = Sample.options())
    -> String
  {
    let page = Sample.export(.html, messages, options: options)
    let body = page.split(separator: "<main>\n").last ?? ""
    return String(body.split(separator: "</main>").first ?? "")
  }

  @Test func `a message is an article with its name, text and time`() {
    let message = Sample.message("minsu", "민수", "안녕") {
      $0.entry.reactions = [ReactionTally(reaction: "👍", profileIDs: ["a", "b"])]
      $0.entry.isEdited = true
    }
    #expect(
      main([message]) == """
        <section class="day">
        <h2><time datetime="2026-11-30">Monday, 30 November 2026</time></h2>
        <div class="run other c3">
        <div class="face" aria-hidden="true">민</div>
        <article id="m-lobby_2fid-minsu-0">
        <p class="name"><bdi>민수</bdi></p>
        <div class="row">
        <div class="bubble">
        <p class="text" dir="auto">안녕</p>
        </div>
        <p class="side"><span class="mark">edited</span> \
        <time datetime="2026-11-30T08:16:00.000Z">08:16</time></p>
        </div>
        <ul class="reactions" aria-label="Reactions"><li><span aria-hidden="true">\
        <bdi>👍</bdi> 2</span><span class="heard">👍, 2 people</span></li></ul>
        </article>
        </div>
        </section>

        """)
  }

  @Test func `what is bold is bold, and stays text`() {
    let message = Sample.message("minsu", "민수", "\na <b> https://a.example/ c") {
      var style = TextStyle()
      (style.isBold, style.isMonospaced) = (true, true)
      $0.entry.message.styles = [StyledRange(start: 3, end: 6, style: style)]
    }
    #expect(
      main([message]).contains(
        "dir=\"auto\">a <b><code>&lt;b&gt;</code></b> <a href=\"https://a.example/\""))
  }

  @Test func `the head has a title, a language and a policy`() {
    let page = Sample.export(
      .html, [], options: Sample.options(rooms: ["<팀>"], language: .korean))
    #expect(page.hasPrefix("<!DOCTYPE html>\n<html lang=\"ko\">\n"))
    #expect(page.contains("<title>&lt;팀&gt; – Banter</title>"))
    #expect(page.contains("content=\"default-src 'none'; style-src 'sha256-"))
    #expect(page.contains("<p class=\"none\">메시지가 없습니다.</p>"))
  }

  @Test func `the policy names the style that is there`() {
    let hash = Filter.run(
      "python3 -c 'import sys,hashlib,base64; "
        + "print(base64.b64encode(hashlib.sha256(sys.stdin.buffer.read()).digest()).decode())'",
      on: HTMLStyle.sheet)
    #expect(hash.output == HTMLStyle.digest + "\n")
    #expect(!HTMLStyle.sheet.contains("<") && !HTMLStyle.sheet.contains("&"))
    #expect(!HTMLStyle.sheet.contains("url(") && !HTMLStyle.sheet.contains("@import"))
  }

  @Test func `messages of one person share a name until they pause`() {
    let times: [(String, Int64)] = [
      ("a", 0), ("a", 10), ("a", 70), ("b", 80), ("a", 90), ("a", 400), ("me", 401), ("me", 402),
    ]
    let page = main(times.map { Sample.message($0.0, $0.0, "x", after: $0.1) })
    #expect(page.count(of: "<div class=\"run") == 5)
    #expect(page.count(of: "<bdi>") == 4)
    #expect(page.count(of: "<bdi class=\"heard\">") == 4)
    #expect(page.count(of: "class=\"same\"") == 2)
    #expect(page.count(of: "<div class=\"run own\">") == 1)
    #expect(page.count(of: "<time datetime=\"2026-11-30T") == 8)
  }

  @Test func `a new day and another room begin a new run`() {
    let options = Sample.options(rooms: ["lobby", "team"])
    let page = main(
      [
        Sample.message("a", "A", "x"), Sample.message("a", "A", "x", room: "team"),
        Sample.message("a", "A", "x", after: 60_000, room: "team"),
      ], options: options)
    #expect(page.count(of: "<div class=\"run") == 3)
    #expect(page.count(of: "<bdi class=\"room\">team</bdi>") == 2)
    #expect(page.count(of: "<section") == 2 && page.count(of: "</section>") == 2)
  }

  @Test func `an answer links to what it answers`() {
    let message = Sample.message("a", "A", "yes") {
      $0.entry.message.replyTo = "i\"d"
      $0.repliedTo = RepliedMessage(name: "B", excerpt: "really?\nreally")
    }
    let page = main([message])
    #expect(
      page.contains(
        "<cite dir=\"auto\">B</cite> <a href=\"#m-lobby_2fi_22d\">"
          + "<span dir=\"auto\">really? really</span></a>"))
  }

  @Test func `one who has spoken under several names is told apart`() {
    var options = Sample.options()
    options.ownProfileIDs = ["me", "too"]
    let messages = [Sample.message("me", "Kim", "x"), Sample.message("too", "Lee", "y")]
    #expect(main(messages, options: options).count(of: "<bdi class=\"heard\">") == 2)
    options.namesOwn = true
    let page = main(messages, options: options)
    #expect(page.contains("<bdi>Kim</bdi>") && page.contains("<bdi>Lee</bdi>"))
    #expect(page.count(of: "<div class=\"run own\">") == 2)
  }

  @Test func `images at hand are in the page, others are links or names`() {
    let options = Sample.options { path, room in
      path == "a.png" && room == "lobby"
        ? .embedded(EmbeddedImage(bytes: [1, 2, 3, 4], mediaType: "image/png")) : .named
    }
    let page = main(
      [
        Sample.message("a", "A", nil) {
          $0.entry.message.images = ["a.png", "http://x.org/b.png", "javascript:c"]
          $0.entry.message.files = [FileReference(path: "a.png", name: "\"sea\"")]
        }
      ], options: options)
    #expect(page.contains("<img alt=\"&quot;sea&quot;\" src=\"data:image/png;base64,AQIDBA==\" />"))
    #expect(page.contains("<a href=\"http://x.org/b.png\" rel="))
    #expect(page.contains("<small>image</small> <bdi>javascript:c</bdi></p>"))
  }

  @Test func `an image is in the page once, and where it is left out that is told`() {
    let options = Sample.options { path, room in
      guard path == "a.png" else { return .leftOut(reason: "it is <gone>") }
      return .embedded(EmbeddedImage(bytes: Array(room.utf8), mediaType: "image/png"))
    }
    let file = { (path: String, name: String, sha256: String?) in
      FileReference(path: path, name: name, sizeInBytes: 4, sha256: sha256)
    }
    let message = { (address: String, sha256: String?) in
      Sample.message("a", "A", nil) {
        $0.roomAddress = address
        $0.entry.message.images = ["a.png", "a.png", "b.png"]
        $0.entry.message.files = [
          file("a.png", "one", sha256), file("a.png", "two", sha256), file("b.png", "three", nil),
        ]
      }
    }
    // Two rooms of one name are two rooms.
    let page = main([message("1", nil), message("2", nil), message("1", nil)], options: options)
    #expect(page.count(of: "<img ") == 2)
    #expect(page.contains("id=\"image-1\"><img alt=\"one\" src=\"data:image/png;base64,MQ==\""))
    #expect(page.contains("id=\"image-2\"><img alt=\"one\" src=\"data:image/png;base64,Mg==\""))
    #expect(page.contains("<a href=\"#image-1\"><bdi>two</bdi></a> <small>4 B, as above</small>"))
    #expect(page.contains("<bdi>three</bdi> <small>4 B, left out: it is &lt;gone&gt;</small>"))
    // What another says of the contents is looked at anew.
    let other = main([message("1", nil), message("1", "0")], options: options)
    #expect(other.count(of: "<img ") == 2)
  }

  @Test(arguments: ["image/svg+xml", "text/html", "image/png\" onload=\"x", "IMAGE/PNG", ""])
  func `nothing but pixels is embedded`(mediaType: String) {
    let options = Sample.options { _, _ in
      .embedded(EmbeddedImage(bytes: [1], mediaType: mediaType))
    }
    let message = Sample.message("a", "A", nil) { $0.entry.message.images = ["a"] }
    #expect(!main([message], options: options).contains("data:"))
  }

  @Test func `of a deleted message nothing is left`() {
    let message = Sample.message("a", "A", "secret") {
      $0.entry.isDeleted = true
      $0.entry.message.images = ["secret"]
      $0.entry.reactions = [ReactionTally(reaction: "secret", profileIDs: ["secret"])]
      $0.repliedTo = RepliedMessage(name: "B", excerpt: "secret")
    }
    for format in [ExportFormat.text, .markdown, .html] {
      #expect(!Sample.export(format, [message]).contains("secret"))
      #expect(Sample.export(format, [message]).contains("(deleted)"))
    }
  }

  @Test func `an action has its name in the bubble`() {
    let message = Sample.message("a", "A", "waves") { $0.entry.message.isAction = true }
    #expect(main([message]).contains("<p class=\"text\" dir=\"auto\"><b>A</b> waves</p>"))
    #expect(!main([message]).contains("class=\"name\""))
  }
}

extension String {
  /// How often `part` is in it.
  fileprivate func count(of part: String) -> Int {
    split(separator: part, omittingEmptySubsequences: false).count - 1
  }
}
