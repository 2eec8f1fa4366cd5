import Foundation
import InkCore

extension Ink {
  /// The ink turned around the origin, clockwise on the page.
  func turned(by degrees: Double) -> Ink {
    let (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
    return Ink(
      strokes: strokes.map { stroke in
        Stroke(
          points: stroke.points.map {
            StrokePoint(x: $0.x * cosine - $0.y * sine, y: $0.x * sine + $0.y * cosine)
          })
      })
  }
}
