import InkCore

/// The transform between pixels of the view and millimetres of the document: a change of size, then
/// an optional mirroring, then a rotation, then a shift.
public struct ViewTransform: Hashable, Sendable {
  /// Pixels per inch at scale 1.
  public let dpiX: Double
  /// Pixels per inch at scale 1.
  public let dpiY: Double
  /// The magnification of the document in the view.
  public let scale: Double
  /// The pixel of the document's origin.
  public let offsetX: Double
  /// The pixel of the document's origin.
  public let offsetY: Double
  /// The clockwise rotation of the document in the view, in radians.
  public let rotation: Double
  /// True if left and right are exchanged before the rotation.
  public let isFlipped: Bool
  /// The map from millimetres to pixels.
  public let matrix: PlaneTransform
  /// The map from pixels to millimetres; the shift is in the offset.
  private let back: PlaneTransform

  static let millimetresPerInch = 25.4

  /// Makes a transform.
  ///
  /// - Parameters:
  ///   - dpiX: Pixels per inch at scale 1.
  ///   - dpiY: Pixels per inch at scale 1.
  ///   - scale: The magnification.
  ///   - offsetX: The pixel of the document's origin.
  ///   - offsetY: The pixel of the document's origin.
  ///   - rotation: Radians, clockwise.
  ///   - isFlipped: If true, left and right are exchanged before the rotation.
  /// - Throws: ``EditorError/invalidArgument(_:expected:found:)`` if dpi or scale is not a finite
  ///   number above 0, or an offset or the rotation is not finite.
  public init(
    dpiX: Double = 96, dpiY: Double = 96, scale: Double = 1, offsetX: Double = 0,
    offsetY: Double = 0, rotation: Double = 0, isFlipped: Bool = false
  ) throws(EditorError) {
    let millimetresX = Self.millimetresPerInch / (dpiX * scale)
    let millimetresY = Self.millimetresPerInch / (dpiY * scale)
    for (name, value) in [("dpi", dpiX), ("dpi", dpiY), ("scale", scale)]
    where !(value.isFinite && value > 0) {
      throw .invalidArgument(name, expected: "a finite number above 0", found: "\(value)")
    }
    guard offsetX.isFinite, offsetY.isFinite, rotation.isFinite, millimetresX.isFinite,
      millimetresY.isFinite, millimetresX > 0, millimetresY > 0
    else {
      throw .invalidArgument(
        "view transform", expected: "a finite scale, offset and rotation", found: "other numbers")
    }
    self.init(
      (dpiX, dpiY, scale), (offsetX, offsetY), (millimetresX, millimetresY), rotation, isFlipped)
  }

  private init(
    _ size: (dpiX: Double, dpiY: Double, scale: Double), _ offset: (x: Double, y: Double),
    _ millimetres: (x: Double, y: Double), _ rotation: Double = 0, _ isFlipped: Bool = false
  ) {
    (dpiX, dpiY, scale) = size
    (offsetX, offsetY) = offset
    (self.rotation, self.isFlipped) = (rotation, isFlipped)
    let flip = isFlipped ? -1.0 : 1
    matrix = PlaneTransform.scale(x: flip / millimetres.x, y: 1 / millimetres.y)
      .then(.rotation(rotation)).then(.translation(x: offset.x, y: offset.y))
    back = PlaneTransform.rotation(-rotation)
      .then(.scale(x: flip * millimetres.x, y: millimetres.y))
  }

  /// 96 dpi at scale 1.
  public static let standard = ViewTransform(
    (96, 96, 1), (0, 0), (millimetresPerInch / 96, millimetresPerInch / 96))

  /// The transform in which one pixel is one millimetre.
  public static let millimetres = ViewTransform(
    (millimetresPerInch, millimetresPerInch, 1), (0, 0), (1, 1))

  /// Returns the transform with another pixel for the origin; the same if it is not finite.
  func moved(offsetX: Double, offsetY: Double) -> ViewTransform {
    let moved = try? ViewTransform(
      dpiX: dpiX, dpiY: dpiY, scale: scale, offsetX: offsetX, offsetY: offsetY,
      rotation: rotation, isFlipped: isFlipped)
    return moved ?? self
  }

  /// Returns the position of a pixel in the document, in millimetres.
  @inline(__always)
  public func document(x: Double, y: Double) -> (x: Double, y: Double) {
    let (right, down) = (x - offsetX, y - offsetY)
    return (back.a * right + back.c * down, back.b * right + back.d * down)
  }

  /// Returns the pixel of a position in the document.
  public func view(x: Double, y: Double) -> (x: Double, y: Double) {
    let place = matrix.applied(x: x, y: y)
    return (place.x, place.y)
  }

  /// Returns the upright box in pixels around a box in millimetres.
  public func viewBox(_ box: BoundingBox) -> BoundingBox { matrix.applied(box) }

  /// Returns the corners in pixels of a polygon in millimetres. O(corners).
  public func viewPolygon(_ polygon: [PlanePoint]) -> [PlanePoint] { matrix.applied(polygon) }

  /// Returns the length in pixels of a length in millimetres. If the resolutions differ, it is the
  /// mean of both directions.
  public func viewLength(_ length: Double) -> Double { matrix.applied(length: length) }

  /// Returns the upright box in millimetres around a box in pixels.
  public func documentBox(_ box: BoundingBox) -> BoundingBox {
    back.applied(box.moved(dx: -offsetX, dy: -offsetY))
  }

  /// Returns the corners in millimetres of a polygon in pixels. O(corners).
  public func documentPolygon(_ polygon: [PlanePoint]) -> [PlanePoint] {
    polygon.map { point in
      let place = document(x: point.x, y: point.y)
      return PlanePoint(x: place.x, y: place.y)
    }
  }

  /// Returns the length in millimetres of a length in pixels; see ``viewLength(_:)``.
  public func documentLength(_ length: Double) -> Double { back.applied(length: length) }

  /// Returns true if the other transform differs in more than its offset.
  func hasOtherSize(than other: ViewTransform) -> Bool {
    moved(offsetX: 0, offsetY: 0) != other.moved(offsetX: 0, offsetY: 0)
  }

  /// Returns the millimetres of pixels to the right and down at scale 1.
  func size(width: Double, height: Double) -> (width: Double, height: Double) {
    (width * Self.millimetresPerInch / dpiX, height * Self.millimetresPerInch / dpiY)
  }
}
