import Foundation
import InkCore
import Layout

/// Ink as it can be read: upright, each stroke once, in the order of writing where that is known.
struct ArrangedInk {
  /// The strokes that are read.
  var ink: Ink
  /// For each of them, its index in the ink that was given.
  var strokes: [Int]
  /// Strokes of the given ink that repeat another, with that one.
  var repeats: [Int: Int] = [:]
  /// False if the order of the strokes says nothing: they were stored in another order than written.
  var isOrdered = true
  /// The kind of each stroke of ``ink``; nil to tell text from drawing by size.
  var kinds: [StrokeKind]?
  /// Parts of ``ink`` whose lines run in another direction.
  var turned: [TurnedPart] = []
  /// The probability of each stroke of ``ink`` that it is of a formula; empty if nobody asks.
  var formulaProbabilities: [Float] = []
  /// The formulas inside of lines of ``ink`` that were read.
  var formulas: [InlineFormula] = []
  /// The angle by which the ink was turned back, in degrees: 90 if its lines ran down.
  var angle = 0

  /// Ink as it is.
  init(_ ink: Ink) {
    self.ink = ink
    strokes = Array(ink.strokes.indices)
  }

  /// True if each stroke runs from its end to its beginning.
  private(set) var isReversed = false

  /// True if the strokes are those that were given, in the same order.
  var isUnchanged: Bool {
    !isReversed && repeats.isEmpty && strokes.indices.allSatisfy { strokes[$0] == $0 }
  }

  /// Drops strokes that repeat another.
  mutating func dropRepeats() {
    repeats = RepeatedStrokes.found(in: ink)
    guard !repeats.isEmpty else { return }
    keep(ink.strokes.indices.filter { repeats[$0] == nil })
  }

  /// Puts the strokes in the order of their times, if they have times and none overlaps another.
  ///
  /// - Returns: True if the times tell the order.
  mutating func orderByTimes() -> Bool {
    var spans: [(stroke: Int, first: Double, last: Double)] = []
    for (index, stroke) in ink.strokes.enumerated() where !stroke.points.isEmpty {
      guard let first = stroke.points.first?.t, let last = stroke.points.last?.t, last >= first
      else { return false }
      spans.append((index, first, last))
    }
    let isOrdered = zip(spans, spans.dropFirst()).allSatisfy {
      $0.last <= $1.first && $0.first < $1.first
    }
    if isOrdered { return true }
    spans.sort { ($0.first, $0.stroke) < ($1.first, $1.stroke) }
    guard zip(spans, spans.dropFirst()).allSatisfy({ $0.last <= $1.first && $0.first < $1.first })
    else { return false }
    let empty = ink.strokes.indices.filter { ink.strokes[$0].points.isEmpty }
    keep(spans.map(\.stroke) + empty)
    return true
  }

  /// The ink with each stroke turned round; the sequence of times stays.
  func reversed() -> ArrangedInk {
    var result = self
    result.isReversed.toggle()
    for index in ink.strokes.indices {
      let points = ink.strokes[index].points
      result.ink.strokes[index].points.reverse()
      for place in points.indices { result.ink.strokes[index].points[place].t = points[place].t }
    }
    return result
  }

  /// Returns the origins of the points of the strokes, from those of the ink that was given.
  func origins(_ given: [CleanedInk.Origin]) -> [CleanedInk.Origin] {
    strokes.map { stroke in
      var origin = given[stroke]
      if isReversed { origin.points.reverse() }
      return origin
    }
  }

  /// The ink with the formulas that were read.
  func with(_ formulas: [InlineFormula]) -> ArrangedInk {
    var result = self
    result.formulas = formulas
    for stroke in formulas.flatMap(\.strokes) { result.kinds?[stroke] = .formula }
    return result
  }

  /// Keeps some strokes, in a new order.
  mutating func keep(_ order: [Int]) {
    ink = Ink(strokes: order.map { ink.strokes[$0] })
    strokes = order.map { strokes[$0] }
  }

  /// The ink turned back by an angle, in degrees.
  func turned(by degrees: Int) -> ArrangedInk {
    guard degrees != 0 else { return self }
    var result = self
    result.angle += degrees
    result.ink = ink.rotated(by: -degrees)
    return result
  }

  /// Finds the kinds of the strokes; those of turned parts are text.
  ///
  /// - Parameters:
  ///   - direction: The direction of writing.
  ///   - findsFormulas: True to find ``formulaProbabilities``.
  mutating func findKinds(_ direction: WritingDirection, findsFormulas: Bool) {
    func found(in ink: Ink) -> [StrokeKind]? {
      guard findsFormulas else {
        return PageKinds.found(in: ink, isOrdered: isOrdered, direction: direction)
      }
      let found = PageKinds.foundWithFormulas(
        in: ink, isOrdered: isOrdered, direction: direction)
      formulaProbabilities = found.formulas
      return found.kinds
    }
    guard !turned.isEmpty else {
      kinds = found(in: ink)
      return
    }
    let apart = Set(turned.flatMap(\.strokes))
    let rest = ink.strokes.indices.filter { !apart.contains($0) }
    let ofRest = found(in: Ink(strokes: rest.map { ink.strokes[$0] }))
    if !formulaProbabilities.isEmpty {
      var all = [Float](repeating: 0, count: ink.strokes.count)
      for (stroke, probability) in zip(rest, formulaProbabilities) { all[stroke] = probability }
      formulaProbabilities = all
    }
    kinds = ofRest.map { found in
      var kinds = [StrokeKind](repeating: .text, count: ink.strokes.count)
      for (stroke, kind) in zip(rest, found) { kinds[stroke] = kind }
      return kinds
    }
  }
}

extension RecognitionResult {
  /// Gives strokes and points the indices of the ink that was cleaned, and then arranged, to be read.
  mutating func refer(to ink: Ink, cleaned: CleanedInk, _ arranged: ArrangedInk) {
    if !cleaned.report.isEmpty || !arranged.isUnchanged {
      mapStrokes(to: arranged.origins(cleaned.origins))
      addRepeats(arranged.repeats.map { (cleaned.origins[$0], cleaned.origins[$1]) })
    }
    setBounds(from: ink)
  }
}
