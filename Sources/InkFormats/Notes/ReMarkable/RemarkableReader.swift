import Files
import InkCore

/// Reads notes of reMarkable tablets: a page (`.rm`), a notebook packed by the tablet (`.rmdoc`, a ZIP
/// archive), or a notebook as the tablet stores it (`ID.content` with `ID.metadata` beside a folder
/// `ID` of pages).
///
/// Each page with strokes of pens is a record; layers are groups. Typed text is kept at its place.
/// A page that is damaged or missing is a failure, and the others are read.
enum RemarkableReader {
  /// The most bytes of a page, of which no real one has a tenth.
  private static let largestPage = 64 << 20
  /// The most pages of a notebook.
  private static let mostPages = 20_000

  /// The files of a notebook, wherever they are.
  private struct Store {
    var bytes: (String) throws(InkFormatError) -> [UInt8]?
  }

  @Sendable
  static func parse(_ input: InkInput) throws(InkFormatError) -> DrawnFile {
    let start = try input.start(1 << 12)
    if ZipArchive.isArchive(start) { return try packed(input) }
    let bytes = try input.content()
    guard !isContent(bytes) else { return try stored(input, bytes) }
    var budget = InkBudget()
    return DrawnFile(pages: [try RemarkablePage.read(bytes, path: input.path, &budget)])
  }

  /// Returns true for the first bytes of `ID.content`.
  static func isContent(_ bytes: [UInt8]) -> Bool {
    guard bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") else { return false }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.contains("\"fileType\"")
      && ["\"pages\"", "\"cPages\"", "\"pageCount\""].contains(where: text.contains)
  }

  /// Returns the name of the list of pages in an archive.
  static func content(of archive: ZipArchive) -> String? {
    archive.entries.first { $0.name.hasSuffix(".content") && !$0.name.contains("/") }?.name
  }

  private static func packed(_ input: InkInput) throws(InkFormatError) -> DrawnFile {
    let archive = try input.archive()
    guard let name = content(of: archive) else {
      throw InkFormatError(
        .missingKey, at: SourceLocation(path: input.path),
        expected: "the file ID.content in the archive", found: "none",
        advice: "check that the archive is a notebook of a reMarkable tablet")
    }
    let store = Store { (name) throws(InkFormatError) in
      guard let entry = archive[name] else { return nil }
      return try input.bytes(of: entry, in: archive, limit: largestPage)
    }
    guard let content = try store.bytes(name) else { return DrawnFile() }
    return try notebook(content, id: String(name.dropLast(8)), store, path: input.path)
  }

  private static func stored(
    _ input: InkInput, _ content: [UInt8]
  ) throws(InkFormatError) -> DrawnFile {
    let stem =
      input.path.hasSuffix(".content") ? String(input.path.dropLast(8)) : input.path
    let folder = stem.lastIndex(of: "/").map { String(stem[..<$0]) } ?? "."
    let id = stem.split(separator: "/").last.map(String.init) ?? stem
    let store = Store { (name) throws(InkFormatError) in
      let path = ByteFile.join(folder, name)
      return ByteFile.exists(path) ? try ByteFile.bytes(of: path) : nil
    }
    return try notebook(content, id: id, store, path: input.path)
  }

  private static func notebook(
    _ content: [UInt8], id: String, _ store: Store, path: String
  ) throws(InkFormatError) -> DrawnFile {
    let tree = try JSONValue(document: content, path: path)
    let ids = try pages(of: tree, path: path)
    var file = DrawnFile()
    if tree["fileType"]?.string.map({ !$0.isEmpty && $0 != "notebook" }) == true {
      file.warnings = [
        InkFormatError(
          .unsupported, at: SourceLocation(path: path), expected: "a notebook",
          found: "ink over a document", advice: "the ink is read without the document below it")
      ]
    }
    var budget = InkBudget()
    for page in ids {
      do throws(InkFormatError) {
        let name = "\(id)/\(page).rm"
        guard let bytes = try store.bytes(name) else {
          // A page that nobody wrote on has no file.
          file.pages.append(DrawnFile.Page(id: page))
          continue
        }
        var read = try RemarkablePage.read(bytes, path: path, &budget)
        read.id = page
        file.pages.append(read)
      } catch {
        guard error.code != .tooLarge else { throw error }
        var broken = DrawnFile.Page(id: page)
        broken.problem = InkFormatError(
          error.code, at: error.location, expected: error.expected,
          found: "\(error.found), on page \(file.pages.count + 1)", advice: error.advice)
        file.pages.append(broken)
      }
    }
    return file
  }

  /// The identifiers of the pages in their order: a list, or a list that several devices edit.
  private static func pages(
    of content: JSONValue, path: String
  ) throws(InkFormatError) -> [String] {
    var ids: [String] = []
    if let pages = content["cPages"]?["pages"]?.array {
      let kept = pages.filter { $0["deleted"]?["value"]?.double ?? 0 == 0 }
      let placed = kept.enumerated().map { index, page in
        (page["idx"]?["value"]?.string ?? "", index, page["id"]?.string)
      }
      ids = placed.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.compactMap(\.2)
    } else {
      ids = (content["pages"]?.array ?? []).compactMap(\.string)
    }
    guard ids.count <= mostPages else {
      throw InkFormatError(
        .tooLarge, at: SourceLocation(path: path), expected: "at most \(mostPages) pages",
        found: "\(ids.count)", advice: "split the notebook")
    }
    let isSafe = ids.allSatisfy { !$0.isEmpty && !$0.contains("/") && !$0.hasPrefix(".") }
    guard isSafe else {
      throw InkFormatError(
        .pathOutsideFolder, at: SourceLocation(path: path), expected: "identifiers of pages",
        found: "a path", advice: "copy the notebook from the tablet again")
    }
    return ids
  }
}
