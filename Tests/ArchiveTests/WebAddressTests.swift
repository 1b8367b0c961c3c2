import Testing

@testable import Archive

struct WebAddressTests {
  @Test(arguments: [
    ("https://example.org/a?b=c&d#e", "https://example.org/a?b=c&d#e"),
    ("HTTP://x.org", "http://x.org"), ("https://[::1]/", "https://[::1]/"),
    ("https://x/\"><script>", "https://x/%22%3E%3Cscript%3E"),
    ("https://x/한", "https://x/%ED%95%9C"), ("https://x/a b\\(c)'", "https://x/a%20b%5C%28c%29%27"),
    ("https://x/\u{0}\n\u{202E}", "https://x/%00%0A%E2%80%AE"),
  ])
  func `an address of the web may be linked, with all else encoded`(
    address: String, expected: String
  ) {
    #expect(WebAddress(address)?.text == expected)
  }

  @Test(arguments: [
    "javascript:alert(1)", " https://x", "java\nscript:x", "data:text/html,x", "//x.org/a",
    "https:x", "https://", "https:///x", "ftp://x", "file:///etc/passwd", "a.png", "",
    "https://x/" + String(repeating: "a", count: 3_000),
  ])
  func `nothing else may be linked`(address: String) {
    #expect(WebAddress(address) == nil)
  }

  @Test(arguments: [
    ("see https://a.org/b, please", "see [https://a.org/b], please"),
    ("(https://a.org/x_(y))", "([https://a.org/x_(y)])"),
    ("https://a.org에서 봐", "[https://a.org]에서 봐"),
    ("https://ko.org/서울 http://b", "[https://ko.org/서울] [http://b]"),
    ("xhttps://a.org javascript://a https://", "xhttps://a.org javascript://a https://"),
    ("<https://a.org>\"https://b.org\"", "&lt;[https://a.org]&gt;&quot;[https://b.org]&quot;"),
    ("https://a.org...", "[https://a.org]..."), ("https://.", "https://."),
  ])
  func `addresses in a text are links`(text: String, expected: String) {
    var shown = htmlWithLinks(text)
    while let start = shown.firstRange(of: "<a "),
      let end = shown[start.lowerBound...].firstIndex(of: ">")
    {
      shown.replaceSubrange(start.lowerBound...end, with: "[")
    }
    #expect(
      shown.split(separator: "</a>", omittingEmptySubsequences: false).joined(separator: "]")
        == expected)
  }
}

struct Base64Tests {
  /// From RFC 4648, section 10.
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ])
  func `bytes are written in base 64`(text: String, expected: String) {
    var buffer: [UInt8] = []
    buffer.write(base64: Array(text.utf8))
    #expect(String(decoding: buffer, as: UTF8.self) == expected)
  }
}
