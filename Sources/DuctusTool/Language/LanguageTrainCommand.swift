import ArgumentParser

/// `ductus language train`: the old spelling of `ductus train language` for n-gram models, which
/// works for one more version.
struct LanguageTrainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "train",
    abstract: "Train a character n-gram model of text: now 'ductus train language'.",
    shouldDisplay: false)

  @Argument(help: ArgumentHelp("Text files, or folders of them.", valueName: "text"))
  var texts: [String] = []

  @Option(help: ArgumentHelp("The file to write.", valueName: "file"))
  var output: String

  @OptionGroup var options: NGramOptions

  func validate() throws { try options.check(texts: texts) }

  func run() throws {
    Outcome.writeToStandardError(
      "ductus: 'language train' will be removed in the next version; use 'ductus train language' "
        + "with --output NAME.ngram\n")
    try options.train(on: texts, output: output)
  }
}
