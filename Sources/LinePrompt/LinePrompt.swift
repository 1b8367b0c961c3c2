import CReadline
package import TerminalText
import Dispatch

/// The line at which the user types, with room above it for what arrives.
///
/// GNU readline 8.2 edits the line; this class reads the terminal for it
/// (`rl_getc_function`), draws the line after each batch of keys (readline's
/// own `rl_redisplay_function` does nothing), and is the only writer to the
/// terminal between `start()` and `stop()`. There may be one at a time, since
/// readline has one line (readline manual, "Alternate Interface").
@MainActor
package final class LinePrompt {
  /// What a prompt is made with.
  package struct Configuration {
    /// The name for `$if` in inputrc.
    package var applicationName = "Banter"
    /// The history file; nil keeps history in memory only.
    package var historyPath: String?
    /// Most entries that the history keeps.
    package var historyLimit = 2000
    /// Whether no escape sequence may ever be written, whatever the terminal.
    package var isPlain = false
    /// Columns of text.
    package var measure: TextMeasure
    /// The words that the prompt itself shows.
    package var words = Words()
    /// Descriptor that keys are read from; must be a terminal.
    package var input: Int32 = 0
    /// Descriptor that is written to; must be a terminal.
    package var output: Int32 = 1

    /// The usual configuration: standard input and output.
    package init(measure: TextMeasure) { self.measure = measure }
  }

  /// The words that the prompt itself shows, English by default.
  package struct Words: Sendable {
    /// Stands before the line during a paste whose end does not come.
    package var unfinishedPaste = "(paste: Ctrl-C ends it) "
    /// The last row of a listing that leaves that many candidates out.
    package var moreCandidates: @Sendable (Int) -> String = { "… and \($0) more" }

    /// The usual words.
    package init() {}
  }

  /// What the prompt tells its owner. All are called on the main actor, between
  /// keys, never from within readline: any method may be called from them.
  package struct Events {
    /// Nobody is told of anything.
    package init() {}

    /// Enter: the line, which is already off the screen.
    package var onLine: (String) -> Void = { _ in }
    /// Ctrl-C with nothing typed.
    package var onInterruptOnEmptyLine: () -> Void = {}
    /// Ctrl-D with nothing typed, or the terminal is gone (then only once).
    package var onEndOfInput: () -> Void = {}
    /// M-e (vi: `v`): the line is to be edited elsewhere. Keys wait a moment
    /// for a call of `release()`, and after `reclaim()` for the turn to end.
    package var onEditorRequested: () -> Void = {}
    /// M-a: to the next room with something new.
    package var onNextRoom: () -> Void = {}
    /// M-h: hide the line.
    package var onHideRequested: () -> Void = {}
    /// The window's new columns and rows; the prompt is redrawn afterwards.
    package var onResize: (Int, Int) -> Void = { _, _ in }
    /// The typed text has changed.
    package var onLineChanged: () -> Void = {}
    /// The terminal answered a question: the whole sequence.
    package var onReply: ([UInt8]) -> Void = { _ in }
    /// The program was suspended and is back.
    package var onContinue: () -> Void = {}
    /// A paste was inserted.
    package var onPaste: (Paste) -> Void = { _ in }
  }

  /// What was pasted.
  package struct Paste: Equatable, Sendable {
    package var text: String
    /// Whether its end was lost because it is over the limit.
    package var isCut: Bool
    /// Whether the line was empty before.
    package var isWholeLine: Bool

    package init(text: String, isCut: Bool = false, isWholeLine: Bool = true) {
      (self.text, self.isCut, self.isWholeLine) = (text, isCut, isWholeLine)
    }

    /// How many lines it has.
    package var lineCount: Int { text.utf8.count { $0 == UInt8(ascii: "\n") } + 1 }
  }

  /// The prompt that readline's callbacks belong to.
  static weak var active: LinePrompt?

  /// See `Events`.
  package var events = Events()
  /// Answers what Tab asks.
  package var completer: (CompletionRequest) -> CompletionReply = { _ in CompletionReply() }
  /// Columns of the window.
  package internal(set) var columns = 80
  /// Rows of the window.
  package internal(set) var rows = 24
  /// Whether escape sequences are never written: asked for, or the terminal is
  /// dumb or unknown.
  package internal(set) var isPlain: Bool
  /// Keys of ours that the user's inputrc gives another meaning, such as
  /// `M-e`; known after `start()`.
  package internal(set) var keyConflicts: [String] = []
  /// Whether the prompt holds the terminal.
  package internal(set) var isRunning = false
  /// Whether the terminal is lent to another program.
  package internal(set) var isReleased = false
  /// Whether nothing can be read any more, or nothing written.
  package var isGone: Bool { isInputAtEnd || isTerminalGone }
  /// Whether it is lent to the shell: the program is in the background.
  var isAside = false
  /// Attempts to stop since the program was continued.
  var stopAttempts = 0
  /// Whether the line is hidden until the next key.
  package internal(set) var isHidden = false

  /// What is shown before the line; may contain SGR sequences. A change shows
  /// at once, or when the readline state in progress has ended.
  package var prompt = "" {
    didSet { if isRunning, prompt != oldValue { redraw() } }
  }

  let configuration: Configuration
  let device: TerminalDevice
  let historyFile: HistoryFile?
  let historyWriter: HistoryWriter?
  var painter: FramePainter
  var splitter = InputSplitter()
  var queue = InputQueue()
  /// Rows that came while the terminal was lent.
  var heldRows: [String] = []
  /// Lines that readline has given out and that `events` is not told yet; a
  /// macro may have several.
  var acceptedLines: [String] = []
  var hasReachedEnd = false
  /// Events that keys have asked for and that are not told yet.
  var requests: [KeyPath<Events, () -> Void>] = []
  /// Nothing can be read any more.
  var isInputAtEnd = false
  /// Nothing can be written any more.
  var isTerminalGone = false
  /// Whether what is read next was there before the prompt was.
  var isTypedAhead = false
  var lastPasteGuess = DispatchTime(uptimeNanoseconds: 0)
  /// When to tell of a paste that has not ended by then, and whether it is told.
  var pasteDeadline: DispatchTime?
  var isPasteUnfinished = false
  /// The line and cursor before a history search took readline's buffer.
  var typed = (line: "", point: 0)
  /// How many clusters the next key replaces, after vi's `r`.
  var clustersToReplace: Int?
  /// What is typed over, in readline's `overwrite-mode`.
  var overstrike = Overstrike()
  /// Whether keys wait for what the owner does.
  var holdsKeys = false
  /// What is asked in the line's place, and how much was asked so far.
  var question: OpenQuestion?
  var questionCount = 0
  /// The candidates that a key goes through.
  var menu: CompletionMenu?
  var installedPrompt: String?
  var lastReportedLine = ""
  var sources: [any DispatchSourceProtocol] = []
  var inputSource: (any DispatchSourceRead)?
  var settleTimer: (any DispatchSourceTimer)?
  var isDispatching = false
  var lastKeyWasSettledEscape = false
  /// Until when the terminal may answer what it was asked; nil while it was not.
  var repliesExpectedUntil: DispatchTime?
  /// When a sequence paused, and when anything was read last.
  var lastPause = DispatchTime(uptimeNanoseconds: 0)
  var lastRead = DispatchTime(uptimeNanoseconds: 0)
  /// Whether the terminal marks no pastes, so that they must be guessed.
  var guessesPastes = false

  /// A prompt that does not hold the terminal yet.
  package init(_ configuration: Configuration) {
    self.configuration = configuration
    device = TerminalDevice(input: configuration.input, output: configuration.output)
    historyFile = configuration.historyPath.map {
      HistoryFile(path: $0, limit: configuration.historyLimit)
    }
    historyWriter = historyFile.map(HistoryWriter.init)
    isPlain = configuration.isPlain
    painter = FramePainter(isPlain: configuration.isPlain)
    (columns, rows) = device.size
  }

  isolated deinit {
    stop()
    device.close()
  }
}
