internal import Transport
internal import TransportSecurity

/// A file that the host brings; belongs to the session.
final class Upload {
  let room: String
  let log: SubjectLog
  let name: String
  let request: PutRequest
  /// How much the cluster has of it.
  var end: Int64 = 0
  var digest = SHA256()
  /// What has come and is not kept yet.
  var waiting: [(bytes: [UInt8], isLast: Bool)] = []
  var waitingBytes = 0
  var isTaking = false
  var work: Task<Void, Never>?

  /// How much may wait for the cluster.
  static let waitingLimit = 4 * 1024 * 1024

  init(_ request: PutRequest, _ name: String, _ log: SubjectLog) {
    (room, self.log, self.name, self.request) = (request.room, log, name, request)
  }

  deinit { work?.cancel() }
}
