import ArgumentParser
import Foundation
import LanguageModels

/// `ductus language complete`.
package struct LanguageCompleteCommand: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "complete",
    abstract: "Complete a word: the most probable continuations.",
    discussion: """
      Prints the most probable words that begin with <prefix>, which may be empty, with the \
      probability that the prefix continues and ends as each of them. If the model holds a word \
      list ('train language --words'), only its words are completions; words in lower case also \
      appear capitalised.

      Example:
        ductus language complete --language-model english.ngram --context 'It is ' \\
          prob
      """)

  @Option(help: ArgumentHelp("The model, NAME.ngram.", valueName: "file"))
  var languageModel: String

  @Option(
    help: ArgumentHelp(
      "The text before the prefix; a space at its end counts.", valueName: "text"))
  var context = ""

  @Option(help: ArgumentHelp("The largest number of words.", valueName: "number"))
  var limit = 5

  @Argument(help: ArgumentHelp("The beginning of a word.", valueName: "prefix"))
  var prefix: String

  @OptionGroup var output: JSONOutput

  package func validate() throws {
    guard limit >= 1 else { throw ValidationError("--limit: expected 1 or more") }
  }

  package func run() throws {
    let model = try LanguageModel(contentsOf: languageModel)
    let words: [Completion]
    if let list = model.lexicon {
      // No completion in the word list is an answer, not an error.
      words =
        (try? model.completions(
          of: prefix, after: context, limit: limit, allowedBy: LexiconText(list))) ?? []
    } else {
      words = model.completions(of: prefix, after: context, limit: limit)
    }
    let summary = CompletionSummary(
      context: context, prefix: prefix, completions: words.map(CompletionSummary.Word.init))
    try output.write(summary, text: Self.table(summary.completions))
  }

  private static func table(_ words: [CompletionSummary.Word]) -> String {
    guard !words.isEmpty else { return "no completions" }
    let rows =
      [("completion", "probability")]
      + words.map { (TerminalText.label($0.text), RateText.percent($0.probability)) }
    let width = rows.reduce(0) { max($0, $1.0.count) } + 2
    return rows.map { $0.0.padding(toLength: width, withPad: " ", startingAt: 0) + $0.1 }
      .joined(separator: "\n")
  }
}

/// The JSON of `ductus language complete`.
package struct CompletionSummary: Encodable {
  /// A word, including the prefix.
  package struct Word: Encodable {
    let text: String
    /// The probability that the prefix continues and ends as this word, 0 ... 1.
    let probability: Double
    /// Its natural logarithm.
    let logProbability: Double

    init(_ completion: Completion) {
      text = completion.text
      logProbability = Double(completion.logProbability)
      probability = exp(logProbability)
    }
  }

  let context: String
  let prefix: String
  /// The completions, the most probable first.
  let completions: [Word]
}
