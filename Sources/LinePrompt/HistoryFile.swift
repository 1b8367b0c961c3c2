import Glibc

/// The history of one user: a file with one entry a line, oldest first, UTF-8.
/// A newline in an entry is written `\n` and a backslash `\\`, so that entries
/// of several lines stay whole and the file can be read and cut with any tool.
///
/// Any number of processes share it: each entry is appended at once, under
/// flock(2), without a look at the others; cutting it to its limit, when it is
/// loaded or has become very large, writes a new file and renames it, under the
/// same lock. Its mode is 0600, whatever it was before. Nothing here ever
/// stops the prompt: what cannot be read is no history, what cannot be written
/// is not kept.
struct HistoryFile {
  /// Where it lies; its folder is made when the first entry is appended.
  let path: String
  /// Most entries that are kept.
  let limit: Int
  /// Most bytes that are read, from the end.
  var sizeLimit = 8 << 20

  /// A file at that path, of which at most `limit` entries are kept.
  init(path: String, limit: Int) {
    self.path = path
    self.limit = limit
  }

  /// The newest entries, oldest first, at most `limit`. A file that is half
  /// again as long as it may be, or more, is cut.
  func load() -> [String] {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    guard isRegular(descriptor) else { return [] }
    fchmod(descriptor, 0o600)
    let most = max(0, limit)
    let lines = newestLines(descriptor, count: most + most / 2 + 1)
    if lines.count > most + most / 2 { trim() }
    return lines.suffix(most).map { line in
      Self.unescape(String(decoding: line.filter { $0 != 0 }, as: UTF8.self))
    }
  }

  /// Appends `entry`; true when it is in the file.
  @discardableResult
  func append(_ entry: String) -> Bool { append([entry]) }

  /// Appends entries, all of them or none; true when they are in the file.
  @discardableResult
  func append(_ entries: [String]) -> Bool {
    guard let descriptor = openLocked() else { return false }
    defer { close(descriptor) }
    var lines = Array(entries.map { Self.escape($0) + "\n" }.joined().utf8)
    guard isRegular(descriptor) else { return write(lines, to: descriptor) }
    fchmod(descriptor, 0o600)
    // A process that was killed may have left half a line.
    if !endsInNewline(descriptor) { lines.insert(0x0A, at: 0) }
    guard write(lines, to: descriptor) else { return false }
    if size(descriptor) > sizeLimit { trim(descriptor) }
    return true
  }

  /// Makes the folder and those above it, for this user alone, as the XDG Base
  /// Directory Specification asks.
  private func makeFolder() {
    for (index, character) in zip(path.indices, path) where character == "/" {
      let folder = String(path[..<index])
      if !folder.isEmpty { mkdir(folder, 0o700) }
    }
  }

  /// One line for an entry.
  static func escape(_ entry: String) -> String {
    var line = ""
    for scalar in entry.unicodeScalars {
      switch scalar {
      case "\\": line += "\\\\"
      case "\n": line += "\\n"
      case "\0": break
      default: line.unicodeScalars.append(scalar)
      }
    }
    return line
  }

  /// The entry of a line; inverse of `escape`, and tolerant of any text.
  static func unescape(_ line: some StringProtocol) -> String {
    guard line.utf8.contains(0x5C) else { return String(line) }
    var entry = ""
    var isEscaped = false
    for scalar in line.unicodeScalars {
      if isEscaped {
        if scalar != "\\", scalar != "n" { entry.unicodeScalars.append("\\") }
        entry.unicodeScalars.append(scalar == "n" ? "\n" : scalar)
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else {
        entry.unicodeScalars.append(scalar)
      }
    }
    if isEscaped { entry += "\\" }
    return entry
  }
}

extension HistoryFile {
  /// Opens and locks the file that has the path now: another process may have
  /// renamed a new one there while this one waited.
  private func openLocked() -> Int32? {
    for _ in 0..<8 {
      let flags = O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK | O_CLOEXEC
      var descriptor = open(path, flags, 0o600)
      if descriptor < 0 && errno == ENOENT {
        makeFolder()
        descriptor = open(path, flags, 0o600)
      }
      guard descriptor >= 0 else { return nil }
      guard lock(descriptor) else {
        close(descriptor)
        return nil
      }
      if isCurrent(descriptor) { return descriptor }
      close(descriptor)
    }
    return nil
  }

  /// Waits for the lock, but never long: a stopped process may hold it.
  private func lock(_ descriptor: Int32) -> Bool {
    for _ in 0..<100 {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
      guard errno == EWOULDBLOCK || errno == EINTR else { return true }
      usleep(2000)
    }
    return false
  }

  private func isCurrent(_ descriptor: Int32) -> Bool {
    var mine = stat()
    var theirs = stat()
    guard fstat(descriptor, &mine) == 0, stat(path, &theirs) == 0 else { return false }
    return mine.st_ino == theirs.st_ino && mine.st_dev == theirs.st_dev
  }

  private func isRegular(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  private func size(_ descriptor: Int32) -> Int {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  private func endsInNewline(_ descriptor: Int32) -> Bool {
    let size = size(descriptor)
    var last: UInt8 = 0x0A
    guard size > 0, pread(descriptor, &last, 1, off_t(size - 1)) == 1 else { return true }
    return last == 0x0A
  }

  /// The newest lines, oldest first: `count` at least where there are as many,
  /// and no more of the file than that takes.
  private func newestLines(_ descriptor: Int32, count: Int) -> [ArraySlice<UInt8>] {
    let size = size(descriptor)
    let first = max(0, size - sizeLimit)
    var start = size
    var bytes: [UInt8] = []
    var ends = 0
    // One more, for the first may be cut.
    while start > first, ends <= count {
      let length = min(max(1 << 16, bytes.count), start - first)
      start -= length
      let block = read(descriptor, from: start, count: length)
      ends += Self.lineEnds(block)
      bytes = block + bytes
    }
    return Array(bytes.split(separator: 0x0A).dropFirst(start > 0 ? 1 : 0))
  }

  private func read(_ descriptor: Int32, from start: Int, count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, got in
      while got < count {
        let part = buffer.baseAddress.map { $0 + got }
        let more = pread(descriptor, part, count - got, off_t(start + got))
        guard more > 0 else { break }
        got += more
      }
    }
  }

  private static func lineEnds(_ bytes: [UInt8]) -> Int {
    bytes.withUnsafeBytes { buffer in
      var count = 0
      var rest = buffer[...]
      while let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress,
        let end = memchr(start, 0x0A, rest.count)
      {
        count += 1
        rest = rest.dropFirst(UnsafeRawPointer(end) - start + 1)
      }
      return count
    }
  }

  private func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    Glibc.write(descriptor, bytes, bytes.count) == bytes.count
  }

  /// Cuts the file to its limit.
  private func trim() {
    guard limit > 0, let descriptor = openLocked() else { return }
    defer { close(descriptor) }
    trim(descriptor)
  }

  /// Cuts the locked file to its newest entries; those of half the bytes that
  /// are read at most, so that it is not soon cut again.
  private func trim(_ descriptor: Int32) {
    var room = sizeLimit / 2
    let newest = newestLines(descriptor, count: limit).suffix(limit).reversed().prefix { line in
      room -= line.count + 1
      return room >= 0
    }
    let kept = newest.reversed().flatMap { $0 + [0x0A] }
    // A link stays one: what it leads to is replaced.
    guard let resolved = realpath(path, nil) else { return }
    defer { free(resolved) }
    let target = String(cString: resolved)
    let temporary = "\(target).\(getpid())"
    let new = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard new >= 0 else { return }
    defer { close(new) }
    let isWhole = write(kept, to: new) && fsync(new) == 0
    if !isWhole || rename(temporary, target) != 0 { unlink(temporary) }
  }
}
