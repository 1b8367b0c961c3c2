internal import ChatModel
internal import Glibc
internal import Transport

/// Who is in a room, and telling who comes and goes.
extension HubRoom {
  func add(_ subscription: Subscription) {
    subscriptions.append(subscription)
    guard let id = subscription.client.profile?.id else { return }
    members[id, default: 0] += 1
    restless.insert(id)
  }

  func remove(_ subscription: Subscription) {
    guard let index = subscriptions.firstIndex(where: { $0 === subscription }) else { return }
    subscriptions.swapAt(index, subscriptions.count - 1)
    subscriptions.removeLast()
    guard let id = subscription.client.profile?.id, let count = members[id] else { return }
    members[id] = count > 1 ? count - 1 : nil
    restless.insert(id)
  }

  /// Appends who has come and who has gone since the last time, as long as
  /// there are not more people than `limit`; otherwise it waits until there
  /// are less.
  func appendPresences(ofAtMost limit: Int, to block: inout [UInt8]) {
    guard !restless.isEmpty else { return }
    restless = restless.filter { (members[$0] != nil) != announced.contains($0) }
    guard members.count <= limit else { return }
    let (now, cursor) = (Timestamp.now, file.position)
    for id in restless.sorted() {
      let isPresent = members[id] != nil
      if isPresent { announced.insert(id) } else { announced.remove(id) }
      let presence = Presence(
        eventID: ids.next(at: now), profileID: id, isPresent: isPresent, createdAt: now)
      appendEvent(cursor, to: &block) { EventCodec.encode(.presence(presence), into: &$0) }
    }
    restless = []
  }
}
