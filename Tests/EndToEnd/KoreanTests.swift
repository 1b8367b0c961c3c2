import Glibc
import Testing

extension Promises {
  /// Who speaks Korean is answered in it.
  @Suite struct Korean {
    @Test func `what goes wrong on the way is told in Korean to the end`() async throws {
      let world = World(["LC_MESSAGES": "ko_KR.UTF-8"])
      try await world.makeCertificate()
      _ = await world.run("echo geheim | $banter user add jane data/banter/rooms")
      let hub = try await HubProgram(
        world, "--listen tls://127.0.0.1:0 --cert cert.pem --key key.pem")
      let place = hub.address.split(separator: "/").last.map(String.init) ?? ""
      func tail(_ room: String, passwords: String = "") async -> String {
        await world.run(
          "umask 077; echo '\(passwords)' >config/banter/passwords; $banter tail \(room)"
        ).errorText
      }
      let refused = await tail("tcp://127.0.0.1:9/lobby")
      #expect(refused.contains("연결이 거부되었습니다; 그곳에 허브가 없습니다; 주소를 확인하거나"))
      let first = await tail(hub.room("lobby"))
      #expect(first.contains("보증하지 않는 인증서입니다; 이제부터 믿습니다: "), "\(first)")
      #expect(first.contains("비밀번호가 필요한데 없습니다; passwordCommand를"), "\(first)")
      let wrong = await tail(hub.room("lobby"), passwords: "\(place) jane falsch")
      #expect(wrong.contains("이름이나 비밀번호가 틀렸습니다; 둘 다 확인하세요"), "\(wrong)")
      let plain = await tail("tcp://\(place)/lobby")
      #expect(plain.contains("여기서는 TLS를 씁니다; 주소 앞에 tls://를 쓰세요"), "\(plain)")
      try await world.makeCertificate()
      hub.signal(SIGHUP)
      try await hub.expect("reloaded")
      let changed = await tail(hub.room("lobby"))
      #expect(changed.contains("인증서가 바뀌었습니다: 전에는 "), "\(changed)")
    }
  }
}
