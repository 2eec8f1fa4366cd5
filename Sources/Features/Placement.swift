import InkCore

/// A writing area in the frame of a trajectory.
public struct LocalArea: Hashable, Sendable {
  /// Upper edge in local units.
  package var top: Float
  /// Height in local units, above 0.
  package var height: Float

  /// Makes a local area from its upper edge and height.
  @usableFromInline package init(top: Float, height: Float) {
    self.top = top
    self.height = height
  }

  /// Converts `area` to the frame of a trajectory.
  @usableFromInline package init(_ area: WritingArea, in frame: Trajectory.Frame) {
    let height = area.height / frame.unit
    // Outside these bounds the ink or the area is a speck; the features saturate long before.
    self.height = Float(min(max(height, 1e-6), 1e6))
    top = Float(min(max((area.y - frame.centerY) / frame.unit, -1e6), 1e6))
  }
}

/// Twelve numbers for the whole ink: its size and position in the writing area, and its shape.
///
/// They are, in order:
///
/// - 1 if an area is known; log2 of the ink's height and of its width divided by the area's height
///   (-5 ... 2); upper edge, lower edge and centre relative to the area (0 at its top, 1 at its
///   bottom, -2 ... 3). All are 0 without an area.
/// - log2 of the aspect ratio (±5), the logarithm of the path length divided by the ink's size, and
///   that of the number of strokes.
/// - 1 if times are known; log2 of the seconds with the pen down, and of those with the pen up
///   between strokes (1/64 ... 8). All are 0 without times. Duration separates a comma from a slash
///   if no area is known.
package enum PlacementFeatures {
  /// The number of features.
  package static let count = 12

  /// Writes `count` features, each about -2 ... 2. Allocates nothing.
  static func encode(
    _ trajectory: Trajectory, area: LocalArea?, into target: UnsafeMutablePointer<Float>
  ) {
    target.update(repeating: 0, count: count)
    guard let box = trajectory.bounds else { return }
    let width = box.maxX - box.minX
    let height = box.maxY - box.minY
    if let area {
      target[0] = 1
      target[1] = (boundedLog2(height / area.height, -5...2) + 1) / 1.5
      target[2] = (boundedLog2(width / area.height, -5...2) + 1) / 1.5
      target[3] = min(3, max(-2, (box.minY - area.top) / area.height)) * 2 - 1
      target[4] = min(3, max(-2, (box.maxY - area.top) / area.height)) * 2 - 1
      target[5] =
        min(3, max(-2, ((box.minY + box.maxY) / 2 - area.top) / area.height)) * 2 - 1
    }
    if let (down, up) = trajectory.durations {
      target[9] = 1
      target[10] = (boundedLog2(down / 1000, -6...3) + 1.5) / 2
      target[11] = (boundedLog2(up / 1000, -6...3) + 1.5) / 2
    }
    let size = max(width, height)
    guard size > 0 else { return }
    target[6] = boundedLog2(max(width, 1e-6) / max(height, 1e-6), -5...5) / 2.5
    target[7] = boundedLog2(trajectory.pathLength / size, 0...6) / 2 - 0.5
    target[8] = boundedLog2(Float(trajectory.strokeEnds.count), 0...6) / 2
  }
}

extension Trajectory {
  /// Milliseconds with the pen down and up; nil if a stroke's end has no time, or if times do not
  /// increase.
  fileprivate var durations: (down: Float, up: Float)? {
    var down: Float = 0
    var up: Float = 0
    for index in strokeEnds.indices {
      let range = stroke(index)
      let duration = time[range.upperBound - 1] - time[range.lowerBound]
      guard duration >= 0 else { return nil }
      down += duration
      if index > 0 {
        let pause = time[range.lowerBound] - time[range.lowerBound - 1]
        guard pause >= 0 else { return nil }
        up += pause
      }
    }
    return down + up > 0 && (down + up).isFinite ? (down, up) : nil
  }
}

/// Returns log2, bounded; the lower bound for 0.
func boundedLog2(_ value: Float, _ range: ClosedRange<Float>) -> Float {
  guard value > 0 else { return range.lowerBound }
  // Exponent and a cubic fit of the significand's logarithm, accurate to 2e-3, which is enough for
  // a feature.
  let significand = value.significand - 1
  let fraction =
    significand * (1.423_9 + significand * (-0.586_9 + significand * 0.163_0))
  return min(range.upperBound, max(range.lowerBound, Float(value.exponent) + fraction))
}
