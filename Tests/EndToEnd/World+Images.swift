import Glibc
import Testing

/// Whether pictures can be made on this machine.
let hasPrograms = access("/usr/bin/chafa", X_OK) == 0 && access("/usr/bin/python3", X_OK) == 0

extension World {
  /// The folder of a room's images.
  /// An image of one pixel, in its own address.
  static let dot =
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"

  private static let images = "data/banter/rooms/lobby.files"

  /// Puts a picture of 640×480 in four colours into the room.
  /// - Returns: its stored path.
  func image(_ name: String = "cat.png") async throws -> String {
    try await make("save('\(name)', png(640, 480))")
    return name
  }

  /// Runs a script of Python in the folder of the room's images, which makes
  /// them: `png(width, height)` is one, `save(name, bytes)` writes it.
  func make(_ script: String) async throws {
    folder.write("images.py", Self.program + script + "\n")
    let outcome = await run("mkdir -p \(Self.images); cd \(Self.images); python3 ~/images.py")
    try #require(outcome.status == 0, "\(outcome.errorText)")
  }

  /// A message with images.
  func say(_ content: String, images: [String], id: String? = nil) {
    let list = images.map(json).joined(separator: ",")
    append(
      #"{"messageID":\#(json(id ?? content)),"profileID":"Jane","profileName":"Jane","#
        + #""content":\#(json(content)),"images":[\#(list)],"createdAt":"2025-11-30T08:16:00Z"}"#
        + "\n")
  }

  /// The colours of the quarters of `png`, from the top left.
  static let quarters: [[Int]] = [[230, 20, 10], [20, 200, 40], [10, 40, 220], [240, 220, 0]]

  private static let program = """
    import os, struct, zlib
    quarters = [bytes(color) for color in \(quarters)]
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    def header(width, height):
        return b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    def png(width, height):
        def row(y):
            left, right = quarters[2 * (2 * y >= height):][:2]
            return b"\\0" + left * (width // 2) + right * (width - width // 2)
        data = zlib.compress(b"".join(map(row, range(height))))
        return header(width, height) + chunk(b"IDAT", data) + chunk(b"IEND", b"")
    def save(name, data):
        with open(name, "wb") as file: file.write(data)

    """
}
