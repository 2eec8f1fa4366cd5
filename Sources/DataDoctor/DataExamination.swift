import Evaluation
import InkCore
import InkDatasets
import Recognition
import Training

/// Looks for problems in labelled data: labels that are probably wrong, duplicate inks, classes
/// with few inks, and inks with unusual properties.
package struct DataExamination {
  /// The judge of the labels.
  package enum Judge: Sendable {
    /// Glyph models trained on parts of the data. Each judges the part that it was not trained on. The
    /// models are divided among ranks, if there are any.
    case crossValidation(workers: Int, ranks: (any TrainingRanks)? = nil)
    /// A recogniser that was not trained on this data. A recogniser with a list of labels judges
    /// glyphs, any other judges texts.
    case recognizer(any Recognizer, name: String)
  }

  /// The progress of the examination.
  package enum Progress: Hashable, Sendable {
    /// The number of records read so far.
    case reading(records: Int)
    /// The share of the training of the judging models that is done, 0 … 1.
    case judging(fraction: Double)
  }

  /// The findings.
  package private(set) var findings: DataFindings

  /// Some records to examine, and what to call them.
  package struct Part {
    /// The name of the data.
    package var name: String
    /// The format, which decides about marks in texts.
    package var format: DataFormat
    /// The records and the failures between them. They are read once.
    package var records: AnySequence<DataRecords.Element>

    /// Makes a part.
    package init(name: String, format: DataFormat, records: AnySequence<DataRecords.Element>) {
      self.name = name
      self.format = format
      self.records = records
    }
  }

  /// Examines the data.
  ///
  /// - Parameters:
  ///   - data: The data to examine. All splits are read unless it names one.
  ///   - judge: The judge of the labels.
  ///   - progress: Called often, on the calling thread or on a training thread.
  /// - Throws: `DataError` or `InkFormatError` if data cannot be opened, ``TrainingError``.
  package init(
    _ data: [DataSpecification], judge: Judge,
    progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) throws {
    let parts = try data.map {
      Part(name: $0.text, format: $0.format, records: AnySequence(try $0.records()))
    }
    try self.init(parts, judge: judge, progress: progress)
  }

  /// Examines records.
  ///
  /// - Parameters:
  ///   - parts: The records. Their indices in the findings go through all parts.
  ///   - judge: The judge of the labels.
  ///   - shouldStop: Called often, on any thread; true to stop soon.
  ///   - progress: Called often, on the calling thread or on a training thread.
  /// - Throws: ``TrainingError``, also if training was stopped; `CancellationError` if reading was.
  package init(
    _ parts: [Part], judge: Judge, shouldStop: @escaping @Sendable () -> Bool = { false },
    progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) throws {
    var survey = InkSurvey(data: parts.map(\.name))
    var opinions = LabelOpinions(judge)
    var records = 0
    for part in parts {
      for element in part.records {
        if shouldStop() { throw CancellationError() }
        switch element {
        case .success(let record):
          let index = survey.add(record.labeled)
          try opinions.add(record, index: index, format: part.format)
        case .failure(let error): survey.add(error)
        }
        records += 1
        progress(.reading(records: records))
      }
    }
    if shouldStop() { throw CancellationError() }
    findings = survey.finish()
    try opinions.conclude(&findings, shouldStop: shouldStop) { progress(.judging(fraction: $0)) }
  }
}
