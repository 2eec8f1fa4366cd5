import Exports
import Foundation
import InkEditor

/// The content of a page that leaves the studio as a file.
package enum PageExportScope: Hashable, Sendable {
  case page
  /// The selected ink.
  case selection
  /// A block by its id.
  case block(String)

  /// Reads the parameters `of` and `block` of a query.
  ///
  /// - Throws: ``StudioError``.
  init(_ query: [String: String]) throws(StudioError) {
    switch query["of"] {
    case nil, "page": self = .page
    case "selection": self = .selection
    case "block":
      guard let id = query["block"] else {
        throw StudioError(.invalidValue, "expected the id of a block, found none", field: "block")
      }
      self = .block(id)
    default:
      throw StudioError(
        .invalidValue, "expected one of page, selection, block, found another text", field: "of")
    }
  }
}

/// Exports of a page of the studio.
package struct PageExport: Sendable {
  /// The format.
  package let format: ExportFormat
  /// The content.
  package let scope: PageExportScope

  /// Makes an export.
  package init(_ format: ExportFormat, of scope: PageExportScope = .page) {
    (self.format, self.scope) = (format, scope)
  }

  /// Seconds to wait until all ink is read.
  private static let patience = 30.0
  /// The most pixels of a picture: 400 MB of memory.
  private static let mostPixels = 100_000_000

  /// Returns the file, once all ink of the page is read.
  ///
  /// - Parameters:
  ///   - session: The page.
  ///   - title: Its name.
  /// - Throws: ``StudioError``, of code `busy` if reading takes too long, and of code `conflict` if
  ///   nothing is selected.
  package func bytes(of session: PageSession, title: String) async throws -> Data {
    let deadline = ContinuousClock.now + .seconds(Self.patience)
    repeat {
      let editor = try await session.with { $0.editor }
      guard try await editor.becomeIdle(timeout: Self.patience) else { break }
      do throws(EditorError) {
        return try file(of: editor, title: title)
      } catch {
        // Somebody wrote in the meantime.
        guard error == .notIdle else { throw PageDocument.error(error) }
      }
    } while ContinuousClock.now < deadline
    throw StudioError(.busy, "the page is still being read; try again in a moment")
  }

  private func file(of editor: Editor, title: String) throws(EditorError) -> Data {
    let content = try content(of: editor)
    if format == .text { return Data(try text(of: editor, content).utf8) }
    var options = ExportOptions(title: title)
    options.mostPixels = Self.mostPixels
    let page = try ExportPage(of: editor, content, for: format, options)
    do {
      let file = try ExportFile(nil, format, options: options)
      try file.add(page)
      try file.finish()
      return Data(file.bytes)
    } catch {
      throw .invalidArgument("export", expected: "a page that can be written", found: "\(error)")
    }
  }

  /// Returns the plain lines, for the clipboard, too.
  private func text(of editor: Editor, _ content: ExportScope) throws(EditorError) -> String {
    switch content {
    case .selection(let selection): return try editor.export(selection, as: .text)
    case .block(let block):
      let text = try editor.export(block, as: .text)
      return text.isEmpty || block != nil ? text : text + "\n"
    }
  }

  private func content(of editor: Editor) throws(EditorError) -> ExportScope {
    switch scope {
    case .page: return .block(nil)
    case .selection:
      guard let selection = editor.selection else {
        throw .invalidArgument("selection", expected: "selected ink", found: "none")
      }
      return .selection(selection)
    case .block(let id):
      guard let block = editor.block(id: id) else { throw .invalidBlock(id) }
      return .block(block)
    }
  }

  /// Returns the formats that have something to show.
  ///
  /// - Throws: ``StudioError``.
  package static func formats(
    of session: PageSession, _ scope: PageExportScope
  ) async throws -> [ExportFormat] {
    let editor = try await session.with { $0.editor }
    do throws(EditorError) {
      switch try PageExport(.pdf, of: scope).content(of: editor) {
      case .block(let block): return try editor.exportFormats(block)
      case .selection(let selection): return try editor.exportFormats(selection)
      }
    } catch {
      throw PageDocument.error(error)
    }
  }
}
