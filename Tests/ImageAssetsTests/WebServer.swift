import ChatModel
import Glibc
import Processes
import TestSupport

@testable import ImageAssets

/// A web server of Python that does everything wrong that one can. It ends with
/// its owner, or when this process ends.
final class WebServer: Sendable {
  let port: Int
  /// At another address of this machine, where only what is not to be fetched
  /// is.
  let secretPort: Int
  /// For HTTPS, with a certificate of its own for `images.example`.
  let securePort: Int
  private let folder = TemporaryFolder()
  private let input: Pipe
  private let child: ChildProcess

  /// One for all tests that do not count what it is asked for. Nothing here
  /// ends it; it tidies up by itself.
  private static let shared = Task { try await WebServer() }

  static func forAll() async throws -> WebServer { try await shared.value }

  /// What forbids its other address, and not its own.
  static let policy = AddressPolicy(
    privateNetworks: AddressPolicy.privateNetworks.filter { network in
      IPAddress("127.0.0.2").map { !network.contains($0) } ?? true
    } + ["127.0.0.1"])

  init() async throws {
    let program = folder.write("server.py", Self.program)
    folder.write("image.png", Samples.picture)
    guard let input = Pipe(), let output = Pipe() else { throw Unfulfilled() }
    self.input = input
    child = try ChildProcess(
      ["python3", program], environment: ["PATH": "/usr/bin:/bin"],
      input: .descriptor(input.readEnd), output: .descriptor(output.writeEnd), session: .own)
    input.closeReadEnd()
    output.closeWriteEnd()
    let words = String(decoding: await output.collect(limit: 1), as: UTF8.self)
    let ports = words.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    guard ports.count == 3 else { throw Unfulfilled() }
    (port, secretPort, securePort) = (ports[0], ports[1], ports[2])
  }

  deinit {
    input.closeWriteEnd()
    child.end()
    let child = child
    Task { _ = await child.waitUntilExit() }
  }

  /// An address that only tests may fetch.
  func address(_ path: String) -> String { "http://127.0.0.2:\(port)\(path)" }

  /// The file of its certificate.
  var certificate: String { "\(folder.path)/certificate.pem" }

  /// What was asked for so far, a line a request: its path, and its headers in
  /// JSON.
  var requests: [String] {
    String(decoding: folder.read("requests") ?? [], as: UTF8.self).split(separator: "\n").map(
      String.init)
  }

  /// How many callers are being answered.
  var openCount: Int {
    (folder.read("open")?.count ?? 0) - (folder.read("closed")?.count ?? 0)
  }

  private static let program = #"""
    import http.server, json, os, shutil, ssl, subprocess, sys, threading, time
    folder = os.path.dirname(os.path.abspath(__file__))
    picture = open(folder + "/image.png", "rb").read()
    def note(name, text):
        with open(folder + "/" + name, "a") as file: file.write(text)

    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *words): pass

        def answer(self, status=200, body=picture, **headers):
            self.send_response(status)
            headers.setdefault("Content_Type", "image/png")
            headers.setdefault("Content_Length", str(len(body)))
            for name, value in headers.items():
                if value: self.send_header(name.replace("_", "-"), value)
            self.end_headers()
            self.wfile.write(body)

        def moved(self, location, status=302, body=b"<html>moved</html>"):
            self.answer(status, body, Content_Type="text/html", Location=location)

        def endless(self, beginning, block, pause=0):
            self.answer(200, beginning, Content_Length=None)
            while True:
                self.wfile.write(block)
                time.sleep(pause)

        def do_GET(self):
            note("open", "x")
            note("requests", self.path + " " + json.dumps(dict(self.headers)) + "\n")
            try: self.serve(self.path.split("?")[0].strip("/").split("/"))
            except OSError: pass
            finally: note("closed", "x")

        def serve(self, words):
            name, rest = words[0], words[1:]
            here = "http://127.0.0.2:%d" % port
            if name in ("image", "image.txt"): self.answer(Content_Type="text/plain")
            elif name == "status": self.answer(int(rest[0]), b"<html>no</html>")
            elif name == "page.png": self.answer(200, b"<!DOCTYPE html><p>hello")
            elif name == "large-page": self.endless(b"<!DOCTYPE html>", b" " * 4096)
            elif name == "empty": self.answer(200, b"")
            elif name == "nothing": self.answer(204, b"", Content_Length=None)
            elif name == "tiny": self.answer(200, picture[:5])
            elif name == "broken": self.answer(200, picture[:20])
            elif name == "truncated": self.answer(Content_Length=str(len(picture) + 100))
            elif name == "truncated-chunks":
                self.answer(200, b"1f\r\n" + picture[:20], Content_Length=None, Transfer_Encoding="chunked")
            elif name == "endless": self.endless(picture, b"\0" * 65536)
            elif name == "huge": self.answer(Content_Length="1000000000000")
            elif name == "slow": self.endless(picture, b"\0", 0.2)
            elif name == "silent": time.sleep(60)
            elif name == "headers":
                self.send_response(200)
                while True: self.send_header("X" * 50, "y" * 1000); self.flush_headers()
            elif name == "old": self.wfile.write(picture)
            elif name == "rubbish": self.wfile.write(os.urandom(100))
            elif name == "hang-up": pass
            elif name == "times":
                left = int(rest[0])
                self.moved("/times/%d" % (left - 1)) if left else self.answer()
            elif name == "loop": self.moved("/loop")
            elif name == "relative": self.moved("../image")
            elif name == "picture-moved": self.moved("/image", 301, picture + b"\0" * 5000)
            elif name == "to-secret": self.moved("http://127.0.0.1:%d/secret" % secret_port)
            elif name == "to-file": self.moved("file://" + folder + "/image.png")
            elif name == "to-other": self.moved("gopher://127.0.0.2:%d/image" % port)
            elif name == "to-user": self.moved("http://me:pass@127.0.0.2:%d/image" % port)
            elif name == "to-long": self.moved(here + "/" + "x" * 20000)
            elif name == "nowhere": self.moved(None, 302)
            elif name == "cookie": self.answer(302, b"", Set_Cookie="a=b", Location="/image?cookie")
            else: self.answer(404, b"")

    files = [folder + "/key.pem", folder + "/certificate.pem"]
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
         "-subj", "/CN=images.example", "-addext", "subjectAltName=DNS:images.example",
         "-keyout", files[0], "-out", files[1]], stderr=subprocess.DEVNULL, check=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(files[1], files[0])

    def start(host, secure=False):
        server = http.server.ThreadingHTTPServer((host, 0), Handler)
        server.handle_error = lambda *words: None
        if secure: server.socket = context.wrap_socket(server.socket, server_side=True)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return server.server_address[1]

    port, secret_port = start("127.0.0.2"), start("127.0.0.1")
    print(port, secret_port, start("127.0.0.2", True), flush=True)
    sys.stdin.read()
    shutil.rmtree(folder, ignore_errors=True)
    """#
}
