import Testing

/// `banter serve` under a service manager, which is a few lines of Python here.
@Suite(.timeLimit(.minutes(2))) struct ServiceManagerTests {
  /// Starts the hub with sockets and a place to be told, and says what came of
  /// it. `sockets` are `unix`, `tcp`, `tls`, `any` (TCP at every address) and
  /// `datagram`.
  private func outcome(
    of options: String = "", sockets: [String], names: String = "", notify: String = "notify",
    pid: String = "own", after preparation: String = ":"
  ) async -> Outcome {
    let world = World()
    world.folder.write("manager.py", Self.manager)
    let words = [names, notify, pid, sockets.joined(separator: ",")].map { quoted($0) }
    return await world.run(
      "\(preparation) && python3 manager.py \(words.joined(separator: " ")) $banter serve \(options)"
    )
  }

  /// Prints what the hub says to its manager, and to whoever calls.
  private static let manager = #"""
    import json, os, signal, socket, ssl, sys
    names, notify, pid, kinds, *command = sys.argv[1:]
    listening = []
    for kind in filter(None, kinds.split(",")):
        family = socket.AF_INET if kind in ("tcp", "tls", "any") else socket.AF_UNIX
        one = socket.socket(family, socket.SOCK_DGRAM if kind == "datagram" else socket.SOCK_STREAM)
        one.bind({"tcp": ("127.0.0.1", 0), "tls": ("127.0.0.1", 0), "any": ("0.0.0.0", 0)}.get(
            kind, "socket-" + kind))
        if kind != "datagram": one.listen()
        listening.append(one)
    told = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    told.bind(notify.replace("@", "\0", 1) if notify.startswith("@") else notify)
    told.settimeout(20)
    child = os.fork()
    if child == 0:
        for index, one in enumerate(listening):
            os.dup2(one.fileno(), 100 + index)
        for index in range(len(listening)):
            os.dup2(100 + index, 3 + index)
        os.closerange(3 + len(listening), 200)
        os.environ["LISTEN_PID"] = str(os.getpid()) if pid == "own" else pid
        os.environ["LISTEN_FDS"] = str(len(listening))
        os.environ["LISTEN_FDNAMES"] = names
        address = notify if notify.startswith("@") else os.path.abspath(notify)
        os.environ["NOTIFY_SOCKET"] = address
        os.execv(command[0], command)
    told.settimeout(0.1)
    heard = None
    for _ in range(200):
        try:
            heard = told.recv(999).decode()
            break
        except TimeoutError:
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended: sys.exit(os.waitstatus_to_exitcode(status))
    print(heard)
    for kind, one in zip(kinds.split(","), listening) if pid == "own" else []:
        caller = socket.socket(one.family, socket.SOCK_STREAM)
        caller.settimeout(10)
        caller.connect(one.getsockname())
        if kind == "tls": caller = ssl._create_unverified_context().wrap_socket(caller)
        hello = {"type": "hello", "versions": [1], "client": "test",
                 "profile": {"profileID": "minsu", "profileName": "Minsu"}}
        caller.sendall(json.dumps(hello).encode() + b"\n")
        welcome = json.loads(caller.makefile().readline())
        print(welcome["type"], welcome["self"]["profileID"])
        caller.close()
    os.kill(child, signal.SIGTERM)
    told.settimeout(20)
    print(told.recv(999).decode())
    _, status = os.waitpid(child, 0)
    print("ended", os.waitstatus_to_exitcode(status))
    print(*sorted(name for name in os.listdir() if name.startswith("socket-")))
    """#

  @Test func `a Unix socket is taken over, and the system says who calls`() async {
    let outcome = await outcome(sockets: ["unix"])
    let user = await Program.run("id -un")
    #expect(
      outcome.lines == [
        "READY=1", "welcome \(user.lines.first ?? "")", "STOPPING=1", "ended 0", "socket-unix",
      ], "\(outcome.errorText)")
    #expect(outcome.errorText.contains("serving: unix://"))
    // Nothing of its own beside it.
    #expect(!outcome.errorText.contains("hub.socket"))
  }

  @Test func `several sockets are taken over, whatever they are called`() async {
    let outcome = await outcome(of: "--open", sockets: ["tcp", "unix"], names: "front:back")
    #expect(
      outcome.lines.prefix(3) == ["READY=1", "welcome minsu", "welcome minsu"],
      "\(outcome.errorText)")
  }

  @Test(arguments: [("", "tcp", "--open"), ("--open", "any", "TLS")])
  func `who may come in at an inherited TCP socket is asked as at any other`(
    _ options: String, _ kind: String, _ word: String
  ) async {
    let outcome = await outcome(of: options, sockets: [kind])
    #expect(outcome.status == 64)
    #expect(outcome.errorText.contains(word), "\(outcome.errorText)")
  }

  @Test func `TLS is spoken at the socket that is called tls`() async {
    let outcome = await outcome(
      of: "--open --cert cert.pem --key key.pem", sockets: ["tcp", "tls"], names: "plain:tls",
      after: "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 9 "
        + "-subj /CN=localhost -keyout key.pem -out cert.pem 2>openssl.log")
    #expect(
      outcome.lines.prefix(3) == ["READY=1", "welcome minsu", "welcome minsu"],
      "\(outcome.errorText)")
    #expect(outcome.errorText.contains("serving: tls://"))
  }

  @Test func `at every address it is served when that is what was said`() async {
    let outcome = await outcome(of: "--open --insecure", sockets: ["any"])
    #expect(outcome.lines.prefix(2) == ["READY=1", "welcome minsu"], "\(outcome.errorText)")
  }

  @Test func `a socket that nobody can call at is refused by its name`() async {
    let outcome = await outcome(sockets: ["unix", "datagram"], names: "good:bad")
    #expect(outcome.status == 64)
    #expect(outcome.errorText.contains("descriptor 4 bad"), "\(outcome.errorText)")
  }

  @Test func `sockets of another process are left alone`() async {
    let outcome = await outcome(sockets: ["unix"], pid: "1")
    #expect(outcome.lines.prefix(2) == ["READY=1", "STOPPING=1"], "\(outcome.errorText)")
    #expect(outcome.errorText.contains("hub.socket"))
  }

  @Test func `a manager at an abstract address is told`() async {
    let outcome = await outcome(
      sockets: ["unix"], notify: "@banter-test-\(UInt32.random(in: 0...(.max)))")
    #expect(outcome.lines.first == "READY=1", "\(outcome.errorText)")
    #expect(outcome.lines.contains("STOPPING=1"))
  }

  @Test func `without a manager nobody is told`() async {
    let world = World()
    let outcome = await world.run("echo | NOTIFY_SOCKET= LISTEN_FDS=x $banter serve --stdio")
    #expect(outcome.status == 0, "\(outcome.errorText)")
    let silent = await world.run("echo | NOTIFY_SOCKET=/nowhere/at/all $banter serve --stdio")
    #expect(silent.status == 0, "\(silent.errorText)")
  }
}
