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

      Of a language of which there is no text a list of words will do: without TEXT the words of --words are \
      the text, as often as the numbers behind them say. What a word is likely after, nobody knows then.

      Examples:
        ductus language train books speeches --max-bytes 4000000 --output english.ngram
        ductus language train --words freq-de-50k.txt --output german.ngram
      """)

  @Argument(help: ArgumentHelp("Text files, or folders of them.", valueName: "text"))
  var texts: [String] = []

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
      is how often it occurs, where there is no text to say it.
      """, valueName: "file"))
  var words: String?

  @Option(
    name: .customLong("max-bytes"),
    help: ArgumentHelp(
      "The most bytes of the file; everything is kept if not given.", valueName: "n"))
  var maximumBytes: Int?

  func validate() throws {
    if order < 2 { throw ValidationError("'--order \(order)': expected 2 or more") }
    if texts.isEmpty, words == nil {
      throw ValidationError("expected text, or a list of words as --words")
    }
    if minimumCount < 1 {
      throw ValidationError("'--minimum-count \(minimumCount)': expected 1 or more")
    }
  }

  func run() throws {
    let started = ContinuousClock.now
    var line = ProgressLine()
    line.show(0, "reading")
    let entries = try words.map { try WordList.entries(of: $0) }
    let text = try text(entries ?? [])
    var options = LanguageModelTrainer.Options()
    options.order = order
    options.minimumCount = minimumCount
    options.maximumBytes = maximumBytes
    let bytes = try LanguageModelTrainer.train(text, options: options, words: entries?.map(\.word))
    { step in
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

  /// What the model learns from.
  private func text(_ entries: [WordList.Entry]) throws -> NormalizedText {
    guard !texts.isEmpty else { return NormalizedText(words: entries) }
    var text = NormalizedText()
    try text.append(contentsOf: texts)
    return text
  }
}
