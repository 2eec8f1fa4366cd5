import InkCore

/// The amount of pen path in each of eight directions in each cell of a grid over the ink. These
/// features do not depend on the order of the strokes (Bai and Huo 2005; Liu and Zhou 2006).
///
/// The ink is stretched towards a square by Liu's aspect-ratio adaptive normalisation (ratio' =
/// sqrt(sin(π/2 ratio))). Each step of the path is shared among two directions and four cells. The
/// feature is the square root of the share of the path.
public struct DirectionMaps: Hashable, Codable, Sendable {
  /// Cells along each side.
  package var grid: Int

  /// Makes the maps.
  @usableFromInline package init(grid: Int) { self.grid = grid }

  /// Directions, 45 degrees apart, the first along +x, the next towards +y.
  package static let directions = 8

  /// Number of features: grid x grid x directions, direction innermost.
  @usableFromInline package var count: Int { grid * grid * Self.directions }

  /// Writes `count` features. Allocates nothing.
  ///
  /// - Parameter trajectory: densely sampled, in any frame.
  package func encode(_ trajectory: Trajectory, into target: UnsafeMutablePointer<Float>) {
    target.update(repeating: 0, count: count)
    guard let box = trajectory.bounds else { return }
    let placement = Placement(box, grid: grid)
    var total: Float = 0
    for stroke in trajectory.strokeEnds.indices {
      for point in trajectory.stroke(stroke).dropFirst() {
        total += add(
          placement.x(trajectory.x[point - 1]), placement.y(trajectory.y[point - 1]),
          placement.x(trajectory.x[point]), placement.y(trajectory.y[point]), into: target)
      }
    }
    guard total > 0 else { return }
    let scale = 4 / total
    for index in 0..<count { target[index] = (target[index] * scale).squareRoot() }
  }

  /// Adds one step of the path, given in cells; returns its length.
  private func add(
    _ fromX: Float, _ fromY: Float, _ toX: Float, _ toY: Float,
    into target: UnsafeMutablePointer<Float>
  ) -> Float {
    let dx = toX - fromX
    let dy = toY - fromY
    let length = (dx * dx + dy * dy).squareRoot()
    guard length > 1e-6 else { return 0 }
    let (first, second, secondShare) = Self.share(dx, dy)
    let column = (fromX + toX) / 2 - 0.5
    let row = (fromY + toY) / 2 - 0.5
    let left = max(0, min(grid - 2, Int(column.rounded(.down))))
    let top = max(0, min(grid - 2, Int(row.rounded(.down))))
    let right = max(0, min(1, column - Float(left)))
    let low = max(0, min(1, row - Float(top)))
    for (cell, weight) in [
      (top * grid + left, (1 - low) * (1 - right)), (top * grid + left + 1, (1 - low) * right),
      ((top + 1) * grid + left, low * (1 - right)), ((top + 1) * grid + left + 1, low * right),
    ] {
      let amount = length * weight
      target[cell * Self.directions + first] += amount * (1 - secondShare)
      target[cell * Self.directions + second] += amount * secondShare
    }
    return length
  }

  /// The two directions nearest to (dx, dy), and the second's share: the parallelogram
  /// decomposition of the vector along them, normalised.
  private static func share(_ dx: Float, _ dy: Float) -> (first: Int, second: Int, share: Float) {
    let straight = max(abs(dx), abs(dy)) - min(abs(dx), abs(dy))
    let diagonal = min(abs(dx), abs(dy)) * 1.414_213_6
    let axis: Int
    if abs(dx) >= abs(dy) { axis = dx >= 0 ? 0 : 4 } else { axis = dy >= 0 ? 2 : 6 }
    let quadrant =
      dx >= 0 ? (dy >= 0 ? 1 : 7) : (dy >= 0 ? 3 : 5)
    return (axis, quadrant, diagonal / (straight + diagonal))
  }
}

/// Maps local coordinates to grid cells, 0 ... grid, with the shorter side stretched.
private struct Placement {
  private let centerX, centerY, scaleX, scaleY, middle: Float

  init(_ box: (minX: Float, minY: Float, maxX: Float, maxY: Float), grid: Int) {
    let width = max(box.maxX - box.minX, 1e-6)
    let height = max(box.maxY - box.minY, 1e-6)
    let ratio = min(width, height) / max(width, height)
    let stretched = sinHalfPi(ratio).squareRoot()
    middle = Float(grid) / 2
    centerX = (box.minX + box.maxX) / 2
    centerY = (box.minY + box.maxY) / 2
    scaleX = Float(grid) * (width >= height ? 1 : stretched) / width
    scaleY = Float(grid) * (height >= width ? 1 : stretched) / height
  }

  func x(_ value: Float) -> Float { middle + (value - centerX) * scaleX }
  func y(_ value: Float) -> Float { middle + (value - centerY) * scaleY }
}

/// sin(π/2 r) for r in 0 ... 1, within 2e-4.
private func sinHalfPi(_ ratio: Float) -> Float {
  let angle = ratio * (.pi / 2)
  let square = angle * angle
  return angle * (1 + square * (-0.166_666_57 + square * (0.008_332_977 - square * 0.000_195_153)))
}
