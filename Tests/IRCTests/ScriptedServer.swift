import TestSupport
import Testing

extension RealServer {
  /// A server that lets anybody in, over TLS where it has a certificate, and
  /// does what a script says.
  /// - Parameters:
  ///   - body: Python, run once a connection after `JOIN`; `say(text)` sends a
  ///     line and `raw(bytes)` sends bytes.
  ///   - greeting: what it says at once.
  ///   - certificate: files for TLS; clients may show one of their own, which
  ///     `EXTERNAL` then takes.
  static func scripted(
    _ body: String = "pass", greeting: String = "", certificate: (path: String, key: String)? = nil
  ) async throws -> RealServer {
    let wrapping =
      certificate.map {
        """
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain("\($0.path)", "\($0.key)")
            context.load_verify_locations("\($0.path)")
            context.verify_mode = ssl.CERT_OPTIONAL
            connection = context.wrap_socket(connection, server_side=True)
        """
      } ?? "pass"
    let script = body.split(separator: "\n").map { "            \($0)" }.joined(separator: "\n")
    return try await RealServer("python3 server.py") { port in
      [
        "server.py": """
        import socket, ssl, sys, threading, time
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", \(port)))
        listener.listen(10)
        def serve(connection):
            \(wrapping)
            nick = "?"
            raw = connection.sendall
            def say(text): raw((text + "\\r\\n").encode())
            say("\(greeting)")
            for line in connection.makefile("rb"):
                words = line.decode("utf-8", "replace").split()
                if not words: continue
                verb = words[0]
                if verb == "CAP" and words[1] == "LS": say(":s CAP * LS :sasl=EXTERNAL")
                if verb == "CAP" and words[1] == "REQ": say(":s CAP * ACK :sasl")
                if verb == "NICK": nick = words[1]
                if verb == "AUTHENTICATE" and words[1] == "EXTERNAL": say("AUTHENTICATE +")
                if verb == "AUTHENTICATE" and words[1] == "+":
                    say(":s 903 * :ok" if connection.getpeercert() else ":s 904 * :no certificate")
                if verb == "CAP" and words[1] == "END":
                    say(f":s 001 {nick} :Welcome")
                    say(f":s 422 {nick} :none")
                if verb == "PING": say(f":s PONG s {words[1]}")
                if verb == "JOIN":
                    say(f":{nick}!u@h JOIN {words[1]}")
                    say(f":s 366 {nick} {words[1]} :End")
        \(script)
        while True:
            threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
        """
      ]
    }
  }
}

/// A certificate that is signed by its own key.
enum TestCertificate {
  static func make(
    in folder: TemporaryFolder, _ name: String, names: String
  ) async throws -> (path: String, key: String) {
    let (path, key) = ("\(folder.path)/\(name).pem", "\(folder.path)/\(name).key")
    let outcome = await Program.run(
      """
      openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 \
      -subj /CN=irc -addext subjectAltName=\(names) -keyout \(key) -out \(path)
      """)
    try #require(outcome.status == 0, "\(outcome.errorText)")
    return (path, key)
  }
}
