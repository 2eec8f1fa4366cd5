import ArgumentParser
import Foundation
import LanguageModels

/// `ductus language train`.
struct LanguageTrainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "train",
    abstract: "Train a character n-gram model of text.",
    discussion: """
      Reads UTF-8. An empty line ends a paragraph; other line breaks are spaces. Probabilities are \
      smoothed by modified Kneser-Ney, pruned by entropy to fit --max-bytes, and stored in eight \
      bits. The same text and options give the same bytes. The file appears when it is complete.

      Example:
        ductus language train books speeches --max-bytes 4000000 --output english.ngram
      """)

  @Argument(help: ArgumentHelp("Text files, or folders of them.", valueName: "text"))
  var texts: [String]

  @Option(help: ArgumentHelp("The file to write.", valueName: "file"))
  var output: String

  @Option(help: "The number of characters of the longest n-grams.")
  var order = LanguageModelTrainer.Options().order

  @Option(help: "How often a character must occur to be known.")
  var minimumCount = LanguageModelTrainer.Options().minimumCount

  @Option(
    help: ArgumentHelp(
      """
      Words to put into the file, one per line: completions are then only those. A number behind a word \
      is no part of it; how likely a word is, the text says.
      """, valueName: "file"))
  var words: String?

  @Option(
    name: .customLong("max-bytes"),
    help: ArgumentHelp(
      "The most bytes of the file; everything is kept if not given.", valueName: "n"))
  var maximumBytes: Int?

  func validate() throws {
    if order < 2 { throw ValidationError("'--order \(order)': expected 2 or more") }
    if minimumCount < 1 {
      throw ValidationError("'--minimum-count \(minimumCount)': expected 1 or more")
    }
  }

  func run() throws {
    let started = ContinuousClock.now
    var line = ProgressLine()
    line.show(0, "reading")
    var text = NormalizedText()
    try text.append(contentsOf: texts)
    let list = try words.map { try WordList.words(of: $0) }
    var options = LanguageModelTrainer.Options()
    options.order = order
    options.minimumCount = minimumCount
    options.maximumBytes = maximumBytes
    let bytes = try LanguageModelTrainer.train(text, options: options, words: list) { step in
      let steps = LanguageModelTrainer.Step.allCases
      let done = steps.firstIndex(of: step) ?? 0
      line.show(Double(done + 1) / Double(steps.count + 1), step.rawValue)
    }
    line.clear()
    let model = try LanguageModel(bytes: bytes)
    try LanguageModelWriter.write(bytes, to: output)
    let seconds = (ContinuousClock.now - started) / .seconds(1)
    print(
      "\(output): \(model.byteCount) bytes, order \(order), \(model.symbols.scalars.count) "
        + "characters, \(model.ngramCount) n-grams of \(text.scalars.count) characters, trained in "
        + ProgressLine.clock(seconds))
  }
}
