internal import ChatModel
internal import Dispatch
internal import Executors
internal import Sockets
internal import Transport
internal import TransportSecurity

/// Files that are brought and fetched. The hub's queue only hands over: the
/// disk, the digests and the base64 are ``SharedRoomFiles``' affair, on its own
/// queue.
extension Hub {
  /// How much of a file waits for the disk, or for a slow reader, at most.
  private static let waitingBytes = 512 * 1024
  private static let outputBytes = 256 * 1024
  /// About what a chunk takes as a line.
  private static let chunkLineBytes = 88 * 1024
  /// After how long without any part a file is let go of.
  private static let stallLimit = Duration.seconds(60)

  // MARK: - Bringing

  func put(_ request: PutRequest, _ ref: String, from client: HubClient, _ profile: Profile) {
    if client.transfers.upload == nil { client.transfers.endedRef = ref }
    do throws(ProtocolError) {
      let offer = try offer(request, client, profile)
      let number = takeTransferNumber()
      uploadCount += 1
      client.transfers.upload = ClientTransfers.Upload(
        number: number, ref: ref, sizeInBytes: offer.sizeInBytes, tick: tick)
      let client = client.number
      onDisk { files throws(TransportError) in
        try files.begin(offer, number)
      } then: { hub, result in
        hub.take(result, ofUpload: number, from: client, bytes: 0)
      }
    } catch {
      client.tell(.error(ref: ref, error))
    }
  }

  private func offer(
    _ request: PutRequest, _ client: HubClient, _ profile: Profile
  ) throws(ProtocolError) -> SharedRoomFiles.Offer {
    try checkMayWrite(client)
    let room = try joinedRoom(request.room, of: client)
    try check(request)
    guard client.transfers.upload == nil else {
      throw ProtocolError(.retry, "one file at a time; the one before it is not finished")
    }
    guard uploadCount < configuration.limits.uploads else {
      throw ProtocolError(
        .retry, "too many files are on their way; try again soon", retryAfter: .seconds(1))
    }
    return SharedRoomFiles.Offer(
      room: room.file.path, profileID: profile.id, name: request.name,
      sizeInBytes: request.sizeInBytes, sha256: request.sha256)
  }

  private func check(_ request: PutRequest) throws(ProtocolError) {
    guard request.sizeInBytes >= 0 else {
      throw ProtocolError(.invalid, "a file's size in bytes is 0 or more")
    }
    let limit = configuration.limits.fileBytes
    guard request.sizeInBytes <= limit else {
      throw ProtocolError(
        .tooLarge,
        "it is larger than \(sizeText(limit)), which is the most; send a smaller one")
    }
    guard SHA256.isDigest(request.sha256) else {
      throw ProtocolError(.invalid, "sha256 is 64 hexadecimal digits in small letters")
    }
    let name = request.name
    let isPlain =
      !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 < 0x20 || $0 == 0x7f }
      && name != "." && name != ".."
    guard isPlain, (1...255).contains(name.utf8.count) else {
      throw ProtocolError(.invalid, "a file's name has 1 to 255 bytes and no slash")
    }
  }

  /// Takes a part of the file that is under way.
  func take(chunk data: String, isLast: Bool, _ ref: String, from client: HubClient) {
    guard let upload = client.transfers.upload, upload.ref == ref else {
      // Parts that were on their way when the file had ended say nothing new.
      guard ref != client.transfers.endedRef else { return }
      return client.tell(
        .error(ref: ref, ProtocolError(.invalid, "no file of that ref is on its way")))
    }
    client.transfers.upload?.tick = tick
    let (number, client, bytes) = (upload.number, client, data.utf8.count)
    client.transfers.waitingBytes += bytes
    let clientNumber = client.number
    onDisk { files throws(TransportError) in
      try files.write(data, isLast: isLast, to: number)
    } then: { hub, result in
      hub.take(result, ofUpload: number, from: clientNumber, bytes: bytes)
    }
  }

  /// Tells what the disk says of a part.
  private func take(
    _ result: Result<SharedRoomFiles.Step, TransportError>, ofUpload number: Int,
    from clientNumber: Int, bytes: Int
  ) {
    guard let client = clients[clientNumber] else { return }
    client.transfers.waitingBytes -= bytes
    // It is the disk that was slow.
    client.heardTick = tick
    goOnHearing(client)
    guard let upload = client.transfers.upload, upload.number == number else { return }
    switch result {
    case .success(.ready(let offset)): client.tell(.ready(ref: upload.ref, offset: offset))
    case .success(.received(let count)):
      client.tell(.progress(ref: upload.ref, done: count, total: upload.sizeInBytes))
    case .success(.stored(let path)):
      endUpload(of: client)
      client.tell(.stored(ref: upload.ref, path: path))
    case .failure(let error):
      endUpload(of: client)
      tell(error, about: upload.ref, to: client)
    }
    wake(client)
  }

  private func endUpload(of client: HubClient) {
    guard let upload = client.transfers.upload else { return }
    client.transfers.endedRef = upload.ref
    client.transfers.upload = nil
    uploadCount -= 1
  }

  private func tell(_ error: TransportError, about ref: String, to client: HubClient) {
    if error.errorNumber != nil, error.code.isTransient {
      log(HubLogEntry(kind: .problem, peer: client.peer, text: error.description))
    }
    client.tell(.error(ref: ref, ProtocolError(error)))
  }

  // MARK: - Fetching

  func get(_ path: String, of room: String, from offset: Int64, _ ref: String, _ client: HubClient)
  {
    do throws(ProtocolError) {
      let room = try joinedRoom(room, of: client)
      try checkDownload(ref, client)
      let number = takeTransferNumber()
      downloadCount += 1
      client.transfers.downloads.append(
        ClientTransfers.Download(number: number, ref: ref, tick: tick))
      let (file, client) = (room.file.path, client.number)
      onDisk { files throws(TransportError) in
        try files.open(path, of: file, from: offset, number)
      } then: { hub, result in
        hub.take(result.map { nil }, ofDownload: number, for: client)
      }
    } catch {
      client.tell(.error(ref: ref, error))
    }
  }

  private func checkDownload(_ ref: String, _ client: HubClient) throws(ProtocolError) {
    guard !client.transfers.downloads.contains(where: { $0.ref == ref }) else {
      throw ProtocolError(.invalid, "a file of that ref is on its way already")
    }
    guard client.transfers.downloads.count < configuration.limits.downloadsPerConnection,
      downloadCount < configuration.limits.downloads
    else {
      throw ProtocolError(
        .retry, "too many files are on their way; try again soon", retryAfter: .seconds(1))
    }
  }

  /// A part as a line that can be sent.
  private struct Part {
    var line: [UInt8]
    var isLast: Bool
  }

  /// Takes what the disk says; nil when the file has been opened.
  private func take(
    _ result: Result<Part?, TransportError>, ofDownload number: Int, for clientNumber: Int
  ) {
    guard let client = clients[clientNumber], let index = client.transfers.download(number)
    else { return }
    client.transfers.downloads[index].isReading = false
    client.transfers.downloads[index].tick = tick
    switch result {
    case .success(let part):
      guard let part else { break }
      client.connection.append { $0.append(contentsOf: part.line) }
      if part.isLast { endDownload(at: index, of: client) }
    case .failure(let error):
      tell(error, about: client.transfers.downloads[index].ref, to: client)
      endDownload(at: index, of: client)
    }
    wake(client)
  }

  /// Asks the disk for as much as somebody takes.
  func fillOutput(of client: HubClient) {
    guard !client.transfers.downloads.isEmpty else { return }
    let reading = client.transfers.downloads.count(where: \.isReading)
    var waiting = client.connection.pendingBytes + reading * Self.chunkLineBytes
    for index in client.transfers.downloads.indices
    where !client.transfers.downloads[index].isReading && waiting < Self.outputBytes {
      client.transfers.downloads[index].isReading = true
      waiting += Self.chunkLineBytes
      read(client.transfers.downloads[index], for: client.number)
    }
  }

  private func read(_ download: ClientTransfers.Download, for client: Int) {
    let (number, ref) = (download.number, download.ref)
    onDisk { files throws(TransportError) -> Part? in
      let (data, isLast) = try files.read(number)
      var line: [UInt8] = []
      Answer.chunk(ref: ref, data: data, isLast: isLast).encode(into: &line)
      return Part(line: line, isLast: isLast)
    } then: { hub, result in
      hub.take(result, ofDownload: number, for: client)
    }
  }

  private func endDownload(at index: Int, of client: HubClient) {
    let number = client.transfers.downloads.remove(at: index).number
    downloadCount -= 1
    onDisk { $0.close(number) }
  }

  // MARK: - Ends

  /// Ends what a ref names, and keeps nothing of it.
  func cancel(_ ref: String, of client: HubClient) {
    if let upload = client.transfers.upload, upload.ref == ref {
      endUpload(of: client)
      onDisk { $0.discard(upload.number) }
    }
    if let index = client.transfers.downloads.firstIndex(where: { $0.ref == ref }) {
      endDownload(at: index, of: client)
    }
  }

  /// Lets go of everything; what has come is kept for one who comes back.
  func endTransfers(of client: HubClient) {
    if let upload = client.transfers.upload {
      endUpload(of: client)
      onDisk { $0.setAside(upload.number) }
    }
    while !client.transfers.downloads.isEmpty { endDownload(at: 0, of: client) }
  }

  /// Lets go of what has not moved for long.
  func passTransfers(of client: HubClient) {
    let error = ProtocolError(.retry, "nothing of this file has moved for a minute")
    if let upload = client.transfers.upload, tick - upload.tick >= ticks(of: Self.stallLimit),
      client.transfers.waitingBytes == 0
    {
      endUpload(of: client)
      onDisk { $0.setAside(upload.number) }
      client.tell(.error(ref: upload.ref, error))
      wake(client)
    }
    while let index = client.transfers.downloads.firstIndex(where: {
      !$0.isReading && tick - $0.tick >= ticks(of: Self.stallLimit)
    }) {
      client.tell(.error(ref: client.transfers.downloads[index].ref, error))
      endDownload(at: index, of: client)
      wake(client)
    }
  }

  /// Removes, once a minute, what nobody has come back for.
  func removeOldUploads() {
    if tick.isMultiple(of: ticks(of: Self.stallLimit)) { onDisk { $0.removeOld() } }
  }

  // MARK: - Waiting

  /// Whether the disk takes what somebody brings.
  func takesFiles(_ client: HubClient) -> Bool {
    client.transfers.waitingBytes <= Self.waitingBytes
  }

  /// Hands work to the files' queue, where it is done in the order in which it
  /// was handed over.
  private func onDisk(_ work: @escaping @Sendable (isolated SharedRoomFiles) -> Void) {
    let files = files
    files.executor.queue.async { files.assumeIsolated { work($0) } }
  }

  private func onDisk<Value: Sendable>(
    _ work: @escaping @Sendable (isolated SharedRoomFiles) throws(TransportError) -> Value,
    then: @escaping @Sendable (isolated Hub, Result<Value, TransportError>) -> Void
  ) {
    let queue = executor.queue
    onDisk { [weak self] files in
      let result = Result { () throws(TransportError) in try work(files) }
      queue.async { [weak self] in self?.assumeIsolated { then($0, result) } }
    }
  }
}
