import Foundation
import InkCore

/// Writes characters that consist of many strokes, such as kana and kanji, in the manner of a virtual
/// writer.
///
/// One drawing of each character is enough. A writer changes it in ways in which writers differ: the
/// proportions of the character and of its parts, the places and curves of strokes, hooks, strokes
/// that are joined, left out, exchanged, turned round or interrupted, the movement of the pen and the
/// device. Characters are in a box of ``Prototype/boxSide``.
package struct CharacterWriter: Sendable {
  /// The writer, whose pen and device are used.
  let writer: VirtualWriter
  private let habits: CharacterHabits

  /// Makes the writer with a seed and a number.
  package init(seed: UInt64, index: Int) {
    var writer = VirtualWriter(seed: seed, index: index)
    // A box of many strokes needs a finer grid and a steadier pen than a letter.
    writer.device.grid = min(writer.device.grid, 2)
    writer.tremor *= 0.5
    var random = SeededGenerator(seed: seed, UInt64(index), 0xC4A4)
    habits = CharacterHabits(using: &random)
    self.writer = writer
  }

  /// Writes one character.
  ///
  /// - Parameters:
  ///   - forms: The drawings of the character, at least one.
  ///   - address: The same number for the same character, so that a writer keeps to a form.
  ///   - generator: The source of the differences between inks of one writer.
  /// - Returns: Strokes in tenths of a millimetre, with (0, 0) in the middle of the box, and the box.
  package func ink(
    of forms: [Prototype], address: UInt64, using generator: inout SeededGenerator
  ) -> (ink: Ink, area: WritingArea?) {
    var own = writer.formStream(address)
    let favourite = Self.draw(forms, using: &own)
    let choice =
      generator.chance(writer.variety) ? Self.draw(forms, using: &generator) : favourite
    let middle = Prototype.boxSide / 2
    var strokes = forms[choice].strokes.map { stroke in
      stroke.map { Knot($0.x - middle, $0.y - middle, isCorner: $0.isCorner) }
    }
    // Strokes of crowded characters have less room.
    let room = min(1, (8 / Double(max(1, strokes.count))).squareRoot())
    for index in strokes.indices {
      bend(&strokes[index], room: room, using: &own, &generator)
    }
    arrange(&strokes, strokes.indices, depth: 0, using: &own, &generator)
    warp(&strokes, using: &own, &generator)
    habits.apply(to: &strokes, using: &generator)
    let placement = Placement(
      scaleX: writer.scale * habits.aspect, scaleY: writer.scale,
      slant: habits.slant + generator.normal(0.04),
      rotation: writer.rotation * 0.8 + generator.normal(0.03))
    let ink = InkSynthesizer(writer: writer).record(
      strokes, placement: placement, using: &generator
    ).ink
    return (ink, area(using: &generator))
  }

  private static func draw(_ forms: [Prototype], using generator: inout SeededGenerator) -> Int {
    var rest = generator.number(0...1) * forms.reduce(0) { $0 + $1.weight }
    for (index, form) in forms.enumerated() {
      rest -= form.weight
      if rest <= 0 { return index }
    }
    return forms.count - 1
  }

  /// Changes the place, length, direction and curve of one stroke.
  private func bend(
    _ stroke: inout [Knot], room: Double, using own: inout SeededGenerator,
    _ generator: inout SeededGenerator
  ) {
    let care = habits.care * room
    func both(_ steady: Double, _ fresh: Double) -> Double {
      own.normal(steady) + generator.normal(fresh)
    }
    if stroke.count == 2 {
      // Straight strokes are bows.
      let (from, to) = (stroke[0], stroke[1])
      let bow = both(0.04, 0.025)
      let place = 0.5 + generator.normal(0.08)
      let (dx, dy) = (to.x - from.x, to.y - from.y)
      if dx * dx + dy * dy > 64 {
        stroke.insert(
          Knot(from.x + place * dx - bow * dy, from.y + place * dy + bow * dx), at: 1)
      }
    }
    let (shiftX, shiftY) = (care * both(1.3, 1.1), care * both(1.3, 1.1))
    let (stretch, turn) = (exp(both(0.06, 0.04)), both(0.035, 0.03))
    let (sine, cosine) = (sin(turn), cos(turn))
    let noise = care * 0.9
    let centerX = stroke.reduce(0) { $0 + $1.x } / Double(stroke.count)
    let centerY = stroke.reduce(0) { $0 + $1.y } / Double(stroke.count)
    for index in stroke.indices {
      let (x, y) = (stroke[index].x - centerX, stroke[index].y - centerY)
      stroke[index].x =
        centerX + shiftX + stretch * (cosine * x - sine * y) + both(noise, noise * 0.8)
      stroke[index].y =
        centerY + shiftY + stretch * (sine * x + cosine * y) + both(noise, noise * 0.8)
    }
  }

  /// Moves and scales the parts of a character: strokes that follow each other, cut in two, and each
  /// of these again.
  private func arrange(
    _ strokes: inout [[Knot]], _ range: Range<Int>, depth: Int,
    using own: inout SeededGenerator, _ generator: inout SeededGenerator
  ) {
    guard range.count > 1, depth < 3 else { return }
    let cut = range.lowerBound + 1 + own.index(below: range.count - 1)
    let amount = habits.care / Double(1 << depth)
    for part in [range.lowerBound..<cut, cut..<range.upperBound] {
      let (shiftX, shiftY) = (
        amount * (own.normal(2.2) + generator.normal(1.6)),
        amount * (own.normal(2.2) + generator.normal(1.6))
      )
      let (scaleX, scaleY) = (
        exp(amount * (own.normal(0.07) + generator.normal(0.05))),
        exp(amount * (own.normal(0.07) + generator.normal(0.05)))
      )
      var box = BoundingBox(minX: .infinity, minY: .infinity, maxX: -.infinity, maxY: -.infinity)
      for stroke in strokes[part] { for knot in stroke { box.formUnion(x: knot.x, y: knot.y) } }
      for index in part {
        for place in strokes[index].indices {
          let knot = strokes[index][place]
          strokes[index][place].x = box.midX + shiftX + scaleX * (knot.x - box.midX)
          strokes[index][place].y = box.midY + shiftY + scaleY * (knot.y - box.midY)
        }
      }
      arrange(&strokes, part, depth: depth + 1, using: &own, &generator)
    }
  }

  /// Changes the proportions of the whole character: its upper, lower, left and right parts grow or
  /// shrink, lines rise, and the character bends.
  private func warp(
    _ strokes: inout [[Knot]], using own: inout SeededGenerator,
    _ generator: inout SeededGenerator
  ) {
    let side = Prototype.boxSide
    let box = BoundingBox(minX: -side / 2, minY: -side / 2, maxX: side / 2, maxY: side / 2)
    let bends = [
      Bend(amount: habits.bend * 0.7, using: &own),
      Bend(amount: habits.bend * 0.6, using: &generator),
    ]
    let rise = habits.rise + generator.normal(0.02)
    func wave() -> (Double, Double) {
      (own.normal(0.025) + generator.normal(0.02), own.normal(0.015) + generator.normal(0.012))
    }
    let (waveX, waveY) = (wave(), wave())
    func warped(_ value: Double, _ wave: (Double, Double)) -> Double {
      let angle = .pi * min(1, max(-1, value / side + 0.5))
      return value + side * (wave.0 * sin(angle) + wave.1 * sin(2 * angle))
    }
    for index in strokes.indices {
      for place in strokes[index].indices {
        var knot = strokes[index][place]
        (knot.x, knot.y) = (warped(knot.x, waveX), warped(knot.y, waveY))
        for bend in bends { knot = bend.applied(to: knot, box: box, size: side) }
        knot.y += rise * knot.x
        strokes[index][place] = knot
      }
    }
  }

  /// The box of the character, as accurate as people keep to one.
  private func area(using generator: inout SeededGenerator) -> WritingArea? {
    let side = Prototype.boxSide * writer.scale * exp(generator.normal(0.12))
    let (shiftX, shiftY) = (generator.normal(4), generator.normal(4))
    return try? WritingArea(
      x: shiftX * writer.scale - side / 2, y: shiftY * writer.scale - side / 2, width: side,
      height: side)
  }
}
