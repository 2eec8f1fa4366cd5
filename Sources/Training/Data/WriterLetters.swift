import InkCore
import InkSynthesis

/// The letters that one person wrote singly, each on its line.
///
/// Coordinates are those of prototypes, but y grows downward: the baseline is y = 0, small letters
/// are 50 high, capitals 100.
package struct WriterLetters: Sendable {
  /// One way in which the person wrote a character.
  package struct Letter: Sendable {
    /// The strokes.
    package var strokes: [[StrokePoint]]
    /// Their box; its left edge is x = 0.
    package var box: BoundingBox
  }

  /// The letters by character.
  package private(set) var letters: [Character: [Letter]] = [:]
  /// Sums over steep downstrokes: the way to the left, and the way down.
  private var lean = (across: 0.0, down: 0.0)

  /// The most letters that are kept of each character.
  private static let mostLetters = 24
  /// Letters that differ more from the usual size, or whose middle is farther from the usual one
  /// in heights of capitals, have a wrong line or a wrong label.
  private static let sizes = 0.45...2.0
  private static let farthest = 0.4

  /// Makes an empty set.
  package init() {}

  /// The shift to the right for each unit of height.
  package var slant: Double {
    lean.down > 500 ? min(0.8, max(-0.5, lean.across / lean.down)) : 0
  }

  /// The number of small letters from a to z that the person wrote.
  package var alphabetCount: Int {
    letters.keys.count { $0.isASCII && $0.isLowercase }
  }

  /// Adds a letter; ignores ink without a writing area, of several characters, or that does not fit
  /// its line.
  package mutating func add(_ labeled: LabeledInk) {
    guard let area = labeled.writingArea, let character = labeled.label.first,
      labeled.label.count == 1, letters[character, default: []].count < Self.mostLetters,
      let box = labeled.ink.boundingBox
    else { return }
    let unit = area.height * TextProfile.capitals / 100
    let baseline = area.y + area.height * (1 - TextProfile.baseline)
    if let usual = LetterExtent.ofCharacters[labeled.label] {
      let size = max(box.width, box.height) / (100 * unit)
      let middle = (baseline - box.midY) / (100 * unit)
      guard Self.sizes.contains(size / usual.size), abs(middle - usual.middle) < Self.farthest
      else { return }
    }
    let strokes = labeled.ink.strokes.filter { !$0.points.isEmpty }.map { stroke in
      stroke.points.map {
        StrokePoint(x: ($0.x - box.minX) / unit, y: ($0.y - baseline) / unit)
      }
    }
    for stroke in strokes {
      for (from, to) in zip(stroke, stroke.dropFirst()) where to.y - from.y > 2 * abs(to.x - from.x)
      {
        lean.across += from.x - to.x
        lean.down += to.y - from.y
      }
    }
    letters[character, default: []].append(
      Letter(
        strokes: strokes,
        box: BoundingBox(
          minX: 0, minY: (box.minY - baseline) / unit, maxX: box.width / unit,
          maxY: (box.maxY - baseline) / unit)))
  }
}

extension WriterLetters.Letter {
  /// Returns the letter without the dot of i or j.
  func withoutDot() -> Self {
    let body = strokes.filter { stroke in stroke.contains { $0.y > -50 } }
    guard !body.isEmpty, body.count < strokes.count else { return self }
    return Self(body)
  }

  /// Makes a letter of strokes.
  package init(_ strokes: [[StrokePoint]]) {
    var box = BoundingBox(minX: .infinity, minY: .infinity, maxX: -.infinity, maxY: -.infinity)
    for point in strokes.joined() { box.formUnion(x: point.x, y: point.y) }
    self.init(strokes: strokes, box: box)
  }

  /// Returns the letter beside another one, as in æ.
  func joined(with next: Self, gap: Double) -> Self {
    let shift = box.maxX + gap - next.box.minX
    return Self(
      strokes
        + next.strokes.map { stroke in
          stroke.map { StrokePoint(x: $0.x + shift, y: $0.y) }
        })
  }

  /// Returns the letter and another one to its right in one stroke, with a straight line between them; nil if
  /// one has several strokes, or if the line would not go up.
  func linked(with next: Self, gap: Double) -> Self? {
    let pair = joined(with: next, gap: gap)
    guard pair.strokes.count == 2, let end = pair.strokes[0].last,
      let start = pair.strokes[1].first,
      end.y - start.y > 0.5 * box.height
    else { return nil }
    let steps = 8
    let link = (1..<steps).map { step in
      let share = Double(step) / Double(steps)
      return StrokePoint(x: end.x + share * (start.x - end.x), y: end.y + share * (start.y - end.y))
    }
    return Self([pair.strokes[0] + link + pair.strokes[1]])
  }
}
