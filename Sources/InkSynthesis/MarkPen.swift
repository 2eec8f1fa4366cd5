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

  /// Returns the letter of ASCII below the marks of a character; nil if it has none.
  package static func base(of character: String) -> String? {
    MarkedLetters.decomposed(character)?.base
  }

  /// Returns whether a character has no dot where its letter has one: é does not matter, í does.
  package static func dropsDot(_ character: String) -> Bool {
    guard let (base, marks) = MarkedLetters.decomposed(character), base == "i" || base == "j" else {
      return false
    }
    return character == "ı" || marks.contains { $0.place == .above }
  }

  /// Returns the strokes of the marks of a character, the nearest to the letter first.
  ///
  /// - Parameters:
  ///   - character: One of ``characters``; any other has no marks.
  ///   - step: Seconds between points, above 0.
  package func strokes(
    of character: String, on letter: Letter, step: Double,
    using generator: inout SeededGenerator
  ) -> [[Point]] {
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
      for stroke in template.strokes {
        let noisy = stroke.map { knot in
          Knot(
            knot.x + generator.normal(1.5), knot.y + generator.normal(1.5), isCorner: knot.isCorner)
        }
        let pen = PenStroke(knots: noisy, manner: manner, using: &generator)
        result.append(
          pen.positions(every: step).map { position in
            (
              origin.x + drift + scale * (position.x + letter.slant * position.y),
              origin.y - scale * position.y, position.time
            )
          })
      }
    }
    return result
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
    case .upperRight: return (box.maxX + 0.04 * letter.xHeight, box.minY)
    case .below: return (box.midX - letter.slant * box.height / 2, box.maxY)
    case .rightFoot: return (box.maxX - 0.08 * letter.xHeight, box.maxY)
    }
  }
}
