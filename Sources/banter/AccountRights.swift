internal import ChatModel
internal import Hub
internal import TransportSecurity

/// What an account is to be allowed, as the options of `banter user add` say.
struct AccountRights {
  /// Nil within where all rooms may be entered; nil where nothing is said.
  private let rooms: Set<String>??
  /// Nil where nothing is said.
  private let isReadOnly: Bool?

  init(_ options: Options) throws(UsageError) {
    guard options.room == nil || !options.allowsAllRooms else {
      throw UsageError("--room and --all-rooms contradict", "--room과 --all-rooms는 함께 쓸 수 없습니다")
    }
    guard !options.isReadOnly || !options.mayWrite else {
      throw UsageError(
        "--read-only and --read-write contradict", "--read-only와 --read-write는 함께 쓸 수 없습니다")
    }
    if let text = options.room {
      rooms = try Self.rooms(text)
    } else {
      rooms = options.allowsAllRooms ? .some(nil) : nil
    }
    isReadOnly = options.isReadOnly ? true : options.mayWrite ? false : nil
  }

  /// An account with these rights; what nothing is said of stays as it was in
  /// the one that it takes the place of, and a new one may do everything.
  func account(
    _ name: String, _ verifier: ScramVerifier, instead old: Account?
  ) -> Account {
    Account(
      name: name, verifier: verifier, rooms: rooms ?? old?.rooms,
      isReadOnly: isReadOnly ?? old?.isReadOnly ?? false)
  }

  private static func rooms(_ text: String) throws(UsageError) -> Set<String> {
    let names = text.split(separator: ",").map(String.init)
    for name in names {
      let isPlain = if case .named? = (try? RoomAddress(name))?.place { true } else { false }
      guard isPlain, name != "*", !name.contains(where: \.isNewline), !name.contains("\t") else {
        throw UsageError(
          "\(name): a room is called by a plain name; --all-rooms allows all of them",
          "\(name): 방 이름이 아닙니다. 모든 방은 --all-rooms입니다")
      }
    }
    return Set(names)
  }
}
