import ArgumentParser
import Foundation
import InkDatasets
import ModelFormat
import Recognition
import Training

/// `ductus train lines`.
struct TrainLines: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lines",
    abstract: "Train a model that reads one ink as a text: words and lines.",
    discussion: """
      The network learns from whole lines and their texts; no places of characters are needed \
      (connectionist temporal classification). Writes the bundle M.ductus when training has \
      finished; until then the state is in M.ductus.training, from which --resume goes on. Ctrl-C \
      saves first. Single words of one writer, as of UNIPEN, are put side by side to lines. Lines of \
      several words are cut into words as soon as the network can read them, and put together to \
      others besides (--set cutsLines=false leaves them as they are).

      Without a split, writers are divided as 'ductus train glyphs --help' says; parts change when the \
      data does, and splits=FILE keeps them.

      What a text is likely to say comes from a language model: 'ductus language train' makes one, \
      'ductus tune decoder' weighs it against the ink.

      Example:
        ductus train lines --output english.ductus \\
          --data 'iam-ondb:iam-ondb?split=train' --validation 'iam-ondb:iam-ondb?split=val1'
      """)

  @OptionGroup var ink: TrainingDataOptions

  @OptionGroup var options: TrainingOptions

  @Option(help: "Size of the network.")
  var preset: LinePreset = .base

  @Option(help: "How the pen path becomes a sequence.")
  var encoding: SequenceEncoding = .points

  @Option(
    help: ArgumentHelp(
      "Begin with the weights and features of a line model of the same preset or of narrower layers, "
        + "NAME.ductus or the name of one that is installed or ships: what it learned of other data. "
        + "Its symbols, its language model and its model of characters stay.",
      valueName: "model"))
  var from: String?

  /// The settings that, together with the data, determine the result.
  ///
  /// - Throws: ``ToolError`` or `TrainingError`.
  private func trainingConfiguration(start: ModelBundle?) throws -> LineTrainingConfiguration {
    var result = preset.configuration
    if encoding == .curves { result.useCurves() }
    result.start = start?.manifest.parts.first { $0.role == "network" }?.sha256
    return try options.applied(to: result)
  }

  func run() throws {
    let opened = try from.map { try OpenModel.open(ModelLocation.url(of: $0)) }
    let (start, startModel) = (opened?.bundle, try opened?.line())
    let configuration = try trainingConfiguration(start: start)
    var run = try TrainingRun(options, ink, .lines)
    let language = try start.map { try LineCompanions(languagesOf: $0) }
    let data = try run.read {
      try LineTrainingData(training: $0, validation: $1, knownSymbols: startModel?.labels ?? [])
    }
    let trainer = try LineTrainer(
      configuration: configuration, training: data.training, validation: data.validation,
      workers: options.workers, from: startModel)
    let roles = [
      ModelManifest.Part.languageRole, ModelManifest.Part.recurrentRole,
      ModelManifest.Part.characterRole,
    ]
    let kept = start.map { (bundle: $0, roles: roles) }
    try run.complete(trainer, on: data, keeping: kept) { model in
      try model.finish(with: language, on: run.validation)
    }
  }
}

extension LinePreset: ExpressibleByArgument {}
