import Foundation
import InkCore

/// How the drawings of a shape differ in size, aspect and rotation.
struct ShapeVariation: Sendable {
  /// Width over height, the logarithm drawn uniformly between these bounds.
  var aspect: ClosedRange<Double>
  /// Largest rotation to either side, radians.
  var rotation: Double

  /// The variation of a shape; what has no rule of its own stays near its prototype.
  ///
  /// A square and a circle differ from a rectangle and an ellipse by their aspect only.
  init(label: String, using generator: inout SeededGenerator) {
    let isTall = generator.chance(0.25)
    switch label {
    case "rectangle", "ellipse": self.init(isTall ? 0.3...0.7 : 1.4...3.5, 0.1)
    case "square": self.init(0.9...1.12, 0.1)
    case "circle": self.init(0.88...1.14, 0.5)
    case "capsule": self.init(1.8...4, 0.1)
    case "parallelogram": self.init(1.3...3, 0.1)
    case "arrow", "line": self.init(1...2.5, .pi)
    case "double-arrow": self.init(1.2...2.5, .pi / 2)
    case "polyline": self.init(0.7...2, .pi)
    case "cloud": self.init(1...2, 0.15)
    default: self.init(0.7...1.5, 0.15)
    }
  }

  private init(_ aspect: ClosedRange<Double>, _ rotation: Double) {
    self.aspect = aspect
    self.rotation = rotation
  }

  /// A placement drawn from the variation: tenths of a millimetre per unit, 10 to 60 mm in all.
  func placement(using generator: inout SeededGenerator) -> Placement {
    let size = exp(generator.number(log(1)...log(6)))
    let half = generator.number(log(aspect.lowerBound)...log(aspect.upperBound)) / 2
    let angle = generator.number(-rotation...rotation)
    return Placement(
      scaleX: size * exp(half), scaleY: size * exp(-half), slant: generator.normal(0.04),
      rotation: angle)
  }
}
