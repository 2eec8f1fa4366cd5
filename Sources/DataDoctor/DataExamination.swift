import Evaluation
import InkCore
import InkDatasets
import Recognition
import Training

/// Looks for problems in labelled data: labels that are probably wrong, duplicate inks, classes
/// with few inks, and inks with unusual properties.
public struct DataExamination {
  /// The judge of the labels.
  public enum Judge: Sendable {
    /// Glyph models trained on parts of the data. Each judges the part that it was not trained on.
    case crossValidation(workers: Int)
    /// A recogniser that was not trained on this data. A recogniser with a list of labels judges
    /// glyphs, any other judges texts.
    case recognizer(any Recognizer, name: String)
  }

  /// The progress of the examination.
  public enum Progress: Hashable, Sendable {
    /// The number of records read so far.
    case reading(records: Int)
    /// The share of the training of the judging models that is done, 0 … 1.
    case judging(fraction: Double)
  }

  /// The findings.
  public private(set) var findings: DataFindings

  /// Examines the data.
  ///
  /// - Parameters:
  ///   - data: The data to examine. All splits are read unless it names one.
  ///   - judge: The judge of the labels.
  ///   - progress: Called often, on the calling thread or on a training thread.
  /// - Throws: `DataError` or `InkFormatError` if data cannot be opened, ``TrainingError``.
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
