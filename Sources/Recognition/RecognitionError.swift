import Foundation

/// A reason why a recogniser cannot be made.
public enum RecognitionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The model can write none of the characters of the alphabet.
  case emptyAlphabet
  /// The model can write no word of the closed vocabulary with the characters of the alphabet.
  case unwritableVocabulary
  /// A value of a ``DecoderConfiguration`` or of a vocabulary is out of its range.
  case unusableConfiguration(member: String, expected: String, found: String)
  /// The model recognises an ink as one of its labels, so language models do not apply.
  case notOfLines(model: String)
  /// No available model matches this identifier or language; ``missingModelReason`` says why.
  case modelNotDownloaded(String)
  /// The model of this name is of another kind.
  case wrongKind(model: String, expected: String, found: String)
  /// The name is a path, and only models by name or language are opened here.
  case pathNotAllowed
  /// Two of the given bundles have the same identifier.
  case duplicateIdentifier(String)
  /// Two languages cannot be read in one line: their models do not share a network, or one of them
  /// has no language model.
  case unlikeLanguages(String, String)
  /// The ink has more strokes than a formula may have.
  case tooManyStrokes(found: Int, limit: Int)
  /// The text is not a language tag (BCP 47).
  case malformedLanguageTag(String)

  /// True if the name, and not the model, is wrong.
  var isOfName: Bool {
    switch self {
    case .modelNotDownloaded, .malformedLanguageTag, .pathNotAllowed, .duplicateIdentifier: true
    case .emptyAlphabet, .unwritableVocabulary, .unusableConfiguration, .notOfLines, .wrongKind,
      .unlikeLanguages, .tooManyStrokes:
      false
    }
  }

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
      "model \(model.debugDescription): language models need a line model, but this is "
        + "another kind; name a line model, or leave them out"
    case .modelNotDownloaded(let model):
      "model \(model.debugDescription): \(MissingModelReason(of: model).message(for: model))"
    case .wrongKind(let model, let expected, let found):
      "model \(model.debugDescription): expected a model of kind \(expected), found \(found); name "
        + "another model"
    case .pathNotAllowed:
      "expected the name of a model or a language, found a path; install the model and use its name"
    case .duplicateIdentifier(let identifier):
      "expected models with different identifiers, found \(identifier.debugDescription) twice"
    case .unlikeLanguages(let one, let other):
      "languages \(one) and \(other): expected two packs with language models that share a network, "
        + "found others; install packs of one script that were made from text"
    case .tooManyStrokes(let found, let limit):
      "expected a formula of at most \(limit) strokes, found \(found); read it in parts"
    case .malformedLanguageTag(let text):
      "\(text.debugDescription): expected a language tag such as en-US or zh-Hant"
    }
  }
}

extension RecognitionError: LocalizedError {
  /// The text of `localizedDescription`: ``description``.
  public var errorDescription: String? { description }
}
