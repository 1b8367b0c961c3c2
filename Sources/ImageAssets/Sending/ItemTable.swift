/// The pictures of a HEIF or AVIF file, and what goes with them (ISO/IEC
/// 23008-12, and 14496-12, 8.11).
struct ItemTable {
  private let file: [UInt8]
  private let boxes: [Box]

  struct Item {
    var id: Int
    var type: String
    /// Where its type stands, and behind that its name.
    var description: Range<Int>

    /// Whether it is a coded picture, or put together from such.
    var isPicture: Bool {
      ["hvc1", "hev1", "av01", "avc1", "lhv1", "grid", "iovl", "iden", "tmap"].contains(type)
    }
  }

  /// - Parameter meta: the box that tells of them.
  init(_ file: [UInt8], _ meta: Box) throws(PlaceFailure) {
    self.file = file
    boxes = try Box.all(in: file, meta.contents.dropFirst(4))
  }

  /// `pict` where there are pictures.
  func handler() throws(PlaceFailure) -> String {
    var cursor = try contents("hdlr")
    try cursor.skip(8)
    return try cursor.name()
  }

  /// In the order of the table.
  func items() throws(PlaceFailure) -> [Item] {
    var cursor = try contents("iinf")
    let version = try cursor.big(4) >> 24
    try cursor.skip(version == 0 ? 2 : 4)
    var items: [Item] = []
    for box in try Box.all(in: file, cursor.offset..<cursor.bytes.endIndex) where box.type == "infe"
    {
      var entry = ByteCursor(file[box.contents])
      let version = try entry.big(4) >> 24
      guard version == 2 || version == 3 else { throw .unknownKind }
      let id = try entry.big(version == 2 ? 2 : 4)
      try entry.skip(2)
      let description = entry.offset..<box.contents.upperBound
      items.append(Item(id: id, type: try entry.name(), description: description))
    }
    return items
  }

  /// Where the pictures among the items are.
  /// - Throws: also where the one to show is none.
  func pictures(of items: [Item]) throws(PlaceFailure) -> [Range<Int>] {
    let pictures = Set(items.lazy.filter(\.isPicture).map(\.id))
    guard pictures.contains(try primaryItem()) else { throw .unknownKind }
    var cursor = try contents("iloc")
    let version = try cursor.big(4) >> 24
    guard version <= 2 else { throw .unknownKind }
    let sizes = try cursor.big(2)
    let (offsetSize, lengthSize, baseSize) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
    let indexSize = version == 0 ? 0 : sizes & 15
    guard [offsetSize, lengthSize, baseSize, indexSize].allSatisfy({ $0 <= 8 }), lengthSize > 0
    else { throw .unreadable }
    var ranges: [Range<Int>] = []
    for _ in 0..<(try cursor.big(version < 2 ? 2 : 4)) {
      let id = try cursor.big(version < 2 ? 2 : 4)
      let method = version == 0 ? 0 : try cursor.big(2) & 15
      let dataReference = try cursor.big(2)
      let base = try cursor.big(baseSize)
      for _ in 0..<(try cursor.big(2)) {
        try cursor.skip(indexSize)
        let (offset, length) = (try cursor.big(offsetSize), try cursor.big(lengthSize))
        guard pictures.contains(id) else { continue }
        // Of another file, or of another item.
        guard dataReference == 0, method < 2, length > 0 else { throw .unknownKind }
        let origin = method == 0 ? 0 : try box("idat").contents.lowerBound
        let (start, overflows) = (base &+ origin).addingReportingOverflow(offset)
        guard ranges.count < SampleTable.limit, !overflows, start >= 0, start <= file.count,
          length <= file.count - start
        else {
          throw .unreadable
        }
        ranges.append(start..<start + length)
      }
    }
    return ranges
  }

  private func primaryItem() throws(PlaceFailure) -> Int {
    var cursor = try contents("pitm")
    return try cursor.big(4) >> 24 == 0 ? cursor.big(2) : cursor.big(4)
  }

  private func contents(_ type: String) throws(PlaceFailure) -> ByteCursor {
    ByteCursor(file[try box(type).contents])
  }

  private func box(_ type: String) throws(PlaceFailure) -> Box {
    guard let box = boxes.first(where: { $0.type == type }) else { throw .unreadable }
    return box
  }
}
