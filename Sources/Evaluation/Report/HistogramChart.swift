/// A histogram as SVG.
struct HistogramChart {
  /// One column: values of at least `from` and less than `to`.
  struct Column {
    var from: Double
    var to: Double
    var count: Int
  }

  /// A named value, drawn as a line across the columns.
  struct Mark {
    var name: String
    var value: Double
  }

  let columns: [Column]
  var marks: [Mark] = []
  let range: ClosedRange<Double>
  /// What is counted, in the singular.
  let noun: String
  let xName: String
  /// How a value is written.
  let text: (Double) -> String

  /// The chart as an `svg` element; empty where every column is.
  var svg: String {
    let largest = columns.map(\.count).max() ?? 0
    guard largest > 0 else { return "" }
    let frame = ChartFrame(x: range, y: 0...(1.12 * Double(largest)))
    var body = columns.filter { $0.count > 0 }.map { column in
      frame.bar(
        from: column.from, to: column.to, y: Double(column.count), style: "column",
        title: "\(text(column.from)) to \(text(column.to)): \(ReportText.count(column.count, noun))"
      )
    }.joined()
    for (index, mark) in marks.enumerated() {
      let x = ChartFrame.number(frame.place(x: mark.value))
      body += #"<path class="reference" d="M\#(x) 12V236"/>"#
      // One below the other, so that values close to each other stay readable.
      body += #"<text class="name" x="\#(x)" y="\#(18 + 15 * index)" dx="4">"#
      body += HTMLEscaping.escape("\(mark.name) \(text(mark.value))") + "</text>"
    }
    let xTicks = (0...4).map { index in
      let value = range.lowerBound + Double(index) / 4 * (range.upperBound - range.lowerBound)
      return ChartFrame.Tick(value: value, text: text(value))
    }
    let yTicks = Set([0, largest / 2, largest]).sorted().map {
      ChartFrame.Tick(value: Double($0), text: ReportText.count($0))
    }
    return frame.svg(
      caption: "Number of \(noun)s: \(xName)", xName: xName, yName: "\(noun)s", xTicks: xTicks,
      yTicks: yTicks, body: body)
  }

  /// Columns of equal width over counts by whole numbers. The last column holds everything from
  /// the 99th percentile on, so that one outlier does not press all others into one column.
  static func columns(of counts: [Int: Int], most: Int = 40) -> [Column] {
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
    var columns: [Column] = []
    for start in stride(from: lowest, through: upper, by: width) {
      columns.append(Column(from: Double(start), to: Double(start + width), count: 0))
    }
    for (value, count) in counts {
      columns[min((value - lowest) / width, columns.count - 1)].count += count
    }
    return columns
  }
}
