internal import ChatModel
internal import TerminalText
internal import Transport

/// What the prompt says of files that go over a line.
extension Session {
  /// A file on its way, as the prompt tells of it.
  struct TransferNote {
    enum Way {
      case sending, fetching
    }

    var way: Way
    /// Where it is sent to; nil where it is fetched.
    var room: JoinedRoom?
    var name: String
    /// Nil where it is not known.
    var sizeInBytes: Int64?
    /// Nil where only the bytes so far are known.
    var percent: Int?
    var isWorthTelling = false
  }

  /// From which size on a file is worth a word while it is under way.
  private nonisolated static let worthwhileBytes = 256 * 1024

  /// Makes a note of a file; the prompt tells of it from when it is worth it
  /// until the number is removed from ``transferNotes``.
  /// - Parameter sizeInBytes: where it is known before.
  func transferNote(
    _ way: TransferNote.Way, _ name: String, to room: JoinedRoom? = nil,
    sizeInBytes: Int64? = nil
  ) -> (number: Int, progress: FileProgress) {
    transferCount += 1
    let number = transferCount
    transferNotes[number] = TransferNote(
      way: way, room: room, name: name, sizeInBytes: sizeInBytes)
    if let room, !room.isReachable {
      say(
        language(
          "\(name) waits until the room can be reached", "\(name): 다시 연결되면 보냅니다"))
    }
    let progress: FileProgress = { [weak self] done, total in
      let total = total ?? sizeInBytes ?? 0
      guard max(done, total) >= Session.worthwhileBytes else { return }
      let percent = done < total ? Int(done * 100 / total) : nil
      Task { @MainActor in self?.note(percent, of: number) }
    }
    return (number, progress)
  }

  /// Fetches something, of which the prompt tells from when it turns out to be
  /// large, or has taken a while.
  /// - Parameter sizeInBytes: where it is known before.
  func fetching<Value: Sendable, Failure: Error>(
    _ name: String, sizeInBytes: Int64? = nil,
    _ fetch: (@escaping FileProgress) async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let note = transferNote(.fetching, name, sizeInBytes: sizeInBytes)
    let telling = Task { await tellLater(of: note.number) }
    defer {
      telling.cancel()
      transferNotes[note.number] = nil
    }
    return try await fetch(note.progress)
  }

  private func tellLater(of number: Int) async {
    try? await Task.sleep(for: parts.patience)
    guard !Task.isCancelled, let note = transferNotes[number] else { return }
    self.note(note.percent, of: number)
  }

  private func note(_ percent: Int?, of number: Int) {
    // What has ended is told no more.
    guard transferNotes[number] != nil else { return }
    transferNotes[number]?.percent = percent
    transferNotes[number]?.isWorthTelling = true
    updatePrompt()
  }

  /// `1 file waiting`, of those that cannot be sent while nobody is reached.
  var waitingFilesText: String? {
    let count = transferNotes.values.count { $0.room?.isReachable == false }
    guard count > 0 else { return nil }
    return language("\(counted(count, "file")) waiting", "대기 중인 파일 \(count)")
  }

  /// `sending cat.png 45%`, `fetching cat.png 45% (1.2 MB)`, of the file that has been under way for longest.
  var transferText: String? {
    let told = transferNotes.filter(\.value.isWorthTelling).min { $0.key < $1.key }
    guard let note = told?.value else { return nil }
    let name = transcript.options.measure.truncated(neutralized(note.name), to: 16)
    let percent = note.percent.map { " \($0)%" } ?? ""
    let size = note.sizeInBytes.map { " (\(sizeText($0)))" } ?? ""
    return switch note.way {
    case .sending: language("sending \(name)\(percent)", "\(name) 보내는 중\(percent)")
    case .fetching:
      language("fetching \(name)\(percent)\(size)", "\(name) 받는 중\(percent)\(size)")
    }
  }
}
