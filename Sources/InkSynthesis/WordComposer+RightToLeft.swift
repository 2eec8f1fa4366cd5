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
    guard joints != .none, let main = letter.strokes.first, let entry = main.first,
      let exit = main.last
    else {
      return set(
        letter, at: unit.index, on: &line, gap: spacing.letterGap + generator.normal(3),
        using: &generator)
    }
    let offset: Double
    if joints.joinsBefore, line.isOpen {
      offset = line.exit - entry.x
    } else {
      line.finishRun()
      let left = main.reduce(entry.x) { min($0, $1.x) }
      offset = line.edge + max(2, spacing.letterGap + generator.normal(3)) - left
    }
    let strokes = letter.strokes.map { stroke in
      stroke.map { Knot($0.x + offset, $0.y, isCorner: $0.isCorner) }
    }
    if joints.joinsBefore, line.isOpen, !generator.chance(spacing.lifting) {
      line.strokes[line.strokes.count - 1].append(strokes[0].dropFirst(), character: unit.index)
    } else {
      line.strokes.append(PlannedStroke(strokes[0], character: unit.index))
    }
    let dots = strokes.dropFirst().map { PlannedStroke($0, character: unit.index) }
    if spacing.hasLateDots { line.waiting += dots } else { line.delayed += dots }
    line.isOpen = joints.joinsAfter
    line.exit = offset + exit.x
    line.edge = max(line.edge, strokes[0].reduce(-Double.infinity) { max($0, $1.x) })
    if !joints.joinsAfter { line.finishRun() }
  }
}
