internal import ChatModel
internal import TerminalText
internal import Transport

/// What acts on messages.
let messageCommands: [Command] = [
  Command(
    "attach", "PATH... [-- caption]", .files, "send images or files", "이미지나 파일 보내기"
  ) { session, arguments throws(CommandError) in
    try session.attach(arguments)
  },
  Command(
    "delete", "[message]", .message, "delete your newest message, or the one named",
    "내 마지막 메시지나 지정한 메시지 삭제"
  ) { session, arguments throws(CommandError) in
    try session.delete(try session.ownNamed(arguments))
  },
  Command(
    "edit", "[message] [text]", .message,
    "change one of your messages; without text it comes into the line",
    "내 메시지 고치기; 내용이 없으면 입력줄로 가져옴"
  ) { session, arguments throws(CommandError) in
    try session.edit(arguments)
  },
  Command(
    "images", "[message] [n] [open, save FOLDER, copy] | all [page]", .images,
    "show the images of the newest message that has some, or of the one named",
    "이미지가 있는 마지막 메시지나 지정한 메시지의 이미지 보기"
  ) { session, arguments throws(CommandError) in
    try session.runImages(arguments)
  },
  Command("me", "text", .text, "say what you do", "동작 표현하기") {
    session, arguments throws(CommandError) in
    guard !arguments.isEmpty else {
      throw CommandError(session.language("say what you do: /me waves", "할 말을 쓰세요: /me 인사한다"))
    }
    let room = session.current
    session.submit(
      .message(session.makeMessage(arguments, in: room, isAction: true)), to: room)
  },
  Command(
    "react", "message emoji", .message, "put an emoji on a message, or take it away", "메시지에 반응하기"
  ) { session, arguments throws(CommandError) in
    let (word, emoji) = arguments.firstWord
    let named = try session.named(word)
    guard !emoji.isEmpty else {
      throw CommandError(session.language("name an emoji: /react 12 👍", "이모지를 쓰세요: /react 12 👍"))
    }
    guard let reaction = EmojiNames.emoji(emoji) ?? EmojiNames.single(emoji) else {
      throw CommandError(
        session.language(
          "\(emoji.prefix(20)) is no emoji; Tab after a : completes their names",
          "\(emoji.prefix(20))은 이모지가 아닙니다. : 뒤에서 Tab을 누르면 이름이 완성됩니다"))
    }
    try session.react(to: named, with: reaction)
  },
  Command(
    "save", "[message] FOLDER", .files, "save the files of a message in a folder",
    "메시지의 파일을 폴더에 저장"
  ) { session, arguments throws(CommandError) in
    try session.saveFiles(arguments)
  },
  Command("reply", "message text", .message, "answer a message", "메시지에 답하기") {
    session, arguments throws(CommandError) in
    let (word, text) = arguments.firstWord
    let named = try session.named(word)
    guard !text.isEmpty else {
      throw CommandError(
        session.language("write an answer: /reply 12 yes", "답을 쓰세요: /reply 12 네"))
    }
    try session.require(\.replies, of: named.room, LocalizedText("replies", "답글"))
    session.submit(
      .message(session.makeMessage(text, in: named.room, replyTo: named.entry.id)), to: named.room)
  },
]
