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

  /// Returns a page in the format, once all its ink is read.
  ///
  /// - Throws: ``StudioError``, of code `busy` if reading takes too long.
  package func bytes(of session: PageSession, title: String) async throws -> Data {
    let deadline = ContinuousClock.now + .seconds(Self.patience)
    repeat {
      let editor = try await session.with { $0.editor }
      guard try await editor.becomeIdle(timeout: Self.patience) else { break }
      do throws(EditorError) {
        return Data(try export(editor, title: title).utf8)
      } catch {
        // Somebody wrote in the meantime.
        guard error == .notIdle else { throw PageDocument.error(error) }
      }
    } while ContinuousClock.now < deadline
    throw StudioError(.busy, "the page is still being read; try again in a moment")
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
