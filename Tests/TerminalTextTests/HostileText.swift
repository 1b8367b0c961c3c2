import TestSupport

extension SeededRandom {
  /// Text of letters, controls, marks, joiners, emoji and whatever else there
  /// is in Unicode.
  mutating func hostileText(maximalCount: Int) -> String {
    var result = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...maximalCount, using: &self) {
      if let scalar = Unicode.Scalar(hostileValue()) { result.append(scalar) }
    }
    return String(result)
  }

  private mutating func hostileValue() -> UInt32 {
    switch Int.random(in: 0..<12, using: &self) {
    case 0, 1: UInt32.random(in: 0x20...0x7E, using: &self)
    case 2: UInt32.random(in: 0...0x1F, using: &self)
    case 3: UInt32.random(in: 0x7F...0x9F, using: &self)
    case 4: UInt32.random(in: 0x2000...0x206F, using: &self)
    case 5: UInt32.random(in: 0xAC00...0xD7A3, using: &self)
    case 6: UInt32.random(in: 0x1100...0x11FF, using: &self)
    case 7: UInt32.random(in: 0x300...0x36F, using: &self)
    case 8: UInt32.random(in: 0x590...0x6FF, using: &self)
    case 9: UInt32.random(in: 0x1F1E6...0x1F64F, using: &self)
    case 10:
      [
        0x200D, 0xFE0F, 0x20, 0x3164, 0x1F3FD, 0x1F468, 0x1F3F4, 0xE0067, 0xE007F, 0x94D, 0x915,
        0x3000,
      ]
      .randomElement(using: &self) ?? 0
    default: UInt32.random(in: 0...0x10FFFF, using: &self)
    }
  }
}

/// Whether a scalar may never reach a terminal from a remote field.
func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0...0x1F, 0x7F...0x9F, 0x2028, 0x2029, 0x202D, 0x202E: true
  default: false
  }
}
