import InkCore

/// The pen data and the segments of one segment file with its includes.
package struct UNIPENDocument: Sendable {
  /// The meaning of a point's columns, from `.COORD`.
  struct Layout: Hashable, Sendable {
    var count = 2
    var x = 0
    var y = 1
    var t: Int?
    var force: Int?
  }

  /// One non-empty `.PEN_DOWN` or `.PEN_UP` block.
  struct Component: Sendable {
    var isDown: Bool
    var layout: Layout
    /// The index of the first point's first column in `values`.
    var firstValue: Int
    /// Number of points.
    var count: Int
    /// The number of points of all previous components.
    var firstSample: Int
    /// Points per second, or nil.
    var rate: Double?
    /// Index in `writers`, or nil.
    var writer: Int?
    /// Index in `guides`, or nil.
    var guides: Int?
  }

  /// A `.SEGMENT` line.
  struct Entry: Sendable {
    var location: SourceLocation
    /// The number of components before the line.
    var firstComponent: Int
    var segment: Result<UNIPENSegment, InkFormatError>
  }

  /// The columns of all points, point by point.
  package var values: [Double] = []
  var components: [Component] = []
  /// Errors inside a component, by the component's index.
  package var componentDefects: [Int: InkFormatError] = [:]
  /// The error that makes the whole file unusable: malformed points, or too many includes.
  var defect: InkFormatError?
  /// The includes that could not be read, each once.
  var warnings: [InkFormatError] = []
  /// The levels of `.HIERARCHY`, the highest first.
  var hierarchy: [String] = []
  var writers: [String] = []
  var guides: [UNIPENGuides] = []
  var segments: [Entry] = []
  /// The factor from the `T` column to milliseconds.
  var timeScale = 1.0
  /// The factor from the `P` column to force, 1 for an average touch; nil without the column.
  var forceScale: Double?
}

extension UNIPENDocument {
  /// The number of points of all components. O(1).
  var sampleCount: Int { components.last.map { $0.firstSample + $0.count } ?? 0 }

  /// Returns the writer of a segment's first component.
  func writer(of segment: UNIPENSegment) -> String? {
    guard let first = segment.spans.first?.first.component, first < components.count,
      let writer = components[first].writer
    else { return nil }
    return writers[writer]
  }

  /// Returns the writing area of a segment's ink, by the guides of its first component, or nil.
  func area(of ink: Ink, _ segment: UNIPENSegment, yUp: Bool) -> WritingArea? {
    guard let first = segment.spans.first?.first.component, first < components.count,
      let index = components[first].guides, var box = ink.boundingBox
    else { return nil }
    if yUp { (box.minY, box.maxY) = (0 - box.maxY, 0 - box.minY) }
    guard let line = guides[index].line(of: box) else { return nil }
    let y = yUp ? 0 - line.bottom - line.height : line.bottom
    let margin = line.height
    return try? WritingArea(
      x: box.minX - margin, y: y, width: box.width + 2 * margin, height: line.height)
  }

  /// Returns the pen-down points that a segment selects. O(points of the ink).
  func ink(
    of segment: UNIPENSegment, at location: SourceLocation, yUp: Bool
  ) throws(InkFormatError) -> Ink {
    do throws(InkFormatError) {
      return try selectedInk(of: segment, at: location, yUp: yUp)
    } catch {
      // The missing pen data was to come from the missing include.
      if error.code == .rangeOutOfBounds || components.isEmpty, let warning = warnings.first {
        throw warning
      }
      throw error
    }
  }

  private func selectedInk(
    of segment: UNIPENSegment, at location: SourceLocation, yUp: Bool
  ) throws(InkFormatError) -> Ink {
    var strokes: [Stroke] = []
    var points = 0
    for span in segment.spans {
      try check(span, at: location)
      for index in span.first.component...span.last.component {
        if let defect = componentDefects[index] { throw defect }
        let component = components[index]
        let first = index == span.first.component ? span.first.point ?? 0 : 0
        let end =
          index == span.last.component
          ? (span.last.point ?? component.count - 1) + 1 : component.count
        // Without a limit, a line that repeats all points could use any amount of time and memory.
        points += end - first
        guard points <= sampleCount else {
          throw InkFormatError(
            .rangeOutOfBounds, at: location,
            expected: "at most the \(sampleCount) points of the file",
            found: "more, because ranges overlap", advice: "correct the range")
        }
        guard component.isDown else { continue }
        strokes.append(
          Stroke(points: (first..<end).map { point(at: $0, of: component, yUp: yUp) }))
      }
    }
    guard !strokes.isEmpty else {
      throw InkFormatError(
        .emptyInk, at: location, expected: "a range with pen-down points",
        found: "pen-up points only", advice: "correct the range, or leave the segment out")
    }
    return Ink(strokes: strokes)
  }

  private func check(
    _ span: UNIPENSegment.Span, at location: SourceLocation
  ) throws(InkFormatError) {
    let isBackward =
      span.first.component > span.last.component
      || (span.first.component == span.last.component
        && span.first.point ?? 0 > span.last.point ?? .max)
    guard !isBackward else {
      throw InkFormatError(
        .rangeOutOfBounds, at: location, expected: "a range that runs forward",
        found: "an end before the start", advice: "correct the range")
    }
    for position in [span.first, span.last] {
      guard position.component < components.count else {
        throw InkFormatError(
          .rangeOutOfBounds, at: location,
          expected: "components below \(components.count), the number of non-empty pen blocks",
          found: "component \(position.component)",
          advice: "check that every include is there and complete")
      }
      let count = components[position.component].count
      if let point = position.point, point >= count {
        throw InkFormatError(
          .rangeOutOfBounds, at: location,
          expected: "points below \(count) in component \(position.component)",
          found: "point \(point)", advice: "correct the range")
      }
    }
  }

  private func point(at index: Int, of component: Component, yUp: Bool) -> StrokePoint {
    let layout = component.layout
    let base = component.firstValue + index * layout.count
    let y = values[base + layout.y]
    var time: Double?
    if let column = layout.t {
      time = values[base + column] * timeScale
    } else if let rate = component.rate {
      time = Double(component.firstSample + index) * 1000 / rate
    }
    var force: Double?
    if let column = layout.force, let forceScale {
      force = values[base + column] * forceScale
    }
    // A rate close to 0, or an extreme force, may overflow.
    if time?.isFinite == false { time = nil }
    if force?.isFinite == false { force = nil }
    return StrokePoint(x: values[base + layout.x], y: yUp ? 0 - y : y, t: time, force: force)
  }
}

extension UNIPENDocument {
  /// All pen data as one segment without a label; nil if there is none.
  var whole: UNIPENSegment? {
    guard components.contains(where: \.isDown) else { return nil }
    return UNIPENSegment(levelName: "", spans: [Self.span(0..<components.count)], label: "")
  }

  /// Each stroke as a segment without a label.
  var single: [UNIPENSegment] {
    components.indices.filter { components[$0].isDown }.map {
      UNIPENSegment(levelName: "", spans: [Self.span($0..<($0 + 1))], label: "")
    }
  }

  private static func span(_ range: Range<Int>) -> UNIPENSegment.Span {
    UNIPENSegment.Span(
      first: UNIPENSegment.Position(component: range.lowerBound),
      last: UNIPENSegment.Position(component: range.upperBound - 1))
  }

  /// Gives each segment without a range the pen data that follows it, up to the next segment
  /// without a range of the same or a higher level. A segment without data after it gets all data
  /// of the file.
  mutating func fillRanges() {
    // The next segment without a range, by level.
    var next: [Int: Int] = [:]
    for index in segments.indices.reversed() {
      guard case .success(var segment) = segments[index].segment, segment.spans.isEmpty else {
        continue
      }
      let rank = hierarchy.firstIndex(of: segment.levelName.uppercased()) ?? hierarchy.count
      let first = segments[index].firstComponent
      let end = next.filter { $0.key <= rank }.values.min() ?? components.count
      next[rank] = first
      if first < end {
        segment.spans = [Self.span(first..<end)]
      } else if end == components.count, end > 0 {
        segment.spans = [Self.span(0..<end)]
      }
      segments[index].segment = .success(segment)
    }
  }

  /// Finds the units of the `T` and `P` columns. O(points log points) if there are such columns,
  /// else O(components).
  mutating func calibrate() {
    guard components.contains(where: { $0.layout.t != nil || $0.layout.force != nil }) else {
      return
    }
    var steps: [Double] = []
    var forces: [Double] = []
    for component in components where component.isDown {
      let layout = component.layout
      if let column = layout.t, let rate = component.rate, steps.count < 1000 {
        for index in 0..<component.count - 1 {
          let base = component.firstValue + index * layout.count + column
          steps.append((values[base + layout.count] - values[base]) * rate / 1000)
        }
      }
      if let column = layout.force {
        for index in 0..<component.count {
          let value = values[component.firstValue + index * layout.count + column]
          if value > 0 { forces.append(value) }
        }
      }
    }
    if let step = Self.median(&steps), step > 100 { timeScale = 0.001 }
    if let force = Self.median(&forces) { forceScale = 1 / force }
  }

  private static func median(_ values: inout [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    values.sort()
    return values[values.count / 2]
  }
}

/// The content of a `.SEGMENT` line.
struct UNIPENSegment: Sendable {
  /// A position in the pen data: a component and optionally a point in it.
  struct Position: Hashable, Sendable {
    var component: Int
    var point: Int?
  }

  /// A run of points, inclusive.
  struct Span: Hashable, Sendable {
    var first: Position
    var last: Position
  }

  /// The name of the level in the file.
  var levelName: String
  /// Empty if the line has no range.
  var spans: [Span]
  var quality: LabeledInk.Quality?
  /// The label, or the empty text. It is Latin-1 until the file's encoding is known.
  var label: String

  /// The level; nil for unknown names.
  var level: InkRecord.Level? {
    switch levelName.uppercased() {
    case "CHARACTER", "DIGIT", "LETTER", "GLYPH", "SYMBOL": .character
    case "WORD": .word
    case "TEXT", "LINE", "PHRASE", "SENTENCE", "PARAGRAPH", "PAGE": .text
    default: nil
    }
  }
}

extension UNIPENSegment {
  /// Parses the text after `.SEGMENT ` on its line: `CHARACTER 3:10-4:20,6 OK "a"`.
  init(
    parsing bytes: UnsafeBufferPointer<UInt8>, at location: SourceLocation
  ) throws(InkFormatError) {
    var scanner = Scanner(bytes: bytes, location: location)
    levelName = try scanner.level()
    spans = try scanner.spans()
    quality = try scanner.quality()
    label = try scanner.label()
  }

  /// Reads the bytes of one line.
  private struct Scanner {
    let bytes: UnsafeBufferPointer<UInt8>
    let location: SourceLocation
    var position = 0

    /// The next byte, or nil at the line's end.
    var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    func error(
      _ code: InkFormatError.Code, expected: String, found: String
    ) -> InkFormatError {
      InkFormatError(
        code, at: location, expected: expected, found: found,
        advice: "correct the .SEGMENT line")
    }

    mutating func skipBlanks() {
      while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0D { position += 1 }
    }

    /// Returns the bytes up to the next blank.
    mutating func word() -> Slice<UnsafeBufferPointer<UInt8>> {
      skipBlanks()
      let start = position
      while let byte = peek, byte != 0x20, byte != 0x09, byte != 0x0D { position += 1 }
      return bytes[start..<position]
    }

    mutating func level() throws(InkFormatError) -> String {
      let name = word()
      guard !name.isEmpty else {
        throw error(
          .malformed, expected: "a level such as CHARACTER, WORD or TEXT after .SEGMENT",
          found: "the end of the line")
      }
      return Latin1.string(name)
    }

    mutating func number() throws(InkFormatError) -> Int {
      let start = position
      var value = 0
      while let byte = peek, byte >= 0x30, byte <= 0x39, position - start < 10 {
        value = value * 10 + Int(byte - 0x30)
        position += 1
      }
      guard position > start else {
        throw error(
          .malformed, expected: "a component number in the segment's range",
          found: peek == nil ? "the end of the line" : "another character")
      }
      return value
    }

    mutating func place() throws(InkFormatError) -> Position {
      let component = try number()
      guard peek == UInt8(ascii: ":") else { return Position(component: component) }
      position += 1
      return Position(component: component, point: try number())
    }

    mutating func spans() throws(InkFormatError) -> [Span] {
      skipBlanks()
      var spans: [Span] = []
      guard let first = peek, (0x30...0x39).contains(first) else { return spans }
      repeat {
        if !spans.isEmpty { position += 1 }
        let first = try place()
        var last = first
        if peek == UInt8(ascii: "-") {
          position += 1
          last = try place()
        }
        spans.append(Span(first: first, last: last))
      } while peek == UInt8(ascii: ",")
      guard let byte = peek else { return spans }
      guard byte == 0x20 || byte == 0x09 || byte == 0x0D else {
        throw error(
          .malformed, expected: "ranges such as 169-170 or 3:10-4:20,6 and then a blank",
          found: "another character")
      }
      return spans
    }

    mutating func quality() throws(InkFormatError) -> LabeledInk.Quality? {
      skipBlanks()
      if peek == UInt8(ascii: "\"") || peek == nil { return nil }
      let name = word()
      if name.elementsEqual("?".utf8) { return nil }
      for quality in LabeledInk.Quality.allCases
      where name.elementsEqual(quality.rawValue.uppercased().utf8) {
        return quality
      }
      throw error(
        .malformed, expected: "the quality GOOD, OK, BAD or ?",
        found: "another word of \(name.count) bytes")
    }

    /// Reads the quoted label. `\"` and `\\` mean `"` and `\`; other backslashes are literal.
    mutating func label() throws(InkFormatError) -> String {
      skipBlanks()
      guard let first = peek else { return "" }
      guard first == UInt8(ascii: "\"") else {
        throw error(
          .missingKey, expected: "a label in double quotes, or none", found: "unquoted text")
      }
      position += 1
      var scalars = String.UnicodeScalarView()
      while let byte = peek {
        position += 1
        if byte == UInt8(ascii: "\"") { return String(scalars) }
        if byte == UInt8(ascii: "\\"), let next = peek,
          next == UInt8(ascii: "\"") || next == UInt8(ascii: "\\")
        {
          scalars.append(Unicode.Scalar(next))
          position += 1
        } else {
          scalars.append(Unicode.Scalar(byte))
        }
      }
      throw error(
        .truncated, expected: "a closing double quote after the label",
        found: "the end of the line")
    }
  }
}
