internal import Sockets

/// What the plugin says.
extension PluginLink {
  func receive(_ number: Int) {
    guard number == processNumber else { return }
    guard let connection else { return passOver() }
    guard mayRead else { return }
    do throws(LineConnection.End) {
      hasMoreToRead = try connection.receive(through: buffer) { line in
        take(line)
        return number == processNumber && self.connection != nil && mayRead
      }
    } catch {
      guard number == processNumber, self.connection != nil else { return }
      // Whoever hears of it ends it; nobody may be left who does.
      for share in shares.values { share.tell(.end(error)) }
      if self.connection != nil { end(politely: false) }
    }
  }

  private func take(_ line: UnsafeRawBufferPointer) {
    do throws(ProtocolError) {
      let answer = try Answer.decode(line)
      if case .welcome(let welcome) = answer { self.welcome = welcome }
      hand(answer, sizeInBytes: line.count)
    } catch {
      firstShare?.tell(.junk(Array(line)))
    }
  }

  /// Whose request a reference belongs to, see ``PluginShare``.
  private static func share(of reference: String) -> Int? {
    reference.utf8.firstIndex(of: UInt8(ascii: "-")).flatMap { Int(reference[..<$0]) }
  }

  private var firstShare: Share? { shares.keys.min().flatMap { shares[$0] } }

  /// Hands an answer to the rooms that it is about.
  func hand(_ answer: Answer, sizeInBytes: Int) {
    let word = Word.answer(answer, sizeInBytes: sizeInBytes)
    if case .joined(let ref, let joined) = answer, let number = Self.share(of: ref) {
      shares[number]?.room = joined.room
    }
    if case .need(let ref, _, _, _) = answer, let number = shares.keys.min() {
      needs[ref] = (answer, number)
    }
    switch answer.addressee {
    case .room(let name):
      for share in shares.values where share.room == name { share.tell(word) }
    case .asker(let ref):
      if let number = Self.share(of: ref) { shares[number]?.tell(word) }
    case .everyone: for share in shares.values { share.tell(word) }
    case .anyone: firstShare?.tell(word)
    }
  }

  /// Passes over what is said by one that is to end, which could not end before
  /// it has said it.
  private func passOver() {
    guard let leaving else { return }
    if (try? leaving.discard(through: buffer, atMost: .max)) == nil {
      // At its end there would always be something to read.
      leaving.setReading(false)
      self.leaving = nil
    }
  }
}
