import Foundation

/// The reason why a style sheet cannot be read, with the line.
public struct StyleSheetError: Error, Hashable, Sendable, LocalizedError, CustomStringConvertible {
  /// The line, from 1.
  public let line: Int
  /// What was expected there.
  public let expected: String
  /// What was found.
  public let found: String

  package init(line: Int, expected: String, found: String) {
    self.line = line
    self.expected = expected
    self.found = found
  }

  /// The message: the line, and what to write there.
  public var description: String {
    "style sheet, line \(line): expected \(expected), found \(found)"
  }

  /// The text of `localizedDescription`.
  public var errorDescription: String? { description }
}

/// Reads style sheets from left to right.
struct StyleSheetParser {
  private let text: [Unicode.Scalar]
  private var place = 0
  private var line = 1

  init(_ text: String) {
    self.text = Array(text.unicodeScalars)
  }

  /// Returns all rules: their classes and declarations.
  mutating func rules() throws(StyleSheetError) -> [([String], StyleDeclarations)] {
    var result: [([String], StyleDeclarations)] = []
    try skipSpace()
    while place < text.count {
      let classes = try selectors()
      result.append((classes, try declarations(until: "}")))
      try skipSpace()
    }
    return result
  }

  /// Returns the classes of a rule, and reads its opening brace.
  private mutating func selectors() throws(StyleSheetError) -> [String] {
    var classes: [String] = []
    while true {
      try skipSpace()
      guard peek == "." else { throw error("a class, such as .text") }
      place += 1
      let name = takeName()
      guard !name.isEmpty else { throw error("the name of a class") }
      classes.append(name)
      try skipSpace()
      switch peek {
      case ",": place += 1
      case "{":
        place += 1
        return classes
      default: throw error("a comma or {")
      }
    }
  }

  /// Returns declarations up to a closing brace, or up to the end if there is none to expect.
  mutating func declarations(
    until end: Unicode.Scalar?
  ) throws(StyleSheetError) -> StyleDeclarations {
    var result = StyleDeclarations()
    while true {
      try skipSpace()
      if peek == end {
        if end != nil { place += 1 }
        return result
      }
      if peek == ";" {
        place += 1
        continue
      }
      let name = takeName()
      guard !name.isEmpty else {
        throw error(end == nil ? "a property" : "a property or }")
      }
      try skipSpace()
      guard peek == ":" else { throw error("a colon after \(name)") }
      place += 1
      try skipSpace()
      try set(name, takeValue(), &result)
    }
  }

  private static let properties = [
    "background", "brush", "color", "font-family", "font-size", "least-width", "line-height",
    "width",
  ]

  private func set(
    _ name: String, _ value: String, _ result: inout StyleDeclarations
  ) throws(StyleSheetError) {
    switch name {
    case "color": result.color = try color(value)
    case "background": result.background = try color(value)
    case "width": result.width = try length(value, most: StrokeStyle.greatestWidth)
    case "font-size": result.fontSize = try length(value, most: 1000)
    case "line-height": result.lineHeight = try length(value, least: 0.5, most: 1000)
    case "least-width":
      guard value.hasSuffix("%"), let share = Double(value.dropLast()), (0...100).contains(share)
      else { throw StyleSheetError(line: line, expected: "0% to 100%", found: Self.shown(value)) }
      result.leastShare = share / 100
    case "brush":
      guard let brush = InkBrush(rawValue: value) else {
        let names = InkBrush.allCases.map(\.rawValue).joined(separator: ", ")
        throw StyleSheetError(line: line, expected: "one of \(names)", found: Self.shown(value))
      }
      result.brush = brush
    case "font-family":
      let marks = " ,-'\"".unicodeScalars
      let isPlain = value.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || ("0"..."9").contains($0) || marks.contains($0)
      }
      guard !value.isEmpty, isPlain else {
        throw StyleSheetError(line: line, expected: "the name of a font", found: Self.shown(value))
      }
      result.fontFamily = value
    default:
      throw StyleSheetError(
        line: line, expected: "one of \(Self.properties.joined(separator: ", "))",
        found: Self.shown(name))
    }
  }

  private func color(_ value: String) throws(StyleSheetError) -> InkColor {
    guard let color = InkColor(value) else {
      throw StyleSheetError(
        line: line, expected: "a colour, #RRGGBB or #RRGGBBAA", found: Self.shown(value))
    }
    return color
  }

  /// Millimetres of each unit.
  private static let units: [(name: String, millimetres: Double)] = [
    ("mm", 1), ("cm", 10), ("in", 25.4), ("pt", 25.4 / 72), ("px", 25.4 / 96),
  ]

  private func length(
    _ value: String, least: Double = 0, most: Double
  ) throws(StyleSheetError) -> Double {
    let unit = Self.units.first { value.hasSuffix($0.name) }
    let number = Double(value.dropLast(unit?.name.count ?? 0))
    guard let length = number.map({ $0 * (unit?.millimetres ?? 1) }), length.isFinite, length > 0,
      length >= least, length <= most
    else {
      throw StyleSheetError(
        line: line, expected: "a length above \(least) and at most \(most) mm, such as 0.5mm",
        found: Self.shown(value))
    }
    return length
  }

  // MARK: - Characters

  private var peek: Unicode.Scalar? { place < text.count ? text[place] : nil }

  private mutating func takeName() -> String {
    var name = String.UnicodeScalarView()
    while let next = peek,
      next.properties.isAlphabetic || ("0"..."9").contains(next) || next == "-" || next == "_"
    {
      name.append(next)
      place += 1
    }
    return String(name)
  }

  /// Returns the value of a declaration, up to the next semicolon, brace or end of line.
  private mutating func takeValue() -> String {
    var value = String.UnicodeScalarView()
    while let next = peek, next != ";", next != "}", next != "\n" {
      value.append(next)
      place += 1
    }
    return String(value).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private mutating func skipSpace() throws(StyleSheetError) {
    while let next = peek {
      if next == "/", place + 1 < text.count, text[place + 1] == "*" {
        let start = line
        place += 2
        while !(peek == "*" && place + 1 < text.count && text[place + 1] == "/") {
          guard let inside = peek else {
            throw StyleSheetError(line: start, expected: "a comment that ends", found: "the end")
          }
          if inside == "\n" { line += 1 }
          place += 1
        }
        place += 2
      } else if next.properties.isWhitespace {
        if next == "\n" { line += 1 }
        place += 1
      } else {
        return
      }
    }
  }

  private func error(_ expected: String) -> StyleSheetError {
    StyleSheetError(
      line: line, expected: expected, found: peek.map { Self.shown(String($0)) } ?? "the end")
  }

  /// Returns a short form of a text for an error.
  private static func shown(_ text: String) -> String {
    text.isEmpty ? "nothing" : "\"\(text.prefix(24))\""
  }
}
