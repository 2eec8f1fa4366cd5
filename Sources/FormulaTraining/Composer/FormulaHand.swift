import DatasetFiles
import Formulas
import Foundation
import InkCore
import InkSynthesis
import Training

/// The symbols of one writer: letters that a person wrote singly where there are some, and symbols of
/// a virtual writer for the rest.
struct FormulaHand {
  /// The habits of the virtual writer.
  let writer: VirtualWriter
  private let synthesizer: InkSynthesizer
  private let letters: WriterLetters?
  private let library: SymbolLibrary
  private let slant: Double
  /// The probability that the pen is not lifted between two letters of a function.
  private let joins: Double
  /// The heights of symbols, relative to those of the prototypes: some people write 1 taller than
  /// other digits, and strokes of absolute values that are no taller than letters.
  private let heights: [String: Double]

  /// Makes a hand.
  ///
  /// - Parameter letters: The letters of a person; nil for a virtual writer alone.
  init(_ writer: VirtualWriter, letters: WriterLetters?, library: SymbolLibrary) {
    self.writer = writer
    self.letters = letters
    self.library = library
    synthesizer = InkSynthesizer(writer: writer)
    var own = writer.formStream(0x51A7)
    joins = own.chance(0.5) ? own.number(0.3...1) : 0
    var heights: [String: Double] = [:]
    if own.chance(0.4) { heights["1"] = own.number(1.05...1.35) }
    if own.chance(0.4) { heights["|"] = own.number(0.65...0.95) }
    self.heights = heights
    slant = letters?.slant ?? min(0.5, max(-0.3, 0.08 + own.normal(0.16)))
  }

  /// Writes a symbol on the baseline, with its left edge at x = 0; nil for an unknown one.
  func symbol(
    _ label: String, using generator: inout SeededGenerator
  ) -> [[StrokePoint]]? {
    if let name = SymbolLibrary.letters(ofFunction: label) {
      return word(name, using: &generator)
    }
    let drawn = plain(label, using: &generator)
    guard let height = heights[label] else { return drawn }
    return drawn?.map { $0.map { StrokePoint(x: $0.x, y: $0.y * height) } }
  }

  /// Writes a symbol that is no function in its usual height; nil for an unknown one.
  private func plain(
    _ label: String, using generator: inout SeededGenerator
  ) -> [[StrokePoint]]? {
    let character = SymbolLibrary.character(of: label)
    if let character, let own = letters?.letters[character], !own.isEmpty, usesOwn(label) {
      return own[generator.index(below: own.count)].strokes
    }
    guard let form = library.forms(of: character.map(String.init) ?? label) else { return nil }
    let ink = synthesizer.ink(
      of: form.prototypes, address: form.address,
      placement: Placement(scaleX: 1, scaleY: 1, slant: slant, rotation: 0), using: &generator)
    return Self.shifted(ink.strokes.map(\.points))
  }

  /// Draws strokes along knots, without a shift.
  func path(_ knots: [[Knot]], using generator: inout SeededGenerator) -> [[StrokePoint]] {
    synthesizer.record(
      knots, placement: Placement(scaleX: 1, scaleY: 1, slant: 0, rotation: 0), using: &generator
    ).ink.strokes.map(\.points)
  }

  /// True for most letters of a person; the others are drawn, because people of other schools write
  /// some letters in other ways.
  private func usesOwn(_ label: String) -> Bool {
    var own = writer.formStream(SymbolLibrary.hash(of: label))
    return own.chance(0.85)
  }

  /// Writes the letters of a function, close to each other; some writers join them.
  private func word(
    _ name: String, using generator: inout SeededGenerator
  ) -> [[StrokePoint]]? {
    var strokes: [[StrokePoint]] = []
    var edge = 0.0
    for character in name {
      guard let letter = symbol(String(character), using: &generator) else { return nil }
      let lift = generator.normal(2)
      var placed = letter.map { stroke in
        stroke.map { StrokePoint(x: $0.x + edge, y: $0.y + lift) }
      }
      if let last = strokes.indices.last, generator.chance(joins), !isDot(strokes[last]),
        !isDot(placed[0])
      {
        strokes[last] += placed.removeFirst()
      }
      strokes += placed
      edge += FormulaPiece.box(of: letter).maxX + generator.number(0...9)
    }
    return strokes
  }

  private func isDot(_ stroke: [StrokePoint]) -> Bool {
    let box = FormulaPiece.box(of: [stroke])
    return max(box.width, box.height) < 15
  }

  private static func shifted(_ strokes: [[StrokePoint]]) -> [[StrokePoint]] {
    let left = FormulaPiece.box(of: strokes).minX
    return strokes.map { $0.map { StrokePoint(x: $0.x - left, y: $0.y) } }
  }
}

/// The prototypes of all symbols that can be composed.
package struct SymbolLibrary: Sendable {
  private let forms: [String: (prototypes: [Prototype], address: UInt64)]
  /// The labels that can be written, sorted.
  package let labels: [String]

  /// Functions that are written in letters.
  static let functions = [
    "sin", "cos", "tan", "log", "lim", "ln", "exp", "max", "min", "cot", "sec", "csc", "det", "gcd",
    "sinh", "cosh", "tanh",
  ]
  /// LaTeX commands of single characters.
  private static let commands: [String: Character] = [
    #"\{"#: "{", #"\}"#: "}", #"\%"#: "%", #"\&"#: "&", #"\$"#: "$",
  ]
  /// Characters of keyboards that mathematics writes otherwise.
  private static let leftOut: Set<String> = [
    "\"", "#", "$", "&", "@", "\\", "^", "_", "`", "~", "{", "}", "%", "?",
  ]

  /// The library of this package; made once per process.
  package static let shared = Result { try SymbolLibrary() }

  private init() throws {
    let characters = try PrototypeLibrary.characters.get()
    let text = try DatasetFiles.text("mathematics.txt", in: .starter)
    let signs = try PrototypeParser.parse(text, name: "mathematics.txt")
    var forms: [String: (prototypes: [Prototype], address: UInt64)] = [:]
    for label in characters.labels {
      forms[label] = (
        characters.formsAlone(of: label).map(\.prototype), UInt64(forms.count)
      )
    }
    for (label, prototypes) in Dictionary(grouping: signs, by: \.label) {
      // Some characters have more forms in mathematics than in text.
      forms[label] = ((forms[label]?.prototypes ?? []) + prototypes, forms[label]?.address ?? 0)
    }
    for label in forms.keys where label.hasPrefix(#"\"#) && label.count > 1 {
      // Addresses do not depend on the order of a dictionary.
      forms[label]?.address = label.utf8.reduce(1 << 20) { $0 &* 31 &+ UInt64($1) }
    }
    self.forms = forms.filter { !$0.value.prototypes.isEmpty }
    labels =
      (forms.keys.filter { !Self.leftOut.contains($0) } + Self.commands.keys.filter { $0 < #"\{"# }
      + [#"\{"#, #"\}"#, #"\sqrt"#] + Self.functions.map { #"\"# + $0 }).sorted()
  }

  func forms(of label: String) -> (prototypes: [Prototype], address: UInt64)? { forms[label] }

  /// The letters of a function; nil for other labels.
  static func letters(ofFunction label: String) -> String? {
    let name = String(label.dropFirst())
    return label.hasPrefix(#"\"#) && functions.contains(name) ? name : nil
  }

  /// The character that a label is written as; nil for commands that are no characters.
  static func character(of label: String) -> Character? {
    commands[label] ?? (label.count == 1 ? label.first : nil)
  }
}
