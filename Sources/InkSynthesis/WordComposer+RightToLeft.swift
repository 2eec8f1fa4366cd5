import InkCore

extension WordComposer {
  /// A letter, or two of them that are written as one.
  private struct Unit {
    let label: String
    /// The place of the first character in the text.
    let index: Int
    /// True if the text keeps the letter after this one apart (U+200C).
    let isApart: Bool
    /// True if the forms depend on the letters beside it.
    let isContextual: Bool
    /// True if there is a form that is joined to the letter before.
    let joinsBefore: Bool
    /// True if there is a form that is joined to the letter after.
    let joinsAfter: Bool
  }

  /// Writes a text from right to left, in the reading frame: letters are mirrored, and so are whole
  /// numbers and words from left to right.
  func writeFromRight(
    _ text: String, _ spacing: Spacing, to line: inout Line,
    using generator: inout SeededGenerator
  ) {
    let characters = Array(text)
    var start = 0
    for run in WritingRuns.leftToRight(in: characters) + [characters.count..<characters.count] {
      writeLetters(characters, start..<run.lowerBound, spacing, to: &line, using: &generator)
      start = run.upperBound
      guard !run.isEmpty else { continue }
      var block = Line()
      write(run.map { ($0, characters[$0]) }, spacing, to: &block, using: &generator)
      block.finishWord()
      line.finishRun()
      let left = block.strokes.reduce(block.edge) { $1.knots.reduce($0) { min($0, $1.x) } }
      let end = line.edge + max(2, spacing.letterGap + generator.normal(3)) + block.edge
      for stroke in block.strokes {
        var stroke = stroke
        stroke.move { $0.x = end - $0.x }
        line.strokes.append(stroke)
      }
      line.edge = end - left
    }
  }

  /// Writes letters from right to left, in the reading frame.
  private func writeLetters(
    _ characters: [Character], _ range: Range<Int>, _ spacing: Spacing, to line: inout Line,
    using generator: inout SeededGenerator
  ) {
    let units = self.units(of: characters, range)
    for (place, unit) in units.enumerated() {
      guard unit.isContextual else {
        write(
          [(unit.index, characters[unit.index])], isMirrored: true, spacing, to: &line,
          using: &generator)
        continue
      }
      let before = place > 0 ? units[place - 1] : nil
      let after = place + 1 < units.count ? units[place + 1] : nil
      let joints = Prototype.Joints(
        before: unit.joinsBefore && before.map { $0.joinsAfter && !$0.isApart } ?? false,
        after: unit.joinsAfter && !unit.isApart && (after?.joinsBefore ?? false))
      write(unit, joints, spacing, to: &line, using: &generator)
    }
  }

  private func units(of characters: [Character], _ range: Range<Int>) -> [Unit] {
    var units: [Unit] = []
    var index = range.lowerBound
    while index < range.upperBound {
      var label = PrototypeLibrary.label(of: characters[index])
      var last = index
      if index + 1 < range.upperBound, label == String(characters[index]) {
        let pair = label + PrototypeLibrary.label(of: characters[index + 1])
        if library.prototypes[pair] != nil { (label, last) = (pair, index + 1) }
      }
      let joints = Set((library.prototypes[label] ?? []).map(\.joints))
      units.append(
        Unit(
          label: label, index: index,
          isApart: characters[last].unicodeScalars.last == "\u{200C}",
          isContextual: joints.contains(.before),
          joinsBefore: joints.contains { $0.joinsBefore },
          joinsAfter: joints.contains { $0.joinsAfter }))
      index = last + 1
    }
    return units
  }

  /// Writes a letter in the form that its neighbours ask for.
  private func write(
    _ unit: Unit, _ joints: Prototype.Joints, _ spacing: Spacing, to line: inout Line,
    using generator: inout SeededGenerator
  ) {
    guard let prototypes = library.prototypes[unit.label], let address = addresses[unit.label]
    else { return }
    let fitting = prototypes.filter { $0.joints == joints }
    // Each of the four kinds of forms has a favourite of its own.
    let kind = UInt64(Prototype.Joints.allCases.firstIndex(of: joints) ?? 0)
    let letter = synthesizer.form(
      of: fitting.isEmpty ? prototypes : fitting, address: address &+ kind &* 4096,
      using: &generator
    ).mirrored
    var strokes = letter.strokes
    if joints == .none { synthesizer.applyHabits(to: &strokes, using: &generator) }
    moveDots(of: &strokes, spacing.groups, using: &generator)
    let joinsOn = joints.joinsBefore && line.isOpen
    let offset: Double
    if joinsOn, let entry = strokes.first?.first {
      offset = line.exit - entry.x
    } else {
      line.finishRun()
      let bodies = joints == .none ? strokes : Array(strokes.prefix(1))
      offset = begin(bodies, spacing, line, using: &generator)
      line.group = (line.edge, generator.normal(spacing.groups.lift))
    }
    let group = line.group
    strokes = strokes.map { stroke in
      stroke.map { knot in
        let x = knot.x + offset
        let y = knot.y + group.y + spacing.groups.descent * (x - group.x)
        return Knot(x, y, isCorner: knot.isCorner)
      }
    }
    add(strokes, of: unit, joints, joinsOn: joinsOn, spacing, to: &line, using: &generator)
  }

  /// Adds the strokes of a letter: the first at once, dots when the group or the word is finished.
  private func add(
    _ strokes: [[Knot]], of unit: Unit, _ joints: Prototype.Joints, joinsOn: Bool,
    _ spacing: Spacing, to line: inout Line, using generator: inout SeededGenerator
  ) {
    guard let main = strokes.first, let exit = main.last else { return }
    let bodies = joints == .none ? strokes.filter { Self.size($0) > Self.dotSize } : [main]
    if joinsOn, !generator.chance(spacing.lifting) {
      line.strokes[line.strokes.count - 1].append(main.dropFirst(), character: unit.index)
    } else {
      line.strokes.append(PlannedStroke(main, character: unit.index))
    }
    let dots = strokes.dropFirst().map { PlannedStroke($0, character: unit.index) }
    if spacing.hasLateDots { line.waiting += dots } else { line.delayed += dots }
    line.isOpen = joints.joinsAfter
    line.exit = exit.x
    let upperEdge = max(line.upperEdge, Self.edge(of: bodies) { $0.y > Self.tailHeight })
    line.edge = max(line.edge, Self.edge(of: bodies) { _ in true })
    line.upperEdge = upperEdge
    if !joints.joinsAfter { line.finishRun() }
  }

  /// Below this height are the tails of letters, above which the next letter may begin.
  private static let tailHeight = -8.0
  /// Strokes of at most this size are dots.
  private static let dotSize = 30.0

  private static func size(_ stroke: [Knot]) -> Double {
    let box = Prototype(label: "", weight: 1, joints: .none, strokes: [stroke]).box
    return max(box.width, box.height)
  }

  private static func edge(of strokes: [[Knot]], where isIncluded: (Knot) -> Bool) -> Double {
    strokes.joined().filter(isIncluded).reduce(-.infinity) { max($0, $1.x) }
  }

  /// Moves dots to where the writer sets them.
  private func moveDots(
    of strokes: inout [[Knot]], _ habits: Spacing.Groups, using generator: inout SeededGenerator
  ) {
    let dx = habits.dots.x + generator.normal(habits.dots.deviation)
    let dy = habits.dots.y + generator.normal(habits.dots.deviation)
    for index in strokes.indices.dropFirst() where Self.size(strokes[index]) <= Self.dotSize {
      for knot in strokes[index].indices {
        strokes[index][knot].x += dx
        strokes[index][knot].y += dy
      }
    }
  }

  /// Returns the shift of the letter that begins a group.
  private func begin(
    _ strokes: [[Knot]], _ spacing: Spacing, _ line: Line,
    using generator: inout SeededGenerator
  ) -> Double {
    let habits = spacing.groups
    let gap = max(2, habits.gap.mean + generator.normal(habits.gap.deviation))
    let left = strokes.joined().reduce(.infinity) { min($0, $1.x) }
    guard habits.overlapsTails else { return line.edge + gap - left }
    // Tails of both letters keep apart.
    let tail = strokes.joined().reduce(Double.infinity) {
      $1.y > Self.tailHeight ? $0 : min($0, $1.x)
    }
    return max(line.upperEdge + gap - left, line.edge + 2 - tail)
  }
}
