import Files
import InkCore

/// Reads character files of Zinnia: one S-expression for each character, with its strokes.
///
///     (character (value 一)(width 300)(height 300)(strokes ((54 142)(248 133))))
///
/// The label is `value`; the format has no times and no writers. A bad expression yields a failure,
/// and reading continues after its line. A file without any expression is one failure.
package enum ZinniaReader {
  package typealias Element = InkReader.Element

  /// Returns the records of a file's bytes.
  package static func records(
    of bytes: [UInt8], path: String, source: String, yAxis: YAxis
  ) -> [Element] {
    let marked = Array("(character".utf8)
    var records: [Element] = []
    var line = 1
    var start = bytes.startIndex
    // Expressions begin at the word `character`, so that a broken one does not affect the others.
    var starts: [(place: Int, line: Int)] = []
    while start < bytes.count {
      if bytes[start] == 0x0A { line += 1 }
      if bytes[start] == marked[0], bytes[start...].starts(with: marked) {
        starts.append((start, line))
      }
      start += 1
    }
    for (index, first) in starts.enumerated() {
      let end = index + 1 < starts.count ? starts[index + 1].place : bytes.count
      let place = SourceLocation(path: path, line: first.line)
      do throws(InkFormatError) {
        let labeled = try character(bytes[first.place..<end], place, yAxis)
        records.append(
          .success(
            InkRecord(
              labeled: labeled, location: place, source: source, indexInSource: index,
              level: .character)))
      } catch {
        records.append(.failure(error))
      }
    }
    guard records.isEmpty else { return records }
    return [
      .failure(
        InkFormatError(
          .missingKey, at: SourceLocation(path: path), expected: "an expression (character …)",
          found: "a file without one", advice: "check that the file is of Zinnia"))
    ]
  }

  private static func character(
    _ bytes: ArraySlice<UInt8>, _ place: SourceLocation, _ yAxis: YAxis
  ) throws(InkFormatError) -> LabeledInk {
    func error(_ code: InkFormatError.Code, _ expected: String, _ found: String) -> InkFormatError {
      InkFormatError(
        code, at: place, expected: expected, found: found,
        advice: "correct or remove the expression")
    }
    guard UTF8Check.isValid(bytes) else { throw error(.invalidEncoding, "UTF-8", "other bytes") }
    guard let expression = SExpression(parsing: bytes) else {
      throw error(.malformed, "balanced brackets", "others")
    }
    let parts = expression.list ?? []
    func part(_ name: String) -> [SExpression]? {
      parts.compactMap(\.list).first { $0.first?.word == name }.map { Array($0.dropFirst()) }
    }
    let label = (part("value") ?? []).compactMap(\.word).joined(separator: " ")
    let sign: Double = yAxis == .up ? -1 : 1
    var ink = Ink()
    for stroke in part("strokes") ?? [] {
      var points: [StrokePoint] = []
      for pair in stroke.list ?? [] {
        let numbers = (pair.list ?? []).compactMap { $0.word.flatMap(Double.init) }
        guard numbers.count >= 2, numbers[0].isFinite, numbers[1].isFinite else {
          throw error(.malformed, "points (x y) of a stroke", "something else")
        }
        points.append(StrokePoint(x: numbers[0], y: sign * numbers[1]))
      }
      if !points.isEmpty { ink.strokes.append(Stroke(points: points)) }
    }
    guard !ink.isEmpty else { throw error(.emptyInk, "at least one point", "none") }
    return LabeledInk(ink: ink, label: label)
  }
}

/// A word, or a list in brackets.
private enum SExpression {
  case word(String)
  case list([SExpression])

  private static let deepest = 16

  var word: String? { if case .word(let word) = self { word } else { nil } }
  var list: [SExpression]? { if case .list(let list) = self { list } else { nil } }

  /// Reads the first expression; nil if brackets do not match or are nested too deeply.
  init?(parsing bytes: ArraySlice<UInt8>) {
    var open: [[SExpression]] = []
    var position = bytes.startIndex
    while position < bytes.endIndex {
      switch bytes[position] {
      case UInt8(ascii: "("):
        guard open.count < Self.deepest else { return nil }
        open.append([])
        position += 1
      case UInt8(ascii: ")"):
        guard let list = open.popLast() else { return nil }
        guard !open.isEmpty else {
          self = .list(list)
          return
        }
        open[open.count - 1].append(.list(list))
        position += 1
      case 0...0x20: position += 1
      default:
        let end =
          bytes[position...].firstIndex { $0 <= 0x20 || $0 == 0x28 || $0 == 0x29 } ?? bytes.endIndex
        guard !open.isEmpty else { return nil }
        let word = bytes[position..<end]
        // Brackets can be labels, too: Zinnia writes them in quotes or unquoted.
        open[open.count - 1].append(.word(String(decoding: word, as: UTF8.self)))
        position = end
      }
    }
    return nil
  }
}
