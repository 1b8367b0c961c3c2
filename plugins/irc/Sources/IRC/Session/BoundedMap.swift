/// Texts by texts, as many of the newest as there is room for.
struct BoundedMap {
  private let capacity: Int
  private var values: [String: String] = [:]
  private var keys: [String] = []
  private var oldest = 0

  init(capacity: Int) {
    self.capacity = capacity
  }

  subscript(_ key: String) -> String? {
    get { values.isEmpty ? nil : values[key] }
    set {
      guard values.updateValue(newValue ?? "", forKey: key) == nil else { return }
      if keys.count < capacity {
        keys.append(key)
      } else {
        values[keys[oldest]] = nil
        keys[oldest] = key
        oldest = (oldest + 1) % capacity
      }
    }
  }
}
