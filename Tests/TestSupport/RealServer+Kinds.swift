extension RealServer {
  /// InspIRCd: IRC with what came since, and history on channels with mode H.
  package static func inspircd() async throws -> RealServer {
    let modules = [
      "cap", "ircv3", "ircv3_accounttag", "ircv3_batch", "ircv3_capnotify", "ircv3_chghost",
      "ircv3_ctctags", "ircv3_echomessage", "ircv3_invitenotify", "ircv3_labeledresponse",
      "ircv3_msgid", "ircv3_servertime", "chanhistory", "namesx", "services_account", "setname",
      "uhnames",
    ]
    return try await RealServer(
      "/usr/sbin/inspircd --nofork --runasroot --nopid --nolog --config \"$PWD/inspircd.conf\""
    ) { port in
      [
        "inspircd.conf": """
        <server name="irc.test" description="a test" network="TestNet">
        <admin name="a" nick="a" email="a@example.org">
        <bind address="127.0.0.1" port="\(port)" type="clients">
        <connect allow="*" timeout="60" pingfreq="120" hardsendq="16777216" softsendq="1048576"
          recvq="65536" localmax="100" globalmax="100" threshold="1000" commandrate="1000000"
          fakelag="no" resolvehostnames="no" maxchans="100">
        <performance softlimit="1024" somaxconn="128">
        <dns server="127.0.0.1" timeout="1">
        <chanhistory maxlines="100" prefixmsg="no" savefrombots="yes" sendtobots="yes">
        \(modules.map { "<module name=\"\($0)\">" }.joined(separator: "\n"))
        """
      ]
    }
  }

  /// ZNC: a bouncer in front of another server, for the user `jane`, whose
  /// password is `secret`.
  package static func znc(before other: RealServer) async throws -> RealServer {
    try await RealServer("znc --foreground --allow-root --datadir .") { port in
      [
        "configs/znc.conf": """
        Version = 1.8.2
        <Listener l>
          Port = \(port)
          Host = 127.0.0.1
          IPv4 = true
          IPv6 = false
          SSL = false
        </Listener>
        <User jane>
          Pass = plain#secret
          Admin = false
          Nick = jane
          AltNick = jane_
          Ident = jane
          ChanBufferSize = 100
          AutoClearChanBuffer = false
          <Network test>
            Server = 127.0.0.1 \(other.port)
            FloodRate = 20
            FloodBurst = 20
            JoinDelay = 0
            <Chan #room>
            </Chan>
          </Network>
        </User>
        """
      ]
    }
  }
}
