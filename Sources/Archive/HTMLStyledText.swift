import ChatModel
import TerminalText

/// Neutralised text for HTML with links, its styles as elements; colours are
/// left to the page.
func html(_ text: String, _ styles: [StyledRange]) -> String {
  if styles.isEmpty { return htmlWithLinks(text) }
  return StyledText(text, styles).parts.map { text, style in
    let elements = style.map(elements) ?? []
    let opening = elements.map { "<\($0)>" }.joined()
    let closing = elements.reversed().map { "</\($0)>" }.joined()
    return opening + htmlWithLinks(text) + closing
  }.joined()
}

private func elements(of style: TextStyle) -> [String] {
  let all = [
    (style.isBold, "b"), (style.isItalic, "i"), (style.isUnderlined, "u"), (style.isStruck, "s"),
    (style.isMonospaced, "code"),
  ]
  return all.filter(\.0).map(\.1)
}
