import Formulas
import Foundation
import InkCore
import InkSynthesis
import Training

/// Writes formulas in LaTeX with the symbols of one writer, in the places and with the slips of a
/// hand: composed training data with symbols and structure.
///
///     let composer = try FormulaComposer(letters: [])
///     let record = composer.formula(#"\frac{1}{2} + x^2"#, name: "f-1", hand: 7, seed: 1)
package struct FormulaComposer: Sendable {
  private let library: SymbolLibrary
  private let people: [(name: String, letters: WriterLetters)]
  /// The least number of different small letters of a person.
  private static let leastLetters = 15

  /// Makes a composer.
  ///
  /// - Parameter letters: Ink of single characters with writers and writing areas. Writers with
  ///   enough letters lend them to formulas; without any, all symbols are those of virtual writers.
  /// - Throws: An error if the files of prototypes cannot be read.
  package init(letters: some Sequence<LabeledInk>) throws {
    library = try SymbolLibrary.shared.get()
    var sets: [String: WriterLetters] = [:]
    for letter in letters {
      guard let writer = letter.writer else { continue }
      sets[writer, default: WriterLetters()].add(letter)
    }
    people = sets.filter { $0.value.alphabetCount >= Self.leastLetters }
      .sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The number of people who lend their letters.
  package var peopleCount: Int { people.count }

  /// Composes a formula.
  ///
  /// - Parameters:
  ///   - latex: The formula.
  ///   - hand: The number of the hand. The first ``peopleCount`` hands have the letters of people,
  ///     the others are virtual writers.
  ///   - seed: The seed of the virtual writers and of the differences between inks.
  /// - Returns: The record; nil for LaTeX that cannot be read or has symbols that nobody can write.
  package func formula(
    _ latex: String, name: String, hand: Int, seed: UInt64
  ) -> LabeledFormula? {
    guard let formula = try? Formula(latex: latex) else { return nil }
    let person = people.indices.contains(hand) ? people[hand] : nil
    let writer = VirtualWriter(seed: seed, index: hand)
    var generator = SeededGenerator(seed: seed, UInt64(hand), SymbolLibrary.hash(of: name))
    var layout = FormulaPlacer(
      hand: FormulaHand(writer, letters: person?.letters, library: library),
      manner: FormulaManner(of: writer), generator: generator)
    guard let piece = layout.row(formula.row, size: 1) else { return nil }
    generator = layout.generator
    return record(
      piece, formula: formula, name: name, writer: person?.name ?? "virtual-\(seed)-\(hand)",
      layout.manner, using: &generator)
  }

  private func record(
    _ piece: FormulaPiece, formula: Formula, name: String, writer: String,
    _ manner: FormulaManner, using generator: inout SeededGenerator
  ) -> LabeledFormula? {
    let scale = 0.3 * exp(generator.normal(0.5))
    let slope = manner.drift + generator.normal(0.012)
    var strokes: [(symbol: Int, points: [StrokePoint])] = []
    var late: [(symbol: Int, points: [StrokePoint])] = []
    for (index, symbol) in piece.symbols.enumerated() {
      for (place, stroke) in symbol.strokes.enumerated() {
        let points = stroke.map {
          StrokePoint(
            x: (100 * scale * ($0.x - piece.box.minX)).rounded() / 100,
            y: (100 * scale * ($0.y - slope * $0.x - piece.box.minY)).rounded() / 100)
        }
        let isLast = place > 0 && place == symbol.strokes.count - 1
        if isLast, generator.chance(manner.lateStroke) {
          late.append((index, points))
        } else {
          strokes.append((index, points))
        }
      }
    }
    strokes += late
    let symbols = piece.symbols.indices.map { index in
      FormulaSymbol(
        LatexTokens.canonical(piece.symbols[index].label),
        strokes: strokes.indices.filter { strokes[$0].symbol == index })
    }
    guard let layout = try? SymbolLayout(symbols: symbols, links: piece.links) else { return nil }
    let record = LabeledFormula(
      name: name, writer: writer, ink: Ink(strokes: strokes.map { Stroke(points: $0.points) }),
      latex: formula.latex, symbols: symbols, layout: layout)
    return record.isContradictory ? nil : record
  }
}

extension SymbolLibrary {
  /// FNV-1a, which is the same on all machines.
  static func hash(of text: String) -> UInt64 {
    text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
