import Evaluation
import InkCore
import InkDatasets
import Recognition
import Training

/// Looks for what is wrong with labelled data: labels that are probably wrong, inks that are there
/// twice, thin classes, odd inks.
public struct DataExamination {
  /// What judges labels.
  public enum Judge: Sendable {
    /// Glyph models of parts of the data itself, each judging the part that it has not learned.
    case crossValidation(workers: Int)
    /// A recogniser that has not learned from this data: of glyphs, if it has a list of labels, or of
    /// texts.
    case recognizer(any Recognizer, name: String)
  }

  /// How far the work has come.
  public enum Progress: Hashable, Sendable {
    /// Records read.
    case reading(records: Int)
    /// The share of the training of models that is done, 0 … 1.
    case judging(fraction: Double)
  }

  /// What was found.
  public private(set) var findings: DataFindings

  /// Examines the data.
  ///
  /// - Parameters:
  ///   - data: What to examine, all of it unless it names a split.
  ///   - judge: What judges the labels.
  ///   - progress: Called often, on the thread that works or on one of training.
  /// - Throws: `DataError` or `InkFormatError` where data cannot be opened, ``TrainingError``.
  public init(
    _ data: [DataSpecification], judge: Judge,
    progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) throws {
    var survey = InkSurvey(data: data.map(\.text))
    var opinions = LabelOpinions(judge)
    var records = 0
    for specification in data {
      for element in try specification.records() {
        switch element {
        case .success(let record):
          let index = survey.add(record.labeled)
          opinions.add(record.labeled, index: index, format: specification.format)
        case .failure(let error): survey.add(error)
        }
        records += 1
        progress(.reading(records: records))
      }
    }
    findings = survey.finish()
    try opinions.conclude(&findings) { progress(.judging(fraction: $0)) }
  }
}
