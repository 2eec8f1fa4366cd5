import ArgumentParser
import Foundation
import LanguageModels
import Recognition
import RunLog
import Training

/// `ductus train language`.
struct TrainLanguage: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "language",
    abstract: "Train a recurrent language model of text, which orders readings of lines anew.",
    discussion: """
      A network (long short-term memory) learns to foretell each character from all those before it in \
      its paragraph, of which it sees more than the n-grams of 'ductus language train'. It is too slow \
      for the search, and orders the best readings anew: 'ductus tune decoder' weighs both against the \
      ink. Reads UTF-8. An empty line ends a paragraph; other line breaks are spaces. Of a hundred \
      paragraphs one is held out. Writes NAME.safetensors when training has finished; until then the \
      state is beside it, from which --resume goes on. Ctrl-C saves first.

      Example:
        ductus train language books speeches --output english.safetensors
      """)

  @Argument(help: ArgumentHelp("Text files, or folders of them.", valueName: "text"))
  var texts: [String]

  @OptionGroup var options: TrainingOptions

  func run() throws {
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
      try bytes.write(to: URL(fileURLWithPath: options.output), options: .atomic)
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
