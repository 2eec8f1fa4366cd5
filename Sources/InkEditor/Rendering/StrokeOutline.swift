import Foundation
import InkCore

/// The outline of a stroke: one closed polygon with round caps and joins, to be filled by the
/// nonzero rule. The width follows force, tilt and roll.
///
/// The same points and style have the same outline, whether the stroke is being drawn or part of a
/// document.
public struct StrokeOutline: Hashable, Sendable {
  /// The corners. Millimetres.
  public let polygon: [PlanePoint]

  /// Makes the outline of a stroke. O(points).
  ///
  /// - Parameters:
  ///   - points: Millimetres; no outline without points.
  ///   - style: The look of the stroke.
  public init(points: [StrokePoint], style: StrokeStyle) {
    var builder = OutlineBuilder(BrushTip(style, points: points))
    polygon = builder.outline(of: points)
  }

  /// The outline as a path.
  public var path: DrawPath { DrawPath(polygon) }
}

/// The width of a brush along a stroke.
struct BrushTip {
  private let style: StrokeStyle
  /// Half the width at each point, for a nib across its edge.
  private var halves: [Double] = []
  /// The direction of the edge of a nib at each point, in radians.
  private var edges: [Double] = []

  init(_ style: StrokeStyle, points: [StrokePoint]) {
    self.style = style
    let law = style.law
    halves.reserveCapacity(points.count)
    // An unknown force between known ones is the last known; at the start, the first.
    var force = points.lazy.compactMap(\.force).first
    for point in points {
      force = point.force ?? force
      var half = law.width(force: force) / 2
      if style.brush == .marker, let altitude = point.altitude {
        half *= 1 + InkBrush.tiltGain * max(0, cos(altitude))
      }
      halves.append(half)
    }
    guard style.brush == .nib else { return }
    var roll = points.lazy.compactMap(\.roll).first ?? 0
    for point in points {
      roll = point.roll ?? roll
      edges.append(roll - Chosen.nibAngle)
    }
  }

  /// Returns half the width between two points, in the direction of the pen.
  func half(at index: Int, _ t: Double, direction: PlanePoint?) -> Double {
    let next = min(index + 1, halves.count - 1)
    let half = halves[index] + t * (halves[next] - halves[index])
    guard style.brush == .nib, let direction else { return half }
    let edge = edges[index] + t * (edges[next] - edges[index])
    // The width across the direction of the pen of a flat tip.
    let across = abs(direction.x * sin(edge) - direction.y * cos(edge))
    let thin = Chosen.nibThickness
    return half * (thin * thin + (1 - thin * thin) * across * across).squareRoot()
  }

  /// The greatest half width at a point.
  func greatestHalf(at index: Int) -> Double { halves[index] }
}

/// Makes the polygon around a stroke.
///
/// The polygon is the sum of the rectangles around short straight pieces and of the sectors between
/// them, all turned the same way: the inner side of a sharp turn goes through the middle. So no
/// part of the stroke is counted out, however tight it bends.
private struct OutlineBuilder {
  private struct Sample {
    var x, y, half: Double
  }

  private let tip: BrushTip
  private var samples: [Sample] = []
  private var left: [PlanePoint] = []
  private var right: [PlanePoint] = []

  init(_ tip: BrushTip) { self.tip = tip }

  mutating func outline(of points: [StrokePoint]) -> [PlanePoint] {
    guard let first = points.first else { return [] }
    sample(points)
    guard samples.count > 1 else {
      let half = points.indices.map(tip.greatestHalf).max() ?? 0
      return Self.disc(first.x, first.y, samples.first?.half ?? half)
    }
    let count = samples.count
    left.reserveCapacity(2 * count)
    right.reserveCapacity(2 * count)
    var previous: (x: Double, y: Double, length: Double)?
    for index in 0..<count - 1 {
      let (from, to) = (samples[index], samples[index + 1])
      let (dx, dy) = (to.x - from.x, to.y - from.y)
      let length = (dx * dx + dy * dy).squareRoot()
      // The normal to the left of the direction, with y downward.
      let normal = (x: dy / length, y: -dx / length, length: length)
      if let previous {
        join(from, previous, normal)
      } else {
        add(from, normal.x, normal.y)
      }
      if index == count - 2 { add(to, normal.x, normal.y) }
      previous = normal
    }
    guard let last = previous else { return [] }
    var result = left
    let end = samples[count - 1]
    Self.arc(end, from: (last.x, last.y), turn: .pi, &result)
    result += right.reversed()
    let start = samples[0]
    let (dx, dy) = (samples[1].x - start.x, samples[1].y - start.y)
    let length = (dx * dx + dy * dy).squareRoot()
    Self.arc(start, from: (-dy / length, dx / length), turn: .pi, &result)
    return result
  }

  /// Cuts the smooth line into straight pieces.
  private mutating func sample(_ points: [StrokePoint]) {
    let curve = InkCurve(points)
    samples.reserveCapacity(2 * points.count)
    guard let start = curve.start else { return }
    let segments = curve.segments
    add(start, tip.half(at: 0, 0, direction: segments.first?.direction(at: 0)))
    for (index, segment) in segments.enumerated() {
      let pieces = segment.pieces(within: Chosen.flatness)
      for piece in 1...pieces {
        let t = Double(piece) / Double(pieces)
        let point = piece == pieces ? segment.to : segment.point(at: t)
        add(point, tip.half(at: index, t, direction: segment.direction(at: t)))
      }
    }
  }

  private mutating func add(_ point: PlanePoint, _ half: Double) {
    guard let last = samples.last else {
      samples.append(Sample(x: point.x, y: point.y, half: half))
      return
    }
    let (dx, dy) = (point.x - last.x, point.y - last.y)
    guard dx * dx + dy * dy > Self.nearness * Self.nearness else {
      // A pen that rests: the widest spot counts.
      samples[samples.count - 1].half = max(last.half, half)
      return
    }
    samples.append(Sample(x: point.x, y: point.y, half: half))
  }

  /// Millimetres within which two samples are one.
  private static let nearness = 1e-4

  private mutating func add(_ sample: Sample, _ x: Double, _ y: Double) {
    left.append(PlanePoint(x: sample.x + x * sample.half, y: sample.y + y * sample.half))
    right.append(PlanePoint(x: sample.x - x * sample.half, y: sample.y - y * sample.half))
  }

  private mutating func join(
    _ sample: Sample, _ before: (x: Double, y: Double, length: Double),
    _ after: (x: Double, y: Double, length: Double)
  ) {
    let dot = before.x * after.x + before.y * after.y
    let cross = before.x * after.y - before.y * after.x
    let step = (max(0, 2 - 2 * dot)).squareRoot() * sample.half
    let shortest = min(before.length, after.length)
    if step < Chosen.roundness, step < Chosen.fold * shortest {
      let (x, y) = (before.x + after.x, before.y + after.y)
      let length = (x * x + y * y).squareRoot()
      return add(sample, x / length, y / length)
    }
    let turn = atan2(cross, dot)
    let middle = PlanePoint(x: sample.x, y: sample.y)
    // A turn to the right has its outer side on the left.
    let isRight = turn > 0
    func edge(_ x: Double, _ y: Double) -> PlanePoint {
      PlanePoint(x: sample.x + x * sample.half, y: sample.y + y * sample.half)
    }
    if isRight {
      left.append(edge(before.x, before.y))
      Self.arc(sample, from: (before.x, before.y), turn: turn, &left)
      left.append(edge(after.x, after.y))
      right += [edge(-before.x, -before.y), middle, edge(-after.x, -after.y)]
    } else {
      right.append(edge(-before.x, -before.y))
      Self.arc(sample, from: (-before.x, -before.y), turn: turn, &right)
      right.append(edge(-after.x, -after.y))
      left += [edge(before.x, before.y), middle, edge(after.x, after.y)]
    }
  }

  /// Adds the inner corners of an arc about a sample.
  private static func arc(
    _ sample: Sample, from normal: (x: Double, y: Double), turn: Double,
    _ result: inout [PlanePoint]
  ) {
    let count = Int((abs(turn) / angle(sample.half)).rounded(.up))
    guard count > 1 else { return }
    let (cosine, sine) = (cos(turn / Double(count)), sin(turn / Double(count)))
    var (x, y) = normal
    for _ in 1..<count {
      (x, y) = (x * cosine - y * sine, x * sine + y * cosine)
      result.append(PlanePoint(x: sample.x + x * sample.half, y: sample.y + y * sample.half))
    }
  }

  /// The angle between corners of an arc.
  private static func angle(_ radius: Double) -> Double {
    let flatness = Chosen.flatness
    guard radius > flatness else { return .pi / 4 }
    return min(max(2 * acos(1 - flatness / radius), .pi / 48), .pi / 4)
  }

  private static func disc(_ x: Double, _ y: Double, _ radius: Double) -> [PlanePoint] {
    (0..<discCorners).map { index in
      let angle = 2 * .pi * Double(index) / Double(discCorners)
      return PlanePoint(x: x + radius * cos(angle), y: y + radius * sin(angle))
    }
  }

  /// A polygon of 32 corners has 0.64 % less area than its circle.
  private static let discCorners = 32
}

/// Numbers that were chosen and not derived.
private enum Chosen {
  // The numbers below were chosen by eye, at up to eight times the size of paper, on pages of
  // IAM-OnDB as SVG in a browser.
  /// The rise of the edge of a nib that is not rolled. Radians.
  static let nibAngle = 0.7
  /// The thickness of a nib. Widths.
  static let nibThickness = 0.2
  /// The greatest distance of the drawn line from the curve. Millimetres.
  static let flatness = 0.01
  /// The greatest step along the edge of a turn that is drawn without an arc. Millimetres, chosen
  /// by eye, at up to eight times the size of paper on pages of IAM-OnDB as SVG in a browser.
  static let roundness = 0.03
  /// The share of a piece that the inner side of a turn may take without an arc. Chosen by eye, at
  /// up to eight times the size of paper on pages of IAM-OnDB as SVG in a browser.
  static let fold = 0.8
}
