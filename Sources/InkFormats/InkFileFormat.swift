import Files
import InkCore

/// The formats of ink files that can be recognised by their content.
public enum InkFileFormat: String, Hashable, Sendable, CaseIterable {
  /// InkML (W3C).
  case inkML = "inkml"
  /// JIIX 3 documents.
  case jiix
  /// Ductus JSON Lines: one JSON object per line, with columns of points.
  case jsonLines = "ink"
  /// Strokes as lists of points, one JSON object per line.
  case strokeLines = "ndjson"
  /// Quick, Draw! drawings, one JSON object per line.
  case quickDraw = "quickdraw"
  /// UNIPEN 1.0.
  case unipen
  /// Gesture XML of $1 and MMG.
  case gestureXML = "dollar"
  /// Notes of Xournal and Xournal++.
  case xournal = "xopp"
  /// SVG drawings.
  case svg
  /// Drawings of Excalidraw.
  case excalidraw
  /// Drawings of tldraw.
  case tldraw
  /// Characters of Zinnia, as S-expressions.
  case zinnia
  /// Character XML of Tegaki and Tomoe.
  case tegaki
  /// Strokes in JSON of any program: lists of points, canvas libraries, pads.
  case strokeJSON = "json"
  /// Pages and notebooks of reMarkable tablets.
  case remarkable = "rm"
  /// Notes of Rnote.
  case rnote
  /// Wacom's Universal Ink Model.
  case uim
  /// Ink of Wacom's older format.
  case will
  /// Notes of Saber.
  case saber = "sbn2"
  /// Notes of Butterfly.
  case butterfly = "bfly"
  /// Notes of Supernote tablets.
  case supernote = "note"
  /// Windows ink.
  case isf
  /// Ink annotations of PDF files.
  case pdf
  /// Tables of ink: the events of a pen, or a drawing in each row.
  case penTable = "csv"

  /// Returns the format of a file.
  ///
  /// - Throws: ``InkFormatError``: `missingFile`, `unreadableFile`, or `unsupported` if the file
  ///   has none of these formats.
  public static func of(path: String) throws(InkFormatError) -> InkFileFormat {
    if let format = try found(at: path) { return format }
    let isEmpty = try ByteFile.readableStart(of: path, count: 1).isEmpty
    throw InkFormatError(
      .unsupported, at: SourceLocation(path: path),
      expected: "ink of one of the formats "
        + allCases.map(\.rawValue).joined(separator: ", "),
      found: isEmpty ? "an empty file" : "another file",
      advice: "export the ink in one of these formats, or name the format, FORMAT:PATH")
  }

  /// Returns the format of a file, or of the first file of a folder that has a known one.
  ///
  /// - Throws: ``InkFormatError`` as ``of(path:)`` does; `missingFile` for a folder without ink.
  public static func of(fileOrFolder path: String) throws(InkFormatError) -> InkFileFormat {
    guard ByteFile.isFolder(path) else { return try of(path: path) }
    if ByteFile.isFolder(ByteFile.join(path, "data")),
      ByteFile.isFolder(ByteFile.join(path, "include"))
    {
      return .unipen
    }
    for file in try ByteFile.list(path).sorted() {
      if let format = try? found(at: ByteFile.join(path, file)) { return format }
    }
    throw InkFormatError(
      .missingFile, at: SourceLocation(path: path),
      expected: "files of ink in the folder, of one of the formats "
        + allCases.map(\.rawValue).joined(separator: ", "),
      found: "none", advice: "check the path, or unpack the dataset")
  }

  /// Returns the format of a file, or nil. Of a ZIP archive, the file that holds the ink tells.
  static func found(at path: String) throws(InkFormatError) -> InkFileFormat? {
    let source = try ByteFile.open(path)
    guard let start = source.bytes(in: 0..<(1 << 16)) else {
      throw ByteFile.unreadable(path, found: "a read error")
    }
    guard ZipArchive.isArchive(start) else { return of(bytes: start) }
    // A file that is no archive after all is reported by the reader of its format.
    guard let archive = try? ZipArchive(source) else {
      return start.dropFirst(30).starts(with: "mimetypeapplication/xournal++".utf8) ? .xournal : nil
    }
    if archive[SaberReader.member] != nil { return .saber }
    if RemarkableReader.content(of: archive) != nil { return .remarkable }
    if !ButterflyReader.pages(of: archive).isEmpty { return .butterfly }
    if archive.entries.contains(where: { WILLReader.isPage($0.name) }) { return .will }
    guard let entry = archive[XournalReader.member], let stream = try? archive.stream(of: entry)
    else {
      return nil
    }
    var content = [UInt8](repeating: 0, count: 1 << 12)
    let count = content.withUnsafeMutableBytes { try? stream.read(into: $0) } ?? 0
    return of(bytes: Array(content[..<count])) == .xournal ? .xournal : nil
  }

  /// Returns the format that the first bytes of a file look like, or nil.
  ///
  /// - Complexity: O(bytes); the first 64 kB are enough.
  public static func of(bytes: [UInt8]) -> InkFileFormat? {
    let content = Gzip.isCompressed(bytes) ? Gzip.start(of: bytes, limit: 1 << 16) : bytes
    if let format = binary(content) { return format }
    let bytes = XMLText.utf8(content)
    let text = bytes.drop { $0 <= 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
    switch text.first {
    case UInt8(ascii: "<"): return xml(Array(text))
    case UInt8(ascii: "{"): return json(text)
    case UInt8(ascii: "["):
      let next = text.dropFirst().first { $0 > 0x20 }
      return next == UInt8(ascii: "[") || next == UInt8(ascii: "{") ? .strokeJSON : nil
    case UInt8(ascii: "(") where text.starts(with: Array("(character".utf8)): return .zinnia
    default:
      if isUNIPEN(bytes) { return .unipen }
      return PenTableReader.isTable(Array(text)) ? .penTable : nil
    }
  }

  /// Returns the format of a file that is no text.
  private static func binary(_ bytes: [UInt8]) -> InkFileFormat? {
    if RemarkablePage.isPage(bytes) { return .remarkable }
    if bytes.starts(with: RnoteReader.magic) { return .rnote }
    if bytes.starts(with: "RIFF".utf8) {
      if bytes.dropFirst(8).starts(with: "UINK".utf8) { return .uim }
      if bytes.dropFirst(8).starts(with: "WILL".utf8) { return .will }
    }
    if SaberReader.isNote(bytes) { return .saber }
    if SupernoteReader.isNote(bytes) { return .supernote }
    if bytes.starts(with: "%PDF-".utf8) { return .pdf }
    if ISFReader.isStream(bytes) { return .isf }
    return nil
  }

  /// Returns true if the first bytes of a file look like UNIPEN: a line begins with one of its
  /// keywords and a blank.
  static func isUNIPEN(_ bytes: [UInt8]) -> Bool {
    let keywords = [
      ".VERSION", ".PEN_DOWN", ".PEN_UP", ".SEGMENT", ".INCLUDE", ".COORD", ".HIERARCHY",
    ].map { Array($0.utf8) }
    return bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).prefix(200).contains { line in
      line.first == UInt8(ascii: ".")
        && keywords.contains {
          line.starts(with: $0) && line.dropFirst($0.count).first ?? 0 <= 0x20
        }
    }
  }

  private static func xml(_ bytes: [UInt8]) -> InkFileFormat? {
    bytes.withUnsafeBufferPointer { buffer in
      var scanner = XMLScanner(buffer, path: "")
      // The root may belong to another vocabulary.
      for _ in 0..<8 {
        guard let tag = try? scanner.nextTag() else { return nil }
        switch (tag.name.split(separator: ":").last ?? "").lowercased() {
        case "ink": return .inkML
        case "gesture": return .gestureXML
        case "xournal": return .xournal
        case "svg": return .svg
        case "character-collection", "character", "tomoe_dictionary": return .tegaki
        default: continue
        }
      }
      return nil
    }
  }

  /// Tells JSON by the keys of the first object, as far as the bytes go. Where that object is a line
  /// without strokes, one of the next lines may tell.
  private static func json(_ bytes: ArraySlice<UInt8>) -> InkFileFormat? {
    if let format = jsonObject(Array(bytes)), !isEmptyLine(bytes) {
      return format.hasLines && isSpread(bytes) ? .strokeJSON : format
    }
    let lines = bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).prefix(longestSearch)
    let formats = lines.lazy.compactMap { isEmptyLine($0) ? nil : jsonObject(Array($0)) }
    if let format = formats.first ?? jsonObject(Array(bytes)) { return format }
    return hasStrokes(bytes) ? .strokeJSON : nil
  }

  /// True for formats with one JSON object per line.
  private var hasLines: Bool { self == .jsonLines || self == .strokeLines || self == .quickDraw }

  /// Returns true if the first object has more than one line, so that it is no line of a format.
  private static func isSpread(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let newline = bytes.firstIndex(of: 0x0A),
      let first = bytes[..<newline].last(where: { $0 > 0x20 }),
      let next = bytes[newline...].first(where: { $0 > 0x20 })
    else { return false }
    return first != UInt8(ascii: "}") && next != UInt8(ascii: "{")
  }

  /// Returns true if JSON has members as programs that draw write them.
  private static func hasStrokes(_ bytes: ArraySlice<UInt8>) -> Bool {
    let names = ["points", "strokes", "paths", "path", "lines", "objects", "position", "x"]
    let text = String(decoding: bytes.prefix(1 << 16), as: UTF8.self).lowercased()
    return names.contains { text.contains("\"\($0)\"") }
  }

  /// So many lines are looked at for one with strokes.
  private static let longestSearch = 100

  /// Whether a line has an empty list of strokes, which both formats of lines write the same way.
  private static func isEmptyLine(_ bytes: ArraySlice<UInt8>) -> Bool {
    let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
    return line.count < 4096 && line.filter { $0 > 0x20 }.contains("\"strokes\":[]".utf8)
  }

  private static func jsonObject(_ bytes: [UInt8]) -> InkFileFormat? {
    bytes.withUnsafeBufferPointer { buffer in
      var scanner = JSONScanner(document: buffer, path: "")
      var keys = JSONKeys()
      // The bytes may end inside the object: the keys before the end are enough.
      try? keys.read(&scanner)
      return keys.format
    }
  }
}

/// The keys of a JSON object that identify its format.
private struct JSONKeys {
  private var names: Set<String> = []
  private var hasColumns = false
  private var hasFreehand = false
  /// True if the member `data` has one that only notes of Rnote have.
  private var isRnote = false
  /// True if the strokes are no columns and no rows of two or three numbers.
  private var hasOtherStrokes = false
  private var type = ""

  var format: InkFileFormat? {
    if type.hasPrefix("excalidraw") || hasFreehand { return .excalidraw }
    if names.contains("tldrawFileFormatVersion") { return .tldraw }
    if names.contains("schema") || names.contains("document"),
      ["records", "store", "document"].contains(where: names.contains)
    {
      return .tldraw
    }
    if names.contains("version"), names.contains("data"), isRnote { return .rnote }
    if names.contains("fileType"),
      ["pages", "cPages", "pageCount"].contains(where: names.contains)
    {
      return .remarkable
    }
    if names.contains("content"), names.contains("fileVersion") || names.contains("waypoints") {
      return .butterfly
    }
    if names.contains("objects") || hasOtherStrokes { return .strokeJSON }
    if names.contains("strokes") { return hasColumns ? .jsonLines : .strokeLines }
    if names.contains("drawing") { return .quickDraw }
    let blocks = ["elements", "expressions", "words", "chars", "items", "bounding-box", "version"]
    if names.contains("type"), blocks.contains(where: names.contains) { return .jiix }
    return nil
  }

  mutating func read(_ scanner: inout JSONScanner) throws(InkFormatError) {
    try scanner.object("an object") { (scanner, key) throws(InkFormatError) in
      names.insert(key)
      switch key {
      case "type": type = try scanner.anyIdentifier() ?? type
      case "strokes" where scanner.isAtArray:
        try scanner.array("strokes") { (scanner) throws(InkFormatError) in
          if scanner.isAtObject {
            try readStroke(&scanner)
          } else if scanner.isAtArray {
            try readRows(&scanner)
          } else {
            try scanner.skipValue()
          }
        }
      case "strokes": hasOtherStrokes = true
      case "data" where scanner.isAtObject:
        try scanner.object("the data") { (scanner, key) throws(InkFormatError) in
          if ["engine_snapshot", "store_snapshot", "stroke_components"].contains(key) {
            isRnote = true
          }
          try scanner.skipValue()
        }
      case "drawing" where scanner.isAtObject: hasOtherStrokes = true
      case "elements" where scanner.isAtArray:
        try scanner.array("elements") { (scanner) throws(InkFormatError) in
          guard scanner.isAtObject else { return try scanner.skipValue() }
          try scanner.object("an element") { (scanner, key) throws(InkFormatError) in
            if key == "type" {
              if try scanner.anyIdentifier() == "freedraw" { hasFreehand = true }
            } else {
              try scanner.skipValue()
            }
          }
        }
      default: try scanner.skipValue()
      }
    }
  }

  /// Reads a stroke that is an object: with the columns x and y, or of another form.
  private mutating func readStroke(_ scanner: inout JSONScanner) throws(InkFormatError) {
    var others = 0
    var isOwn = false
    try scanner.object("a stroke") { (scanner, key) throws(InkFormatError) in
      if key == "x" || key == "y", scanner.isAtArray {
        isOwn = true
        hasColumns = true
      } else if scanner.isAtArray || scanner.isAtObject || key == "x" || key == "y" {
        others += 1
        if !isOwn, !hasColumns, StrokeKeys.points.contains(key) { hasOtherStrokes = true }
      }
      try scanner.skipValue()
    }
    hasColumns = hasColumns || others == 0
    hasOtherStrokes = hasOtherStrokes || (!hasColumns && others > 0)
  }

  /// Reads a stroke that is a list: of rows with two or three numbers, or of another form.
  private mutating func readRows(_ scanner: inout JSONScanner) throws(InkFormatError) {
    try scanner.array("a stroke") { (scanner) throws(InkFormatError) in
      guard scanner.isAtArray else {
        hasOtherStrokes = true
        return try scanner.skipValue()
      }
      var count = 0
      try scanner.array("a point") { (scanner) throws(InkFormatError) in
        count += 1
        if count > 3 { hasOtherStrokes = true }
        try scanner.skipValue()
      }
    }
  }
}
