import Evaluation
import Metrics

/// How well two models read one writer.
struct ComparedWriter: Hashable, Sendable {
  /// The writer's id.
  let writer: String
  /// Inks, or characters of lines.
  let count: Double
  /// The share that the first model has right, 0 … 1.
  let first: Double
  /// The share that the second model has right.
  let second: Double

  /// All writers of both, in the order of their ids; rates of errors are turned round.
  static func all(
    _ first: ClusteredRate, _ second: ClusteredRate, isErrors: Bool
  ) -> [ComparedWriter] {
    func share(_ cluster: ClusteredRate.Cluster) -> Double {
      let rate = cluster.numerator / cluster.denominator
      return isErrors ? max(0, 1 - rate) : rate
    }
    return first.byWriter.sorted { $0.key < $1.key }.compactMap { writer, one in
      guard one.denominator > 0, let other = second.byWriter[writer] else { return nil }
      return ComparedWriter(
        writer: writer, count: one.denominator, first: share(one), second: share(other))
    }
  }

  /// More marks than units of the field would only cover each other: each N-th writer has one.
  static func step(_ writers: [ComparedWriter]) -> Int { max(1, writers.count / 400) }

  /// A mark for each writer, the first model's share against the second's.
  static func chart(_ writers: [ComparedWriter], isOfLines: Bool) -> String {
    let lowest = writers.map { min($0.first, $0.second) }.min() ?? 0
    let most = writers.map(\.count).max() ?? 1
    let floor = [0.9, 0.8, 0.6, 0.4, 0.2].first { $0 < lowest } ?? 0
    let frame = ChartFrame(x: floor...1, y: floor...1)
    var body = frame.line([(floor, floor), (1, 1)], style: "reference")
    for (index, writer) in writers.enumerated() where index.isMultiple(of: step(writers)) {
      body += frame.mark(
        x: writer.first, y: writer.second, radius: 2 + 4 * (writer.count / most).squareRoot(),
        style: "dot see",
        title: "\(ReportText.label(writer.writer)): A \(ReportText.percent(writer.first)), "
          + "B \(ReportText.percent(writer.second))")
    }
    let what = isOfLines ? "characters" : "answers"
    let ticks = ChartTick.percent(floor...1)
    return frame.svg(
      caption: "Right \(what) of each writer with both models", xName: "right \(what) with A",
      yName: "right \(what) with B", xTicks: ticks, yTicks: ticks, body: body)
  }
}
