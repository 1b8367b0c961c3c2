package import ChatModel
package import ImageAssets
internal import Glibc
package import TerminalText

/// What a user may choose: from `config.json`, the environment, options of
/// the command line, and `/set`, each winning over those before it.
package struct Settings: Sendable {
  /// One's own profile.
  package var profile = Profile(id: "", name: "")
  package var style: Style = .bubble
  package var color: ColorMode = .auto
  /// nil: as `LC_MESSAGES` says.
  package var language: Language?
  package var clock: ClockFormat = .automatic
  package var emojiWidth: EmojiWidth = .wide
  /// How many messages are shown when a room is opened.
  package var tail = 50
  package var bell: Bell = .mentions
  /// A command for messages that the bell rings for, word by word; `{room}`,
  /// `{name}` and `{text}` stand for what it is about. Empty: none.
  package var notify: [String] = []
  /// A command that prints a password, word by word; `{host}` and `{user}` stand
  /// for whom it is asked by. Empty: none.
  package var passwordCommand: [String] = []
  /// Whether what is said is kept in the session log.
  package var keepsLog = true
  /// Whether arrivals wait while a line is being typed (plain style only).
  package var holdsArrivals = false
  /// Stored paths that begin with a prefix, and what stands for it on the web.
  package var imageMap: [(prefix: String, address: String)] = []
  /// When pictures are shown.
  package var inlineImages = InlineImages.ask
  /// By which protocol the terminal shows them; nil asks it.
  package var graphics: GraphicsProtocol?
  /// What is fetched before anybody looks at it.
  package var prefetch = Prefetch.room
  /// Whether images may be fetched from addresses that are not public.
  package var fetchesPrivate = false
  /// How many images are fetched at once.
  package var parallelFetches = 4
  /// Whether photos and films are sent with all that they tell, such as the place.
  package var keepsPlace = false
  /// A command that shows a file, word by word.
  package var imageViewer = ["xdg-open"]
  /// What plugins are told, by plugin and name.
  package var plugins: [String: [String: String]] = [:]
  package var historyLimit = 2_000
  /// Profiles whose messages are not shown, by id.
  package var ignored: Set<String> = []
  /// Further commands: what stands for `/name`.
  package var aliases: [String: String] = [:]

  /// When pictures are shown: when asked for, small ones with each message too,
  /// or never.
  package enum InlineImages: String, CaseIterable, Sendable {
    case ask, thumbnails, off
  }

  /// Which images are fetched as soon as they arrive: those that the room
  /// itself keeps, all, or none. Who is asked for one learns that it is read.
  package enum Prefetch: String, CaseIterable, Sendable {
    case room, all, off
  }

  /// All that decides which images are fetched ahead.
  struct Ahead: Equatable {
    var ignored: Set<String>
    var prefetch: Prefetch
    var inlineImages: InlineImages
  }

  var ahead: Ahead {
    Ahead(ignored: ignored, prefetch: prefetch, inlineImages: inlineImages)
  }

  /// What the terminal's bell rings for.
  package enum Bell: String, CaseIterable, Sendable {
    case mentions, all, off
  }

  package init() {}
}

/// Why a setting cannot be had.
package struct SettingsError: Error, CustomStringConvertible {
  /// For a user whose language is known: `language(error.text)`.
  package var text: LocalizedText

  package var description: String { text.english }

  init(_ english: String, _ korean: String) {
    text = LocalizedText(english, korean)
  }

  /// A settings file that is there and cannot be read.
  /// - Parameter errorNumber: what the system said, errno(3).
  package init(unreadable path: String, errorNumber: Int32) {
    let said = String(cString: strerror(errorNumber))
    self.init(
      "\(path): \(said); the settings are as if there were no file",
      "\(path): \(said); 설정 파일이 없는 것으로 합니다")
  }
}
