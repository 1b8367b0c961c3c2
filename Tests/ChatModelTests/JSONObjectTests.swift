import ChatModel
import Testing

@Suite struct JSONObjectTests {
  private func with<Value>(
    _ text: String, _ body: (borrowing JSONObject) throws -> Value
  ) throws -> Value {
    try Array(text.utf8).withUnsafeBytes { try body(try JSONObject($0)) }
  }

  @Test func `members are found by name, whatever their order and their escapes`() throws {
    try with(#" { "b" : [1, 2] , "\u0061":"x\ny", "c":{"d":1},"n":-5,"t":true,"e":"" } "#) {
      object in
      #expect(try object.string("a") == "x\ny")
      #expect(try object.string("e") == "")
      #expect(try object.integer("n") == -5)
      #expect(try object.flag("t"))
      #expect(try object.bool("t") == true)
      #expect(try object.strings("b") == ["1", "2"])
      #expect(try object.id("n") == "-5")
      #expect(try object.string("missing") == nil)
      let inner = try object.object("c").map { String(decoding: $0, as: UTF8.self) }
      #expect(inner == #"{"d":1}"#)
      #expect(object.texts() == ["a": "x\ny", "e": ""])
      #expect(object.texts(besides: ["e"]) == ["a": "x\ny"])
    }
  }

  @Test func `of a name that stands twice the last counts, and null is missing`() throws {
    try with(#"{"a":1,"a":"x","b":"y","b":null,"c":null}"#) { object throws in
      #expect(try object.string("a") == "x")
      #expect(try object.string("b") == nil)
      #expect(try !object.flag("c"))
      #expect(try object.strings("c").isEmpty)
    }
  }

  @Test(arguments: [
    #"{"a":{}}"#, #"{"a":[]}"#, #"{"a":1}"#, #"{"a":true}"#, #"{"a":1.5}"#,
  ])
  func `a value of another kind is an error`(text: String) throws {
    try with(text) { object in
      let result = Result { try object.string("a") }
      #expect(throws: EventCodingError.self) { try result.get() }
    }
  }

  @Test func `numbers that are not whole, or too large, are none`() throws {
    for text in ["1.0", "1e3", "9223372036854775808", #""1""#, "true"] {
      try with(#"{"a":\#(text)}"#) { object in
        let result = Result { try object.integer("a") }
        #expect(throws: EventCodingError.self, "\(text)") { try result.get() }
      }
    }
    try with(#"{"a":9223372036854775807,"b":-9223372036854775808}"#) { object throws in
      #expect(try object.integer("a") == .max)
      #expect(try object.integer("b") == .min)
    }
  }

  @Test func `lists are read element by element`() throws {
    try with(#"{"a":[ {"x":1} , "t,]" ,[[]], null,-1 ],"b":[]}"#) { object in
      let texts = try object.list("a") { String(decoding: $0, as: UTF8.self) }
      #expect(texts == [#"{"x":1}"#, #""t,]""#, "[[]]", "null", "-1"])
      #expect(try object.list("b") { $0.count }.isEmpty)
      let result = Result { try object.strings("a") }
      #expect(throws: EventCodingError.self) { try result.get() }
    }
  }

  @Test(arguments: [
    "", " ", "{", "}", "[]", "null", #""x""#, "{}x", "{} {}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#,
    #"{,}"#, #"{"a":1 "b":2}"#, #"{a:1}"#, #"{'a':1}"#, #"{"a":01}"#, #"{"a":"\#n"}"#,
    #"{"a":"\x"}"#, #"{"a":[1,]}"#, #"{"a":[1}"#, #"{"a":tru}"#, #"{"a":NaN}"#, "{\"a\":\"\u{1}\"}",
    #"{"a":1}//"#,
  ])
  func `what is not one whole object is an error`(text: String) {
    #expect(throws: EventCodingError.self) { try with(text) { _ in } }
  }

  @Test func `it is not within itself without end`() {
    let deep = String(repeating: "[", count: 100_000)
    #expect(throws: EventCodingError.self) { try with(#"{"a":\#(deep)"#) { _ in } }
  }

  @Test func `an object cut anywhere is an error`() {
    let text = Array(
      #"{"type":"join","ref":"긴","list":[1,"x",{"a":null}],"b":false,"n":-1.5e3}"#.utf8)
    for cut in 0..<text.count {
      #expect(throws: EventCodingError.self) {
        try text[..<cut].withUnsafeBytes { _ = try JSONObject($0).string("type") }
      }
    }
  }
}
