import Glibc
import Testing

extension Promises.IRC {
  @Test func `a locked channel is entered with the kept key, or a typed one`() async throws {
    let server = try await RealServer.ngircd()
    let (own, other) = (World(), World())
    let jane = try await prompt(server, "jane", in: other)
    // A command of the server's is only for one who is there.
    jane.enter("here")
    try await jane.expect("jane: here")
    jane.enter("/mode +k sesame")
    try await jane.expect("jane sets mode +k")
    own.folder.write(
      "config/banter/passwords", "127.0.0.1:\(server.port) #tea wrong\n", mode: 0o600)
    let minsu = try Terminal(
      own,
      "--as minsu --profile-id minsu --style compact 'irc://minsu@127.0.0.1:\(server.port)/%23tea'",
      columns: 100)
    // That in the file is wrong.
    try await minsu.expect("this is not the key of #tea")
    try await minsu.expect(last: "answer (not shown)> ▮")
    minsu.enter("sesame")
    try await minsu.expect(last: "#tea> ▮")
    minsu.enter("hello")
    try await jane.expect("minsu: hello")
    own.folder.write(
      "config/banter/passwords", "127.0.0.1:\(server.port) #tea sesame\n", mode: 0o600)
    let sent = await own.run(
      "$banter send --as zed --no-queue 'irc://zed@127.0.0.1:\(server.port)/%23tea' from a script")
    #expect(sent.status == 0, "\(sent)")
    try await jane.expect("from a script")
    jane.enter("/join #secret")
    try await jane.expect(last: "#secret> ▮")
    jane.enter("/mode +k open")
    minsu.enter("/join #secret open")
    try await minsu.expect { $0.last?.hasPrefix("#secret") == true }
    #expect(
      !String(decoding: own.folder.read("state/banter/history") ?? [], as: UTF8.self).contains(
        "open"))
  }
}
