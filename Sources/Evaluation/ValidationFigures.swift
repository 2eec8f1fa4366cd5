import Files
import InkDatasets
import ModelFormat
import Recognition

/// The figures of a freshly trained model on its validation data, as `ductus evaluate` measures
/// them.
///
///     let figures = try ValidationFigures(of: model, on: validation)
///     let manifest = TrainedManifest(trainer, on: data)
///       .manifest(of: url, metrics: figures.metrics(of: url.path))
public struct ValidationFigures: Sendable {
  /// The figures by their names in the manifest; nil if not measured.
  package let values: [(name: String, value: Double?)]
  /// SHA-256 of the records that were read.
  package let dataHash: String
  /// The figure to show, 0 ... 1; nil without labelled ink.
  package let headline: (name: String, value: Double)?
  /// The options of `ductus evaluate`, in addition to model and data, that measure the same.
  private let options: [String]
  /// The names of the data, with the selected parts.
  private let data: [String]

  /// Scores a glyph model.
  ///
  /// - Throws: `DataError` or `InkFormatError` if data cannot be opened.
  public init(of model: GlyphModel, on data: [DataSpecification]) throws {
    let evaluation = try GlyphEvaluation(GlyphClassifier(model: model), on: data)
    values = [
      ("top1", evaluation.accuracy(at: 1)), ("top3", evaluation.accuracy(at: 3)),
      ("ece", evaluation.calibration.value),
    ]
    dataHash = evaluation.dataHash
    headline = evaluation.accuracy(at: 1).map { ("validation top-1", $0) }
    options = []
    self.data = data.map(\.textWithSplit)
  }

  /// Scores a line model without a language model.
  ///
  /// - Throws: `DataError` or `InkFormatError` if data cannot be opened.
  public init(of model: LineModel, on data: [DataSpecification]) throws {
    let evaluation = try LineEvaluation(
      LineRecognizer(model: model), on: data, reading: .greedy)
    values = [
      ("cer", evaluation.errors.characterErrorRate), ("wer", evaluation.errors.wordErrorRate),
    ]
    dataHash = evaluation.dataHash
    headline = evaluation.errors.characterErrorRate.map {
      ("validation character error rate, greedy", $0)
    }
    options = ["--greedy"]
    self.data = data.map(\.textWithSplit)
  }

  /// The measured figures for the manifest of the model, each with the command that measures it.
  ///
  /// - Parameter model: The path of the bundle, as a user names it.
  public func metrics(of model: String) -> [ModelManifest.Metric] {
    let command = ShellQuoting.command(
      ["evaluate", "--model", model] + options + data.flatMap { ["--data", $0] })
    return values.compactMap { name, value in
      value.map {
        ModelManifest.Metric(
          name: name, value: $0, data: data.joined(separator: ", "), dataHash: dataHash,
          command: command)
      }
    }
  }
}
