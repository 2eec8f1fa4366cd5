import InkCore
import InkDatasets
import InkFormats
import Metrics
import Recognition

/// Compares two models on the same ink, one ink at a time on one thread. Both read each ink before
/// the next one, and take turns in reading it first, so that a slow machine affects both equally.
///
/// Memory grows with the writers, and by a few bytes with each ink of an unknown writer.
package struct ModelComparison<Evaluation: Sendable>: Sendable {
  /// The figures of the first model.
  package internal(set) var first: Evaluation
  /// The figures of the second model.
  package internal(set) var second: Evaluation
  /// Labels of the data that either model does not know.
  package private(set) var unknownLabels = ComparisonSummary.Unknown()
  /// The number of inks that both models, one of them, or neither read correctly.
  package private(set) var answers = ComparedAnswers()
  /// For each figure, by its name, the differences between the second and the first model per
  /// writer.
  package private(set) var differences: [String: ClusteredRate] = [:]
  /// The inks that the first model reads better, the clearest first.
  package private(set) var betterByFirst: ComparedInks
  /// The inks that the second model reads better, the clearest first.
  package private(set) var betterBySecond: ComparedInks

  private init(_ first: Evaluation, _ second: Evaluation, keptInks: Int) {
    (self.first, self.second) = (first, second)
    betterByFirst = ComparedInks(limit: keptInks)
    betterBySecond = ComparedInks(limit: keptInks)
  }

  /// Counts an ink and keeps it if the models differ. `errors` are the errors of each model.
  private mutating func add(_ ink: ComparedInk, errors: (first: Int, second: Int)) {
    answers.add(firstIsRight: errors.first == 0, secondIsRight: errors.second == 0)
    if errors.first < errors.second { betterByFirst.add(ink) }
    if errors.second < errors.first { betterBySecond.add(ink) }
  }

  /// Reads all records in order with both models, which take turns in reading first, and compares
  /// the answers.
  private mutating func readInTurns<Answer>(
    _ data: [DataSpecification], _ progress: (Int) -> Void,
    malformed: (inout Evaluation) -> Void,
    read: (inout Evaluation, _ isFirst: Bool, InkRecord, DataFormat) throws -> Answer?,
    compare: (inout Self, InkRecord, Answer?, Answer?) -> Void
  ) throws {
    var count = 0
    for specification in data {
      for element in try specification.records() {
        if case .success(let record) = element {
          let format = specification.format
          var (one, other): (Answer?, Answer?)
          if count.isMultiple(of: 2) { one = try read(&first, true, record, format) }
          other = try read(&second, false, record, format)
          if !count.isMultiple(of: 2) { one = try read(&first, true, record, format) }
          compare(&self, record, one, other)
        } else {
          malformed(&first)
          malformed(&second)
        }
        count += 1
        progress(count)
      }
    }
  }

  private mutating func add(
    _ figure: String, _ record: InkRecord, first: Int, second: Int, of total: Int
  ) {
    differences[figure, default: ClusteredRate()].add(
      writer: record.labeled.writer, page: record.page, numerator: Double(second - first),
      denominator: Double(total))
  }

  /// 95 % interval of the difference of a figure between the second and the first model, by
  /// resampling writers (Efron 1979); nil if the figure is not a mean over inks.
  package func interval(of figure: String, seed: UInt64 = 1) -> BootstrapInterval? {
    var generator = SeededGenerator(seed: seed)
    return differences[figure]?.interval(using: &generator)
  }
}

extension ModelComparison where Evaluation == GlyphEvaluation {
  /// Recognises every record of the data with both models.
  ///
  /// - Parameters:
  ///   - first: The reference model.
  ///   - second: The compared model.
  ///   - data: The data to recognise.
  ///   - keptInks: The number of inks to keep that only one model reads, for each model.
  ///   - progress: Called after every record with the number of records so far.
  /// - Throws: `DataError` or `InkFormatError` if data cannot be opened, or the error of an outside
  ///   program that answers no more.
  package init(
    _ first: any Recognizer, _ second: any Recognizer, on data: [DataSpecification],
    keptInks: Int = 0, progress: (Int) -> Void = { _ in }
  ) throws {
    self.init(GlyphEvaluation(of: first), GlyphEvaluation(of: second), keptInks: keptInks)
    try readInTurns(data, progress) {
      $0.addMalformed()
    } read: { evaluation, isFirst, record, _ in
      try evaluation.add(record, isFirst ? first : second).first
    } compare: {
      $0.add($1, $2, $3)
    }
    self.first.finish()
    self.second.finish()
    unknownLabels = .init(first: self.first.unknown, second: self.second.unknown)
  }

  private mutating func add(
    _ record: InkRecord, _ one: RecognitionCandidate?, _ other: RecognitionCandidate?
  ) {
    let labeled = record.labeled
    let (isRight, otherIsRight) = (one?.text == labeled.label, other?.text == labeled.label)
    // The clearest errors are those with the highest confidence.
    let wrong = isRight ? other : one
    add(
      ComparedInk(
        labeled: labeled, reference: labeled.label, first: one?.text, second: other?.text,
        weight: wrong?.score ?? -.infinity),
      errors: (isRight ? 0 : 1, otherIsRight ? 0 : 1))
    add("top1", record, first: isRight ? 1 : 0, second: otherIsRight ? 1 : 0, of: 1)
  }
}

extension ModelComparison where Evaluation == LineEvaluation {
  /// Reads every record of the data with both models.
  ///
  /// - Parameters:
  ///   - first: The reference model.
  ///   - second: The compared model.
  ///   - data: The data to read.
  ///   - reading: The decoding of both models.
  ///   - keptInks: The number of lines to keep that one model reads better, for each model.
  ///   - progress: Called after every record with the number of records so far.
  /// - Throws: `DataError` or `InkFormatError` if data cannot be opened, or the error of an outside
  ///   program that answers no more.
  package init(
    _ first: LineReader, _ second: LineReader, on data: [DataSpecification],
    reading: LineEvaluation.Reading, keptInks: Int = 0, progress: (Int) -> Void = { _ in }
  ) throws {
    self.init(
      LineEvaluation(of: first, reading: reading), LineEvaluation(of: second, reading: reading),
      keptInks: keptInks)
    try readInTurns(data, progress) {
      $0.addMalformed()
    } read: {
      evaluation, isFirst, record, format in
      try evaluation.add(record, of: format, isFirst ? first : second)
    } compare: {
      // Lines that the transcriber could not read are skipped.
      if let one = $2, let other = $3 { $0.add($1, one, other) }
    }
    self.first.finish()
    self.second.finish()
    unknownLabels = .init(first: self.first.unknown, second: self.second.unknown)
  }

  private mutating func add(
    _ record: InkRecord, _ one: LineEvaluation.Line, _ other: LineEvaluation.Line
  ) {
    let (edits, otherEdits) = (one.errors.characters.total, other.errors.characters.total)
    add(
      ComparedInk(
        labeled: record.labeled, reference: one.reference, first: one.hypothesis,
        second: other.hypothesis, weight: Double(abs(edits - otherEdits))),
      errors: (edits, otherEdits))
    let parts: [(String, KeyPath<TextErrorRate, EditDistance>)] = [
      ("cer", \.characters), ("wer", \.words), ("joinedWER", \.joinedWords),
    ]
    for (figure, part) in parts {
      let (edits, otherEdits) = (one.errors[keyPath: part], other.errors[keyPath: part])
      add(
        figure, record, first: edits.total, second: otherEdits.total, of: edits.referenceCount)
    }
  }
}
