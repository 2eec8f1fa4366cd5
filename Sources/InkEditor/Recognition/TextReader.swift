import Foundation
import InkCore
import LanguageModels
import Recognition

/// The settings for reading text: the model's configuration and the editor's restrictions.
struct TextReaderKey: Hashable, Sendable {
  var bundle: String
  var name: String
  /// The allowed characters, or empty for all.
  var alphabet: String
  /// The allowed words, or empty for all.
  var lexicon: [String]
  /// The words of the user, which are preferred.
  var userWords: [String] = []
}

/// A cache of recognisers, valid until the models change. Thread-safe; models are opened outside of
/// the lock.
class RecognizerCache<Key: Hashable & Sendable>: @unchecked Sendable {
  // Unchecked because the lock guards the tables.
  private let lock = NSLock()
  private var opened: [Key: any Recognizer] = [:]
  /// The number of changes of models. A recogniser that was opened before the last one is not kept.
  private var generation = 0
  private let most: Int

  /// - Parameter most: The largest number of recognisers that are kept.
  init(most: Int) { self.most = most }

  /// Removes all recognisers.
  func removeAll() {
    lock.withLock {
      opened.removeAll()
      generation += 1
    }
  }

  /// Returns the recogniser of a key, and opens it if it is not in the cache.
  func recognizer(_ key: Key, open: (Key) throws -> any Recognizer) throws -> any Recognizer {
    let (known, generation) = lock.withLock { (opened[key], self.generation) }
    if let known { return known }
    let recognizer = try open(key)
    lock.withLock {
      guard generation == self.generation else { return }
      if opened.count >= most { opened.removeAll() }
      opened[key] = recognizer
    }
    return recognizer
  }
}

/// Recognisers of shapes, by the name of the model.
final class ShapeReaders: RecognizerCache<String>, @unchecked Sendable {
  // Unchecked because the superclass is.
  init() { super.init(most: 16) }

  /// Returns the recogniser with a name.
  func recognizer(_ name: String, models: any EditorModels) throws -> any Recognizer {
    try recognizer(name) { try models.shapeRecognizer(name: $0) }
  }
}

/// Recognisers of text, by their settings.
final class TextReaders: RecognizerCache<TextReaderKey>, @unchecked Sendable {
  // Unchecked because the superclass is.
  init() { super.init(most: 64) }

  /// Returns the recogniser of a key.
  func recognizer(_ key: TextReaderKey, models: any EditorModels) throws -> any Recognizer {
    try recognizer(key) { key in
      let base = try models.textRecognizer(bundle: key.bundle, name: key.name)
      let alphabet = key.alphabet.isEmpty ? nil : try Alphabet(key.alphabet)
      return try UserWords.preferring(
        key.userWords, Self.constrained(base, key), alphabet: alphabet, closed: key.lexicon)
    }
  }

  private static func constrained(
    _ recognizer: any Recognizer, _ key: TextReaderKey
  ) throws -> any Recognizer {
    guard !key.alphabet.isEmpty || !key.lexicon.isEmpty else { return recognizer }
    let alphabet = key.alphabet.isEmpty ? nil : try Alphabet(key.alphabet)
    let lexicon = key.lexicon.isEmpty ? nil : try Lexicon(words: key.lexicon)
    guard let lines = recognizer as? LineRecognizer else {
      return ConstrainedRecognizer(recognizer, alphabet: alphabet, lexicon: lexicon)
    }
    return try lines.confined(to: alphabet, vocabulary: lexicon.map { .closed($0) })
  }
}

/// A recogniser of single labels that only outputs those within an alphabet and a lexicon. Their
/// probabilities are scaled to the sum over all labels.
struct ConstrainedRecognizer: Recognizer {
  private let base: any Recognizer
  private let alphabet: Alphabet?
  private let lexicon: Lexicon?

  init(_ base: any Recognizer, alphabet: Alphabet?, lexicon: Lexicon?) {
    self.base = base
    self.alphabet = alphabet
    self.lexicon = lexicon
  }

  var labels: [String]? { base.labels?.filter(allows) }

  func recognize(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
  ) throws -> RecognitionResult {
    let all = base.labels?.count ?? maximumCandidates
    let result = try base.recognize(
      ink, context: context, maximumCandidates: max(all, maximumCandidates))
    let kept = result.candidates.filter { allows($0.text) }
    let sum = kept.reduce(0) { $0 + exp($1.score) }
    return RecognitionResult(
      candidates: kept.prefix(maximumCandidates).map { candidate in
        var candidate = candidate
        if sum > 0 { candidate.score = min(0, candidate.score - log(sum)) }
        return candidate
      })
  }

  private func allows(_ text: String) -> Bool {
    (alphabet?.allows(text) ?? true) && (lexicon?.contains(text) ?? true)
  }
}
