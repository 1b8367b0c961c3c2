import Glibc

/// Programs that read what was exported.
enum Filter {
  /// What a shell command says of `input`, and its exit status.
  static func run(_ command: String, on input: String) -> (output: String, status: Int32) {
    var template = Array("/tmp/banter-archive.XXXXXX".utf8CString)
    let file = mkstemp(&template)
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { unlink(path) }
    var rest = Array(input.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      if count <= 0 { break }
      rest.removeFirst(count)
    }
    close(file)
    guard let pipe = popen("(\(command)) <\(path) 2>&1", "r") else { return ("", -1) }
    var output: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&chunk, 1, chunk.count, pipe), count > 0 {
      output.append(contentsOf: chunk[..<count])
    }
    return (String(decoding: output, as: UTF8.self), pclose(pipe))
  }
}
