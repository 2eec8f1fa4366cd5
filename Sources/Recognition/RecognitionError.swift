/// Why a recogniser cannot be made as asked.
public enum RecognitionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The model can write none of the characters of the alphabet.
  case emptyAlphabet
  /// The model can write no word of the closed vocabulary with the characters of the alphabet.
  case unwritableVocabulary
  /// No model that is there goes with this identifier or language.
  case modelNotDownloaded(String)
  /// The text is no language tag (BCP 47).
  case malformedLanguageTag(String)

  /// What happened, and what to do.
  public var description: String {
    switch self {
    case .emptyAlphabet:
      "alphabet: expected at least one character that the model can write, found none; widen the "
        + "alphabet or use a model that knows its characters"
    case .unwritableVocabulary:
      "vocabulary: expected at least one word that the model can write within the alphabet, found "
        + "none; use other words, a wider alphabet or a model that knows their characters"
    case .modelNotDownloaded(let model):
      "model \(model.debugDescription): expected an installed model, found none; download it first"
    case .malformedLanguageTag(let text):
      "\(text.debugDescription): expected a language tag such as en-US or zh-Hant"
    }
  }
}
