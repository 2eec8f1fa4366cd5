import Foundation
import InkCore

/// Arranges the letters of a text on a line, joined or not.
package struct WordComposer {
  /// Writes the single letters.
  let synthesizer: InkSynthesizer
  /// The prototypes of the characters.
  let library: PrototypeLibrary
  /// The number of each label, the same for all texts.
  let addresses: [String: UInt64]
  /// Probability that the marks of a letter that is not joined are written after the word.
  private static let lateMarks = 0.3

  /// Probability that two letters that can be joined are joined.
  let joining: Double

  /// Makes a composer.
  package init(
    synthesizer: InkSynthesizer, library: PrototypeLibrary, addresses: [String: UInt64],
    joining: Double
  ) {
    self.synthesizer = synthesizer
    self.library = library
    self.addresses = addresses
    self.joining = joining
  }

  /// The part of a text that has been written, in the reading frame.
  struct Line {
    var strokes: [PlannedStroke] = []
    /// Dots and crosses that are added at the end of the joined letters.
    var delayed: [PlannedStroke] = []
    /// True if the last stroke ends with a movement towards the next letter.
    var isOpen = false
    /// Right edge of the writing.
    var edge = 0.0 { didSet { upperEdge = edge } }
    /// Right edge of the writing above the tails of letters that depend on their neighbours.
    var upperEdge = 0.0
    /// The beginning of a group of joined letters, and its height there.
    var group = (x: 0.0, y: 0.0)
    /// The last knot of an open stroke whose letter depends on its neighbours.
    var exit = 0.0

    /// Marks of single letters that are added at the end of the word.
    var waiting: [PlannedStroke] = []

    /// Ends a run of joined letters.
    mutating func finishRun() {
      strokes += delayed
      delayed = []
      isOpen = false
    }

    mutating func finishWord() {
      finishRun()
      strokes += waiting
      waiting = []
    }
  }

  /// The distances that a writer keeps.
  struct Spacing {
    let letterGap: Double
    let wordGap: Double
    /// True if dots of joined letters are added at the end of the word.
    let hasLateDots: Bool
    /// Probability that the pen is lifted between two joined letters whose forms depend on each other.
    let lifting: Double
    /// The habits of writing letters whose forms depend on each other.
    let groups: Groups

    init(writer: VirtualWriter) {
      var own = writer.formStream(0x3_0BD5)
      letterGap = own.number(4...18)
      wordGap = own.number(35...80)
      hasLateDots = own.chance(0.4)
      lifting = own.chance(0.3) ? own.number(0.05...0.3) : 0.01
      groups = Groups(using: &own)
    }

    /// The places of a writer's groups of joined letters and their dots.
    struct Groups {
      /// The distance of two groups, and its standard deviation.
      let gap: (mean: Double, deviation: Double)
      /// True if a group begins above the tail of the last letter.
      let overlapsTails: Bool
      /// Standard deviation of the height of a group on the line.
      let lift: Double
      /// The change of height for each unit of a group's length; most people descend.
      let descent: Double
      /// The place of dots relative to that of the prototypes, and its standard deviation.
      let dots: (x: Double, y: Double, deviation: Double)

      init(using own: inout SeededGenerator) {
        gap = (own.number(2...26), own.number(3...9))
        overlapsTails = own.chance(0.7)
        lift = own.number(0...7)
        descent = own.normal(0.05) - 0.03
        dots = (own.normal(7), own.normal(5), own.number(2...6))
      }
    }
  }

  /// The strokes of a text, the baseline at y = 0. O(characters).
  package func strokes(of text: String, using generator: inout SeededGenerator) -> [PlannedStroke] {
    let spacing = Spacing(writer: synthesizer.writer)
    var line = Line()
    let isRightToLeft = ScriptTraits(of: text).direction == .rightToLeft
    if isRightToLeft {
      writeFromRight(text, spacing, to: &line, using: &generator)
    } else {
      write(text.enumerated().map { $0 }, spacing, to: &line, using: &generator)
    }
    line.finishWord()
    drift(&line.strokes, using: &generator)
    if isRightToLeft {
      for index in line.strokes.indices { line.strokes[index].move { $0.x = line.edge - $0.x } }
    }
    return line.strokes
  }

  /// Writes characters whose forms do not depend on each other.
  func write(
    _ characters: [(offset: Int, element: Character)], isMirrored: Bool = false,
    _ spacing: Spacing, to line: inout Line, using generator: inout SeededGenerator
  ) {
    for (index, character) in characters {
      let label = PrototypeLibrary.label(of: character)
      guard let prototypes = library.prototypes[label], let address = addresses[label] else {
        space(spacing, on: &line, using: &generator)
        continue
      }
      let wantsJoin = generator.chance(joining)
      let fitting = prototypes.filter { $0.joints == (wantsJoin ? .both : .none) }
      var letter = synthesizer.form(
        of: fitting.isEmpty ? prototypes : fitting, address: address &+ (wantsJoin ? 4096 : 0),
        using: &generator)
      // Brackets and «» are other signs from right to left: the first of a pair opens to the left.
      let hasMirror = character.unicodeScalars.first?.properties.isBidiMirrored ?? false
      if isMirrored, !hasMirror { letter = letter.mirrored }
      if letter.joints == .both, wantsJoin {
        join(letter, at: index, to: &line)
      } else {
        set(
          letter, at: index, on: &line, gap: spacing.letterGap + generator.normal(3),
          using: &generator)
      }
    }
  }

  /// Ends a word and leaves a gap.
  func space(_ spacing: Spacing, on line: inout Line, using generator: inout SeededGenerator) {
    line.finishWord()
    let gap = spacing.wordGap * exp(generator.normal(0.2))
    let upperEdge = line.upperEdge
    line.edge += gap
    line.upperEdge = upperEdge + gap
  }

  /// Continues from the last letter's exit, or begins a new stroke.
  func join(_ letter: Prototype, at character: Int, to line: inout Line) {
    guard var main = letter.strokes.first, main.count > 2 else { return }
    let exit = main[main.count - 1]
    let entry = main[0]
    let offset = line.edge - (line.isOpen ? 0 : entry.x)
    for index in main.indices { main[index].x += offset }
    if line.isOpen {
      line.strokes[line.strokes.count - 1].append(main.dropFirst(), character: character)
    } else {
      line.strokes.append(PlannedStroke(main, character: character))
    }
    line.delayed += letter.strokes.dropFirst().map { stroke in
      PlannedStroke(
        stroke.map { Knot($0.x + offset, $0.y, isCorner: $0.isCorner) }, character: character)
    }
    line.isOpen = true
    // The next letter's entry is to the right of its origin; the exit leads there.
    line.edge = offset + exit.x + 2
  }

  /// Appends a letter that is not joined to the previous one.
  func set(
    _ letter: Prototype, at character: Int, on line: inout Line, gap: Double,
    using generator: inout SeededGenerator
  ) {
    line.finishRun()
    var strokes = Array(letter.strokes.dropLast(letter.marks))
    synthesizer.applyHabits(to: &strokes, using: &generator)
    let box = Prototype(label: "", weight: 1, joints: .none, strokes: strokes).box
    let offset = line.edge + max(2, gap) - box.minX
    func planned(_ stroke: [Knot]) -> PlannedStroke {
      PlannedStroke(
        stroke.map { Knot($0.x + offset, $0.y, isCorner: $0.isCorner) }, character: character)
    }
    line.strokes += strokes.map(planned)
    line.edge = offset + box.maxX
    guard letter.marks > 0 else { return }
    // Marks keep their form; some wait for the end of the word.
    let marks = letter.strokes.suffix(letter.marks).map(planned)
    if generator.chance(Self.lateMarks) {
      line.waiting += marks
    } else {
      line.strokes += marks
    }
  }

  /// Shifts the writing slowly off the baseline and scales it a little.
  private func drift(_ strokes: inout [PlannedStroke], using generator: inout SeededGenerator) {
    let amplitude = generator.normal(4)
    let phase = generator.number(0...(2 * .pi))
    let period = generator.number(300...1200)
    let growth = generator.normal(0.00015)
    for stroke in strokes.indices {
      strokes[stroke].move { knot in
        let angle: Double = 2 * .pi * knot.x / period + phase
        knot.y *= min(1.3, max(0.7, 1 + growth * knot.x))
        knot.y += amplitude * sin(angle)
      }
    }
  }
}
