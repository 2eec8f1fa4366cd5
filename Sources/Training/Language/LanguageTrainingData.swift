import Foundation
import LanguageModels
import ModelFormat

/// What a recurrent language model learns from and is scored on, of one text.
public struct LanguageTrainingData: Sendable {
  /// All texts but those that are held out.
  public let training: LanguageTrainingSet
  /// The texts that are held out.
  public let validation: LanguageTrainingSet
  /// Which text this is.
  public let identity: DataIdentity

  /// Splits a text. Of every ``LanguageTrainingConfiguration/validationShare`` texts the middle one is held
  /// out, of fewer the one in their middle.
  ///
  /// - Throws: `LanguageModelTrainingError` where no character is frequent enough to learn,
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
  /// The SHA-256 of its passages.
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
