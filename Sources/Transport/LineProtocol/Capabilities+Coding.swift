internal import ChatModel

extension Capabilities {
  /// Those that are known here, as the line protocol calls them.
  package static let names: Set<String> = [
    "history", "order", "dedupe", "echo", "maxBytes", "beyond", "multiline", "images",
    "maxFileBytes", "profiles", "edits", "deletes", "reactions", "replies", "presence", "typing",
    "authors",
  ]

  func write(_ object: inout JSONObjectWriter) {
    object.object("history") { object in
      object.bool("before", history == .full)
      object.bool("after", history == .full)
      object.string("depth", "\(history)")
    }
    object.string("order", "\(order)")
    object.string("dedupe", removesDuplicates ? "server" : "none")
    object.string("echo", echo == .id ? "id" : "no")
    object.integer("maxBytes", maximumEventBytes)
    object.string("beyond", excess == .split ? "split" : "refuse")
    object.bool("multiline", multiline)
    object.bool("images", images)
    object.integer("maxFileBytes", maximumFileBytes)
    object.bool("profiles", profiles)
    object.bool("edits", edits)
    object.bool("deletes", deletions)
    object.bool("reactions", reactions)
    object.bool("replies", replies)
    object.bool("presence", presence)
    object.bool("typing", typing)
    object.bool("authors", authenticatesAuthors)
    object.flag("keys", hasKeys)
    object.flag("readOnly", isReadOnly)
  }

  /// What is not told cannot be counted on.
  init(_ object: borrowing JSONObject) throws(EventCodingError) {
    let depth = try object.object("history").map { bytes throws(EventCodingError) in
      try JSONObject(bytes).string("depth") ?? ""
    }
    self.init(
      history: [History.full, .join].first { "\($0)" == depth } ?? .none,
      order: try Self.order(object.string("order")),
      removesDuplicates: try object.string("dedupe") == "server",
      echo: try object.string("echo") == "id" ? .id : .none,
      maximumEventBytes: min(
        try object.count("maxBytes") ?? EventCodec.maximumEventBytes,
        EventCodec.maximumEventBytes),
      excess: try object.string("beyond") == "split" ? .split : .refused,
      multiline: try object.flag("multiline"), images: try object.flag("images"),
      profiles: try object.flag("profiles"), edits: try object.flag("edits"),
      deletions: try object.flag("deletes"), reactions: try object.flag("reactions"),
      replies: try object.flag("replies"), presence: try object.flag("presence"),
      typing: try object.flag("typing"), authenticatesAuthors: try object.flag("authors"))
    hasKeys = try object.flag("keys")
    isReadOnly = try object.flag("readOnly")
    maximumFileBytes = try object.count("maxFileBytes").map {
      min(Int64($0), RoomFiles.maximumBytes)
    }
  }

  private static func order(_ name: String?) -> Order {
    [Order.total, .sender].first { "\($0)" == name } ?? .none
  }
}
