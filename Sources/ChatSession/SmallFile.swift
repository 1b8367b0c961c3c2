internal import Glibc

/// The contents of a small file, as far as `limit`; nil, with errno(3), when
/// it cannot be read. A pipe that nobody writes to is empty.
package func readFile(_ path: String, limit: Int) -> [UInt8]? {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65_536)
  while bytes.count < limit {
    let count = read(descriptor, &buffer, min(buffer.count, limit - bytes.count))
    if count < 0 && errno == EINTR { continue }
    if count < 0 { return nil }
    if count == 0 { break }
    bytes += buffer.prefix(count)
  }
  return bytes
}
