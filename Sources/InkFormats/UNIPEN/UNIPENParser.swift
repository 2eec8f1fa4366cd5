import Files
import Foundation
import InkCore

/// Parses one segment file and its includes over bytes, without a string per line.
package struct UNIPENParser {
  /// Reads the bytes of a file.
  package typealias Contents = @Sendable (String) throws(InkFormatError) -> [UInt8]

  private static let deepestInclude = 16
  /// The largest number of direct and indirect includes of a segment file: each of 16 levels could
  /// include the next one several times.
  private static let mostIncludes = 1000
  /// The most bytes of the files that a segment file includes. A file counts each time it is read.
  private static let mostIncluded = 64 << 20
  /// The most columns of a point: a bad line uses the memory of a whole point.
  private static let mostColumns = 32
  /// The most levels of a hierarchy. Each segment looks its level up.
  private static let mostLevels = 32

  /// The largest number of warnings that are kept for a file.
  private static let mostWarnings = 20

  private let root: String
  private let contents: Contents
  private var document = UNIPENDocument()
  /// The files that are being read, relative to the root.
  private var openFiles: [String] = []
  private var layout = UNIPENDocument.Layout()
  private var rate: Double?
  private var writer: Int?
  private var guides = UNIPENGuides()
  private var samples = 0
  private var includes = 0
  private var includedBytes = 0
  /// True if a number that is not finite was read since this was last cleared.
  private var hasNonFiniteNumber = false

  /// Reads a segment file.
  ///
  /// - Parameters:
  ///   - root: The folder that includes never leave.
  ///   - file: The segment file, relative to the root.
  ///   - contents: Reads a file.
  /// - Throws: ``InkFormatError`` if the segment file itself cannot be read; all other errors are
  ///   in the document.
  package static func document(
    root: String, file: String, contents: @escaping Contents
  ) throws(InkFormatError) -> UNIPENDocument {
    var parser = UNIPENParser(root: root, contents: contents)
    parser.parse(try contents(ByteFile.join(root, file)), file: file)
    parser.document.fillRanges()
    parser.document.calibrate()
    return parser.document
  }

  private init(root: String, contents: @escaping Contents) {
    self.root = root
    self.contents = contents
  }

  private mutating func parse(_ bytes: [UInt8], file: String) {
    openFiles.append(file)
    let path = ByteFile.join(root, file)
    let firstSegment = document.segments.count
    bytes.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      let mark = buffer.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      parse(UNIPENLines(base: base + mark, count: buffer.count - mark, path: path))
    }
    decodeLabels(from: firstSegment, path: path)
    openFiles.removeLast()
  }

  /// Decodes labels as UTF-8 if all labels of a file are valid UTF-8, else as Latin-1.
  private mutating func decodeLabels(from first: Int, path: String) {
    var decoded: [(index: Int, label: String)] = []
    for index in document.segments.indices[first...]
    where document.segments[index].location.path == path {
      guard case .success(let segment) = document.segments[index].segment,
        !segment.label.utf8.allSatisfy({ $0 < 0x80 })
      else { continue }
      let bytes = segment.label.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
      guard UTF8Check.isValid(bytes) else { return }
      decoded.append((index, String(decoding: bytes, as: UTF8.self)))
    }
    for (index, label) in decoded {
      guard case .success(var segment) = document.segments[index].segment else { continue }
      segment.label = label
      document.segments[index].segment = .success(segment)
    }
  }

  private mutating func parse(_ start: UNIPENLines) {
    var lines = start
    while lines.position < lines.count {
      let end = lines.lineEnd
      if lines.base[lines.position] == UInt8(ascii: ".") {
        let isDown = lines.startsKeyword(".PEN_DOWN")
        if isDown || lines.startsKeyword(".PEN_UP") {
          lines.goPast(end)
          parsePenBlock(&lines, isDown: isDown)
          continue
        }
        parseKeyword(lines, end: end)
      }
      lines.goPast(end)
    }
  }

  // MARK: - Pen blocks

  /// Reads points up to the next keyword. A block without points is not a component.
  private mutating func parsePenBlock(_ lines: inout UNIPENLines, isDown: Bool) {
    let firstValue = document.values.count
    let index = document.components.count
    while lines.position < lines.count, lines.base[lines.position] != UInt8(ascii: ".") {
      let before = document.values.count
      let next = scanNumbers(lines)
      let columns = document.values.count - before
      if columns != layout.count, next == nil || columns > 0 {
        if document.componentDefects[index] == nil {
          document.componentDefects[index] = pointDefect(
            lines, columns: columns, isNumeric: next != nil)
        }
        // Keep the block non-empty, so that later components keep their numbers.
        document.values.removeLast(columns)
        if document.values.count == firstValue {
          document.values.append(contentsOf: repeatElement(0, count: layout.count))
        }
      } else if hasNonFiniteNumber {
        hasNonFiniteNumber = false
        if document.componentDefects[index] == nil {
          document.componentDefects[index] = InkFormatError(
            .nonFiniteNumber, at: lines.location, expected: "finite numbers",
            found: "NaN or infinity", advice: "remove the point")
        }
      }
      lines.goPast(next ?? lines.lineEnd)
    }
    let count = (document.values.count - firstValue) / layout.count
    guard count > 0 else { return }
    document.components.append(
      UNIPENDocument.Component(
        isDown: isDown, layout: layout, firstValue: firstValue, count: count,
        firstSample: samples, rate: rate, writer: writer, guides: guidesIndex()))
    samples += count
  }

  /// Returns the index of the current guides in the document, or nil if there are none.
  private mutating func guidesIndex() -> Int? {
    guard !guides.lines.isEmpty else { return nil }
    if document.guides.last != guides { document.guides.append(guides) }
    return document.guides.count - 1
  }

  private func pointDefect(_ lines: UNIPENLines, columns: Int, isNumeric: Bool) -> InkFormatError {
    let isLast = lines.lineEnd == lines.count
    return InkFormatError(
      isLast ? .truncated : isNumeric ? .unequalLengths : .malformed, at: lines.location,
      expected: "\(layout.count) numbers, as in .COORD",
      found: isNumeric ? "\(columns)" : "text that is not a number",
      advice: isLast ? "restore the end of the file" : "correct the line")
  }

  /// Appends the numbers of the current line to the values. A line that starts with `#` is a
  /// comment; real files have comments inside blocks.
  ///
  /// - Returns: The end of the line, or nil if it contains anything else.
  private mutating func scanNumbers(_ lines: UNIPENLines) -> Int? {
    let base = lines.base
    let count = lines.count
    var position = lines.position
    var isFirst = true
    while position < count {
      var byte = base[position]
      if byte == 0x0A { return position }
      if byte == 0x20 || byte == 0x09 || byte == 0x0D {
        position += 1
        continue
      }
      if isFirst, byte == UInt8(ascii: "#") { return lines.lineEnd }
      isFirst = false
      let start = position
      let isNegative = byte == UInt8(ascii: "-")
      if isNegative { position += 1 }
      var value = 0
      let digits = position
      while position < count {
        byte = base[position] &- 0x30
        guard byte < 10, position - digits < 15 else { break }
        value = value &* 10 &+ Int(byte)
        position += 1
      }
      if position > digits, position == count || base[position] <= 0x20 {
        document.values.append(Double(isNegative ? -value : value))
        continue
      }
      while position < count, base[position] > 0x20 { position += 1 }
      let text = UnsafeBufferPointer(start: base + start, count: position - start)
      guard let number = Double(String(decoding: text, as: UTF8.self)) else { return nil }
      if !number.isFinite { hasNonFiniteNumber = true }
      document.values.append(number)
    }
    return count
  }

  // MARK: - Keywords

  private mutating func parseKeyword(_ lines: UNIPENLines, end: Int) {
    if lines.startsKeyword(".SEGMENT") {
      let location = lines.location
      let text = lines.argument(after: ".SEGMENT", end: end)
      let segment = Result { () throws(InkFormatError) in
        try UNIPENSegment(parsing: text, at: location)
      }
      document.segments.append(
        UNIPENDocument.Entry(
          location: location, firstComponent: document.components.count, segment: segment))
    } else if lines.startsKeyword(".HIERARCHY") {
      document.hierarchy = lines.words(after: ".HIERARCHY", end: end).prefix(Self.mostLevels).map {
        $0.uppercased()
      }
    } else if lines.startsKeyword(".INCLUDE") {
      include(lines.words(after: ".INCLUDE", end: end).first ?? "", from: lines.location)
    } else if lines.startsKeyword(".COORD") {
      parseLayout(lines.words(after: ".COORD", end: end), at: lines.location)
    } else if lines.startsKeyword(".POINTS_PER_SECOND") {
      let value = lines.words(after: ".POINTS_PER_SECOND", end: end).first.flatMap(Double.init)
      rate = value.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
    } else if lines.startsKeyword(".WRITER_ID") {
      let name = lines.argument(after: ".WRITER_ID", end: end).split { $0 <= 0x20 }.first
      writer = name == nil ? nil : document.writers.count
      if let name {
        document.writers.append(
          UTF8Check.isValid(name) ? String(decoding: name, as: UTF8.self) : Latin1.string(name))
      }
    } else if lines.startsKeyword(".H_LINE") {
      guides.take(lines: lines.words(after: ".H_LINE", end: end))
    } else if lines.startsKeyword(".V_LINE") {
      guides.columns = lines.words(after: ".V_LINE", end: end).count
    } else if lines.startsKeyword(".Y_DIM") {
      guides.take(surface: lines.words(after: ".Y_DIM", end: end).first)
    }
  }

  private mutating func parseLayout(_ names: [String], at location: SourceLocation) {
    guard names.count <= Self.mostColumns, let x = names.firstIndex(of: "X"),
      let y = names.firstIndex(of: "Y")
    else {
      note(
        InkFormatError(
          .malformed, at: location,
          expected: "X and Y among at most \(Self.mostColumns) columns of .COORD",
          found: "\(names.count) columns", advice: "correct the .COORD line"))
      return
    }
    layout = UNIPENDocument.Layout(
      count: names.count, x: x, y: y, t: names.firstIndex(of: "T"), force: names.firstIndex(of: "P")
    )
  }

  private mutating func note(_ defect: InkFormatError) {
    if document.defect == nil { document.defect = defect }
  }

  private mutating func warn(_ warning: InkFormatError) {
    guard document.warnings.count < Self.mostWarnings, !document.warnings.contains(warning) else {
      return
    }
    document.warnings.append(warning)
  }

  /// Reads an included file: its path is relative to the folder `include`, to the file of the line,
  /// or to the root.
  private mutating func include(_ name: String, from location: SourceLocation) {
    let files = places(of: name)
    guard !files.isEmpty else {
      warn(
        InkFormatError(
          .pathOutsideFolder, at: location, expected: "an .INCLUDE path inside the folder \(root)",
          found: name.isEmpty ? "no path" : "\(name), which leads out of it and was not opened",
          advice: "correct the .INCLUDE line, or name the folder above"))
      return
    }
    guard openFiles.count <= Self.deepestInclude else {
      note(
        InkFormatError(
          .includeCycle, at: location,
          expected: "includes at most \(Self.deepestInclude) deep", found: "deeper ones",
          advice: "break the cycle"))
      return
    }
    includes += 1
    guard includes <= Self.mostIncludes else {
      note(
        InkFormatError(
          .includeCycle, at: location, expected: "at most \(Self.mostIncludes) includes",
          found: "more", advice: "remove duplicate includes"))
      return
    }
    var last: InkFormatError?
    for file in files {
      guard !openFiles.contains(file) else {
        last = InkFormatError(
          .includeCycle, at: location, expected: "includes that end",
          found: "an include of a file that is being read", advice: "break the cycle")
        continue
      }
      do throws(InkFormatError) {
        let bytes = try contents(ByteFile.join(root, file))
        includedBytes += bytes.count
        guard includedBytes <= Self.mostIncluded else {
          note(
            InkFormatError(
              .tooLarge, at: location,
              expected: "at most \(Self.mostIncluded >> 20) MB of included files", found: "more",
              advice: "remove duplicate includes, or split the file"))
          return
        }
        parse(bytes, file: file)
        return
      } catch {
        let isMissing = error.code == .missingFile
        if last == nil || !isMissing {
          last = InkFormatError(
            isMissing ? .missingInclude : error.code, at: location,
            expected: "the included file \(name)", found: error.found,
            advice: "restore it in the folder include or next to the file")
        }
        if !isMissing { break }
      }
    }
    if let last { warn(last) }
  }

  /// Returns the possible paths of an included file, relative to the root and never outside it.
  private func places(of name: String) -> [String] {
    let name = name.replacingOccurrences(of: "\\", with: "/")
    guard !name.isEmpty, !name.hasPrefix("/") else { return [] }
    var here = (openFiles.last ?? "").split(separator: "/").map(String.init)
    if !here.isEmpty { here.removeLast() }
    var result: [String] = []
    for base in [["include"], here, []] {
      guard let place = Self.path(name, from: base), !result.contains(place) else { continue }
      result.append(place)
    }
    return result
  }

  /// Returns a path without `.` and `..`; nil if it leaves the folder where it starts.
  private static func path(_ name: String, from base: [String]) -> String? {
    var parts = base
    for part in name.split(separator: "/") {
      switch part {
      case ".": continue
      case "..": if parts.popLast() == nil { return nil }
      default: parts.append(String(part))
      }
    }
    return parts.isEmpty ? nil : parts.joined(separator: "/")
  }
}

/// A cursor over the lines of a file.
struct UNIPENLines {
  let base: UnsafePointer<UInt8>
  let count: Int
  let path: String
  var position = 0
  var number = 1

  init(base: UnsafePointer<UInt8>, count: Int, path: String) {
    self.base = base
    self.count = count
    self.path = path
  }

  var location: SourceLocation { SourceLocation(path: path, line: number) }

  /// The end of the current line: its newline, or the end of the file.
  var lineEnd: Int {
    guard let found = memchr(base + position, 0x0A, count - position) else { return count }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }

  mutating func goPast(_ end: Int) {
    position = end + 1
    number += 1
  }
}

extension UNIPENLines {
  /// Returns whether the current line starts with a keyword, followed by its end or a blank.
  @inline(__always)
  func startsKeyword(_ keyword: StaticString) -> Bool {
    let length = keyword.utf8CodeUnitCount
    guard count - position >= length, memcmp(base + position, keyword.utf8Start, length) == 0
    else { return false }
    return position + length == count || base[position + length] <= 0x20
  }

  /// Returns the bytes between a keyword and the end of its line.
  func argument(
    after keyword: StaticString, end: Int
  ) -> UnsafeBufferPointer<UInt8> {
    let start = Swift.min(position + keyword.utf8CodeUnitCount, end)
    return UnsafeBufferPointer(start: base + start, count: end - start)
  }

  /// Returns the words between a keyword and the end of its line, read as Latin-1.
  func words(after keyword: StaticString, end: Int) -> [String] {
    argument(after: keyword, end: end).split { $0 <= 0x20 }.map { Latin1.string($0) }
  }
}
