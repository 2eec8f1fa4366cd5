import Foundation
import LanguageModels
import ModelFormat

/// The passages of one text that a recurrent language model is trained and scored on.
public struct LanguageTrainingData: Sendable {
  /// All texts that are not held out.
  public let training: LanguageTrainingSet
  /// The held-out texts.
  public let validation: LanguageTrainingSet
  /// The identity of the text.
  public let identity: DataIdentity

  /// Splits a text. Holds out the middle text of every
  /// ``LanguageTrainingConfiguration/validationShare`` texts; of fewer texts, the middle one.
  ///
  /// - Throws: `LanguageModelTrainingError` if no character is frequent enough to train on,
  ///   ``TrainingError/tooFewTexts(found:)``.
  public init(_ text: NormalizedText, _ configuration: LanguageTrainingConfiguration) throws {
    let table = try SymbolTable(of: text, minimumCount: configuration.minimumCount)
    guard text.ends.count > 1 else { throw TrainingError.tooFewTexts(found: text.ends.count) }
    let share = min(configuration.validationShare, text.ends.count)
    training = LanguageTrainingSet(text, table: table, longest: configuration.passageLength) {
      $0 % share != share / 2
    }
    validation = LanguageTrainingSet(text, table: table, longest: configuration.passageLength) {
      $0 % share == share / 2
    }
    identity = DataIdentity(training: training.hash, validation: validation.hash)
  }
}

extension LanguageTrainingSet {
  /// The SHA-256 of the passages.
  fileprivate var hash: String {
    var bytes = Data()
    for passage in passages {
      for step in 0..<passage.steps {
        bytes.append(input(passage, step: step))
      }
      bytes.append(SymbolTable.endOfText)
    }
    return ModelBundle.sha256(bytes)
  }
}
