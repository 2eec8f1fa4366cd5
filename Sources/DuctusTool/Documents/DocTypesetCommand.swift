import ArgumentParser
import EditorStorage
import Foundation
import InkEditor
import SystemFonts

/// `ductus doc typeset`.
package struct DocTypesetCommand: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "typeset",
    abstract: "Turn handwriting into typed text, and drawn shapes into exact ones.",
    discussion: """
      Words that were read become typed text on their baseline and in their size. Boxes, circles and \
      arrows become exact: equal sizes, common rows and columns, arrows that end at their boxes. \
      Formulas become signs, bars and roots in their place. Ink that was not read and drawings stay. \
      --for edit gives all lines of plain text one size. The document is changed; keep a copy if the \
      ink is still wanted.

      Example:
        ductus doc typeset notes.ductusdoc
      """)

  @Argument(help: ArgumentHelp("The document, NAME.ductusdoc.", valueName: "file"))
  var file: String

  @Option(help: ArgumentHelp("The part, from 0; all by default.", valueName: "number"))
  var part: Int?

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp(
      "publish keeps the sizes of the ink, edit makes them equal.", valueName: "use"))
  var use = Use.publish

  @Flag(help: "Measure with the fonts of the system; default: the metrics of Liberation Sans.")
  var systemFonts = false

  /// The purpose of the text.
  package enum Use: String, ExpressibleByArgument, CaseIterable {
    case publish
    case edit
  }

  package func run() throws {
    let desk = try DocumentDesk(readsInk: true)
    let package = try desk.engine.openPackage(at: URL(fileURLWithPath: file))
    let parts = try part.map { [try package.part(at: $0)] } ?? package.allParts
    let fonts = systemFonts ? try SystemFonts() : nil
    var counts = (words: 0, shapes: 0)
    for part in parts {
      let editor = try desk.editor(on: part)
      if let fonts { editor.fonts = fonts }
      try editor.waitUntilIdle()
      let before = Self.counts(editor)
      let listener = MissingLetters()
      editor.delegate = listener
      try editor.convert(to: use == .edit ? .edit : .publish)
      let after = Self.counts(editor)
      counts.words += after.words - before.words
      counts.shapes += after.shapes - before.shapes
      try editor.waitUntilIdle()
      for message in listener.messages { DocumentDesk.note("\(file): \(message)") }
      try editor.setPart(nil)
    }
    try package.save()
    try package.close()
    print(
      "\(file): \(TerminalText.count(counts.words, "typed word")), "
        + "\(TerminalText.count(counts.shapes, "line")) of exact shapes")
  }

  /// The typed words and the lines of exact shapes of a part.
  private static func counts(_ editor: Editor) -> (words: Int, shapes: Int) {
    editor.read { state in
      guard let document = state.document else { return (0, 0) }
      let strokes = document.strokes.values
      return (strokes.count { $0.typed != nil }, strokes.count { $0.digital == .outline })
    }
  }
}

/// Collects the notices about letters that the fonts lack.
private final class MissingLetters: EditorDelegate, @unchecked Sendable {
  // Unchecked because the lock guards the messages.
  private let lock = NSLock()
  private var found: [String] = []

  var messages: [String] { lock.withLock { found } }

  func editor(_ editor: Editor, didEmit event: EditorEvent) {
    guard case .notice(let notice) = event, notice.code == .fontLacksCharacters else { return }
    lock.withLock { found.append(notice.message) }
  }
}
