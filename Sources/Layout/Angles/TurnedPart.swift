import Foundation
import InkCore

/// Strokes of a page whose lines run in another direction than those of the page.
package struct TurnedPart: Hashable, Sendable {
  /// The indices of the strokes, ascending.
  package var strokes: [Int]
  /// The angle of the lines in degrees, -179 ... 180: 0 level, 90 down where one writes from left to
  /// right, and up where one writes from right to left.
  package var angle: Int

  /// Makes a part.
  package init(strokes: [Int], angle: Int) {
    self.strokes = strokes
    self.angle = angle
  }

  /// Turns the part from the page into the reading frame of a direction, or back.
  package func turned(_ direction: WritingDirection) -> TurnedPart {
    direction == .rightToLeft ? TurnedPart(strokes: strokes, angle: Self.mirrored(angle)) : self
  }

  /// The angle of mirrored lines, -179 ... 180.
  static func mirrored(_ angle: Int) -> Int { angle == 180 ? 180 : -angle }

  /// The strokes of the part, upright.
  package func upright(in ink: Ink) -> Ink {
    Ink(strokes: strokes.map { ink.strokes[$0] }).rotated(by: -angle)
  }
}

extension Ink {
  /// Returns the ink turned about the origin, in degrees: by 90, what ran to the right runs down.
  /// O(points).
  package func rotated(by degrees: Int) -> Ink {
    guard degrees != 0 else { return self }
    let radians = Double(degrees) * .pi / 180
    let (sine, cosine) = (sin(radians), cos(radians))
    var result = self
    for stroke in result.strokes.indices {
      for point in result.strokes[stroke].points.indices {
        let (x, y) = (strokes[stroke].points[point].x, strokes[stroke].points[point].y)
        result.strokes[stroke].points[point].x = x * cosine - y * sine
        result.strokes[stroke].points[point].y = x * sine + y * cosine
      }
    }
    return result
  }
}
