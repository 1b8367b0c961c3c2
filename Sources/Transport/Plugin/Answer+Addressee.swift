extension Answer {
  /// Whom it is for, where several rooms share a line.
  enum Addressee {
    case room(String)
    case asker(ref: String)
    case everyone
    /// One of them is enough.
    case anyone
  }

  var addressee: Addressee {
    switch self {
    case .event(let room, _), .live(let room, _), .gap(let room, _, _), .reset(let room):
      .room(room)
    case .joined("", let joined): .room(joined.room)
    case .joined(let ref, _), .left(let ref), .page(let ref, _), .ack(let ref, _),
      .done(let ref, _), .rooms(let ref, _, _), .members(let ref, _, _), .profile(let ref, _),
      .ready(let ref, _), .stored(let ref, _), .chunk(let ref, _, _), .progress(let ref, _, _),
      .error(let ref?, _):
      .asker(ref: ref)
    case .welcome, .pong, .bye, .state, .error(nil, _): .everyone
    case .auth, .ping, .need, .log, .offer, .unknown: .anyone
    }
  }
}
