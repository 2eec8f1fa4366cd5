import InkCore
import InkFormats

/// Reads a format of our own: a line `= LABEL` begins an ink, a line `X Y` adds a point, and an empty
/// line lifts the pen.
///
/// A reader is a sequence of results, so that a bad record does not end the file. Errors name the
/// line, what was expected, what was found and what to do; they never hold ink or labels.
struct PlainStrokesReader: Sequence {
  let path: String
  let text: String

  func makeIterator() -> AnyIterator<Result<InkRecord, InkFormatError>> {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      .makeIterator()
    var next = lines.next()
    var index = -1
    return AnyIterator {
      while let (_, line) = next, !line.hasPrefix("= ") { next = lines.next() }
      guard let (start, title) = next else { return nil }
      index += 1
      var body: [(Int, Substring)] = []
      next = lines.next()
      while let (number, line) = next, !line.hasPrefix("= ") {
        body.append((number, line))
        next = lines.next()
      }
      return Result { () throws(InkFormatError) in
        let ink = LabeledInk(
          ink: try ink(of: body, begun: start + 1), label: String(title.dropFirst(2)))
        return InkRecord(
          labeled: ink, location: SourceLocation(path: path, line: start + 1), source: path,
          indexInSource: index)
      }
    }
  }

  private func ink(of lines: [(Int, Substring)], begun: Int) throws(InkFormatError) -> Ink {
    var strokes: [[StrokePoint]] = [[]]
    for (number, line) in lines {
      if line.isEmpty {
        strokes.append([])
        continue
      }
      let numbers = line.split(separator: " ").compactMap { Double($0) }
      guard numbers.count == 2, numbers.allSatisfy(\.isFinite) else {
        throw InkFormatError(
          .malformed, at: SourceLocation(path: path, line: number + 1),
          expected: "X Y, two finite numbers", found: "\(numbers.count) numbers",
          advice: "write one point per line")
      }
      strokes[strokes.count - 1].append(StrokePoint(x: numbers[0], y: numbers[1]))
    }
    strokes.removeAll(where: \.isEmpty)
    guard !strokes.isEmpty else {
      throw InkFormatError(
        .emptyInk, at: SourceLocation(path: path, line: begun), expected: "at least one point",
        found: "none", advice: "add points, or remove the ink")
    }
    return Ink(strokes: strokes.map { Stroke(points: $0) })
  }
}
