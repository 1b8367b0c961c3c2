internal import PluginHost
internal import Transport
internal import TransportSecurity

/// The files of rooms, in parts.
extension NATSSession {
  // MARK: - Bringing

  func put(_ ref: String, _ request: PutRequest) {
    guard let requests, rooms[request.room] != nil else {
      return refuse(ref, ProtocolError(.notFound, "\(request.room) has not been joined"))
    }
    guard request.sizeInBytes <= StoredFile.maximumBytes else {
      return refuse(
        ref, ProtocolError(.tooLarge, "a file may have \(StoredFile.maximumBytes) bytes here"))
    }
    guard let name = StoredFile.name(sha256: request.sha256, of: request.name) else {
      return refuse(ref, ProtocolError(.invalid, "sha256 is not 64 hexadecimal digits"))
    }
    let upload = Upload(request, name, SubjectLog(requests, file: name, in: request.room))
    uploads[ref] = upload
    upload.work = Task { await begin(ref, upload) }
  }

  /// Goes on where the cluster has the file to.
  private func begin(_ ref: String, _ upload: Upload) async {
    do throws(ClusterFault) {
      let found = try await StoredFile.read(upload.log) { part in
        part.bytes.withUnsafeBytes { upload.digest.update($0) }
        return true
      }
      guard uploads[ref] === upload else { return }
      if found.isWhole {
        uploads[ref] = nil
        return say(.stored(ref: ref, path: upload.name))
      }
      upload.end = found.end
      upload.isTaking = true
      say(.ready(ref: ref, offset: found.end))
    } catch {
      fail(ref, ProtocolError(.retry, error.reason, retryAfter: .seconds(1)))
    }
  }

  func take(chunk data: String, _ isLast: Bool, _ ref: String) {
    guard let upload = uploads[ref], upload.isTaking else { return }
    guard let bytes = Base64.decode(data), bytes.count <= LineProtocol.maximumChunkBytes,
      upload.waitingBytes + bytes.count <= Upload.waitingLimit
    else { return fail(ref, ProtocolError(.invalid, "a part that is none, or too many of them")) }
    upload.waiting.append((bytes, isLast))
    upload.waitingBytes += bytes.count
    guard upload.waiting.count == 1 else { return }
    upload.work = Task { await keep(ref, upload) }
  }

  private func keep(_ ref: String, _ upload: Upload) async {
    while let (bytes, isLast) = upload.waiting.first, uploads[ref] === upload {
      let part = StoredFile.Part(offset: upload.end, isLast: isLast, bytes: bytes)
      bytes.withUnsafeBytes { upload.digest.update($0) }
      if let error = unfit(part, upload) { return fail(ref, error) }
      do throws(ClusterFault) {
        try await keep(part, of: upload)
      } catch {
        return fail(ref, ProtocolError(.retry, error.reason, retryAfter: .seconds(1)))
      }
      upload.waiting.removeFirst()
      upload.waitingBytes -= bytes.count
      upload.end = part.end
      say(.progress(ref: ref, done: part.end, total: upload.request.sizeInBytes))
      if isLast {
        uploads[ref] = nil
        say(.stored(ref: ref, path: upload.name))
      }
    }
  }

  /// What is not what was announced never becomes whole.
  private func unfit(_ part: StoredFile.Part, _ upload: Upload) -> ProtocolError? {
    guard part.end <= upload.request.sizeInBytes else {
      return ProtocolError(.invalid, "more has come than was announced")
    }
    guard part.isLast else { return nil }
    let digest = upload.digest.finish()
    guard part.end == upload.request.sizeInBytes, digest == upload.request.sha256.lowercased()
    else { return ProtocolError(.invalid, "what has come is not what was announced") }
    return nil
  }

  private func keep(_ part: StoredFile.Part, of upload: Upload) async throws(ClusterFault) {
    for attempt in 1... {
      do throws(ClusterFault) {
        let answer = try await upload.log.requests.ask(
          upload.log.subject, part.message,
          headers: [.messageID: "\(upload.log.subject).\(part.offset)"])
        _ = try JetStream.decode(JetStream.Publication.self, answer.bytes)
        return
      } catch {
        let isPassing = error.kind == .timeout || error.kind == .unavailable
        guard isPassing, attempt < 8, !Task.isCancelled else { throw error }
      }
    }
  }

  private func fail(_ ref: String, _ error: ProtocolError) {
    guard uploads.removeValue(forKey: ref) != nil else { return }
    refuse(ref, error)
  }

  func cancel(_ ref: String) {
    uploads[ref] = nil
    downloads.removeValue(forKey: ref)?.cancel()
  }

  // MARK: - Fetching

  func get(_ ref: String, _ room: String, _ path: String, _ offset: Int64) {
    guard let requests, rooms[room] != nil else {
      return refuse(ref, ProtocolError(.notFound, "\(room) has not been joined"))
    }
    guard (1...200).contains(path.utf8.count), offset >= 0 else {
      return refuse(ref, ProtocolError(.notFound, "there is no such file"))
    }
    let log = SubjectLog(requests, file: path, in: room)
    downloads[ref] = Task {
      await fetch(ref, log, offset)
      downloads[ref] = nil
    }
  }

  private func fetch(_ ref: String, _ log: SubjectLog, _ offset: Int64) async {
    do throws(ClusterFault) {
      let found = try await StoredFile.read(log) { part in
        guard !Task.isCancelled else { return false }
        if part.end > offset || part.isLast {
          let bytes = part.bytes.dropFirst(Int(max(offset - part.offset, 0)))
          say(.chunk(ref: ref, data: Base64.encode(bytes), isLast: part.isLast))
        }
        await host?.waitForRoom()
        return true
      }
      guard !found.isWhole, !Task.isCancelled else { return }
      refuse(
        ref,
        found.end == 0
          ? ProtocolError(.notFound, "there is no such file")
          : ProtocolError(.retry, "the file is not whole yet", retryAfter: .seconds(5)))
    } catch {
      refuse(ref, ProtocolError(.retry, error.reason, retryAfter: .seconds(1)))
    }
  }
}
