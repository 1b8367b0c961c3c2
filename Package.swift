// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

func library(
  _ name: String, _ dependencies: [Target.Dependency], path: String? = nil
) -> Target {
  .target(name: name, dependencies: dependencies, path: path, swiftSettings: strict)
}

func tests(
  _ name: String, of dependencies: [Target.Dependency], without files: [String] = []
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["TestSupport"], exclude: files,
    swiftSettings: strict)
}

// From the top down: nothing on a line knows a line above it.
let package = Package(
  name: "banter",
  products: [
    .executable(name: "banter", targets: ["banter"]),
    .executable(name: "banter-irc", targets: ["banter-irc"]),
    .executable(name: "banter-nats", targets: ["banter-nats"]),
  ],
  targets: [
    .executableTarget(
      name: "banter",
      dependencies: [
        "ChatSession", "Hub", "LinePrompt", "SessionLog", "Archive", "ImageAssets", "Transport",
        "TerminalText", "ChatModel", "Processes", "Sockets", "TransportSecurity", "Executors",
        "CPosix",
      ],
      swiftSettings: strict),
    library(
      "ChatSession",
      [
        "LinePrompt", "SessionLog", "Archive", "ImageAssets", "Transport", "TransportSecurity",
        "TerminalText", "ChatModel", "Processes", "Executors", "FileSystem", "CPosix",
      ]),
    library("LinePrompt", ["TerminalText", "CReadline"]),
    library(
      "ImageAssets",
      ["TransportSecurity", "Processes", "ChatModel", "Executors", "FileSystem", "CPosix"]),
    library("SessionLog", ["TerminalText", "ChatModel", "Executors", "CPosix", "CSQLite"]),
    library("Archive", ["TerminalText", "ChatModel"]),
    library(
      "Hub", ["Transport", "TransportSecurity", "Sockets", "ChatModel", "Executors", "CPosix"]),
    library(
      "Transport",
      [
        "TransportSecurity", "Sockets", "Processes", "ChatModel", "Executors", "FileSystem",
        "CPosix",
      ]),
    library("PluginHost", ["Transport", "Sockets"]),
    library("Sockets", ["TransportSecurity", "Executors", "CPosix"]),
    library("TransportSecurity", ["TerminalText", "CPosix", "COpenSSL"]),
    library("Processes", ["Executors", "FileSystem", "CPosix"]),
    library("TerminalText", ["ChatModel", "CUTF8Proc"]),
    library("ChatModel", []),
    library("Executors", ["CPosix"]),
    library("FileSystem", []),
    library(
      "IRC", ["Transport", "TransportSecurity", "TerminalText", "ChatModel"],
      path: "plugins/irc/Sources/IRC"),
    .executableTarget(
      name: "banter-irc",
      dependencies: [
        "IRC", "PluginHost", "Transport", "TransportSecurity", "Sockets", "TerminalText",
        "ChatModel", "Executors", "CPosix",
      ],
      path: "plugins/irc/Sources/banter-irc", swiftSettings: strict),
    library(
      "NATS",
      [
        "PluginHost", "Transport", "TransportSecurity", "TerminalText", "ChatModel", "Executors",
        "CNATS",
      ],
      path: "plugins/nats/Sources/NATS"),
    .executableTarget(
      name: "banter-nats", dependencies: ["NATS", "TerminalText"],
      path: "plugins/nats/Sources/banter-nats", swiftSettings: strict),
    .systemLibrary(name: "CNATS", path: "plugins/nats/Sources/CNATS"),
    .target(name: "CPosix"),
    .systemLibrary(name: "COpenSSL"),
    .systemLibrary(name: "CReadline"),
    .systemLibrary(name: "CSQLite"),
    .systemLibrary(name: "CUTF8Proc"),

    // A prompt without a session, for the tests of the prompt.
    .executableTarget(
      name: "LinePromptDemo", dependencies: ["LinePrompt", "TerminalText"],
      path: "Tests/LinePromptDemo", swiftSettings: strict),
    // What the tests of several targets need.
    .target(
      name: "TestSupport",
      dependencies: [
        "Transport", "TerminalText", "ChatModel", "Executors", "FileSystem", "CPosix",
      ],
      path: "Tests/TestSupport",
      swiftSettings: strict),
    tests(
      "ChatSessionTests",
      of: [
        "ChatSession", "LinePrompt", "SessionLog", "ImageAssets", "Transport", "TerminalText",
        "ChatModel", "Archive", "FileSystem",
      ]),
    tests("ImageAssetsTests", of: ["ImageAssets", "ChatModel", "Processes", "FileSystem"]),
    tests("ArchiveTests", of: ["Archive", "TerminalText", "ChatModel"]),
    tests("ProcessesTests", of: ["Processes"]),
    tests("LinePromptTests", of: ["LinePrompt", "LinePromptDemo", "TerminalText"]),
    tests("SessionLogTests", of: ["SessionLog", "ChatModel"]),
    tests("TransportTests", of: ["Transport", "ChatModel", "Executors", "FileSystem"]),
    tests(
      "HubTests",
      of: [
        "banter", "Hub", "Transport", "TransportSecurity", "Sockets", "ChatModel", "Executors",
        "FileSystem", "CPosix",
      ]),
    tests("TransportSecurityTests", of: ["TransportSecurity", "TerminalText", "Executors"]),
    tests("SocketsTests", of: ["Sockets", "CPosix"]),
    tests("ExecutorsTests", of: ["Executors"]),
    tests("TerminalTextTests", of: ["TerminalText", "ChatModel"]),
    tests("ChatModelTests", of: ["ChatModel"]),
    tests(
      "IRCTests",
      of: [
        "IRC", "banter-irc", "Transport", "TransportSecurity", "TerminalText", "ChatModel",
      ], without: ["Vectors"]),
    tests("NATSTests", of: ["NATS", "banter-nats", "Transport", "TransportSecurity", "ChatModel"]),
    tests("EndToEnd", of: ["banter", "TerminalText", "ChatModel", "CPosix"]),
  ],
  swiftLanguageModes: [.v6]
)
