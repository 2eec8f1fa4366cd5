import Foundation
import InkCore
import InkDatasets
import InkFormats
import Metrics
import Recognition

/// The figures of a glyph recogniser on labelled ink, one ink at a time on one thread.
///
/// Every labelled record counts. An ink that the recogniser refuses or cannot answer is an error,
/// and so is one whose label the model does not have. Records that cannot be read are counted
/// separately. Memory does not grow with the ink: at most a rank and a confidence are kept per
/// record, and the inks of a bounded number of errors.
@dynamicMemberLookup
public struct GlyphEvaluation: Sendable {
  /// The counts, confidences and times. Its members are members of the evaluation.
  public private(set) var totals = EvaluationTotals()
  /// The share of records with the label among the best candidates.
  public private(set) var topK = TopKAccuracy(ks: [1, 3, 5])
  /// The pairs of labels and answers.
  public private(set) var confusion = ConfusionMatrix()
  /// The errors that a report shows.
  public private(set) var errors: ErrorGallery
  /// Nil for a recogniser that does not list its labels.
  private let knownLabels: Set<String>?

  /// Makes an evaluation without samples.
  init(of recognizer: any Recognizer, keptErrors: Int = 0) {
    errors = ErrorGallery(limit: keptErrors)
    knownLabels = recognizer.labels.map { Set($0) }
  }

  /// Recognises every record of the data.
  ///
  /// - Parameters:
  ///   - recognizer: Its labels are the classes.
  ///   - data: The data to recognise; the recogniser gets a record's writing area.
  ///   - keptErrors: The number of errors whose inks are kept for a report.
  ///   - progress: Called after every record with the number of records so far.
  ///   - keep: Called with the answer to each labelled record.
  /// - Throws: `DataError` or `InkFormatError` if data cannot be opened, the error of `keep`, or the
  ///   error of an outside program that answers no more.
  public init(
    _ recognizer: any Recognizer, on data: [DataSpecification], keptErrors: Int = 0,
    progress: (Int) -> Void = { _ in }, keep: ((Prediction) throws -> Void)? = nil
  ) throws {
    self.init(of: recognizer, keptErrors: keptErrors)
    for specification in data {
      for element in try specification.records() {
        switch element {
        case .success(let record):
          let candidates = try add(record, recognizer)
          try keep?(
            Prediction(
              index: totals.samples - 1, label: record.labeled.label,
              candidates: candidates.map { .init(text: $0.text, score: $0.score) }))
        case .failure: addMalformed()
        }
        progress(totals.samples + totals.malformed)
      }
    }
    finish()
  }

  /// A member of ``totals``.
  public subscript<Value>(dynamicMember member: KeyPath<EvaluationTotals, Value>) -> Value {
    totals[keyPath: member]
  }

  /// Share of inks recognised within the first k candidates, 0 ... 1; nil without samples.
  public func accuracy(at k: Int) -> Double? { topK.accuracy(at: k) }

  /// 95 % interval of top-1, by resampling writers (Efron 1979).
  public func interval(seed: UInt64 = 1) -> BootstrapInterval? {
    var generator = SeededGenerator(seed: seed)
    return totals.byWriter.interval(using: &generator)
  }

  /// Counts a record that could not be read.
  mutating func addMalformed() { totals.malformed += 1 }

  /// Hashes the samples; nothing may be added afterwards.
  mutating func finish() { totals.finish() }

  /// Recognises one ink, counts it, and returns the candidates, the best first.
  @discardableResult
  mutating func add(
    _ record: InkRecord, _ recognizer: any Recognizer
  ) throws -> [RecognitionCandidate] {
    let labeled = record.labeled
    totals.begin(labeled)
    if knownLabels?.contains(labeled.label) == false { totals.unknown.add([labeled.label]) }
    let index = totals.samples - 1
    let sharing = (recognizer as? SharedRecognizer)?.sharing
    let candidates = try totals.timed(sharing: sharing) {
      try recognizer.answer(
        labeled.ink, context: RecognitionContext(writingArea: labeled.writingArea),
        maximumCandidates: 5, place: record.place(index)
      )?.candidates
    }
    let rank = candidates?.firstIndex { $0.text == labeled.label }
    topK.add(rank: rank)
    let best = candidates?.first
    if best == nil { totals.rejected += 1 }
    let isCorrect = rank == 0
    totals.addConfidence(best.map { exp($0.score) } ?? 0, isCorrect: isCorrect)
    confusion.add(label: labeled.label, predicted: best?.text)
    totals.letters.add(reference: labeled.label, hypothesis: best?.text)
    totals.byWriter.add(writer: labeled.writer, numerator: isCorrect ? 1 : 0)
    if !isCorrect { errors.add(labeled, candidates: candidates ?? []) }
    return candidates ?? []
  }
}

extension InkRecord {
  /// The place of the record for errors: its number among the labelled records of the data, from 0,
  /// with its file and line.
  package func place(_ index: Int) -> String { "ink \(index) (\(location))" }
}
