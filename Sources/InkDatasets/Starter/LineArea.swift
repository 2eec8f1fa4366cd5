import Foundation
import InkCore

/// The line that writers write a set on, in units of ``Knot``.
struct LineArea: Hashable, Sendable {
  /// Height of the line.
  let height: Double
  /// Height of the line's middle over the baseline.
  let middle: Double

  /// From the depth of descenders to the height of capitals.
  static let ruled = LineArea(height: 150, middle: 25)

  private init(height: Double, middle: Double) {
    self.height = height
    self.middle = middle
  }

  /// The line that ``FormAreaEstimator`` would see around boxes of these sizes: twice their median
  /// size high, about the median of their middles. A model then meets the same line in made ink as
  /// in a form filled with the same labels. Ruled where there is no box.
  init(boxes: [BoundingBox]) {
    let sizes = boxes.map { max($0.width, $0.height) }.sorted()
    let middles = boxes.map(\.midY).sorted()
    guard let size = Self.median(sizes), let middle = Self.median(middles) else {
      self = .ruled
      return
    }
    self.init(height: 2 * size, middle: middle)
  }

  private static func median(_ sorted: [Double]) -> Double? {
    sorted.isEmpty ? nil : sorted[sorted.count / 2]
  }

  /// The writing area of an ink whose baseline is y = 0, as exact as people keep to a line.
  func area(
    for ink: Ink, writer: VirtualWriter, using generator: inout SeededGenerator
  ) -> WritingArea? {
    guard let box = ink.boundingBox else { return nil }
    let height = height * writer.scale * exp(generator.normal(0.1))
    let center = -(middle + generator.normal(4)) * writer.scale
    return try? WritingArea(
      x: box.minX, y: center - height / 2, width: max(box.width, height), height: height)
  }
}
