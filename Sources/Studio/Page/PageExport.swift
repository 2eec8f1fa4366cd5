import Foundation
import InkEditor

/// A format in which a page leaves the studio.
package enum PageExport: String, CaseIterable, Sendable {
  /// The text, one line for each written line.
  case text
  /// JIIX: blocks, words, candidates, shapes and ink.
  case jiix
  /// A drawing with the text as its description.
  case svg

  /// The content type.
  var type: String {
    switch self {
    case .text: "text/plain; charset=utf-8"
    case .jiix: "application/json"
    case .svg: "image/svg+xml"
    }
  }

  /// Seconds to wait until all ink is read.
  private static let patience = 30.0

  /// Returns a page, or its selected ink, in the format, once all its ink is read.
  ///
  /// - Throws: ``StudioError``, of code `busy` if reading takes too long, and of code `conflict` if
  ///   nothing is selected.
  package func bytes(
    of session: PageSession, title: String, ofSelection: Bool = false
  ) async throws -> Data {
    let deadline = ContinuousClock.now + .seconds(Self.patience)
    repeat {
      let editor = try await session.with { $0.editor }
      guard try await editor.becomeIdle(timeout: Self.patience) else { break }
      do throws(EditorError) {
        return Data(
          try ofSelection ? exportSelection(editor).utf8 : export(editor, title: title).utf8)
      } catch {
        // Somebody wrote in the meantime.
        guard error == .notIdle else { throw PageDocument.error(error) }
      }
    } while ContinuousClock.now < deadline
    throw StudioError(.busy, "the page is still being read; try again in a moment")
  }

  private func exportSelection(_ editor: Editor) throws(EditorError) -> String {
    guard let selection = editor.selection else {
      throw .invalidArgument("selection", expected: "selected ink", found: "none")
    }
    switch self {
    case .text: return try editor.export(selection, as: .text)
    case .jiix: return try editor.export(selection, as: .jiix)
    case .svg: return try editor.export(selection, as: .svg)
    }
  }

  private func export(_ editor: Editor, title: String) throws(EditorError) -> String {
    switch self {
    case .text:
      let text = try editor.export(as: .text)
      return text.isEmpty ? "" : text + "\n"
    case .jiix: return try editor.export(as: .jiix)
    case .svg:
      let text = try editor.export(as: .text)
      return try editor.svg(options: SVGOptions(margin: 5, title: title, description: text))
    }
  }
}
