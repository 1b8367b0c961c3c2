internal import Synchronization

/// Makes what rooms need in a cluster: their stream, that of their files, and
/// the bucket of profiles.
package struct ClusterSetup: Sendable {
  package var replicaCount: Int
  /// How many messages of each room are kept; nil for all.
  package var messagesPerRoom: Int?

  package init(replicaCount: Int = 3, messagesPerRoom: Int? = nil) {
    self.replicaCount = replicaCount
    self.messagesPerRoom = messagesPerRoom
  }

  /// What became of one stream.
  package enum Outcome: Sendable {
    case made, kept
  }

  /// The configuration of the streams, by their names, as JSON
  /// (NATS ADR-1, ADR-8, ADR-28).
  var configurations: [(name: String, json: String)] {
    [
      (
        Subjects.stream,
        """
        {"name":"\(Subjects.stream)","subjects":["room.>"],"storage":"file",\
        "num_replicas":\(replicaCount),"retention":"limits","discard":"old",\
        "max_msgs_per_subject":\(messagesPerRoom ?? -1),"max_msgs":-1,"max_bytes":-1,"max_age":0,\
        "max_msg_size":-1,"max_consumers":-1,"duplicate_window":120000000000,\
        "allow_direct":true,"republish":{"src":"room.>","dest":"live.room.>"}}
        """
      ),
      (
        Subjects.fileStream,
        """
        {"name":"\(Subjects.fileStream)","subjects":["file.>"],"storage":"file",\
        "num_replicas":\(replicaCount),"retention":"limits","discard":"old",\
        "max_msgs_per_subject":-1,"max_msgs":-1,"max_bytes":-1,"max_age":0,"max_msg_size":-1,\
        "max_consumers":-1,"duplicate_window":120000000000,"allow_direct":true}
        """
      ),
      (
        Subjects.bucketStream,
        """
        {"name":"\(Subjects.bucketStream)","subjects":["$KV.\(Subjects.bucket).>"],\
        "storage":"file","num_replicas":\(replicaCount),"retention":"limits","discard":"new",\
        "max_msgs_per_subject":1,"max_msgs":-1,"max_bytes":-1,"max_age":0,"max_msg_size":-1,\
        "max_consumers":-1,"duplicate_window":120000000000,"allow_direct":true,\
        "allow_rollup_hdrs":true,"deny_delete":true}
        """
      ),
    ]
  }

  /// Makes what is not there, and gives what is there these settings; the
  /// first one after the servers' start waits for their election.
  /// - Throws: a sentence for people.
  package func run(
    at address: ClusterAddress, as login: ClusterLogin,
    _ tell: (String, Outcome) -> Void
  ) async throws(SetupError) {
    let complaints = Complaints()
    do throws(ClusterFault) {
      let connection = try await NATSConnection.make(to: address, as: login) { news in
        if case .complaint(let text) = news { complaints.texts.withLock { $0.append(text) } }
      }
      let requests = try ClusterRequests(connection)
      for (name, json) in configurations {
        tell(name, try await make(name, Array(json.utf8), requests, complaints))
      }
    } catch {
      let mayLackServers = [.other, .timeout, .unavailable].contains(error.kind)
      throw SetupError(
        reason: error.reason, isForWantOfServers: mayLackServers, lacksIssuer: error.lacksIssuer)
    }
  }

  /// What the cluster says of rights that are missing.
  private final class Complaints: Sendable {
    let texts = Mutex<[String]>([])
  }

  private func make(
    _ name: String, _ configuration: [UInt8], _ requests: ClusterRequests,
    _ complaints: Complaints
  ) async throws(ClusterFault) -> Outcome {
    let start = ContinuousClock.now
    while true {
      do throws(ClusterFault) {
        let isThere = try await isThere(name, requests)
        let answer = try await requests.ask(
          "$JS.API.STREAM.\(isThere ? "UPDATE" : "CREATE").\(name)", configuration,
          within: .seconds(5))
        _ = try JetStream.decode(JetStream.Stream.self, answer.bytes)
        return isThere ? .kept : .made
      } catch {
        // What is denied is not answered.
        if let text = complaints.texts.withLock(\.last) { throw ClusterFault(.denied, text) }
        // Servers that do not know each other yet refuse what they take later.
        let patience: Duration =
          switch error.kind {
          case .timeout, .unavailable: .seconds(20)
          case .other: .seconds(8)
          case .denied, .notFound, .tooLarge: .zero
          }
        guard .now - start < patience, !Task.isCancelled else { throw error }
        try? await Task.sleep(for: .milliseconds(250))
      }
    }
  }

  private func isThere(
    _ name: String, _ requests: ClusterRequests
  ) async throws(ClusterFault) -> Bool {
    do throws(ClusterFault) {
      let answer = try await requests.ask("$JS.API.STREAM.INFO.\(name)")
      _ = try JetStream.decode(JetStream.Stream.self, answer.bytes)
      return true
    } catch  where error.kind == .notFound {
      return false
    }
  }

  /// The rights that an account needs for one room, or for all with `nil`, as
  /// lines of a server's configuration (NATS, authorization).
  /// - Parameter user: the account's name; what the cluster answers others is
  ///   not to be heard.
  package static func rights(forRoom room: String?, user: String) -> String {
    let token = room.map(Subjects.token) ?? "*"
    let stream = Subjects.stream
    let publish = [
      "room.\(token)", "here.room.\(token)", "file.\(token).*", "$KV.\(Subjects.bucket).>",
      "$JS.API.STREAM.INFO.\(stream)", "$JS.API.DIRECT.GET.\(stream).room.\(token)",
      "$JS.API.DIRECT.GET.\(Subjects.bucketStream).$KV.\(Subjects.bucket).>",
      "$JS.API.CONSUMER.CREATE.\(stream).*.room.\(token)",
      "$JS.API.CONSUMER.MSG.NEXT.\(stream).*",
      "$JS.API.CONSUMER.CREATE.\(Subjects.fileStream).*.file.\(token).*",
      "$JS.API.CONSUMER.MSG.NEXT.\(Subjects.fileStream).*",
    ]
    let subscribe = [
      "live.room.\(token)", "here.room.\(token)",
      "\(ClusterLogin.Proof.password(user: user, "").inboxes).>",
    ]
    func list(_ subjects: [String]) -> String {
      subjects.map { "\"\($0)\"" }.joined(separator: ", ")
    }
    return """
      permissions {
        publish { allow: [\(list(publish))] }
        subscribe { allow: [\(list(subscribe))] }
      }
      """
  }
}

/// Why nothing was made.
package struct SetupError: Error {
  package var reason: String
  /// Whether it may be that there are fewer servers than each message is to be
  /// kept on.
  package var isForWantOfServers: Bool
  /// Whether nobody who is trusted vouches for the server.
  package var lacksIssuer: Bool
}
