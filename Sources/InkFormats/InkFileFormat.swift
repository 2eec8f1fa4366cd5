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

  /// Returns the format of a file.
  ///
  /// - Throws: ``InkFormatError``: `missingFile`, `unreadableFile`, or `unsupported` if the file
  ///   has none of these formats.
  public static func of(path: String) throws(InkFormatError) -> InkFileFormat {
    let bytes = try ByteFile.readableStart(of: path)
    if let format = of(bytes: bytes) { return format }
    throw InkFormatError(
      .unsupported, at: SourceLocation(path: path),
      expected: "ink of one of the formats "
        + allCases.map(\.rawValue).joined(separator: ", "),
      found: bytes.isEmpty ? "an empty file" : "another file",
      advice: "export the ink in one of these formats, or name the format, FORMAT:PATH")
  }

  /// Returns the format that the first bytes of a file look like, or nil.
  ///
  /// - Complexity: O(bytes); the first 64 kB are enough.
  public static func of(bytes: [UInt8]) -> InkFileFormat? {
    let bytes = XMLText.utf8(
      Gzip.isCompressed(bytes) ? Gzip.start(of: bytes, limit: 1 << 16) : bytes)
    let text = bytes.drop { $0 <= 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
    switch text.first {
    case UInt8(ascii: "<"): return xml(Array(text))
    case UInt8(ascii: "{"): return json(text)
    case UInt8(ascii: "(") where text.starts(with: Array("(character".utf8)): return .zinnia
    default: return isUNIPEN(bytes) ? .unipen : nil
    }
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
    if let format = jsonObject(Array(bytes)), !isEmptyLine(bytes) { return format }
    let lines = bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).prefix(longestSearch)
    let formats = lines.lazy.compactMap { isEmptyLine($0) ? nil : jsonObject(Array($0)) }
    return formats.first ?? jsonObject(Array(bytes))
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
  private var type = ""

  var format: InkFileFormat? {
    if type.hasPrefix("excalidraw") || hasFreehand { return .excalidraw }
    if names.contains("tldrawFileFormatVersion") { return .tldraw }
    if names.contains("schema") || names.contains("document"),
      ["records", "store", "document"].contains(where: names.contains)
    {
      return .tldraw
    }
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
          if scanner.isAtObject { hasColumns = true }
          try scanner.skipValue()
        }
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
}
