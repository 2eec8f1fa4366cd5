import LanguageModels
import Recognition

extension LanguageModelEvaluation {
  /// A text of more characters is scored in parts, each as one of which nothing before is known: the
  /// memory of the network's activations is bounded.
  public static let longestText = 2000

  /// Scores a text by a recurrent model. O(characters x weights).
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - text: The texts; each begins at `SymbolTable.startOfText`.
  ///   - textsAreLines: Whether each begins at `SymbolTable.startOfLine` instead.
  ///   - workers: Threads; the result does not depend on it.
  public init(
    _ model: RecurrentLanguageModel, on text: NormalizedText, textsAreLines: Bool = false,
    workers: Int
  ) {
    let set = LanguageTrainingSet(
      text, table: model.symbols, longest: Self.longestText, textsAreLines: textsAreLines)
    let sums = LanguageValidator(model.network, on: set, workers: workers).sums(model.parameters)
    self.init(
      texts: text.ends.count, characters: text.scalars.count,
      unknownCharacters: text.scalars.count {
        model.symbols.symbol(of: $0) == SymbolTable.unknown
      }, characterLoss: sums.characterLoss, endLoss: sums.endLoss)
  }
}
