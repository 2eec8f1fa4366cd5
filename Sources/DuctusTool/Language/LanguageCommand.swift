import ArgumentParser
import LanguageModels

/// `ductus language`: character n-gram models.
package struct LanguageCommand: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "language",
    abstract: "Make language packs; evaluate and query character language models.",
    discussion: """
      'ductus train language' trains a language model alone.

      Example:
        ductus language complete --language-model english.ngram --context 'It is ' \\
          prob
      """,
    subcommands: [
      LanguageNewCommand.self, LanguageEvaluateCommand.self, LanguageCompleteCommand.self,
    ])
}

extension TextConstraintError: BadInputError {}
extension LanguageModelTrainingError: BadInputError {}

extension LanguageModelError: BadInputError {
  /// True, except for errors of the operating system while a file is written.
  package var isBadInput: Bool {
    if case .system(let operation, _) = reason { return operation == "opening" }
    return true
  }
}
