import Foundation
import InkCore
import LanguageModels
import Recognition

/// The settings for reading text: the model's configuration and the editor's restrictions.
package struct TextReaderKey: Hashable, Sendable {
  var bundle: String
  var name: String
  /// The allowed characters, or empty for all.
  var alphabet: String
  /// The allowed words, or empty for all.
  var lexicon: [String]
  /// The words of the user, which are preferred.
  var userWords: [String] = []

  package init(
    bundle: String, name: String, alphabet: String, lexicon: [String], userWords: [String] = []
  ) {
    self.bundle = bundle
    self.name = name
    self.alphabet = alphabet
    self.lexicon = lexicon
    self.userWords = userWords
  }
}

/// Recognisers of text, by their settings.
extension ReaderCache where Key == TextReaderKey, Reader == any Recognizer {
  /// Returns the recogniser of a key, and opens it if it is not in the cache.
  package func recognizer(_ key: TextReaderKey, models: any EditorModels) throws -> any Recognizer {
    try reader(key) { () throws(any Error) in
      let base = try models.textRecognizer(bundle: key.bundle, name: key.name)
      let alphabet = key.alphabet.isEmpty ? nil : try Alphabet(key.alphabet)
      let lexicon = key.lexicon.isEmpty ? nil : try Lexicon(words: key.lexicon)
      return try UserWords.preferring(
        key.userWords,
        base.confined(to: alphabet, vocabulary: lexicon.map { .closed($0) }),
        alphabet: alphabet, closed: key.lexicon)
    }
  }
}

/// Recognisers of shapes, by the name of the model.
extension ReaderCache where Key == String, Reader == any Recognizer {
  /// Returns the recogniser with a name, and opens it if it is not in the cache.
  func recognizer(_ name: String, models: any EditorModels) throws -> any Recognizer {
    try reader(name) { () throws(any Error) in try models.shapeRecognizer(name: name) }
  }
}
