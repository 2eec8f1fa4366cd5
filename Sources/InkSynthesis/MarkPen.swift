import Foundation
import InkCore

/// Draws the marks of letters on ink that somebody else wrote.
package struct MarkPen {
  /// The templates that may be used, so that the marks of training and of measuring differ.
  package enum Templates: String, CaseIterable, Sendable {
    case all
    /// Every second template, from the first.
    case even
    /// Every second template, from the second.
    case odd
  }

  /// A letter on its line, in the units of the ink, y growing downward.
  package struct Letter {
    /// The box of the letter without dots and marks.
    package var box: BoundingBox
    /// The height of small letters without ascender, above 0.
    package var xHeight: Double
    /// The shift to the right for each unit of height.
    package var slant: Double

    /// Makes a letter.
    package init(box: BoundingBox, xHeight: Double, slant: Double) {
      self.box = box
      self.xHeight = xHeight
      self.slant = slant
    }
  }

  /// A point of a mark: its place, and seconds since the mark was begun.
  package typealias Point = (x: Double, y: Double, seconds: Double)

  private let templates: [String: [Prototype]]
  private let manner: PenStroke.Manner

  /// Makes a pen.
  ///
  /// - Parameters:
  ///   - writer: The virtual writer whose movements the marks have.
  ///   - templates: The templates to use.
  /// - Throws: `DatasetFilesError` or an error of the notation if the marks cannot be read.
  package init(writer: VirtualWriter, templates: Templates = .all) throws {
    self.templates = try Self.marks.get().mapValues { all in
      switch templates {
      case .all: all
      case .even: all.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
      case .odd: all.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
      }
    }
    manner = writer.manner
  }

  private static let marks = Result { try PrototypeLibrary.marks() }

  /// The probability that a stroke of a mark is drawn from its end, and strokes in the other order.
  private static let (reversed, reordered) = (0.2, 0.15)
  /// Standard deviations of the turn of a mark, in radians, and of the logarithm of its stretch.
  private static let (turn, stretch) = (0.12, 0.15)

  /// A bar through a letter that Unicode does not decompose: the letter, the template, and where
  /// its middle is in the letter's box, from the upper left corner.
  private static let bars: [String: (base: String, template: String, x: Double, y: Double)] = [
    "đ": ("d", "bar", 0.92, 0.22), "Đ": ("D", "bar", 0.08, 0.5), "Ð": ("D", "bar", 0.08, 0.5),
    "ħ": ("h", "bar", 0.12, 0.22), "Ħ": ("H", "long-bar", 0.5, 0.25),
    "ł": ("l", "rising-bar", 0.5, 0.5), "Ł": ("L", "rising-bar", 0.15, 0.5),
    "ø": ("o", "slash", 0.5, 0.5), "Ø": ("O", "slash", 0.5, 0.5),
  ]

  /// Returns the letter below the marks or under the bar of a character; nil if it has none.
  package static func base(of character: String) -> String? {
    bars[character]?.base ?? MarkedLetters.decomposed(character)?.base
  }

  /// Returns whether a character has no dot where its letter has one: é does not matter, í does.
  package static func dropsDot(_ character: String) -> Bool {
    guard let (base, marks) = MarkedLetters.decomposed(character),
      MarkedLetters.dotted.contains(base)
    else { return false }
    return character == "ı" || marks.contains { $0.place == .above }
  }

  /// Returns the strokes of the marks of a character, the nearest to the letter first.
  ///
  /// - Parameters:
  ///   - character: A letter with marks or a bar; any other has no strokes.
  ///   - step: Seconds between points, above 0.
  package func strokes(
    of character: String, on letter: Letter, step: Double,
    using generator: inout SeededGenerator
  ) -> [[Point]] {
    if let bar = Self.bars[character] {
      return strokes(
        of: bar.template, at: (bar.x, bar.y), on: letter, step: step, using: &generator)
    }
    let marks = MarkedLetters.decomposed(character)?.marks ?? []
    // The size of marks differs less than that of letters.
    let scale = letter.xHeight / 50 * exp(generator.normal(0.18))
    let drift = generator.normal(0.08) * letter.xHeight
    var level = 0.0
    var result: [[Point]] = []
    for mark in marks {
      guard let template = draw(templates[mark.rawValue] ?? [], using: &generator) else { continue }
      let gap = letter.xHeight * generator.number(0.1...0.4)
      let origin = place(of: mark, on: letter, gap: gap, level: level)
      if mark.place == .above { level += 0.35 * letter.xHeight }
      result += movements(
        of: template, origin: (origin.x + drift, origin.y), scale: (scale, scale),
        slant: letter.slant, step: step, using: &generator)
    }
    return result
  }

  /// Returns a bar through a letter. A slash is as large as the letter's box.
  private func strokes(
    of bar: String, at place: (x: Double, y: Double), on letter: Letter, step: Double,
    using generator: inout SeededGenerator
  ) -> [[Point]] {
    guard let template = draw(templates[bar] ?? [], using: &generator) else { return [] }
    let box = letter.box
    let usual = letter.xHeight / 50
    let size = exp(generator.normal(0.15))
    let isSlash = bar == "slash"
    let scale = (
      size * (isSlash ? max(0.5 * usual, box.width / 40) : usual),
      size * (isSlash ? max(0.5 * usual, box.height / 50) : usual)
    )
    let y = box.minY + place.y * box.height + generator.normal(0.06) * letter.xHeight
    let lean = letter.slant * (box.midY - y)
    let x = box.minX + place.x * box.width + generator.normal(0.05) * letter.xHeight
    return movements(
      of: template, origin: (isSlash ? x : x + 0.3 * lean, y), scale: scale,
      slant: isSlash ? 0 : letter.slant, step: step, using: &generator)
  }

  /// Returns the strokes of a template, drawn by the writer.
  private func movements(
    of template: Prototype, origin: (x: Double, y: Double), scale: (x: Double, y: Double),
    slant: Double, step: Double, using generator: inout SeededGenerator
  ) -> [[Point]] {
    // People draw the same mark in either direction, leaning and stretched.
    let turn = generator.normal(Self.turn)
    let (cosine, sine) = (cos(turn), sin(turn))
    let width = exp(generator.normal(Self.stretch))
    let height = exp(generator.normal(Self.stretch))
    var strokes = template.strokes
    if generator.chance(Self.reordered) { strokes.reverse() }
    return strokes.map { stroke in
      let knots = generator.chance(Self.reversed) ? stroke.reversed() : stroke
      let noisy = knots.map { knot in
        Knot(
          width * (cosine * knot.x - sine * knot.y) + generator.normal(1.5),
          height * (sine * knot.x + cosine * knot.y) + generator.normal(1.5),
          isCorner: knot.isCorner)
      }
      let pen = PenStroke(knots: noisy, manner: manner, using: &generator)
      return pen.positions(every: step).map { position in
        (
          origin.x + scale.x * (position.x + slant * position.y),
          origin.y - scale.y * position.y, position.time
        )
      }
    }
  }

  private func draw(
    _ templates: [Prototype], using generator: inout SeededGenerator
  ) -> Prototype? {
    var rest = generator.number(0...1) * templates.reduce(0) { $0 + $1.weight }
    for template in templates {
      rest -= template.weight
      if rest <= 0 { return template }
    }
    return templates.last
  }

  /// Returns the origin of a mark.
  private func place(
    of mark: MarkedLetters.Mark, on letter: Letter, gap: Double, level: Double
  ) -> (x: Double, y: Double) {
    let box = letter.box
    let height = gap + level
    switch mark.place {
    case .above:
      return (box.midX + letter.slant * (box.height / 2 + height), box.minY - height)
    case .upperLeft: return (box.minX, box.minY)
    case .upperRight: return (box.maxX + 0.04 * letter.xHeight, box.minY)
    case .below: return (box.midX - letter.slant * box.height / 2, box.maxY)
    case .rightFoot: return (box.maxX - 0.08 * letter.xHeight, box.maxY)
    }
  }
}
