import Foundation
import InkEditor

/// Files of what an editor shows, in any ``ExportFormat``.
///
/// All of them wait until the ink is read. A file appears when it is complete, and replaces an
/// existing one as a whole.
///
///     let pdf = try await editor.exportFile(as: .pdf)
///     try await editor.exportFile(to: folder.appendingPathComponent("notes.docx"))
extension Editor {
  /// Returns a block, or the root if nil, as the bytes of a file.
  ///
  /// - Parameters:
  ///   - block: The block, or nil for the root.
  ///   - format: The format.
  ///   - options: The choices.
  /// - Throws: ``ExportError``, `EditorError`, and `CancellationError` if the task is cancelled.
  public func exportFile(
    _ block: ContentBlock? = nil, as format: ExportFormat, options: ExportOptions = ExportOptions()
  ) async throws -> Data {
    try await bytes(of: .block(block), format, options)
  }

  /// Returns a selection as the bytes of a file. Blocks and words have what is selected of them.
  ///
  /// - Throws: The errors of ``exportFile(_:as:options:)-(ContentBlock?,_,_)``.
  public func exportFile(
    _ selection: Selection, as format: ExportFormat, options: ExportOptions = ExportOptions()
  ) async throws -> Data {
    try await bytes(of: .selection(selection), format, options)
  }

  /// Writes a block, or the root if nil, to a file. Its ending names the format.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - block: The block, or nil for the root.
  ///   - format: The format; nil for that of the ending.
  ///   - options: The choices.
  /// - Throws: ``ExportError``, `EditorError`, and `CancellationError` if the task is cancelled. There
  ///   is no new file then.
  public func exportFile(
    to url: URL, _ block: ContentBlock? = nil, as format: ExportFormat? = nil,
    options: ExportOptions = ExportOptions()
  ) async throws {
    try await write(.block(block), to: url, format, options)
  }

  /// Writes a selection to a file. Its ending names the format.
  ///
  /// - Throws: The errors of ``exportFile(to:_:as:options:)-(URL,ContentBlock?,_,_)``.
  public func exportFile(
    to url: URL, _ selection: Selection, as format: ExportFormat? = nil,
    options: ExportOptions = ExportOptions()
  ) async throws {
    try await write(.selection(selection), to: url, format, options)
  }

  private func bytes(
    of scope: ExportScope, _ format: ExportFormat, _ options: ExportOptions
  ) async throws -> Data {
    let file = try ExportFile(nil, format, options: options)
    try file.add(try await idlePage(of: scope, format, options))
    try file.finish()
    return Data(file.bytes)
  }

  private func write(
    _ scope: ExportScope, to url: URL, _ format: ExportFormat?, _ options: ExportOptions
  ) async throws {
    let format = try format ?? .of(url)
    var options = options
    options.title = options.title ?? url.deletingPathExtension().lastPathComponent
    let file = try ExportFile(url.path, format, options: options)
    try file.add(try await idlePage(of: scope, format, options))
    try file.finish()
  }

  /// Returns a page as soon as all its ink is read.
  func idlePage(
    of scope: ExportScope, _ format: ExportFormat, _ options: ExportOptions
  ) async throws -> ExportPage {
    while true {
      guard try await becomeIdle() else { throw EditorError.notIdle }
      do throws(EditorError) {
        return try ExportPage(of: self, scope, for: format, options)
      } catch {
        // A pen began a stroke in between.
        guard error == .notIdle else { throw error }
      }
    }
  }
}

extension ExportFormat {
  /// Returns the format of the ending of a file.
  ///
  /// - Throws: ``ExportError/unknownEnding(_:)``.
  static func of(_ url: URL) throws(ExportError) -> ExportFormat {
    guard let format = ExportFormat(endingOf: url) else {
      throw .unknownEnding(url.pathExtension)
    }
    return format
  }
}
