import Foundation

extension JIIXBlock {
  /// The deepest nesting of blocks.
  public static let maximumDepth = 32

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - json: The document.
  ///   - path: Its name, for errors.
  /// - Throws: ``InkFormatError`` for malformed JSON, another version, columns of different
  ///   lengths, and blocks that are nested too deeply.
  public init(parsing json: Data, path: String = "JIIX") throws(InkFormatError) {
    let place = SourceLocation(path: path)
    guard Self.nesting(of: json) <= 4 * Self.maximumDepth else {
      throw InkFormatError(
        .nestingTooDeep, at: place, expected: "at most \(Self.maximumDepth) levels of blocks",
        found: "more", advice: "check that the file is JIIX")
    }
    do {
      self = try JSONDecoder().decode(JIIXBlock.self, from: json)
    } catch let error as DecodingError {
      throw InkFormatError(
        .malformed, at: place, expected: "a JIIX document", found: Self.text(of: error),
        advice: "export it again")
    } catch {
      throw InkFormatError(
        .malformed, at: place, expected: "JSON", found: "something else", advice: "export it again")
    }
    guard version == Self.currentVersion else {
      throw InkFormatError(
        .malformed, at: place, expected: "version \"\(Self.currentVersion)\"",
        found: version == nil ? "none" : "another", advice: "convert it to version 3")
    }
    try check(place)
  }

  /// The document as JSON with sorted keys.
  public func json(prettyPrinted: Bool = false) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if prettyPrinted { encoder.outputFormatting.insert(.prettyPrinted) }
    return try encoder.encode(self)
  }

  private func check(_ place: SourceLocation) throws(InkFormatError) {
    let strokes =
      (items ?? []) + (words ?? []).flatMap { $0.items ?? [] }
      + (chars ?? []).flatMap { $0.items ?? [] }
    for stroke in strokes {
      let counts = Set(
        [
          stroke.X?.count, stroke.Y?.count, stroke.F?.count, stroke.T?.count,
          stroke.azimuth?.count, stroke.altitude?.count, stroke.roll?.count,
        ].compactMap { $0 })
      guard counts.count <= 1, (stroke.X == nil) == (stroke.Y == nil) else {
        throw InkFormatError(
          .unequalLengths, at: place, expected: "columns of equal length", found: "others",
          advice: "export it again")
      }
    }
    for element in elements ?? [] { try element.check(place) }
  }

  /// The depth of brackets outside of strings.
  private static func nesting(of json: Data) -> Int {
    var (depth, deepest, isString, isEscaped) = (0, 0, false, false)
    for byte in json {
      if isEscaped {
        isEscaped = false
      } else if isString {
        if byte == UInt8(ascii: "\\") { isEscaped = true }
        if byte == UInt8(ascii: "\"") { isString = false }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: break
        }
        deepest = max(deepest, depth)
      }
    }
    return deepest
  }

  private static func text(of error: DecodingError) -> String {
    func path(_ context: DecodingError.Context) -> String {
      context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
        .joined(separator: ".")
    }
    switch error {
    case .keyNotFound(let key, let context): return "no key \(key.stringValue) at \(path(context))"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      return "another type at \(path(context))"
    default: return "malformed JSON"
    }
  }
}

extension JIIXStroke {
  /// Reads a stroke; fractional times are rounded.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    type = try values.decode(String.self, forKey: .type)
    id = try values.decodeIfPresent(String.self, forKey: .id)
    timestamp = try values.decodeIfPresent(String.self, forKey: .timestamp)
    X = try values.decodeIfPresent([Double].self, forKey: .X)
    Y = try values.decodeIfPresent([Double].self, forKey: .Y)
    F = try values.decodeIfPresent([Double].self, forKey: .F)
    azimuth = try values.decodeIfPresent([Double].self, forKey: .azimuth)
    altitude = try values.decodeIfPresent([Double].self, forKey: .altitude)
    roll = try values.decodeIfPresent([Double].self, forKey: .roll)
    pointerType = try values.decodeIfPresent(String.self, forKey: .pointerType)
    style = try values.decodeIfPresent(String.self, forKey: .style)
    label = try values.decodeIfPresent(String.self, forKey: .label)
    fontFamily = try values.decodeIfPresent(String.self, forKey: .fontFamily)
    fontSize = try values.decodeIfPresent(Double.self, forKey: .fontSize)
    fontWeight = try values.decodeIfPresent(String.self, forKey: .fontWeight)
    fontStyle = try values.decodeIfPresent(String.self, forKey: .fontStyle)
    mediaType = try values.decodeIfPresent(String.self, forKey: .mediaType)
    data = try values.decodeIfPresent(Data.self, forKey: .data)
    T = try values.decodeIfPresent([Double].self, forKey: .T)?.map { time in
      guard let whole = Int(exactly: time.rounded()) else {
        throw DecodingError.dataCorruptedError(
          forKey: .T, in: values, debugDescription: "a time that is too large")
      }
      return whole
    }
  }
}

/// Points, written as pairs {x, y}, and read from pairs or from a flat array of numbers.
public struct JIIXPoints: Codable, Hashable, Sendable {
  /// The points.
  public var points: [JIIXPoint]

  /// Makes a list.
  public init(_ points: [JIIXPoint]) {
    self.points = points
  }

  /// Reads pairs, or an even number of coordinates.
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if let pairs = try? value.decode([JIIXPoint].self) {
      points = pairs
      return
    }
    let flat = try value.decode([Double].self)
    guard flat.count.isMultiple(of: 2) else {
      throw DecodingError.dataCorruptedError(
        in: value, debugDescription: "an odd count of coordinates")
    }
    points = stride(from: 0, to: flat.count, by: 2).map {
      JIIXPoint(x: flat[$0], y: flat[$0 + 1])
    }
  }

  /// Writes pairs.
  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(points)
  }
}
