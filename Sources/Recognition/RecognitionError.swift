/// Why a recogniser cannot be made as asked.
public enum RecognitionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The model can write none of the characters of the alphabet.
  case emptyAlphabet
  /// The model can write no word of the closed vocabulary with the characters of the alphabet.
  case unwritableVocabulary
  /// A number of a ``DecoderConfiguration`` or of a vocabulary is out of its range.
  case unusableConfiguration(member: String, expected: String, found: String)
  /// The model reads an ink as one of its labels: alphabets and vocabularies say nothing to it.
  case notOfLines(model: String)
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
    case .unusableConfiguration(let member, let expected, let found):
      "\(member): expected \(expected), found \(found)"
    case .notOfLines(let model):
      "model \(model.debugDescription): expected a model of lines, which alphabets and vocabularies "
        + "are for, found one of glyphs"
    case .modelNotDownloaded(let model):
      "model \(model.debugDescription): expected an installed model, found none; download it first"
    case .malformedLanguageTag(let text):
      "\(text.debugDescription): expected a language tag such as en-US or zh-Hant"
    }
  }
}
