import InkCore
import Recognition

/// The ink of a formula. Equal for the same strokes after they were moved together, so that moved ink,
/// and ink that comes back, is not read again.
struct FormulaInk: Hashable {
  private struct Piece: Hashable {
    var item: Int
    var points: Int
    /// The box in micrometres, relative to that of all pieces.
    var edges: [Int]
  }

  private let pieces: [Piece]

  /// Takes the ink of strokes; nil if there is none.
  fileprivate init?(_ strokes: [InkStroke]) {
    guard let box = BoundingBox(holding: strokes.map(\.box)) else { return nil }
    pieces = strokes.map { stroke in
      let edges = [
        stroke.box.minX - box.minX, stroke.box.minY - box.minY, stroke.box.maxX - box.minX,
        stroke.box.maxY - box.minY,
      ]
      // A page is far smaller than what an integer holds, but a position may be any number.
      return Piece(
        item: stroke.id, points: stroke.points.count,
        edges: edges.map { Int(exactly: ($0 * 1000).rounded()) ?? .max })
    }
  }
}

/// The readings of formulas, by their ink.
struct FormulaTable {
  /// The formulas of each ink, best first; none if nothing was read or there is no model.
  private var readings: [FormulaInk: [RecognizedFormula]] = [:]
  /// The ink that is to be read now.
  private(set) var asked: Set<FormulaInk> = []
  /// The ink that is being read.
  private(set) var busy: Set<FormulaInk> = []
  /// The settings of results.
  var calculation = FormulaCalculation()
  /// False if formulas are not to be read.
  var isEnabled = true
  /// The number of times that readings were forgotten: what was read before does not count.
  private(set) var generation = 0

  /// The readings that are kept, beside those of the present ink: ink that is gone may come back.
  private static let most = 100

  /// True if readings are to be dropped before another one is taken.
  var isFull: Bool { readings.count >= Self.most }

  subscript(ink: FormulaInk) -> [RecognizedFormula]? { readings[ink] }

  /// Asks for all ink that is not read, and for nothing else: other ink that was asked for is gone.
  mutating func ask(for inks: [FormulaInk]) { asked = Set(inks) }

  mutating func begin(_ ink: FormulaInk) { busy.insert(ink) }

  mutating func end(_ ink: FormulaInk) { busy.remove(ink) }

  mutating func take(_ formulas: [RecognizedFormula], of ink: FormulaInk) {
    readings[ink] = formulas
    asked.remove(ink)
  }

  /// Drops the readings of other ink.
  mutating func keep(only inks: Set<FormulaInk>) {
    readings = readings.filter { inks.contains($0.key) }
  }

  /// Forgets all readings, so that the ink is read again.
  mutating func forget() {
    readings = [:]
    generation += 1
  }
}

extension Document {
  /// The blocks of formulas with ink, in the order of their ids. O(blocks).
  private var formulaBlocks: [BlockNode] {
    // What the user made a formula is read in any case.
    let isEnabled = formulas.isEnabled
    return blocks.values
      .filter { $0.type == .math && !$0.items.isEmpty && (isEnabled || $0.isForced) }
      .sorted { ($0.id.count, $0.id) < ($1.id.count, $1.id) }
  }

  /// The strokes from which a formula is read: its ink, together with what is typed. None for typed signs
  /// whose formula is known.
  private func formulaStrokes(of block: BlockNode) -> [InkStroke] {
    let all = block.items.compactMap { strokes[$0] }.filter { !pending.contains($0.id) }
    if block.chosenFormula != nil, !all.contains(where: \.isInk) { return [] }
    return all.allSatisfy(\.isOfFormula) ? all : all.filter(\.isInk)
  }

  /// Takes over what was read of some ink.
  func take(_ found: [RecognizedFormula], of ink: FormulaInk) {
    if formulas.isFull {
      formulas.keep(only: Set(formulaBlocks.compactMap { FormulaInk(formulaStrokes(of: $0)) }))
    }
    formulas.take(found, of: ink)
  }

  /// The formulas that are not read. O(blocks and strokes of formulas).
  var unreadFormulas: [(block: BlockNode, ink: FormulaInk)] {
    formulaBlocks.compactMap { block in
      guard let ink = FormulaInk(formulaStrokes(of: block)), formulas[ink] == nil else {
        return nil
      }
      return (block, ink)
    }
  }

  /// True if a formula that was asked for is not read.
  var hasAskedFormulas: Bool {
    !formulas.asked.isEmpty && unreadFormulas.contains { formulas.asked.contains($0.ink) }
  }

  /// The readings of the ink of a block, best first. The strokes of symbols are items.
  func formulaReadings(of block: BlockNode) -> [RecognizedFormula] {
    guard block.type == .math else { return [] }
    return FormulaInk(formulaStrokes(of: block)).flatMap { formulas[$0] } ?? []
  }

  /// The readings of a block, with the chosen one first.
  func formulas(of block: BlockNode) -> [RecognizedFormula] {
    var readings = formulaReadings(of: block)
    guard let latex = block.chosenFormula else { return readings }
    if let place = readings.firstIndex(where: { $0.latex == latex }) {
      readings.insert(readings.remove(at: place), at: 0)
    } else if isTypedFormula(block),
      let typed = RecognizedFormula(latex: latex, strokes: block.items.map { [$0] })
    {
      readings.insert(typed.calculated(formulas.calculation), at: 0)
    } else if let chosen = RecognizedFormula(latex: latex) {
      // Its symbols have ink if a reading has symbols in the same places.
      let inked = readings.lazy.compactMap { $0.renamed(as: chosen) }.first ?? chosen
      readings.insert(inked.calculated(formulas.calculation), at: 0)
    }
    return readings
  }

  /// The best readings of all formulas.
  var readFormulas: [RecognizedFormula] { formulaBlocks.compactMap { formulas(of: $0).first } }

  /// The next formula to read, with its strokes.
  func nextFormula() -> (block: BlockNode, ink: FormulaInk, strokes: [InkStroke])? {
    guard !formulas.asked.isEmpty else { return nil }
    let next = unreadFormulas.first {
      formulas.asked.contains($0.ink) && !formulas.busy.contains($0.ink)
    }
    return next.map { ($0.block, $0.ink, formulaStrokes(of: $0.block)) }
  }

  /// The block of some ink; nil if it has changed.
  func block(of ink: FormulaInk) -> BlockNode? {
    formulaBlocks.first { FormulaInk(formulaStrokes(of: $0)) == ink }
  }
}
