import InkCore

/// How much ink lies in each cell of a window around a point, whenever it was drawn.
///
/// Three columns of half a line height, centred on the point, by five rows of 0.4 line heights,
/// the middle one centred on the point. A value is the length of the path in the cell over the
/// cell's width, bounded to 2. The lengths are gathered in a grid of half that size, once for the
/// line.
struct Surroundings {
  /// Numbers of a point.
  static let count = columns * rows
  private static let columns = 3
  private static let rows = 5
  private static let cellWidth: Float = 0.25
  private static let cellHeight: Float = 0.2

  private var grid: [Float] = []
  private var width = 0
  private var height = 0
  private var originX: Float = 0
  private var originY: Float = 0
  /// Wider or taller ink is a drawing: what lies beyond so many cells is not seen.
  private static let maximumWidth = 1 << 14
  private static let maximumHeight = 64

  /// Gathers the path of a line. O(points + cells).
  mutating func load(_ line: Trajectory) {
    guard let box = line.bounds else { return }
    originX = box.minX - Self.cellWidth
    originY = box.minY - Self.cellHeight
    width = cells(box.maxX - originX, Self.cellWidth, Self.maximumWidth)
    height = cells(box.maxY - originY, Self.cellHeight, Self.maximumHeight)
    grid.removeAll(keepingCapacity: true)
    grid.append(contentsOf: repeatElement(0, count: width * height))
    for stroke in line.strokeEnds.indices {
      let range = line.stroke(stroke)
      if range.count == 1 { add(line.x[range.lowerBound], line.y[range.lowerBound], 0.1) }
      for point in range.dropFirst() {
        add(
          (line.x[point] + line.x[point - 1]) / 2, (line.y[point] + line.y[point - 1]) / 2,
          line.distance(point - 1, point))
      }
    }
  }

  private func cells(_ extent: Float, _ size: Float, _ limit: Int) -> Int {
    min(limit, Int(min(extent / size, 1e6)) + 2)
  }

  private mutating func add(_ x: Float, _ y: Float, _ length: Float) {
    let column = Int((x - originX) / Self.cellWidth)
    let row = Int((y - originY) / Self.cellHeight)
    guard (0..<width).contains(column), (0..<height).contains(row) else { return }
    grid[row * width + column] += length
  }

  /// Writes the cells around a point, row by row from above. O(1).
  func encode(x: Float, y: Float, into target: UnsafeMutablePointer<Float>) {
    // Each window cell is 2 x 2 grid cells; the window starts one and a half cells to the left and
    // two and a half above.
    let left = Int(((x - originX) / Self.cellWidth).rounded()) - Self.columns
    let top = Int(((y - originY) / Self.cellHeight).rounded()) - Self.rows
    grid.withUnsafeBufferPointer { grid in
      var place = 0
      for row in 0..<Self.rows {
        for column in 0..<Self.columns {
          var sum: Float = 0
          for r in (top + 2 * row)..<(top + 2 * row + 2) where r >= 0 && r < height {
            for c in (left + 2 * column)..<(left + 2 * column + 2) where c >= 0 && c < width {
              sum += grid[r * width + c]
            }
          }
          target[place] = min(2, sum / (2 * Self.cellWidth))
          place += 1
        }
      }
    }
  }
}
