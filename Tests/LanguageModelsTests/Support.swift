import Foundation
import LanguageModels

/// Texts and models that the tests share.
enum Samples {
  /// Some 4,000 characters with paragraphs: words drawn by a fixed generator.
  static let text: String = {
    let words = [
      "the", "cat", "sat", "on", "a", "mat", "and", "then", "that", "hat", "can't", "see", "The",
      "A", "tea", "ten", "café", "so.", "it,",
    ]
    var state: UInt64 = 42
    var text = ""
    for index in 1...900 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      // The smaller of two draws: some words are more frequent than others.
      let (one, other) = (Int(state >> 33) % words.count, Int(state >> 45) % words.count)
      text += words[min(one, other)]
      text += index.isMultiple(of: 61) ? "\n\n" : index.isMultiple(of: 9) ? "\n" : " "
    }
    return text
  }()

  static func normalized(_ text: String = text) -> NormalizedText {
    var normalized = NormalizedText()
    normalized.append(text)
    return normalized
  }

  static func options(
    order: Int = 4, maximumBytes: Int? = nil
  ) -> LanguageModelTrainer.Options {
    var options = LanguageModelTrainer.Options()
    options.order = order
    options.minimumCount = 2
    options.maximumBytes = maximumBytes
    return options
  }

  static func bytes(
    order: Int = 4, maximumBytes: Int? = nil, words: [String]? = nil
  ) throws -> [UInt8] {
    try LanguageModelTrainer.train(
      normalized(), options: options(order: order, maximumBytes: maximumBytes), words: words)
  }

  static func model(order: Int = 4, maximumBytes: Int? = nil) throws -> LanguageModel {
    try LanguageModel(bytes: bytes(order: order, maximumBytes: maximumBytes))
  }

  /// Every state that the sample text passes through, and the two it may begin in.
  static func states(of model: LanguageModel) -> Set<LanguageModel.State> {
    var states: Set = [model.start, model.startOfLine]
    for text in normalized().texts {
      var state = model.start
      for scalar in text {
        state = model.advance(state, model.symbols.symbol(of: scalar)).state
        states.insert(state)
      }
    }
    return states
  }

  /// The logarithms of all symbols' probabilities in a state.
  static func values(_ model: LanguageModel, _ state: LanguageModel.State) -> [Float] {
    var values = [Float](repeating: .nan, count: model.symbols.count)
    values.withUnsafeMutableBufferPointer { model.logProbabilities(state, into: $0) }
    return values
  }
}

/// A folder that goes with the test.
final class TemporaryFolder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "language-models-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { path + "/" + name }
}
