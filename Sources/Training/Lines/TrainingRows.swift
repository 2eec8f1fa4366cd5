import Files
import InkCore
import Recognition

/// The labelled inks of several rows in the data of a line model, and what became of them.
///
/// Training needs lines: the model that it starts from cuts the rows, as `ductus data cut --into
/// lines` does. Without such a model the label cannot be divided among the rows, and they are
/// trained on side by side, as one line. Validation reads row by row, as `ductus evaluate` does.
public struct TrainingRows: Hashable, Sendable {
  /// The number of training inks of several rows.
  public var inks = 0
  /// The number of lines that they were cut into; nil if there was no model to cut them.
  public var lines: Int?
  /// The number of those inks of which no row is read as part of the label. They are left out.
  package var unread = 0
  /// The number of validation inks of several rows.
  package var validationInks = 0

  /// Makes the counts of data without such inks.
  public init() {}
}

extension TrainingReading {
  /// Replaces the inks of several rows by their rows, in place.
  ///
  /// - Parameters:
  ///   - model: The model that divides the labels; nil for none, which leaves the inks as they are.
  ///   - workers: The number of threads; the result does not depend on it.
  /// - Returns: The counts.
  mutating func cutRows(by model: LineModel?, workers: Int) throws -> TrainingRows {
    var counts = TrainingRows()
    let pages = samples.indices.filter { samples.rows[$0].hasPage != 0 }
    counts.inks = pages.count
    guard let model else { return counts }
    counts.lines = 0
    let cutter = PageCutter(recognizer: try LineRecognizer(model: model))
    let all = samples
    let cut = try WorkerPool(count: workers).map(pages.count) { index in
      try all[pages[index]].page.map { try cutter.lines(of: $0.labeled) ?? [$0.labeled] } ?? []
    }
    var result = StoredSamples()
    var next = 0
    for sample in samples {
      guard sample.page != nil else {
        result.append(sample)
        continue
      }
      let lines = cut[next]
      next += 1
      counts.lines? += lines.count
      if lines.isEmpty { counts.unread += 1 }
      for line in lines {
        var row = sample
        row.page = nil
        row.trajectory = try Trajectory(line.ink)
        row.area = nil
        row.label = line.label
        result.append(row)
      }
    }
    replaceSamples(by: result)
    return counts
  }
}
