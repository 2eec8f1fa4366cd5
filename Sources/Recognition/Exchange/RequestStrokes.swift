import Files
import InkCore
import InkFormats

extension RecognitionRequest {
  /// Reads the strokes of a request: objects with columns, or another form that files of JSON may
  /// have.
  package static func ink(
    _ scanner: inout Scanner, _ limits: ExchangeLimits
  ) throws(ExchangeError) -> Ink {
    var probe = scanner
    if probe.isAtOtherForm() { return try otherForm(try scanner.tree(), limits) }
    var strokes: [Stroke] = []
    var points = 0
    guard scanner.next() == UInt8(ascii: "[") else { try scanner.refuse("an array of strokes") }
    try scanner.array { (scanner) throws(ExchangeError) in
      guard strokes.count < limits.strokes else {
        throw ExchangeError(.tooLarge, "expected at most \(limits.strokes) strokes, found more")
      }
      do throws(ExchangeError) {
        let stroke = try stroke(&scanner, room: limits.points - points, limits)
        points += stroke.points.count
        strokes.append(stroke)
      } catch {
        throw error.within("[\(strokes.count)]")
      }
    }
    return Ink(strokes: strokes)
  }

  /// Reads strokes in a form of another program.
  private static func otherForm(
    _ value: JSONValue, _ limits: ExchangeLimits
  ) throws(ExchangeError) -> Ink {
    let pages: [StrokeTree.Page]
    do throws(StrokeTreeError) {
      pages = try StrokeTree.pages(of: value)
    } catch {
      throw ExchangeError(
        error.isTooLarge ? .tooLarge : .invalidValue,
        "expected \(error.expected), found \(error.found)")
    }
    guard pages.count == 1 else {
      throw ExchangeError(.invalidValue, "expected the strokes of one page, found \(pages.count)")
    }
    let strokes = pages[0].strokes
    guard strokes.count <= limits.strokes else {
      throw ExchangeError(.tooLarge, "expected at most \(limits.strokes) strokes, found more")
    }
    guard strokes.reduce(0, { $0 + $1.points.count }) <= limits.points else {
      throw ExchangeError(
        .tooLarge, "expected at most \(limits.points) points in all, found more")
    }
    for (index, point) in strokes.lazy.flatMap(\.points).enumerated() {
      let isWithin =
        max(point.x.magnitude, point.y.magnitude) <= ExchangeLimits.coordinate
        && [point.t, point.force].allSatisfy { ($0?.magnitude ?? 0) <= 1e15 }
      guard isWithin else {
        throw ExchangeError(
          .invalidValue,
          "expected finite numbers from -1e9 to 1e9 as places, found another in point \(index)")
      }
    }
    return Ink(strokes: strokes)
  }

  /// The columns of a stroke, in the order of ``StrokePoint``.
  fileprivate static let columns = ["x", "y", "t", "force", "azimuth", "altitude"]

  private static func stroke(
    _ scanner: inout Scanner, room: Int, _ limits: ExchangeLimits
  ) throws(ExchangeError) -> Stroke {
    var values = [[Double]?](repeating: nil, count: columns.count)
    try scanner.expectObject()
    try scanner.object { (scanner, key) throws(ExchangeError) in
      guard let column = columns.firstIndex(of: key) else {
        throw ExchangeError(
          .invalidValue,
          "expected the columns \(columns.joined(separator: ", ")) alone, "
            + "found another member")
      }
      do throws(ExchangeError) {
        values[column] = try scanner.column(room: room, isOptional: column > 1, limits)
      } catch {
        throw error.within(key)
      }
    }
    guard let x = values[0] else { throw .missingColumn("x") }
    guard let y = values[1] else { throw .missingColumn("y") }
    for (name, column) in zip(columns, values) {
      guard let column, column.count != x.count else { continue }
      throw ExchangeError(
        .invalidValue, "expected \(x.count) numbers as in x, found \(column.count)", field: name)
    }
    let (t, force, azimuth, altitude) = (values[2], values[3], values[4], values[5])
    return Stroke(
      points: x.indices.map { index in
        StrokePoint(
          x: x[index], y: y[index], t: t?[index], force: force?[index], azimuth: azimuth?[index],
          altitude: altitude?[index])
      })
  }
}

extension ExchangeError {
  fileprivate static func missingColumn(_ name: String) -> ExchangeError {
    ExchangeError(.missingField, "expected an array of numbers, found none", field: name)
  }
}

extension ExchangeScanner {
  /// Reads the first of the strokes, and returns true if it is no object with columns.
  fileprivate mutating func isAtOtherForm() -> Bool {
    if next() == UInt8(ascii: "{") { return true }
    guard next() == UInt8(ascii: "[") else { return false }
    var isOther = false
    var isFirst = true
    try? array { (scanner) throws(ExchangeError) in
      // One stroke is enough: the error ends the array.
      guard isFirst else { throw .invalid("one stroke") }
      isFirst = false
      isOther = scanner.next() == UInt8(ascii: "[")
      guard scanner.next() == UInt8(ascii: "{") else { return try scanner.skip() }
      var keys: Set<String> = []
      var hasColumns = false
      var hasParts = false
      try scanner.object { (scanner, key) throws(ExchangeError) in
        keys.insert(key)
        let isArray = scanner.next() == UInt8(ascii: "[")
        if RecognitionRequest.columns.contains(key) {
          hasColumns = hasColumns || isArray
        } else {
          hasParts = hasParts || StrokeTree.mayHoldInk(key)
        }
        try scanner.skip()
      }
      isOther = !hasColumns && (hasParts || keys.isSuperset(of: ["x", "y"]))
    }
    return isOther
  }

  /// Reads an array of numbers. In an optional column, null may replace the array or one value.
  fileprivate mutating func column(
    room: Int, isOptional: Bool, _ limits: ExchangeLimits
  ) throws(ExchangeError) -> [Double]? {
    if isOptional, try isNull() { return nil }
    guard next() == UInt8(ascii: "[") else { try refuse("an array of numbers") }
    var values: [Double] = []
    try array { (scanner) throws(ExchangeError) in
      guard values.count < room else {
        throw ExchangeError(
          .tooLarge, "expected at most \(limits.points) points in all, found more")
      }
      do throws(ExchangeError) {
        let value =
          isOptional
          ? try scanner.double("a finite number or null", -1e15...1e15) ?? .nan
          : try scanner.coordinate()
        values.append(value)
      } catch {
        throw error.within("[\(values.count)]")
      }
    }
    return values
  }

  /// Reads a number that is valid as a coordinate.
  mutating func coordinate() throws(ExchangeError) -> Double {
    let expected = "a finite number from -1e9 to 1e9"
    guard
      let value = try double(expected, -ExchangeLimits.coordinate...ExchangeLimits.coordinate)
    else { throw .invalid(expected) }
    return value
  }

  /// Reads a number in a range; nil for null.
  mutating func double(
    _ expected: String, _ range: ClosedRange<Double>
  ) throws(ExchangeError) -> Double? {
    switch next() {
    case UInt8(ascii: "-")?, (UInt8(ascii: "0")...UInt8(ascii: "9"))?:
      guard let value = Double(try number().text), range.contains(value) else {
        throw .invalid(expected)
      }
      return value
    default:
      if try isNull() { return nil }
      try refuse(expected)
    }
  }

  /// Reads true or false; nil for null.
  mutating func bool() throws(ExchangeError) -> Bool? {
    if let value = try truth() { return value }
    if try isNull() { return nil }
    try refuse("true or false")
  }

  /// Reads a string with a limit on its Unicode scalars; nil for null.
  mutating func text(upTo limit: Int) throws(ExchangeError) -> String? {
    if try isNull() { return nil }
    let expected = limit == .max ? "a string" : "a string of at most \(limit) characters"
    guard next() == UInt8(ascii: "\"") else { try refuse(expected) }
    let text = try string()
    guard limit == .max || text.unicodeScalars.count <= limit else { throw .invalid(expected) }
    return text
  }

  /// Reads the name of a model, a language or a lexicon; nil for null.
  mutating func name() throws(ExchangeError) -> String? {
    let text = try text(upTo: ExchangeLimits.nameLength)
    guard text != "" else { throw .invalid("a name of at least one character") }
    return text
  }

  /// Refuses anything but an object.
  mutating func expectObject() throws(ExchangeError) {
    guard next() == UInt8(ascii: "{") else { try refuse("an object") }
  }

  /// Throws the error of a value of another type, or of text that is not JSON.
  mutating func refuse(_ expected: String) throws(ExchangeError) -> Never {
    try skip()
    throw .invalid(expected)
  }

  /// Returns true if only one JSON value is left.
  mutating func isWhole() throws(ExchangeError) -> Bool {
    try skip()
    try end(of: "request")
    return true
  }
}
