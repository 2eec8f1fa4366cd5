import Foundation

/// The linear map from units of ``Knot``, y upward, to tenths of a millimetre, y downward.
struct Placement: Hashable, Sendable {
  private let a, b, c, d: Double

  /// Scales, shears along x, then rotates.
  ///
  /// - Parameters:
  ///   - scaleX: Tenths of a millimetre per unit, horizontally.
  ///   - scaleY: Tenths of a millimetre per unit, vertically.
  ///   - slant: Shift to the right per height.
  ///   - rotation: Anticlockwise, radians.
  init(scaleX: Double, scaleY: Double, slant: Double, rotation: Double) {
    let (sine, cosine) = (sin(rotation), cos(rotation))
    a = cosine * scaleX
    b = (cosine * slant - sine) * scaleY
    c = -sine * scaleX
    d = -(sine * slant + cosine) * scaleY
  }

  /// Where a point comes to lie, to a thousandth of a tenth of a millimetre: finer than any
  /// digitiser.
  func applied(x: Double, y: Double) -> (x: Double, y: Double) {
    (((a * x + b * y) * 1000).rounded() / 1000, ((c * x + d * y) * 1000).rounded() / 1000)
  }
}
