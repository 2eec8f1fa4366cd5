import ArgumentParser
import Foundation
import InkDatasets
import ModelFormat
import Recognition
import Training

/// `ductus tune`.
package struct Tune: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    abstract: "Tune the decoder of a line model on validation data.",
    discussion: """
      Example:
        ductus tune decoder --model mine.ductus --language-model english.ngram \\
          --data ink:val.jsonl
      """,
    subcommands: [TuneDecoder.self])
}

/// `ductus tune decoder`.
package struct TuneDecoder: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "decoder",
    abstract: "Weigh ink against language, and calibrate confidences.",
    discussion: """
      Searches the weight of the language model, the weight of the priors (how often the network \
      reads each symbol), and the bonuses for characters and words; then calibrates the \
      confidences. It stores the result in the bundle under the hash of the language model, \
      where evaluate and recognize find it. A signed bundle must be signed again.

      Example:
        ductus tune decoder --model english.ductus --language-model english.ngram \\
          --data 'iam-ondb:iam-ondb?split=val1'
      """)

  @Option(help: "The bundle of a line model, NAME.ductus.")
  var model: String

  @Option(
    help: ArgumentHelp(
      "The language model, NAME.ngram; default: the bundle's own, or none.",
      valueName: "file"))
  var languageModel: String?

  @Option(
    help: ArgumentHelp(
      "A recurrent language model, NAME.safetensors, that rescores the best readings; default: the "
        + "bundle's own.", valueName: "file"))
  var recurrentModel: String?

  @OptionGroup var labeled: LabeledDataOptions

  @Option(help: "The largest number of lines, spread evenly over the data.")
  var limit = 2000

  @Option(help: "Hypotheses to keep at each time step.")
  var beam = DecoderConfiguration().beam

  @Option(
    help: ArgumentHelp(
      """
      The lowest prior of a symbol. Raise it if the data has other shares of capitals and digits than \
      the texts that will be read.
      """, valueName: "share"))
  var rarestSymbol = 0.001

  @Flag(
    help: "Calibrate by a temperature alone, for data with many wrong labels.")
  var temperatureOnly = false

  @Option(
    help: ArgumentHelp(
      "Use these weights instead of a search: language model, character bonus, word bonus, priors; "
        + "for example those of a related model. Confidences are calibrated anyway.",
      valueName: "l,c,w,p"))
  var weights: DecoderWeights?

  @OptionGroup var ranks: RankOptions

  @Flag(help: "Print all weights that are tried, with their error rates.")
  var verbose = false

  package func validate() throws {
    guard limit >= 1 else { throw ValidationError("--limit: expected 1 or more") }
    guard rarestSymbol > 0, rarestSymbol < 1 else {
      throw ValidationError("--rarest-symbol: expected a share above 0 and below 1")
    }
    guard beam >= 1 else { throw ValidationError("--beam: expected 1 or more") }
  }

  package func run() throws {
    try RankedRun.run(ranks) { try tune($0) }
  }

  private func tune(_ ranked: RankedRun) throws {
    let specifications = try labeled.specifications(defaultSplit: .val)
    let url = URL(fileURLWithPath: model)
    guard FileManager.default.fileExists(atPath: model) else {
      throw ToolError.untunableModel(model)
    }
    let opened = try OpenModel.open(url)
    let bundle = opened.bundle
    var lineModel = try opened.line()
    var options = ReadingOptions()
    options.languageModel = languageModel
    options.recurrentModel = recurrentModel
    let companions = try LineCompanions(languagesOf: bundle, options)
    guard weights == nil || companions.language != nil else {
      throw ToolError.weightsWithoutLanguage(model)
    }
    var start = DecoderConfiguration()
    start.beam = beam
    let progress = TuningProgress(isVerbose: verbose)
    var tuner = try DecoderTuner(
      model: lineModel, language: companions.language?.model,
      recurrent: companions.recurrent?.model, data: specifications, limit: limit
    ) { if ranked.isLeader { progress.show($0) } }
    guard !tuner.isEmpty else { throw ToolError.noLabelledInk(labeled.data) }
    let hashes = bundle.manifest.parts.map(\.sha256)
    try ranked.compare(
      model: hashes.joined(separator: " "), data: String(tuner.textChecksum, radix: 16))
    tuner.ranks = ranked.ranks
    let result = try tuner.tune(
      from: start, weights: weights, rarest: rarestSymbol, fitsWords: !temperatureOnly)
    progress.clear()
    guard ranked.isLeader else { return }
    lineModel.decoding[companions.decodingKey ?? DecoderConfiguration.withoutModel] =
      result.configuration
    var manifest = bundle.manifest
    try lineModel.describe(in: &manifest)
    // Everything else in the bundle stays, such as its language model. It is no longer signed.
    var writer = try ModelBundleWriter(copying: bundle)
    writer.change { $0.decoding = manifest.decoding }
    let wasSigned = bundle.signature != nil
    _ = try writer.write(to: url)
    if wasSigned {
      Outcome.writeToStandardError(
        "\(model): no longer signed; sign it again with 'ductus models sign'\n")
    }
    print(TuningText(result).text)
  }
}

extension DecoderWeights: ExpressibleByArgument {
  /// Parses four numbers separated by commas.
  public init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Float($0.trimmingCharacters(in: .whitespaces)) }
    guard numbers.count == parts.count else { return nil }
    self.init(numbers)
  }
}

extension ToolError {
  /// The error if there is no bundle at the path to write to.
  fileprivate static func untunableModel(_ model: String) -> ToolError {
    .badInput(
      "\(model): no model bundle at this path; copy an installed or "
        + "shipped model with 'ductus models pack \(model) --output MINE.ductus'")
  }

  /// The error for `--weights` without a language model.
  fileprivate static func weightsWithoutLanguage(_ model: String) -> ToolError {
    .badInput(
      "--weights: expected a language model to weigh, found none in \(model); name one with "
        + "--language-model")
  }
}

/// The results of tuning in short lines.
struct TuningText {
  let result: DecoderTuner.Result

  init(_ result: DecoderTuner.Result) {
    self.result = result
  }

  var text: String {
    let found = result.configuration
    var lines = [
      "\(TerminalText.count(result.lines, "line")), all used for tuning: expect more errors on new "
        + "ink",
      String(
        format: "CER: %.2f %% greedy, %.2f %% tuned", 100 * result.greedyErrorRate,
        100 * result.errorRate),
      String(
        format: "weights: language weight %.3f, character bonus %.2f, word bonus %.2f",
        found.languageModelWeight, found.characterBonus, found.wordBonus),
      String(
        format: "  prior weight %.2f, space bonus %.1f", found.priorWeight, found.spaceBonus),
      String(
        format: "confidences: temperature %.2f, certainty weight %.2f", found.temperature,
        found.certaintyWeight),
      String(
        format: "calibration error: %.2f %% of texts, %.2f %% of words",
        100 * result.textCalibrationError, 100 * result.calibrationError),
    ]
    if let second = found.rescoring {
      lines += [
        String(
          format: "second pass: recurrent weight %.3f, language weight %.3f",
          second.recurrentWeight, second.languageModelWeight),
        String(
          format: "  character bonus %.2f, word bonus %.2f", second.characterBonus,
          second.wordBonus),
      ]
    }
    return lines.joined(separator: "\n")
  }
}

/// The progress of tuning: one line, or every trial.
final class TuningProgress {
  private let isVerbose: Bool
  private var line = ProgressLine()
  private var tried = 0

  init(isVerbose: Bool) { self.isVerbose = isVerbose }

  func show(_ text: String) {
    tried += 1
    if isVerbose { line.note(text) } else { line.show(nil, "tried \(tried)  \(text)") }
  }

  func clear() { line.clear() }
}
