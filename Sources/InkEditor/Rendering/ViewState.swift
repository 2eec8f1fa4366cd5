import Foundation
import InkCore

/// The view of a document: its size, its transform, and the limits of both.
///
/// A value: change a copy and give it back to the editor, which reports the change.
///
///     var view = editor.viewState
///     view.zoom(by: 1.2, x: 300, y: 200)
///     editor.viewState = view
public struct ViewState: Hashable, Sendable {
  /// The map between millimetres and pixels.
  public var transform: ViewTransform
  /// The width in pixels; 0 before it is known.
  public var width: Double
  /// The height in pixels; 0 before it is known.
  public var height: Double
  /// The smallest and the largest scale that ``zoom(by:x:y:)`` leads to.
  public var scaleLimits: ClosedRange<Double>
  /// The part of the document that the middle of the view stays in, in millimetres; nil for no
  /// limit.
  public var panLimits: BoundingBox?

  /// Makes a view.
  ///
  /// - Parameters:
  ///   - transform: The map between millimetres and pixels.
  ///   - width: Pixels.
  ///   - height: Pixels.
  ///   - scaleLimits: The smallest and the largest scale.
  ///   - panLimits: The part of the document that the middle of the view stays in.
  public init(
    transform: ViewTransform = .standard, width: Double, height: Double,
    scaleLimits: ClosedRange<Double> = ViewState.usualScales, panLimits: BoundingBox? = nil
  ) {
    (self.transform, self.width, self.height) = (transform, width, height)
    (self.scaleLimits, self.panLimits) = (scaleLimits, panLimits)
  }

  /// 2 % to 5,000 %.
  public static let usualScales = 0.02...50

  /// Changes the scale by a factor. The place at a pixel stays there.
  ///
  /// - Parameters:
  ///   - factor: Above 0; another number changes nothing.
  ///   - x: Pixels.
  ///   - y: Pixels.
  public mutating func zoom(by factor: Double, x: Double, y: Double) {
    guard factor.isFinite, factor > 0 else { return }
    set(scale: transform.scale * factor, rotation: transform.rotation, x: x, y: y)
  }

  /// Changes the scale to a value. The place at a pixel stays there.
  ///
  /// - Parameters:
  ///   - scale: Above 0; another number changes nothing.
  ///   - x: Pixels.
  ///   - y: Pixels.
  public mutating func zoom(to scale: Double, x: Double, y: Double) {
    set(scale: scale, rotation: transform.rotation, x: x, y: y)
  }

  /// Turns the document clockwise. The place at a pixel stays there.
  ///
  /// - Parameters:
  ///   - radians: The angle; a number that is not finite changes nothing.
  ///   - x: Pixels.
  ///   - y: Pixels.
  public mutating func rotate(by radians: Double, x: Double, y: Double) {
    guard radians.isFinite else { return }
    let turn = (transform.rotation + radians).remainder(dividingBy: 2 * .pi)
    set(scale: transform.scale, rotation: turn, x: x, y: y)
  }

  /// Moves the document by pixels, within the limits. Numbers that are not finite change nothing.
  ///
  /// - Parameters:
  ///   - dx: Pixels to the right.
  ///   - dy: Pixels down.
  public mutating func pan(dx: Double, dy: Double) {
    transform = transform.moved(
      offsetX: transform.offsetX + dx, offsetY: transform.offsetY + dy)
    limit()
  }

  /// Shows a box as large as it fits, within the limits of the scale, in the middle of the view.
  ///
  /// - Parameters:
  ///   - box: Millimetres.
  ///   - margin: Pixels left free on each side.
  public mutating func fit(_ box: BoundingBox, margin: Double = 16) {
    guard width > 2 * margin, height > 2 * margin else { return }
    let now = transform.matrix.applied(box)
    let factor = min(
      (width - 2 * margin) / max(now.width, 1e-6), (height - 2 * margin) / max(now.height, 1e-6))
    zoom(by: factor, x: 0, y: 0)
    let middle = transform.view(x: box.midX, y: box.midY)
    pan(dx: width / 2 - middle.x, dy: height / 2 - middle.y)
  }

  /// The upright box around the part of the document that is seen, in millimetres.
  public var visibleBox: BoundingBox {
    transform.documentBox(BoundingBox(minX: 0, minY: 0, maxX: width, maxY: height))
  }

  private mutating func set(scale: Double, rotation: Double, x: Double, y: Double) {
    let scale = min(max(scale, scaleLimits.lowerBound), scaleLimits.upperBound)
    let place = transform.document(x: x, y: y)
    guard
      let turned = try? ViewTransform(
        dpiX: transform.dpiX, dpiY: transform.dpiY, scale: scale, rotation: rotation,
        isFlipped: transform.isFlipped)
    else { return }
    let pixel = turned.view(x: place.x, y: place.y)
    transform = turned.moved(offsetX: x - pixel.x, offsetY: y - pixel.y)
    limit()
  }

  /// Moves the middle of the view into its limits.
  private mutating func limit() {
    guard let panLimits else { return }
    let middle = transform.document(x: width / 2, y: height / 2)
    let x = min(max(middle.x, panLimits.minX), panLimits.maxX)
    let y = min(max(middle.y, panLimits.minY), panLimits.maxY)
    guard x != middle.x || y != middle.y else { return }
    let pixel = transform.view(x: x, y: y)
    transform = transform.moved(
      offsetX: transform.offsetX + width / 2 - pixel.x,
      offsetY: transform.offsetY + height / 2 - pixel.y)
  }
}
