import Metrics

/// The accuracy of a recogniser on one writer.
public struct WriterFigures: Hashable, Sendable {
  /// The writer's id.
  public let writer: String
  /// The number of the writer's labelled inks, or of characters of lines.
  public let samples: Int
  /// The number of inks with a wrong best candidate, or of character edits.
  package let errors: Int

  /// The share that is correct; below 0 if there are more edits than characters.
  public var accuracy: Double { samples > 0 ? 1 - Double(errors) / Double(samples) : 0 }

  /// The figures of all writers, the worst first; equal ones in the order of their ids.
  fileprivate static func all(_ rates: ClusteredRate, areErrors: Bool) -> [WriterFigures] {
    rates.byWriter.map { writer, sums in
      WriterFigures(
        writer: writer, samples: Int(sums.denominator),
        errors: Int(areErrors ? sums.numerator : sums.denominator - sums.numerator))
    }.sorted { ($0.accuracy, $0.writer) < ($1.accuracy, $1.writer) }
  }
}

extension GlyphEvaluation {
  /// The figures of every writer with an id, the worst first; equal ones in the order of their ids.
  /// O(n log n) in writers.
  public func writerFigures() -> [WriterFigures] {
    WriterFigures.all(totals.byWriter, areErrors: false)
  }
}

extension LineEvaluation {
  /// The figures of every writer with an id, the worst first; equal ones in the order of their ids.
  /// O(n log n) in writers.
  public func writerFigures() -> [WriterFigures] {
    WriterFigures.all(totals.byWriter, areErrors: true)
  }
}
