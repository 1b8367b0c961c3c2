internal import ChatModel
internal import Transport

/// Who is there, and who they are.
extension NATSSession {
  /// What asks those who are in a room who they are; any answer is a profile.
  private static let question = Array(#"{"type":"who"}"#.utf8)

  func members(_ ref: String, _ name: String) {
    guard let room = rooms[name], let requests else {
      return refuse(ref, ProtocolError(.notFound, "\(name) has not been joined"))
    }
    Task {
      do throws(ClusterFault) {
        // Nobody knows how many they are.
        let answers = try await requests.gather(
          Subjects.presence(in: room.name), Self.question, atMost: 1_000,
          within: .milliseconds(500))
        var found = [profile.id: profile]
        for answer in answers {
          if let other = Self.profile(answer.bytes) { found[other.id] = other }
        }
        say(.members(ref: ref, found.values.sorted { $0.id < $1.id }, next: nil))
      } catch {
        refuse(ref, ProtocolError(.retry, error.reason))
      }
    }
  }

  func take(presence messages: [NATSMessage], in name: String) {
    guard let room = rooms[name], room.stream != nil else { return }
    for message in messages {
      if message.reply != nil { answerQuestion(message) } else { tell(presence: message, in: room) }
    }
  }

  private func answerQuestion(_ message: NATSMessage) {
    guard let reply = message.reply, message.bytes == Self.question else { return }
    let change = ProfileChange(
      eventID: eventIDs.next(at: .now), profileID: profile.id, profileName: profile.name)
    var bytes: [UInt8] = []
    EventCodec.encode(.profile(change), into: &bytes)
    try? requests?.connection.publish(bytes, to: reply)
  }

  private func tell(presence message: NATSMessage, in room: Room) {
    let event = message.bytes.withUnsafeBytes { try? EventCodec.decode($0) }
    guard case .presence(let presence)? = event.flatMap({ $0 }), presence.profileID != profile.id
    else { return }
    say(
      .event(
        room: room.name,
        RoomEvent(event: .presence(presence), cursor: room.cursor(room.position))))
  }

  func tellPresence(_ isPresent: Bool, in room: Room) {
    guard room.stream != nil else { return }
    let presence = Presence(
      eventID: eventIDs.next(at: .now), profileID: profile.id, isPresent: isPresent,
      createdAt: .now)
    var bytes: [UInt8] = []
    EventCodec.encode(.presence(presence), into: &bytes)
    try? requests?.connection.publish(bytes, to: Subjects.presence(in: room.name))
  }

  // MARK: - Profiles

  private static func profile(_ bytes: [UInt8]) -> Profile? {
    let event = bytes.withUnsafeBytes { try? EventCodec.decode($0) }
    guard case .profile(let change)? = event.flatMap({ $0 }) else { return nil }
    return Profile(
      id: change.profileID, name: change.profileName ?? "", image: change.profileImage,
      fields: change.fields)
  }

  /// Keeps one's own where others find it while one is away.
  func keepProfile(_ bytes: [UInt8]) async {
    _ = try? await requests?.ask(Subjects.profile(profile.id), bytes)
  }

  func tellProfile(_ ref: String, _ id: String) {
    guard let requests else { return refuse(ref, ProtocolError(.retry, "not connected")) }
    Task {
      do throws(ClusterFault) {
        let kept = try await requests.ask(
          "$JS.API.DIRECT.GET.\(Subjects.bucketStream).\(Subjects.profile(id))")
        guard let found = Self.profile(kept.bytes) else {
          throw ClusterFault(.notFound, "what is kept of \(id) is no profile")
        }
        say(.profile(ref: ref, found))
      } catch {
        refuse(ref, ProtocolError(error.kind == .notFound ? .notFound : .retry, error.reason))
      }
    }
  }

  func listRooms(_ ref: String) {
    say(.rooms(ref: ref, rooms.keys.sorted().map { RoomItem(room: $0) }, next: nil))
  }
}
