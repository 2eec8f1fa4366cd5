import InkCore

/// A smooth distortion of a form: scales, shear and second-order bending about its centre.
struct Bend: Sendable {
  private let x: [Double]
  private let y: [Double]

  /// Draws a distortion; `amount` is the standard deviation of each term, as a share of the size.
  init(amount: Double, using generator: inout SeededGenerator) {
    x = (0..<5).map { _ in generator.normal(amount) }
    y = (0..<5).map { _ in generator.normal(amount) }
  }

  /// The knot's place after the distortion of a form with this box and size.
  func applied(to knot: Knot, box: BoundingBox, size: Double) -> Knot {
    let u = (knot.x - box.midX) / size
    let v = (knot.y - box.midY) / size
    var knot = knot
    let terms = (u, v, u * u * 2, u * v * 2, v * v * 2)
    knot.x +=
      size
      * (x[0] * terms.0 + x[1] * terms.1 + x[2] * terms.2 + x[3] * terms.3 + x[4] * terms.4)
    knot.y +=
      size
      * (y[0] * terms.0 + y[1] * terms.1 + y[2] * terms.2 + y[3] * terms.3 + y[4] * terms.4)
    return knot
  }
}
