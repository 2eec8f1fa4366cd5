import Foundation

/// The accuracy with which a language model predicts a text.
///
/// Bits are sums of -log2 p over all characters of ``NormalizedText``, including spaces, each given
/// the previous characters of its text. A line break inside a text is a space and counts as one. A
/// character that the model does not know counts with the probability of ``SymbolTable/unknown``.
/// The end of a text is reported separately.
package struct LanguageModelEvaluation: Hashable, Sendable, Encodable {
  /// The number of texts: paragraphs or lines.
  package let texts: Int
  /// The number of characters, Unicode scalars after NFC.
  package let characters: Int
  /// The number of characters that the model does not know.
  package let unknownCharacters: Int
  /// Bits per character; 0 without characters.
  package let bitsPerCharacter: Double
  /// Two to the power of ``bitsPerCharacter``.
  package let perplexity: Double
  /// Bits for the end of a text, the mean over the texts.
  package let bitsPerEnd: Double

  /// Scores a text. O(characters).
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - text: The texts; each begins at the model's ``LanguageModel/start``.
  ///   - textsAreLines: If true, each begins at ``LanguageModel/startOfLine`` instead.
  package init(_ model: LanguageModel, on text: NormalizedText, textsAreLines: Bool = false) {
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

  /// Makes an evaluation from sums.
  ///
  /// - Parameters:
  ///   - characterLoss: The sum of -ln p over the characters.
  ///   - endLoss: The sum of -ln p over the ends of the texts.
  package init(
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
