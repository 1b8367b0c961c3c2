// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

func library(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(_ name: String, of dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

// From the top down: nothing on a line knows a line above it.
let package = Package(
  name: "banter",
  products: [.executable(name: "banter", targets: ["banter"])],
  targets: [
    .executableTarget(
      name: "banter",
      dependencies: [
        "ChatSession", "LinePrompt", "ImageAssets", "Transport", "TerminalText", "ChatModel",
        "CPosix",
      ],
      swiftSettings: strict),
    library(
      "ChatSession",
      ["LinePrompt", "ImageAssets", "Transport", "TerminalText", "ChatModel", "CPosix"]),
    library("LinePrompt", ["TerminalText", "CReadline", "CPosix"]),
    .executableTarget(
      name: "LinePromptDemo", dependencies: ["LinePrompt", "TerminalText"], swiftSettings: strict),
    library("ImageAssets", ["TerminalText", "ChatModel", "CPosix"]),
    library("Transport", ["ChatModel", "CPosix"]),
    library("TerminalText", ["ChatModel", "CUTF8Proc"]),
    library("ChatModel", []),
    .target(name: "CPosix"),
    .systemLibrary(name: "CReadline"),
    .systemLibrary(name: "CUTF8Proc"),

    tests("ChatSessionTests", of: ["ChatSession", "LinePrompt", "Transport", "TerminalText", "ChatModel"]),
    tests("LinePromptTests", of: ["LinePrompt", "LinePromptDemo", "TerminalText"]),
    tests("TransportTests", of: ["Transport", "ChatModel"]),
    tests("TerminalTextTests", of: ["TerminalText", "ChatModel"]),
    tests("ChatModelTests", of: ["ChatModel"]),
    tests("EndToEnd", of: ["ChatModel", "CPosix"]),
  ],
  swiftLanguageModes: [.v6]
)
