import Foundation
import InkCore

extension RecognitionRequest {
  package typealias Scanner = ExchangeScanner

  /// Reads one request. O(bytes).
  ///
  /// - Parameters:
  ///   - bytes: One JSON object in UTF-8.
  ///   - limits: The limits of a request.
  ///   - defaults: The values of members that are missing or null.
  /// - Throws: ``ExchangeError`` with the member that is wrong.
  public init(
    parsing bytes: [UInt8], limits: ExchangeLimits = ExchangeLimits(),
    defaults: RecognitionRequest = RecognitionRequest(ink: Ink())
  ) throws(ExchangeError) {
    guard bytes.count <= limits.bytes else { throw .tooManyBytes(limits) }
    self = try bytes.withUnsafeBufferPointer { buffer throws(ExchangeError) in
      var scanner = Scanner(buffer)
      let request = try Self(&scanner, limits, defaults)
      try scanner.end(of: "request")
      return request
    }
  }

  /// Returns the identifier of a request that cannot be read; nil if it cannot be found. O(bytes).
  package static func identifier(in bytes: [UInt8]) -> Identifier? {
    bytes.withUnsafeBufferPointer { buffer in
      var scanner = Scanner(buffer)
      var id: Identifier?
      // A fault ends the search: an identifier before it is used.
      try? scanner.object { (scanner, key) throws(ExchangeError) in
        if key == "id" {
          id = try Self.identifier(&scanner)
        } else {
          try scanner.skip()
        }
      }
      return id
    }
  }

  private init(
    _ scanner: inout Scanner, _ limits: ExchangeLimits, _ defaults: RecognitionRequest
  ) throws(ExchangeError) {
    guard scanner.next() == UInt8(ascii: "{") else {
      _ = try scanner.isWhole()
      throw .invalid("an object")
    }
    var request = defaults
    var hasStrokes = false
    try scanner.object { (scanner, key) throws(ExchangeError) in
      do throws(ExchangeError) {
        if key == "strokes" { hasStrokes = true }
        try request.read(key, &scanner, limits)
      } catch {
        throw error.code == .unknownField ? error : error.within(key)
      }
    }
    guard hasStrokes else {
      throw ExchangeError(
        .missingField, "expected an array of strokes, found none", field: "strokes")
    }
    guard request.lexiconBonus == nil || request.lexicon != nil else {
      throw ExchangeError(
        .missingField, "expected a lexicon for the bonus, found none", field: "lexicon")
    }
    self = request
  }

  private mutating func read(
    _ key: String, _ scanner: inout Scanner, _ limits: ExchangeLimits
  ) throws(ExchangeError) {
    switch key {
    case "id": id = try Self.identifier(&scanner)
    case "strokes": ink = try Self.ink(&scanner, limits)
    case "model": model = try scanner.name() ?? model
    case "language": language = try scanner.name() ?? language
    case "area": writingArea = try Self.area(&scanner) ?? writingArea
    case "preContext":
      preContext = try scanner.text(upTo: ExchangeLimits.textLength) ?? preContext
    case "alphabet": alphabet = try scanner.text(upTo: ExchangeLimits.textLength) ?? alphabet
    case "lexicon": lexicon = try Self.lexicon(&scanner, limits) ?? lexicon
    case "lexiconBonus":
      let bonus = try scanner.double("a number from -100 to 100", -100...100)
      lexiconBonus = bonus.map(Float.init) ?? lexiconBonus
    case "layout":
      guard let text = try scanner.text(upTo: ExchangeLimits.nameLength) else { return }
      guard let value = InkLayout(rawValue: text) else {
        throw .invalid(InkLayout.allCases.map(\.rawValue).joined(separator: ", "))
      }
      layout = value
    case "candidates":
      let expected = "a whole number from 1 to \(limits.candidates)"
      guard let value = try scanner.double(expected, 1...Double(limits.candidates)) else { return }
      guard let count = Int(exactly: value) else { throw .invalid(expected) }
      maximumCandidates = count
    case "spans":
      if let value = try scanner.bool() { includesSpans = value }
    // Members of labelled ink.
    case "label", "writer", "quality":
      _ = try scanner.text(upTo: .max)
    default:
      throw ExchangeError(
        .unknownField, "expected one of \(Self.members.joined(separator: ", ")); found another",
        field: key.count <= 64 ? key : nil)
    }
  }

  /// The members of a request, for error messages.
  package static let members = [
    "id", "strokes", "model", "language", "area", "preContext", "alphabet", "lexicon",
    "lexiconBonus", "layout", "candidates", "spans",
  ]

  /// Reads an identifier; nil for null.
  static func identifier(_ scanner: inout Scanner) throws(ExchangeError) -> Identifier? {
    let expected =
      "a string of at most \(ExchangeLimits.nameLength) characters, a whole number or null"
    switch scanner.next() {
    case UInt8(ascii: "\""):
      let text = try scanner.string()
      guard text.unicodeScalars.count <= ExchangeLimits.nameLength else { throw .invalid(expected) }
      return .string(text)
    case UInt8(ascii: "-")?, (UInt8(ascii: "0")...UInt8(ascii: "9"))?:
      let (text, isInteger) = try scanner.number()
      guard isInteger, text.count <= ExchangeLimits.nameLength else { throw .invalid(expected) }
      return .number(text)
    default:
      if try scanner.isNull() { return nil }
      try scanner.refuse(expected)
    }
  }

  private static func area(_ scanner: inout Scanner) throws(ExchangeError) -> WritingArea? {
    if try scanner.isNull() { return nil }
    var sides: [String: Double] = ["x": 0, "y": 0]
    try scanner.expectObject()
    try scanner.object { (scanner, key) throws(ExchangeError) in
      guard ["x", "y", "width", "height"].contains(key) else {
        throw ExchangeError(
          .invalidValue, "expected x, y, width and height alone, found another member")
      }
      do throws(ExchangeError) {
        sides[key] = try scanner.coordinate()
      } catch {
        throw error.within(key)
      }
    }
    guard let x = sides["x"], let y = sides["y"] else { return nil }
    for side in ["width", "height"] where sides[side] == nil {
      throw ExchangeError(.missingField, "expected a number above 0, found none", field: side)
    }
    do throws(InkError) {
      return try WritingArea(
        x: x, y: y, width: sides["width"] ?? 0, height: sides["height"] ?? 0)
    } catch {
      throw .invalid("width and height above 0")
    }
  }

  private static func lexicon(
    _ scanner: inout Scanner, _ limits: ExchangeLimits
  ) throws(ExchangeError) -> LexiconChoice? {
    if try scanner.isNull() { return nil }
    if scanner.next() == UInt8(ascii: "\"") {
      return try scanner.name().map { .named($0) }
    }
    guard scanner.next() == UInt8(ascii: "[") else {
      try scanner.refuse("an array of words or the name of a lexicon")
    }
    var words: [String] = []
    try scanner.array { (scanner) throws(ExchangeError) in
      guard words.count < limits.words else {
        throw ExchangeError(.tooLarge, "expected at most \(limits.words) words, found more")
      }
      do throws(ExchangeError) {
        guard let word = try scanner.text(upTo: 200), !word.isEmpty else {
          throw .invalid("a word of 1 to 200 characters")
        }
        words.append(word)
      } catch {
        throw error.within("[\(words.count)]")
      }
    }
    guard !words.isEmpty else { throw .invalid("at least one word") }
    return .words(words)
  }
}

extension ExchangeError {
  /// Returns the error of an invalid value.
  static func invalid(_ expected: String) -> ExchangeError {
    ExchangeError(.invalidValue, "expected \(expected), found another value")
  }

  /// Returns the error of a request above the limit on bytes.
  package static func tooManyBytes(_ limits: ExchangeLimits) -> ExchangeError {
    ExchangeError(
      .tooLarge, "expected at most \(limits.bytes) bytes, found more; send fewer points at once")
  }
}
