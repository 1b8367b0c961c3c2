import Testing

/// Images from the web.
extension Promises.Pictures {
  @Test(.enabled(if: hasPrograms))
  func `each bad answer of the web ends in a line that says why`() async throws {
    let world = World(settings: "{style: 'plain', images: {private: true, prefetch: 'off'}}")
    world.folder.write("server.py", Self.server)
    world.say("old")
    let terminal = try Terminal(
      world, columns: 200, rows: 40, script: "python3 server.py & exec $banter")
    try await terminal.expect(last: "lobby> ▮")
    var port = ""
    #expect(
      await eventually {
        port = String(decoding: world.folder.read("port") ?? [], as: UTF8.self)
        return !port.isEmpty
      })
    let reasons = [
      ("404", "the server answers with status 404"),
      ("500", "the server answers with status 500"), ("page", "it is no PNG, JPEG, GIF or WebP"),
      ("loop", "it is redirected too often"), ("file", "this is no address of the web"),
      ("empty", "the file is empty"), ("cut", "it broke off before its end"),
      ("endless", "it is larger than"), ("slow", "it takes too long"),
    ]
    world.say("bad", images: reasons.map { "http://127.0.0.1:\(port)/\($0.0)" })
    try await terminal.expect("bad")
    terminal.enter("/images")
    for (index, reason) in reasons.enumerated() {
      try await terminal.expect(within: .seconds(60)) { rows in
        rows.joined(separator: " ").contains(
          "image \(index + 1) of \(reasons.count): \(reason.0), ")
          && rows.joined(separator: " ").contains(reason.1)
      }
    }
    terminal.enter("hello")
    try await terminal.expect("hello")
  }

  private static let server = """
    import http.server, os, time
    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *words): pass
        def answer(self, status, body, **headers):
            self.send_response(status)
            for name, value in headers.items(): self.send_header(name.replace("_", "-"), value)
            self.end_headers()
            self.wfile.write(body)
        def do_GET(self):
            name = self.path.strip("/")
            if name.isdigit(): self.answer(int(name), b"no")
            elif name == "page": self.answer(200, b"<!DOCTYPE html>" * 50)
            elif name == "loop": self.answer(302, b"", Location="/loop")
            elif name == "file": self.answer(302, b"", Location="file:///etc/passwd")
            elif name == "empty": self.answer(200, b"")
            elif name == "cut": self.answer(200, b"\\x89PNG\\r\\n\\x1a\\n", Content_Length="5000")
            else:
                self.answer(200, b"\\x89PNG\\r\\n\\x1a\\n" + bytes(40))
                while True:
                    self.wfile.write(bytes(1 if name == "slow" else 65536))
                    if name == "slow": time.sleep(1)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.handle_error = lambda *words: None
    with open("port.new", "w") as file: file.write(str(server.server_address[1]))
    os.rename("port.new", "port")
    server.serve_forever()
    """
}
