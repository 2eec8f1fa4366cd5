import Foundation

/// How well a language model foretells a text.
///
/// Bits are sums of -log2 p over all characters of ``NormalizedText``, spaces included, each given
/// the characters of its text before it. A line break inside a text is a space and counts as one.
/// A character that the model does not know counts with the probability of
/// ``SymbolTable/unknown``. That a text ends is not counted, but told by itself.
public struct LanguageModelEvaluation: Hashable, Sendable, Encodable {
  /// The number of texts: paragraphs or lines.
  public let texts: Int
  /// The number of characters, Unicode scalars after NFC.
  public let characters: Int
  /// How many of them the model does not know.
  public let unknownCharacters: Int
  /// Bits per character; 0 without characters.
  public let bitsPerCharacter: Double
  /// Two to the power of ``bitsPerCharacter``.
  public let perplexity: Double
  /// Bits for the end of a text, the mean over the texts.
  public let bitsPerEnd: Double

  /// Scores a text. O(characters).
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - text: The texts; each begins at the model's ``LanguageModel/start``.
  ///   - textsAreLines: Whether each begins at ``LanguageModel/startOfLine`` instead.
  public init(_ model: LanguageModel, on text: NormalizedText, textsAreLines: Bool = false) {
    var unknown = 0
    var score = 0.0
    var endScore = 0.0
    for scalars in text.texts {
      var state = textsAreLines ? model.startOfLine : model.start
      for scalar in scalars {
        let symbol = model.symbols.symbol(of: scalar)
        if symbol == SymbolTable.unknown { unknown += 1 }
        let step = model.advance(state, symbol)
        score += Double(step.logProbability)
        state = step.state
      }
      endScore += Double(model.endOfText(state))
    }
    self.init(
      texts: text.ends.count, characters: text.scalars.count, unknownCharacters: unknown,
      characterLoss: -score, endLoss: -endScore)
  }

  /// Makes an evaluation of sums.
  ///
  /// - Parameters:
  ///   - characterLoss: Minus the natural logarithms of the characters' probabilities.
  ///   - endLoss: The same of the ends of the texts.
  public init(
    texts: Int, characters: Int, unknownCharacters: Int, characterLoss: Double, endLoss: Double
  ) {
    self.texts = texts
    self.characters = characters
    self.unknownCharacters = unknownCharacters
    bitsPerCharacter = characters == 0 ? 0 : characterLoss / log(2) / Double(characters)
    perplexity = exp2(bitsPerCharacter)
    bitsPerEnd = texts == 0 ? 0 : endLoss / log(2) / Double(texts)
  }
}
