import Foundation
import InkEditor

/// The state of an export of several pages.
public struct ExportProgress: Hashable, Sendable {
  /// The pages that are done.
  public let donePages: Int
  /// All pages.
  public let pageCount: Int

  /// The part that is done, 0 ... 1.
  public var fraction: Double { pageCount > 0 ? Double(donePages) / Double(pageCount) : 1 }

  package init(donePages: Int, pageCount: Int) {
    (self.donePages, self.pageCount) = (donePages, pageCount)
  }
}

/// Files of documents with several parts: each part is a page.
///
///     let files = try await engine.exportFiles(of: package.allParts, to: url) { progress in
///       print(progress.fraction)
///     }
extension Engine {
  /// Returns parts as the bytes of a file, each as a page.
  ///
  /// A part that an editor shows is read there; others get an editor while they are exported. A page
  /// after the other is read, drawn and released.
  ///
  /// - Parameters:
  ///   - parts: The parts in order: all of a document, or a range of them.
  ///   - format: The format.
  ///   - options: The choices.
  ///   - progress: Called after each page, on no certain thread.
  /// - Throws: ``ExportError``, which is ``ExportError/severalPages(format:found:)`` if the format
  ///   holds one page, `EditorError`, and `CancellationError` if the task is cancelled.
  public func exportFile(
    of parts: some Collection<ContentPart> & Sendable, as format: ExportFormat,
    options: ExportOptions = ExportOptions(),
    progress: (@Sendable (ExportProgress) -> Void)? = nil
  ) async throws -> Data {
    if format.isOfOnePage, parts.count > 1 {
      throw ExportError.severalPages(format: format.rawValue, found: parts.count)
    }
    let file = try ExportFile(nil, format, options: options)
    try await add(parts, to: file, options, progress)
    try file.finish()
    return Data(file.bytes)
  }

  /// Writes parts to a file, each as a page. If the format holds one page, several parts become
  /// several files, `NAME-1.png` and so on.
  ///
  /// - Parameters:
  ///   - parts: The parts in order: all of a document, or a range of them.
  ///   - url: The file.
  ///   - format: The format; nil for that of the ending.
  ///   - options: The choices.
  ///   - progress: Called after each page, on no certain thread.
  /// - Returns: The files.
  /// - Throws: ``ExportError``, `EditorError`, and `CancellationError` if the task is cancelled. There
  ///   is no new file then, except for pages that are files of their own.
  @discardableResult
  public func exportFiles(
    of parts: some Collection<ContentPart> & Sendable, to url: URL, as format: ExportFormat? = nil,
    options: ExportOptions = ExportOptions(),
    progress: (@Sendable (ExportProgress) -> Void)? = nil
  ) async throws -> [URL] {
    let format = try format ?? .of(url)
    var options = options
    options.title = options.title ?? url.deletingPathExtension().lastPathComponent
    let file = try ExportFile(url.path, format, options: options)
    try await add(parts, to: file, options, progress)
    try file.finish()
    return file.written.map { URL(fileURLWithPath: $0) }
  }

  private func add(
    _ parts: some Collection<ContentPart> & Sendable, to file: ExportFile,
    _ options: ExportOptions, _ progress: (@Sendable (ExportProgress) -> Void)?
  ) async throws {
    let count = parts.count
    for part in parts {
      try Task.checkCancellation()
      try file.add(try await page(of: part, file.format, options))
      progress?(ExportProgress(donePages: file.pageCount, pageCount: count))
    }
  }

  private func page(
    of part: ContentPart, _ format: ExportFormat, _ options: ExportOptions
  ) async throws -> ExportPage {
    if let editor = part.editor {
      return try await editor.idlePage(of: .block(nil), format, options)
    }
    let editor = makeEditor()
    editor.callbackExecutor = .engine
    editor.viewTransform = .millimetres
    try editor.setViewSize(width: Sheet.width, height: Sheet.height)
    try editor.setPart(part)
    let page: ExportPage
    do {
      page = try await editor.idlePage(of: .block(nil), format, options)
    } catch {
      try? editor.setPart(nil)
      throw error
    }
    try editor.setPart(nil)
    return page
  }

  /// The view of an editor that nobody sees, millimetres. Only its size on paper matters, to ink that
  /// is not read yet.
  private enum Sheet {
    static let (width, height) = (600.0, 1000.0)
  }
}
