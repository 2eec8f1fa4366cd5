import ArgumentParser
import Foundation
import LanguageModels
import Recognition
import RunLog
import Training

/// `ductus train language`.
package struct TrainLanguage: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "language",
    abstract: "Train a language model: character n-grams, or a recurrent network.",
    discussion: """
      The suffix of --output chooses the kind of model. Both kinds read UTF-8: an empty line ends a \
      paragraph; other line breaks are spaces.

      NAME.ngram holds character n-grams, which the search for readings uses. Probabilities are \
      smoothed by modified Kneser-Ney, pruned by entropy to fit --max-bytes, and stored in eight \
      bits. The same text and options give the same bytes. The file appears when it is complete. \
      For a language without text, a list of words is enough: without TEXT, the model is trained on \
      the words of --words, weighted by frequency. Such a model does not know which word follows \
      which.

      NAME.safetensors holds a recurrent network (long short-term memory), which predicts each \
      character from all characters before it in its paragraph. It is too slow for the search, and \
      reorders the best readings: 'ductus tune decoder' weighs both models against the ink. One \
      paragraph in a hundred is held out for validation. The file appears when training has \
      finished; until then the state is next to it, and --resume continues from there. Ctrl-C saves \
      first.

      Examples:
        ductus train language books speeches --max-bytes 4000000 \\
          --output english.ngram
        ductus train language --words freq-de-50k.txt --output german.ngram
        ductus train language books speeches --output english.safetensors
      """)

  @Argument(help: ArgumentHelp("Text files, or folders of them.", valueName: "text"))
  var texts: [String] = []

  @OptionGroup(title: "Options of n-gram models") var ngrams: NGramOptions

  @OptionGroup var options: TrainingOptions

  /// The kind of a language model; the raw value is the suffix of its files.
  private enum Kind: String {
    case ngram
    case recurrent = "safetensors"

    var name: String {
      switch self {
      case .ngram: "an n-gram model"
      case .recurrent: "a recurrent model"
      }
    }
  }

  /// The kind of model of `--output`.
  private func kind() throws -> Kind {
    guard let kind = Kind(rawValue: URL(fileURLWithPath: options.output).pathExtension) else {
      throw ValidationError(
        "--output \(options.output): expected NAME.ngram for an n-gram model or NAME.safetensors "
          + "for a recurrent one, found another suffix")
    }
    return kind
  }

  package func validate() throws {
    let kind = try kind()
    let foreign: [String]
    switch kind {
    case .ngram:
      foreign = options.givenForTraining
      try ngrams.check(texts: texts)
    case .recurrent:
      foreign = ngrams.given
      if texts.isEmpty { throw ValidationError("expected text to train on") }
    }
    if let option = foreign.first {
      throw ValidationError(
        "\(option): --output \(options.output) names \(kind.name), which does not have this option; "
          + "leave it out or choose the other suffix, NAME.ngram or NAME.safetensors")
    }
  }

  package func run() throws {
    switch try kind() {
    case .ngram: try ngrams.train(on: texts, output: options.output)
    case .recurrent: try trainRecurrent()
    }
  }

  private func trainRecurrent() throws {
    let configuration = try options.applied(to: LanguageTrainingConfiguration())
    if let problem = OutputPlace.problem(
      with: URL(fileURLWithPath: options.output).deletingLastPathComponent().path)
    {
      throw ToolError.unusableOutput(options.output, problem)
    }
    let session = try TrainingSession(options, .language)
    session.console.say("reading text")
    let data = try read(configuration)
    let trainer = try LanguageTrainer(
      configuration: configuration, training: data.training, validation: data.validation,
      workers: options.workers)
    session.console.say(
      "training: \(data.training.characterCount) characters, "
        + "\(data.training.table.scalars.count) different ones; validation: "
        + "\(data.validation.characterCount) characters")
    try session.train(trainer, data: data.identity, named: (texts, [])) { model in
      let bytes = try model.serialized()
      try OutputFile.write(bytes, to: options.output)
      let bits = trainer.keptRecord.map(RunKind.language.figure)
      print(
        "\(options.output): \(bytes.count / 1000) kB, trained in "
          + ProgressLine.clock(trainer.seconds)
          + (bits.map { ", validation \(RunKind.language.phrase($0))" } ?? ""))
      return TrainingSession.Written(
        bytes: bytes.count, figures: bits.map { ["bitsPerCharacter": $0] } ?? [:])
    }
  }

  private func read(_ configuration: LanguageTrainingConfiguration) throws -> LanguageTrainingData {
    var text = NormalizedText()
    try text.append(contentsOf: texts)
    return try LanguageTrainingData(text, configuration)
  }
}
