import Testing

@testable import Transport

struct SSHEndingTests {
  private func error(_ status: Int32, _ errors: String, _ lastWords: String? = nil)
    -> TransportError
  {
    SSHEnding(status: status, errors: errors, lastWords: lastWords).error(from: "host")
  }

  @Test(
    arguments: [
      (0, "", "unreachable", "the far side hung up"),
      (
        255, "ssh: Could not resolve hostname x: Name or service not known\r\n", "unreachable",
        "Could not resolve hostname x: Name or service not known"
      ),
      (
        255, "banner\nkim@host: Permission denied (publickey).\r\n", "refused",
        "kim@host: Permission denied (publickey).; check the user's name, the key or the password"
      ),
      (
        255, "Host key verification failed.\r\n", "refused",
        "its host key is not known; open the room at the prompt and compare the key"
      ),
      (
        255,
        "@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\nHost key verification failed.\n",
        "refused",
        "its host key has changed: somebody may be listening in; ask its owner, and take the old key "
          + "out with ssh-keygen -R"
      ),
      (255, "", "unreachable", "ssh broke off"),
      (
        127, "bash: line 1: banter: command not found\n", "notInstalled",
        "banter is not installed there, or not in the PATH of a login without a terminal"
      ),
      (
        64, "banter: there is no subcommand serve yet\n", "notInstalled",
        "the banter that is there is too old; bring it up to date"
      ),
      (66, "banter: /x: there is no such folder\n\n", "notFound", "/x: there is no such folder"),
      (77, "banter: /x: Permission denied\n", "denied", "/x: Permission denied"),
      (137, "banter: joined: stdio\n", "unreachable", "ssh was ended by signal 9"),
      (1, "", "unreachable", "ssh ended with status 1"),
    ] as [(Int32, String, String, String)])
  func `tells in words how ssh ended`(
    status: Int32, errors: String, code: String, reason: String
  ) {
    let error = error(status, errors)
    #expect(error.code.name == code)
    #expect(error.reason == reason)
    #expect(error.path == "host")
  }

  @Test func `what the login printed is the reason where ssh says nothing`() {
    #expect(
      error(1, " \n", "This account is not available.").reason == "This account is not available.")
  }

  @Test func `a long reason is cut`() {
    #expect(error(1, String(repeating: "x", count: 5_000)).reason.count == 400)
  }
}
