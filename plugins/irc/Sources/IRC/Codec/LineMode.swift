package import ChatModel

/// Lines of IRC as JSON objects, `{"tags":{},"source":"","verb":"","params":[]}`,
/// for programs that test how lines are read and written.
package enum LineMode {
  /// Reads `{"line":"…"}` and appends the line's parts, on a line.
  package static func parse(
    _ object: UnsafeRawBufferPointer, into output: inout [UInt8]
  ) throws(EventCodingError) {
    var line = try JSONObject(object).requiredString("line")
    line.withUTF8 { append(IncomingLine(UnsafeRawBufferPointer($0)), to: &output) }
  }

  private static func append(_ line: IncomingLine, to output: inout [UInt8]) {
    JSONObjectWriter.append(to: &output) { object in
      if !line.tags.isEmpty {
        object.object("tags") { object in
          for (name, value) in line.allTags.sorted(by: { $0.key < $1.key }) {
            object.text(named: name, value)
          }
        }
      }
      object.string("source", line.source.map(line.text))
      object.string("verb", line.verbText)
      object.list("params", line.parameters) { JSONText.append(line.text($0), to: &$1) }
    }
    output.append(UInt8(ascii: "\n"))
  }

  /// Reads a line's parts and appends `{"line":"…"}`, on a line.
  package static func join(
    _ object: UnsafeRawBufferPointer, into output: inout [UInt8]
  ) throws(EventCodingError) {
    let parts = try JSONObject(object)
    var line = OutgoingLine(try parts.requiredString("verb"), try parts.strings("params"))
    line.source = try parts.string("source")
    let tags = try parts.object("tags").map { bytes throws(EventCodingError) in
      try JSONObject(bytes).texts()
    }
    line.tags = (tags ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    let text = IRCText.decode(line.bytes)
    JSONObjectWriter.append(to: &output) { $0.string("line", text) }
    output.append(UInt8(ascii: "\n"))
  }
}
