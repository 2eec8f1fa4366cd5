import Foundation

/// A reason why a recogniser cannot be made.
public enum RecognitionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The model can write none of the characters of the alphabet.
  case emptyAlphabet
  /// The model can write no word of the closed vocabulary with the characters of the alphabet.
  case unwritableVocabulary
  /// A value of a ``DecoderConfiguration`` or of a vocabulary is out of its range.
  case unusableConfiguration(member: String, expected: String, found: String)
  /// The model recognises an ink as one of its labels, so alphabets and vocabularies do not apply.
  case notOfLines(model: String)
  /// No available model matches this identifier or language.
  case modelNotDownloaded(String)
  /// Two languages cannot be read in one line: their models do not share a network, or one of them
  /// has no language model.
  case unlikeLanguages(String, String)
  /// The text is not a language tag (BCP 47).
  case malformedLanguageTag(String)

  /// The message: what happened, and what to do.
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
      "model \(model.debugDescription): alphabets and vocabularies need a line model, "
        + "but this is a glyph model"
    case .modelNotDownloaded(let model):
      "model \(model.debugDescription): expected an installed model, found none; download it first"
    case .unlikeLanguages(let one, let other):
      "languages \(one) and \(other): expected two packs with language models that share a network, "
        + "found others; install packs of one script that were made from text"
    case .malformedLanguageTag(let text):
      "\(text.debugDescription): expected a language tag such as en-US or zh-Hant"
    }
  }
}

extension RecognitionError: LocalizedError {
  /// The text of `localizedDescription`: ``description``.
  public var errorDescription: String? { description }
}
