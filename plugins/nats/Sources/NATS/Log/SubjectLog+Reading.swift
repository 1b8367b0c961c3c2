/// A log's messages, page by page.
extension SubjectLog {
  /// How many messages are asked for at once.
  static let pageCount = 500

  /// The next messages, oldest first, `count` at most, or as many as one may
  /// hold in memory; none at the end.
  func read(_ count: Int, by reader: Reader) async throws(ClusterFault) -> [LogMessage] {
    let limit = requests.connection.maximumPayloadBytes + 65_536
    if let page = try await read(count, limitInBytes: limit, by: reader) { return page }
    // One that was stored when more was allowed.
    return try await read(1, limitInBytes: nil, by: reader) ?? []
  }

  /// - Returns: nil where not even one is so small.
  private func read(
    _ count: Int, limitInBytes limit: Int?, by reader: Reader
  ) async throws(ClusterFault) -> [LogMessage]? {
    let bound = limit.map { #","max_bytes":\#($0)"# } ?? ""
    let answers = try await requests.gather(
      "$JS.API.CONSUMER.MSG.NEXT.\(stream).\(reader.name)",
      Array(#"{"batch":\#(count)\#(bound),"no_wait":true}"#.utf8), of: reader.name, atMost: count,
      within: .seconds(5))
    let messages = answers.compactMap { answer in
      answer.place.map { LogMessage(sequence: $0.sequence, bytes: answer.bytes) }
    }
    let status = answers.last?.headers[.status]
    guard messages.count == count || status != nil else {
      throw ClusterFault(.timeout, "the cluster stopped in the middle of a page")
    }
    guard messages.isEmpty else { return messages }
    if status == "409", limit != nil { return nil }
    if let fault = answers.last?.statusFault, fault.kind == .unavailable { throw fault }
    return messages
  }

  /// Hands over what there is from a message on, page by page, oldest first, as
  /// long as `body` wants more; the next page is fetched meanwhile.
  /// - Parameter count: how many messages at most.
  func forEachPage(
    from sequence: UInt64, count: Int = .max, _ body: ([LogMessage]) async -> Bool
  ) async throws(ClusterFault) {
    let reader = try await reader(from: sequence)
    var left = min(Int(clamping: reader.pendingCount), count)
    var page = try await nextPage(left, by: reader).get()
    while !page.isEmpty {
      left -= page.count
      async let next = nextPage(left, by: reader)
      guard await body(page) else { return }
      page = try await next.get()
    }
  }

  private func nextPage(_ left: Int, by reader: Reader) async -> Result<[LogMessage], ClusterFault>
  {
    guard left > 0 else { return .success([]) }
    do throws(ClusterFault) {
      return .success(try await read(min(left, Self.pageCount), by: reader))
    } catch {
      return .failure(error)
    }
  }
}
