import Foundation
import InkCore
import InkSynthesis

/// Writes texts with single characters beside or below each other, as in Japanese and Chinese.
///
/// The characters are ink of one writer with the box of each. Where no ink of lines is to be had, such
/// lines train and measure a model of lines; what people do at the places where two characters meet is
/// only imitated.
///
///     let assembler = CharacterAssembler(characters: inks)
///     let line = assembler.line("日本語", writer: 0, isColumn: false, seed: 7)
package struct CharacterAssembler: Sendable {
  /// The identifiers of the writers, sorted.
  package let writers: [String]
  private let sets: [[String: [LabeledInk]]]

  /// The side of the box of a character, in tenths of a millimetre.
  private static let side = 100.0
  /// The ink of a character without a box fills this share of one.
  private static let filled = 0.88
  /// Characters that are turned by 90 degrees in columns.
  private static let turned: Set<Character> = ["ー", "〜", "…", "「", "」", "（", "）"]
  /// Small kana, which are at the lower left in rows and at the upper right in columns.
  private static let small = Set(ComposedKana.small.compactMap(\.small.first))
  /// The range of kana, which many people write smaller than kanji.
  private static let kana: ClosedRange<Unicode.Scalar> = "\u{3041}"..."\u{30FA}"

  /// Makes an assembler.
  ///
  /// - Parameter characters: Ink of single characters. Those without a writer have one together.
  package init(characters: some Sequence<LabeledInk>) {
    var sets: [String: [String: [LabeledInk]]] = [:]
    for character in characters where !character.ink.isEmpty {
      sets[character.writer ?? "", default: [:]][character.label, default: []].append(character)
    }
    let sorted = sets.sorted { $0.key < $1.key }
    (writers, self.sets) = (sorted.map(\.key), sorted.map(\.value))
  }

  /// The manner of one line.
  private struct Manner {
    /// The side of a box.
    var side: Double
    /// The size of kana, relative to kanji.
    var kana: Double
    /// 0 for characters in boxes of one size, 1 for gaps of one width.
    var proportion: Double
    /// The pitch of boxes, and the width of gaps, in boxes.
    var pitch, gap: Double
    /// The scatter of places and sizes, in boxes.
    var scatter: Double
    /// The slope of the line.
    var slope: Double

    init(using random: inout SeededGenerator) {
      side = CharacterAssembler.side * exp(random.normal(0.25))
      kana = random.chance(0.6) ? random.number(0.75...0.95) : 1
      proportion = random.number(0...1)
      pitch = 1 + random.number(-0.04...0.25)
      gap = random.number(0.06...0.3)
      scatter = random.number(0.01...0.05)
      slope = random.normal(0.015)
    }
  }

  /// Writes a text.
  ///
  /// - Parameters:
  ///   - text: The text; white space is left out.
  ///   - writer: The index of the writer.
  ///   - isColumn: True to write down instead of to the right.
  ///   - seed: The seed of everything random.
  /// - Returns: The line, in tenths of a millimetre, with its writing area; nil if the writer has no ink
  ///   of one of the characters.
  package func line(_ text: String, writer: Int, isColumn: Bool, seed: UInt64) -> LabeledInk? {
    let text = text.filter { !$0.isWhitespace }
    var random = SeededGenerator(seed: seed, UInt64(writer), 0xC3_11)
    let manner = Manner(using: &random)
    var strokes: [Stroke] = []
    // The place of the next box, and the end of the ink so far, along the line.
    var (place, end) = (0.0, -Double.infinity)
    for character in text {
      guard let inks = sets[writer][String(character)], !inks.isEmpty else { return nil }
      let ink = inks[random.index(below: inks.count)]
      var knots = Self.centered(ink)
      if isColumn { Self.turn(&knots, character) }
      let isKana = character.unicodeScalars.first.map(Self.kana.contains) ?? false
      let scale = manner.side * (isKana ? manner.kana : 1) * exp(random.normal(manner.scatter))
      let along = knots.joined().map { isColumn ? $0.y : $0.x }
      let (low, high) = (scale * (along.min() ?? 0), scale * (along.max() ?? 0))
      let inBox = place + manner.side * (0.5 * manner.pitch + random.normal(manner.scatter))
      var gap = manner.gap * exp(random.normal(0.35))
      if random.chance(0.03) { gap -= manner.gap }
      let afterInk = end.isFinite ? end + manner.side * gap - low : inBox
      let center = inBox + manner.proportion * (afterInk - inBox)
      let across =
        manner.slope * center + manner.side * random.normal(manner.scatter)
      for stroke in knots {
        strokes.append(
          Stroke(
            points: stroke.map { point in
              StrokePoint(
                x: scale * point.x + (isColumn ? -across : center),
                y: scale * point.y + (isColumn ? center : across))
            }))
      }
      end = max(center + high, center + low)
      place = max(place, center - 0.5 * manner.side * manner.pitch) + manner.side * manner.pitch
    }
    guard !strokes.isEmpty else { return nil }
    let (side, length) = (manner.side, max(place, end))
    let area =
      isColumn
      ? try? WritingArea(x: -side / 2, y: 0, width: side, height: length)
      : try? WritingArea(x: 0, y: -side / 2, width: length, height: side)
    return LabeledInk(
      ink: Ink(strokes: strokes), label: text, writer: writers[writer], writingArea: area)
  }

  /// The points of a character in a box of side 1 around (0, 0).
  private static func centered(_ character: LabeledInk) -> [[(x: Double, y: Double)]] {
    guard let box = character.ink.boundingBox else { return [] }
    let area = character.writingArea
    let side = area?.height ?? max(box.width, box.height) / filled
    let (x, y) =
      area.map { ($0.x + $0.width / 2, $0.y + $0.height / 2) } ?? (box.midX, box.midY)
    let scale = side > 0 ? 1 / side : 1
    return character.ink.strokes.map { stroke in
      stroke.points.map { ((($0.x - x) * scale), (($0.y - y) * scale)) }
    }
  }

  /// Turns or moves a character as columns ask for it.
  private static func turn(_ strokes: inout [[(x: Double, y: Double)]], _ character: Character) {
    func map(_ change: ((x: Double, y: Double)) -> (x: Double, y: Double)) {
      strokes = strokes.map { $0.map(change) }
    }
    if turned.contains(character) {
      map { (-$0.y, $0.x) }
    } else if small.contains(character) {
      map { ($0.x + 0.14, $0.y - 0.2) }
    } else if character == "。" || character == "、" {
      map { ($0.x + 0.6, $0.y - 0.6) }
    }
  }
}
