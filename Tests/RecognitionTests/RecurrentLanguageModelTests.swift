import Features
import Foundation
import InkCore
import LanguageModels
import LinearAlgebra
import ModelFormat
import Networks
import Recognition
import SafeTensors
import Testing

/// Models with random weights over a few letters.
private func model(
  _ layers: [PackedLayerSpecification] = [.lstm(hidden: 6)], characters: String = " abc"
) throws -> RecurrentLanguageModel {
  let symbols = try #require(SymbolTable(scalars: Array(characters.unicodeScalars)))
  let network = SequenceNetwork(
    unchecked:
      SequenceArchitecture(channels: symbols.count, layers: layers, classes: symbols.count))
  let parameters = AlignedBuffer(count: network.parameterCount)
  var generator = SeededGenerator(seed: 11)
  network.initialize(parameters, using: &generator)
  return RecurrentLanguageModel(symbols: symbols, network: network, parameters: parameters)
    .roundedToHalfPrecision()
}

/// The sum of ln p of the last `count` symbols of a text, with the network run over
/// the whole text.
private func whole(
  _ symbols: [SymbolTable.Symbol], last count: Int, _ model: RecurrentLanguageModel
) -> Float {
  let classes = model.symbols.count
  let workspace = model.network.makeWorkspace()
  workspace.sequences.set(lengths: [symbols.count])
  let input = workspace.input
  input.update(repeating: 0, count: symbols.count * classes)
  for (step, symbol) in symbols.enumerated() { input[step * classes + Int(symbol)] = 1 }
  let output = model.network.forward(
    workspace, context: LayerContext(parameters: model.parameters.pointer))
  return withExtendedLifetime(workspace) {
    (symbols.count - count..<symbols.count).reduce(0) { sum, step in
      sum + output[(step - 1) * classes + Int(symbols[step])]
    }
  }
}

@Suite("Recurrent language models")
struct RecurrentLanguageModelTests {
  @Test("Texts with common prefixes have the same scores as alone, after any context")
  func scores() throws {
    let model = try model()
    let scorer = try #require(RecurrentScorer(model, unit: nil))
    let texts = ["ab ab", "ab", "ab ac", "", "c", "ab ab", "ab ab c?"]
    for (context, isWhole, start) in [
      ("", true, SymbolTable.startOfLine), ("ca ", true, SymbolTable.startOfText),
      ("b  \n a", false, SymbolTable.startOfLine),
    ] {
      let scores = try scorer.logProbabilities(of: texts, after: context, isWhole: isWhole)
      let before =
        context.split { $0.isWhitespace }.joined(separator: " ")
        + (context.last == " " ? " " : "")
      for (text, score) in zip(texts, scores) {
        let symbols = [start] + (before + text).unicodeScalars.map(model.symbols.symbol(of:))
        let expected = whole(symbols, last: text.unicodeScalars.count, model)
        #expect(abs(score - expected) < 1e-4, "'\(text)' behind '\(context)'")
      }
    }
  }

  @Test("Scoring ends if the task is cancelled")
  func cancellation() async throws {
    let model = try model()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try RecurrentScorer(model)?.logProbabilities(of: ["ab"], after: "", isWhole: true)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("A written file is read unchanged")
  func file() throws {
    let model = try model([.lstm(hidden: 6), .lstm(hidden: 3)], characters: " aé本")
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("m.safetensors")
    try model.serialized().write(to: url)
    let read = try RecurrentLanguageModel(contentsOf: url)
    #expect(read.symbols == model.symbols)
    #expect(read.network.architecture == model.network.architecture)
    #expect(read.parameters.values == model.parameters.values)
  }

  @Test("Files that are not such a model are refused, each with its problem")
  func refusals() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("m.safetensors")
    let good = try SafeTensors(bytes: model().serialized())
    let text = try #require(good.metadata["ductus.language"])
    func expectRefusal(_ what: String, _ metadata: [String: String]) throws {
      try SafeTensors(tensors: good.tensors, metadata: metadata).serialized().write(to: url)
      let error = #expect(throws: ModelError.self) { try RecurrentLanguageModel(contentsOf: url) }
      #expect("\(String(describing: error))".contains(what), "\(String(describing: error))")
    }
    func changed(_ old: String, _ new: String) -> [String: String] {
      #expect(text.contains(old), "\(text)")
      return ["ductus.language": text.replacingOccurrences(of: old, with: new)]
    }
    try expectRefusal("metadata", [:])
    try expectRefusal("metadata", ["ductus.language": "{"])
    try expectRefusal("metadata", changed("\"version\":1", "\"version\":2"))
    try expectRefusal("characters", changed("\" abc\"", "\" cba\""))
    try expectRefusal("network", changed("\" abc\"", "\" abcd\""))
    try expectRefusal("layer 0", changed("\"hidden\":6", "\"hidden\":99999999"))
    try expectRefusal("layers.0", changed("\"hidden\":6", "\"hidden\":7"))
    try expectRefusal("unidirectional", changed("\"lstm\"", "\"bidirectionalLSTM\""))
    try Data("no model".utf8).write(to: url)
    #expect(throws: SafeTensorsError.self) { try RecurrentLanguageModel(contentsOf: url) }
  }
}

@Suite("The second pass over readings")
struct SecondPassTests {
  private static let labels = [" ", "a", "b", "c"]

  private static func lineModel() -> LineModel {
    let pipeline = LinePipeline(spacing: 0.1)
    let network = SequenceNetwork(
      unchecked:
        SequenceArchitecture(channels: pipeline.channels, layers: [.lstm(hidden: 4)], classes: 5))
    return LineModel(
      labels: labels, pipeline: pipeline, network: network,
      parameters: AlignedBuffer(count: network.parameterCount))
  }

  /// A model in which "a" and "c" are likelier than "b" at each step, after any text.
  private static func recurrent() throws -> RecurrentLanguageModel {
    let result = try model()
    result.parameters.clear()
    let bias = try #require(result.network.parameters.last)
    for letter in "ac".unicodeScalars {
      result.parameters.pointer[bias.offset + Int(result.symbols.symbol(of: letter))] = 5
    }
    return result
  }

  private static func language() throws -> LanguageModel {
    try TinyLine.languageModel(of: "ab ab\nab c ab", times: 40, order: 2)
  }

  /// "a", and then "b" or "c"; the ink prefers neither.
  private static let output: [Float] = [1, 3].flatMap { symbol -> [Float] in
    (0..<5).map { label in label == symbol || (symbol == 3 && label == 4) ? -0.5 : -9 }
  }.enumerated().map { $0.offset < 5 ? ($0.offset == 2 ? -0.1 : -9) : $0.element }

  private static func configuration(recurrentWeight: Float?) -> DecoderConfiguration {
    var result = DecoderConfiguration()
    result.rescoring = recurrentWeight.map {
      .init(
        recurrentWeight: $0, languageModelWeight: result.languageModelWeight,
        characterBonus: result.characterBonus, wordBonus: result.wordBonus)
    }
    return result
  }

  private static func read(weight: Float?) throws -> [(text: String, score: Float)] {
    try LineRecognizer(
      model: lineModel(), languageModel: language(), recurrentModel: recurrent(),
      configuration: configuration(recurrentWeight: weight)
    ).decode(output, count: 4)
  }

  @Test("It rescores readings if it was tuned, by its weight")
  func order() throws {
    #expect(try Self.read(weight: nil).first?.text == "ab")
    let without = try Self.read(weight: 0)
    #expect(without.first?.text == "ab")
    let with = try Self.read(weight: 2)
    #expect(with.first?.text == "ac")
    #expect(zip(with, with.dropFirst()).allSatisfy { $0.score >= $1.score })
    // The model alone predicts both letters of "ac", after any text.
    let scores = try #require(RecurrentScorer(Self.recurrent())).logProbabilities(
      of: ["ac"], after: "", isWhole: true)
    let before = try #require(without.first { $0.text == "ac" })
    #expect(abs(with[0].score - (before.score + 2 * scores[0])) < 1e-4)
  }

  @Test("It uses the last twenty characters of the text before the ink")
  func context() throws {
    let recurrent = try model()
    let scorer = try #require(RecurrentScorer(recurrent))
    func read(weight: Float, after context: String) throws -> [String: Float] {
      let readings = try LineRecognizer(
        model: Self.lineModel(), languageModel: Self.language(), recurrentModel: recurrent,
        configuration: Self.configuration(recurrentWeight: weight)
      ).decode(Self.output, preContext: context, count: 4)
      return Dictionary(uniqueKeysWithValues: readings.map { ($0.text, $0.score) })
    }
    let long = String(repeating: "ab ", count: 9)
    for (context, seen, isWhole) in [
      ("", "", true), ("cab ", "cab ", true), (long, String(long.suffix(20)), false),
    ] {
      let (without, with) = (
        try read(weight: 0, after: context), try read(weight: 3, after: context)
      )
      let texts = without.keys.filter { with[$0] != nil }
      #expect(!texts.isEmpty)
      let scores = try scorer.logProbabilities(of: texts, after: seen, isWhole: isWhole)
      for (text, score) in zip(texts, scores) {
        let added = (with[text] ?? 0) - (without[text] ?? 0)
        #expect(abs(added - 3 * score) < 1e-3, "'\(text)' behind '\(context)'")
      }
    }
  }

  @Test("Bonuses and the language model are weighted by the second pass")
  func numbers() {
    var configuration = DecoderConfiguration()
    (configuration.languageModelWeight, configuration.characterBonus) = (0.7, 1)
    configuration.wordBonus = -0.5
    let evidence = ReadingEvidence(
      labels: [], score: 10, languageModel: -20, recurrent: -15, characters: 8, spaces: 2)
    let rescoring = DecoderConfiguration.Rescoring(
      recurrentWeight: 0.4, languageModelWeight: 0.3, characterBonus: 2, wordBonus: 1)
    // 10 + 0.4 (-15) + (0.3 - 0.7) (-20) + (2 - 1) 8 + (1 + 0.5) 2
    #expect(abs(configuration.score(of: evidence, with: rescoring) - 23) < 1e-4)
  }

  @Test("NaN is a fault; a written configuration is read unchanged")
  func configurations() throws {
    var configuration = Self.configuration(recurrentWeight: 0.5)
    let data = try JSONEncoder().encode(configuration)
    #expect(try JSONDecoder().decode(DecoderConfiguration.self, from: data) == configuration)
    #expect(configuration.fault(classes: 5) == nil)
    configuration.rescoring?.recurrentWeight = .nan
    #expect(configuration.fault(classes: 5)?.what == "decoding rescoring recurrentWeight")
  }

  @Test("A bundle with both language models is read with them and the configuration for both")
  func bundle() throws {
    let folder = try TemporaryFolder()
    var options = LanguageModelTrainer.Options()
    (options.order, options.minimumCount) = (2, 1)
    var text = NormalizedText(linesAreTexts: true)
    text.append("ab ab\nab c ab")
    let ngrams = Data(try LanguageModelTrainer.train(text, options: options))
    let recurrent = try Self.recurrent().serialized()
    let (plain, both) = (DecoderConfiguration(), Self.configuration(recurrentWeight: 0.25))
    var line = Self.lineModel()
    let hashes = (ModelBundle.sha256(ngrams), ModelBundle.sha256(recurrent))
    line.decoding = [
      LineModel.decodingKey(languageModel: hashes.0): plain,
      LineModel.decodingKey(languageModel: hashes.0, recurrentModel: hashes.1): both,
    ]
    func write(recurrent data: Data?) throws -> LineRecognizer {
      var writer = try line.bundle(Samples.manifest(kind: .line))
      try writer.add(part: "language.ngram", role: ModelManifest.Part.languageRole, data: ngrams)
      if let data {
        try writer.add(
          part: "language.safetensors", role: ModelManifest.Part.recurrentRole, data: data)
      }
      try writer.write(to: folder.bundle)
      return try #require(try OpenModel.open(folder.bundle).recognizer() as? LineRecognizer)
    }
    let first = try write(recurrent: recurrent)
    #expect(first.recurrentModel != nil && first.configuration == both)
    // A model that it was not tuned for is not used.
    let other = try write(recurrent: model().serialized())
    #expect(other.recurrentModel != nil && other.configuration == plain)
    let none = try write(recurrent: nil)
    #expect(none.recurrentModel == nil && none.configuration == plain)
    #expect(throws: (any Error).self) { try write(recurrent: Data("none".utf8)) }
  }
}
