import Evaluation

/// A histogram as SVG.
package struct HistogramChart {
  /// One column.
  package struct Column {
    var from: Double
    var to: Double
    package var count: Int
    /// The description of its values, shown on hovering.
    package var name: String
  }

  let columns: [Column]
  /// Named values, drawn as lines across the columns.
  var marks: [(name: String, value: Double)] = []
  /// The counted things, in the plural.
  let counted: String
  let xName: String
  let xTicks: (ClosedRange<Double>) -> [ChartTick]

  /// The chart as an `svg` element; empty if every column is.
  var svg: String {
    let largest = columns.map(\.count).max() ?? 0
    guard largest > 0, let first = columns.first, let last = columns.last else { return "" }
    // Leaves space above the columns for the names of marks.
    let upper = (marks.isEmpty ? 1.04 : 1.25) * Double(largest)
    let frame = ChartFrame(x: first.from...last.to, y: 0...upper)
    var body = columns.filter { $0.count > 0 }.map { column in
      frame.bar(
        from: column.from, to: column.to, y: Double(column.count), style: "column",
        title: "\(column.name): \(CountText.count(column.count)) \(counted)")
    }.joined()
    for (index, mark) in marks.enumerated() {
      body += frame.rule(x: mark.value, name: mark.name, number: index)
    }
    return frame.svg(
      caption: "Number of \(counted) by \(xName)", xName: xName, yName: counted,
      xTicks: xTicks(first.from...last.to), yTicks: ChartTick.counts(0...upper), body: body)
  }

  /// Columns of equal width for counts of whole numbers, at most `most` of them.
  ///
  /// The last column also holds everything above the 99th percentile, so that an outlier does not
  /// squeeze all others into one column.
  package static func columns(of counts: [Int: Int], most: Int = 40) -> [Column] {
    let total = counts.values.reduce(0, +)
    guard total > 0, let lowest = counts.keys.min(), let highest = counts.keys.max() else {
      return []
    }
    var rest = total - total / 100
    let upper =
      counts.sorted { $0.key < $1.key }.first { _, count in
        rest -= count
        return rest <= 0
      }?.key ?? highest
    let width = max(1, (upper - lowest + most) / most)
    var columns = stride(from: lowest, through: upper, by: width).map { start in
      Column(
        from: Double(start) - 0.5, to: Double(start + width) - 0.5, count: 0,
        name: width == 1
          ? CountText.count(start)
          : "\(CountText.count(start)) to \(CountText.count(start + width - 1))")
    }
    for (value, count) in counts {
      columns[min((value - lowest) / width, columns.count - 1)].count += count
    }
    if let end = columns.indices.last, highest > lowest + columns.count * width - 1 {
      columns[end].name = "\(CountText.count(lowest + end * width)) and more"
    }
    return columns
  }
}
