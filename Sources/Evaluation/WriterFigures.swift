import Metrics

/// How well a recogniser reads one writer.
public struct WriterFigures: Hashable, Sendable {
  /// The writer's id.
  public let writer: String
  /// Labelled inks of the writer, or characters of lines.
  public let samples: Int
  /// Inks whose best candidate is wrong, or edits of characters.
  public let errors: Int

  /// The share that is right; less than 0 where there are more edits than characters.
  public var accuracy: Double { samples > 0 ? 1 - Double(errors) / Double(samples) : 0 }

  /// Those of all writers, the worst read first, equal ones in the order of their ids.
  fileprivate static func all(_ rates: ClusteredRate, areErrors: Bool) -> [WriterFigures] {
    rates.byWriter.map { writer, sums in
      WriterFigures(
        writer: writer, samples: Int(sums.denominator),
        errors: Int(areErrors ? sums.numerator : sums.denominator - sums.numerator))
    }.sorted { ($0.accuracy, $0.writer) < ($1.accuracy, $1.writer) }
  }
}

extension GlyphEvaluation {
  /// The figures of every writer that has an id, the worst read first, equal ones in the order of
  /// their ids. O(n log n) in writers.
  public func writerFigures() -> [WriterFigures] {
    WriterFigures.all(byWriter, areErrors: false)
  }
}

extension LineEvaluation {
  /// The figures of every writer that has an id, the worst read first, equal ones in the order of
  /// their ids. O(n log n) in writers.
  public func writerFigures() -> [WriterFigures] {
    WriterFigures.all(byWriter, areErrors: true)
  }
}
