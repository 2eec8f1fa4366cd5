import ArgumentParser
import Evaluation
import Foundation
import LanguageModels
import Recognition
import Training

/// `ductus language evaluate`.
package struct LanguageEvaluateCommand: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "evaluate",
    abstract: "Measure a language model in bits per character.",
    discussion: """
      Averages -log2 of the probability of every character, spaces included, given the \
      characters before it in its paragraph; a line break inside a paragraph is a space. Unknown \
      characters count with the probability of an unknown one. Ends of texts are reported \
      separately.

      Example:
        ductus language evaluate --language-model english.ngram --json - text.txt
      """)

  @Option(
    help: ArgumentHelp(
      "The model, NAME.ngram, or NAME.safetensors of 'ductus train language'.", valueName: "file"))
  var languageModel: String

  @Argument(help: ArgumentHelp("Text files, or folders of them.", valueName: "text"))
  var texts: [String]

  @Flag(help: "Take every line as a text of its own, without the lines before it.")
  var lines = false

  @Flag(help: "Also measure states and successors per second.")
  var speed = false

  @OptionGroup var output: JSONOutput

  package func validate() throws {
    if speed, isRecurrent {
      throw ValidationError("--speed measures n-gram models: NAME.ngram")
    }
  }

  package func run() throws {
    guard !isRecurrent else { return try evaluateRecurrent() }
    let model = try LanguageModel(contentsOf: languageModel)
    let text = try readText()
    let evaluation = LanguageModelEvaluation(model, on: text, textsAreLines: lines)
    let speed = speed ? LanguageSpeed(model, on: text) : nil
    try output.write(
      LanguageSummary(languageBytes: model.byteCount, evaluation: evaluation, speed: speed),
      text: describe("\(model.byteCount) bytes, \(model.ngramCount) n-grams", evaluation)
        + describe(speed))
  }

  private var isRecurrent: Bool { languageModel.hasSuffix(".safetensors") }

  private func evaluateRecurrent() throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: languageModel))
    let model = try RecurrentLanguageModel(bytes: bytes, path: languageModel)
    let evaluation = LanguageModelEvaluation(
      model, on: try readText(), textsAreLines: lines,
      workers: ProcessInfo.processInfo.activeProcessorCount)
    try output.write(
      LanguageSummary(languageBytes: bytes.count, evaluation: evaluation, speed: nil),
      text: describe("\(bytes.count) bytes, \(model.network.parameterCount) weights", evaluation))
  }

  private func readText() throws -> NormalizedText {
    var text = NormalizedText(linesAreTexts: lines)
    try text.append(contentsOf: texts)
    guard !text.scalars.isEmpty else { throw ToolError.noText(texts) }
    return text
  }

  private func describe(_ size: String, _ evaluation: LanguageModelEvaluation) -> String {
    let kind = lines ? "lines" : "paragraphs"
    return """
      model               \(languageModel), \(size)
      text                \(evaluation.characters) characters in \(evaluation.texts) \(kind)
      unknown             \(evaluation.unknownCharacters) characters
      bits per character  \(String(format: "%.4f", evaluation.bitsPerCharacter))
      perplexity          \(String(format: "%.4f", evaluation.perplexity))
      bits per end        \(String(format: "%.4f", evaluation.bitsPerEnd))
      """
  }

  private func describe(_ speed: LanguageSpeed?) -> String {
    guard let speed else { return "" }
    func millions(_ spread: Spread) -> String {
      String(
        format: "%.1f (%.1f ... %.1f) million/s", spread.median / 1e6, spread.low / 1e6,
        spread.high / 1e6)
    }
    return """

      state advances      \(millions(speed.advances))
      successors          \(millions(speed.successors)), of all symbols at once
      """
  }
}

/// The JSON of `ductus language evaluate`.
package struct LanguageSummary: Encodable {
  let languageBytes: Int
  let evaluation: LanguageModelEvaluation
  /// Nil if it was not measured.
  let speed: LanguageSpeed?

  private enum CodingKeys: CodingKey { case languageBytes, speed }

  package func encode(to encoder: any Encoder) throws {
    try evaluation.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(languageBytes, forKey: .languageBytes)
    try container.encodeIfPresent(speed, forKey: .speed)
  }
}

extension ToolError {
  /// The error if there is no text to score.
  fileprivate static func noText(_ paths: [String]) -> ToolError {
    .badInput("\(paths.joined(separator: ", ")): expected text, found none; check the path")
  }
}

/// The speed of a language model on a text, on one thread.
package struct LanguageSpeed: Encodable {
  /// States advanced by the characters of the text, per second.
  let advances: Spread
  /// Probabilities of symbols per second, from queries for all successors of the states along the
  /// text.
  let successors: Spread

  private static let rounds = 5
  /// The interval of states for queries of all successors, which take a hundred times as long.
  private static let successorStride = 64

  init(_ model: LanguageModel, on text: NormalizedText) {
    let texts = text.texts.map { $0.map { model.symbols.symbol(of: $0) } }
    var (advances, successors): ([Double], [Double]) = ([], [])
    for _ in 0..<Self.rounds {
      advances.append(Self.rate { Self.advance(model, along: texts) })
      successors.append(Self.rate { Self.querySuccessors(model, along: texts) })
    }
    self.advances = Spread(advances)
    self.successors = Spread(successors)
  }

  /// The time of one repeated measurement, in seconds.
  private static let roundSeconds = 0.2

  /// Repeats some work for ``roundSeconds``; returns its counts per second.
  private static func rate(_ work: () -> Int) -> Double {
    let start = ContinuousClock.now
    var count = 0
    var seconds = 0.0
    repeat {
      count += work()
      seconds = (ContinuousClock.now - start) / .seconds(1)
    } while seconds < roundSeconds && count > 0
    return Double(count) / seconds
  }

  private static func advance(_ model: LanguageModel, along texts: [[LanguageModel.Symbol]]) -> Int
  {
    var count = 0
    var sum: Float = 0
    for text in texts {
      var state = model.start
      for symbol in text {
        let step = model.advance(state, symbol)
        state = step.state
        sum += step.logProbability
      }
      count += text.count
    }
    // Use the sum, so that the work is not optimised away.
    return sum.isFinite ? count : 0
  }

  private static func querySuccessors(
    _ model: LanguageModel, along texts: [[LanguageModel.Symbol]]
  ) -> Int {
    var (count, place) = (0, 0)
    var sum: Float = 0
    var buffer = [Float](repeating: 0, count: model.symbols.count)
    for text in texts {
      var state = model.start
      for symbol in text {
        state = model.advance(state, symbol).state
        place += 1
        guard place.isMultiple(of: successorStride) else { continue }
        buffer.withUnsafeMutableBufferPointer { model.logProbabilities(state, into: $0) }
        sum += buffer[buffer.count / 2]
        count += buffer.count
      }
    }
    return sum.isFinite ? count : 0
  }
}
