import ArgumentParser
import Foundation
import LanguageModels

/// The options of character n-gram models, and their training.
package struct NGramOptions: ParsableArguments {
  package init() {}

  private static let defaults = LanguageModelTrainer.Options()

  @Option(
    help: "The length of the longest n-grams, in characters; default: \(Self.defaults.order).")
  var order: Int?

  @Option(
    help: "Occurrences from which a character is known; default: \(Self.defaults.minimumCount).")
  var minimumCount: Int?

  @Option(
    help: ArgumentHelp(
      """
      A word list to embed, one word per line, the source of completions. A number after a word is \
      its frequency, used if there is no text.
      """, valueName: "file"))
  var words: String?

  @Option(
    name: .customLong("max-bytes"),
    help: ArgumentHelp(
      "The largest size of the file; default: no limit.", valueName: "n"))
  var maximumBytes: Int?

  /// The given options, by name.
  var given: [String] {
    [
      ("--order", order != nil), ("--minimum-count", minimumCount != nil),
      ("--words", words != nil), ("--max-bytes", maximumBytes != nil),
    ].filter(\.1).map(\.0)
  }

  package func validate() throws {
    if let order, order < 2 { throw ValidationError("'--order \(order)': expected 2 or more") }
    if let minimumCount, minimumCount < 1 {
      throw ValidationError("'--minimum-count \(minimumCount)': expected 1 or more")
    }
  }

  /// Checks that there is something to train on.
  func check(texts: [String]) throws {
    if texts.isEmpty, words == nil {
      throw ValidationError("expected text, or a list of words as --words")
    }
  }

  /// Trains a model on the texts, or on the words if there are no texts, writes it, and prints its
  /// size. The file appears when it is complete.
  func train(on texts: [String], output: String) throws {
    let started = ContinuousClock.now
    var line = ProgressLine()
    line.show(0, "reading")
    let entries = try words.map { try WordList.entries(of: $0) }
    let text = try text(of: texts, entries ?? [])
    var options = Self.defaults
    if let order { options.order = order }
    if let minimumCount { options.minimumCount = minimumCount }
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
      "\(output): \(model.byteCount) bytes, order \(options.order), "
        + "\(model.symbols.scalars.count) characters, \(model.ngramCount) n-grams of "
        + "\(text.scalars.count) characters, trained in \(ProgressLine.clock(seconds))")
  }

  private func text(of paths: [String], _ entries: [WordList.Entry]) throws -> NormalizedText {
    guard !paths.isEmpty else { return NormalizedText(words: entries) }
    var text = NormalizedText()
    try text.append(contentsOf: paths)
    return text
  }
}
