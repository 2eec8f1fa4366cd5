import Benchmark
import InkCore
import InkDatasets
import LanguageModels
import PretrainedModels
import Recognition

/// A language model of order 5, trained on a thousand texts of `starter:words`.
private struct SmallLanguage {
  let model: LanguageModel
  /// The symbols of all texts.
  let symbols: [LanguageModel.Symbol]

  init() throws {
    let texts = try DataSpecification(parsing: "starter:words?length=5&split=all&limit=1000")
      .records().map { try $0.get().labeled.label }
    var normalized = NormalizedText(linesAreTexts: true)
    for text in texts { normalized.append(text) }
    var options = LanguageModelTrainer.Options()
    options.order = 5
    options.minimumCount = 1
    let model = try LanguageModel(
      bytes: LanguageModelTrainer.train(normalized, options: options))
    self.model = model
    symbols = texts.flatMap { $0.unicodeScalars.map { model.symbols.symbol(of: $0) } }
  }
}

/// The shipped line model.
private func shippedLines() throws -> LineRecognizer {
  let shipped = try PretrainedModels().openRecognizer(identifier: "latin-lines")
  guard let recognizer = shipped as? LineRecognizer else {
    throw NothingToMeasure(what: "shipped line models")
  }
  return recognizer
}

/// The search alone: a recogniser with its network's output for a line. With the output of an
/// untrained network the search would keep far more hypotheses.
private struct Search {
  let recognizer: LineRecognizer
  let output: [Float]

  init() throws {
    let shipped = try shippedLines()
    recognizer = try LineRecognizer(
      model: shipped.model, languageModel: SmallLanguage().model,
      configuration: shipped.configuration)
    output = try recognizer.logProbabilities(Line().ink)
  }
}

/// The language model, the search with it, and complete recognition.
func languageBenchmarks() {
  Benchmark("language model, state advance", configuration: .repeated) {
    (benchmark: Benchmark, language: SmallLanguage) in
    var state = language.model.start
    for index in benchmark.scaledIterations {
      let step = language.model.advance(
        state, language.symbols[index % language.symbols.count])
      state = step.state
      blackHole(step.logProbability)
    }
  } setup: {
    try SmallLanguage()
  }
  Benchmark("language model, all successors", configuration: .repeated) {
    (benchmark: Benchmark, language: SmallLanguage) in
    var state = language.model.start
    let states = language.symbols.prefix(1000).map { symbol in
      state = language.model.advance(state, symbol).state
      return state
    }
    var probabilities = [Float](repeating: 0, count: language.model.symbols.count)
    benchmark.startMeasurement()
    for index in benchmark.scaledIterations {
      probabilities.withUnsafeMutableBufferPointer {
        language.model.logProbabilities(states[index % states.count], into: $0)
      }
      blackHole(probabilities)
    }
  } setup: {
    try SmallLanguage()
  }
  Benchmark("CTC beam decoding with a language model, one line") {
    (benchmark: Benchmark, search: Search) in
    for _ in benchmark.scaledIterations {
      blackHole(try search.recognizer.decode(search.output, count: 10))
    }
  } setup: {
    try Search()
  }
  Benchmark("recognition, one line, latin-lines, from raw points") {
    (benchmark: Benchmark, reading: (recognizer: LineRecognizer, ink: Ink)) in
    for _ in benchmark.scaledIterations {
      blackHole(try reading.recognizer.recognize(reading.ink))
    }
  } setup: {
    (recognizer: try shippedLines(), ink: try Line().ink)
  }
}
