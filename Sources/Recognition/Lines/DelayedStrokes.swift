import Foundation
import InkCore

/// Assigns dots, bars and accents that were drawn after their word to their characters.
///
/// An alignment by time would assign them to the last character: the network reads a letter by its
/// first stroke, without waiting for a dot. A mark is small, and the pen had already passed its
/// position.
package struct DelayedStrokes {
  /// Lengths in line heights.
  private enum Limit {
    /// The distance of the pen past the middle of a mark.
    static let distance = 0.25
    /// The size of a mark.
    static let (width, height) = (1.2, 0.45)
    /// The penalty of a character without a mark, as an additional distance.
    static let unlikely = 0.3
  }

  /// The position of a character.
  private struct Place {
    /// The middle of its box without marks; nil if it consists of marks only.
    var middle: Double?
    /// True if it is written with a dot, a bar or an accent.
    var hasMark: Bool
  }

  private let ink: Ink
  private let lineHeight: Double
  /// The middle of each stroke that is a mark.
  private var marks: [Int: Double] = [:]

  /// Finds the marks of an ink. O(points).
  ///
  /// - Parameter lineHeight: The distance from descender to ascender, in the units of the ink,
  ///   above 0.
  package init(_ ink: Ink, lineHeight: Double) {
    self.ink = ink
    self.lineHeight = lineHeight
    var right = -Double.infinity
    for (index, stroke) in ink.strokes.enumerated() {
      guard let box = Ink(strokes: [stroke]).boundingBox else { continue }
      let middle = box.minX + box.width / 2
      if right - middle > Limit.distance * lineHeight, box.width < Limit.width * lineHeight,
        box.height < Limit.height * lineHeight
      {
        marks[index] = middle
      }
      right = max(right, box.minX + box.width)
    }
  }

  /// Moves marks to the nearest characters. Marks stay if a character consists only of them, or if
  /// characters share them. O(points + marks x characters).
  ///
  /// - Parameter text: The characters.
  package func move(in characters: inout [CharacterInk], of text: [String]) {
    guard !marks.isEmpty else { return }
    let places = zip(characters, text).map { character, label in
      Place(middle: middle(of: character), hasMark: Self.hasMark(label))
    }
    for (owner, character) in characters.enumerated() where places[owner].middle != nil {
      for part in character.parts where part.points == ink.strokes[part.stroke].points.indices {
        guard let mark = marks[part.stroke], let nearest = nearest(to: mark, of: places),
          nearest != owner
        else { continue }
        characters[owner].parts.removeAll { $0 == part }
        let behind = characters[nearest].parts.firstIndex { $0.stroke > part.stroke }
        characters[nearest].parts.insert(part, at: behind ?? characters[nearest].parts.endIndex)
      }
    }
  }

  private func nearest(to mark: Double, of places: [Place]) -> Int? {
    var best: (index: Int, distance: Double)?
    for (index, place) in places.enumerated() {
      guard let middle = place.middle else { continue }
      let distance = abs(middle - mark) / lineHeight + (place.hasMark ? 0 : Limit.unlikely)
      if distance < best?.distance ?? .infinity { best = (index, distance) }
    }
    return best?.index
  }

  /// The middle of the box of a character's strokes that are not marks, or nil if it has none.
  private func middle(of character: CharacterInk) -> Double? {
    var (low, high) = (Double.infinity, -Double.infinity)
    for part in character.parts where marks[part.stroke] == nil {
      for point in ink.strokes[part.stroke].points[part.points] {
        low = min(low, point.x)
        high = max(high, point.x)
      }
    }
    return low <= high ? low + (high - low) / 2 : nil
  }

  /// Returns whether a character of the Latin script, or one with an accent, is written with a mark
  /// that may be drawn later.
  private static func hasMark(_ character: String) -> Bool {
    if let byte = character.utf8.first, byte < 0x80, character.utf8.count == 1 {
      return marked[Int(byte)]
    }
    return character.decomposedStringWithCanonicalMapping.unicodeScalars.count > 1
  }

  /// Whether each character of ASCII is written with a mark.
  private static let marked = (UInt8(0)..<0x80).map { "ijtfxzTFIJAHEQXZ!?".utf8.contains($0) }
}
