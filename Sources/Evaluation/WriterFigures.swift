import Metrics

/// How well a recogniser reads one writer.
public struct WriterFigures: Hashable, Sendable {
  /// The writer's id.
  public let writer: String
  /// Labelled records of the writer.
  public let samples: Int
  /// Those whose best candidate is right.
  public let correct: Int

  /// The share that is right, 0 … 1.
  public var accuracy: Double { samples > 0 ? Double(correct) / Double(samples) : 0 }
}

extension GlyphEvaluation {
  /// The figures of every writer that has an id, the worst read first, equal ones in the order of
  /// their ids. O(n log n) in writers.
  public func writerFigures() -> [WriterFigures] {
    byWriter.byWriter.map { writer, sums in
      WriterFigures(
        writer: writer, samples: Int(sums.denominator), correct: Int(sums.numerator))
    }.sorted { ($0.accuracy, $0.writer) < ($1.accuracy, $1.writer) }
  }
}
