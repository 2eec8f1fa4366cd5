import ArgumentParser
import Evaluation
import Foundation
import InkDatasets
import ModelFormat
import Recognition
import Training

/// `ductus train lines`.
package struct TrainLines: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "lines",
    abstract: "Train a model of words and lines.",
    discussion: """
      The network is trained on inks and their texts; positions of characters are not needed \
      (connectionist temporal classification). The bundle M.ductus appears when training has \
      finished; until then the state is in M.ductus.training, and --resume continues from it. \
      Ctrl-C saves first.

      Ink of several rows is cut into lines by the model of --from, as 'ductus data cut --into \
      lines' does it. Single words of one writer are concatenated into lines. Once the network is accurate \
      enough, training segments lines into words and recombines them (--set cutsLines=false \
      turns this off).

      Without a split, writers are divided as 'ductus train glyphs --help' describes. A language \
      model improves the result: 'ductus train language' trains one, 'ductus tune decoder' \
      weighs it against the ink.

      Examples:
        ductus train lines --from latin-lines --data ink:mine.jsonl \\
          --output mine.ductus
        ductus train lines --output english.ductus \\
          --data 'iam-ondb:iam-ondb?split=train' \\
          --validation 'iam-ondb:iam-ondb?split=val1'
      """)

  @OptionGroup var ink: TrainingDataOptions

  @OptionGroup var options: TrainingOptions

  @OptionGroup var watching: WatchOption

  @OptionGroup var ranks: RankOptions

  @Option(help: "Size of the network.")
  var preset: LinePreset = .base

  @Option(help: "The encoding of the pen path.")
  var encoding: SequenceEncoding = .points

  @Option(
    help: ArgumentHelp(
      "Start from the weights and features of a line model, NAME.ductus or the name of an installed or "
        + "shipped one. Its layers, symbols, language model and character model are kept; a larger preset "
        + "or --set layers.hidden makes layers wider.",
      valueName: "model"))
  var from: String?

  @Flag(
    help: ArgumentHelp(
      "With --from: read only the symbols of the data, as for another script. Other symbols of the "
        + "model, its language model and its character model are left out."))
  var newSymbols = false

  package func validate() throws {
    if newSymbols, from == nil { throw ValidationError("'--new-symbols' needs '--from'") }
  }

  /// The settings that, together with the data, determine the result.
  ///
  /// - Throws: ``ToolError`` or `TrainingError`.
  private func trainingConfiguration(
    start: ModelBundle?, _ model: LineModel?
  ) throws -> LineTrainingConfiguration {
    var result = preset.configuration
    if encoding == .curves { result.useCurves() }
    if let model { result.start(from: model) }
    result.start = start?.manifest.parts.first { $0.role == "network" }?.sha256
    return try options.applied(to: result)
  }

  package func run() throws {
    let opened = try from.map { try ModelLibrary.local.open($0) }
    let (start, startModel) = (opened?.bundle, try opened?.line())
    let configuration = try trainingConfiguration(start: start, startModel)
    try RankedRun.run(ranks) { try train(configuration, start, startModel, $0) }
  }

  private func train(
    _ configuration: LineTrainingConfiguration, _ start: ModelBundle?, _ startModel: LineModel?,
    _ ranked: RankedRun
  ) throws {
    var run = try TrainingRun(options, ink, .lines, watch: watching.watch, ranked: ranked)
    let language = newSymbols ? nil : try start.map { try LineCompanions(languagesOf: $0) }
    let data = try run.read {
      try LineTrainingData(
        training: $0, validation: $1, from: startModel, keepsSymbols: !newSymbols,
        workers: options.workers, indexing: DataIndexing())
    }
    let trainer = try LineTrainer(
      LineTask(
        configuration: configuration, training: data.training, validation: data.validation,
        workers: options.workers, from: startModel), ranks: ranked.ranks)
    let validation = run.validation
    try run.complete(
      trainer, on: data, from: start, keepsCompanions: !newSymbols
    ) { model in
      try model.tune(on: validation, with: language)
      return try ValidationFigures(of: model, on: validation)
    }
  }
}

extension LinePreset: ExpressibleByArgument {}
