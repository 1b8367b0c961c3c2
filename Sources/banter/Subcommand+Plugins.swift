internal import ChatSession
internal import TerminalText

/// What is done with plugins.
extension Subcommand {
  static let pluginCommands = [pluginsList, pluginsCheck]

  static let pluginsList = Subcommand(
    name: "plugins", usage: "banter plugins",
    summary: LocalizedText("list plugins and what they can", "플러그인 목록"),
    details: LocalizedText(
      """
      A plugin is a program banter-SCHEME that opens SCHEME://... It is looked for in
      the folders of $BANTER_PLUGIN_PATH, in plugins in the data folder, beside banter
      and in ../libexec/banter from there. Each that is found is started and asked.
      """,
      """
      플러그인은 SCHEME://... 주소를 여는 banter-SCHEME 프로그램입니다. $BANTER_PLUGIN_PATH의
      폴더, 데이터 폴더의 plugins, banter 옆, 거기서 ../libexec/banter에서 찾습니다.
      찾은 것마다 실행하여 물어봅니다.
      """),
    options: [], run: { try await PluginsCommand($0).list() })

  static let pluginsCheck = Subcommand(
    name: "plugins check", usage: "banter plugins check NAME [ADDRESS]",
    summary: LocalizedText("hold a plugin to the line protocol", "플러그인이 규약을 지키는지 시험"),
    details: LocalizedText(
      """
      Talks to the plugin NAME, a scheme or a path, and prints a line for each
      promise of the protocol: ok, BROKEN and why, or - where it offers no such thing.
      With the ADDRESS of a room it also joins it and writes a message there. The exit
      status is 76 when a promise is broken.
      """,
      """
      NAME(스킴 또는 경로) 플러그인과 대화하며 규약마다 한 줄을 출력합니다: ok, BROKEN과
      까닭, 또는 제공하지 않으면 -. 방의 ADDRESS가 있으면 들어가서 메시지도 하나 씁니다.
      지키지 않은 것이 있으면 종료 상태는 76입니다.
      """),
    options: [], run: { try await PluginsCommand($0).check() })
}
