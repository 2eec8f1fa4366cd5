import Foundation
import InkCore
import LanguageModels
import Recognition

extension Engine {
  /// The words of the user, such as names: readings with them are preferred. All editors use them,
  /// unless they set the key `recognition.user-words` themselves.
  public var userWords: [String] {
    (try? configuration.strings(UserWords.key)) ?? []
  }

  /// Adds a word to the user's words. Later readings know it; ``Editor/recognize(again:)`` applies
  /// it to ink that was read before. The words are saved with the configuration.
  ///
  /// - Throws: An invalid argument if the word is empty, longer than 64 characters, or has white
  ///   space; ``EditorError/configuration(_:)``.
  public func addUserWord(_ word: String) throws(EditorError) {
    guard 1...UserWords.longest ~= word.count, !word.contains(where: \.isWhitespace) else {
      throw .invalidArgument(
        "word", expected: "1 to \(UserWords.longest) characters without white space",
        found: "\(word.count) characters")
    }
    try changeUserWords { if !$0.contains(word) { $0.append(word) } }
  }

  /// Removes a word from the user's words; a word that is not there is ignored.
  ///
  /// - Throws: ``EditorError/configuration(_:)``.
  public func removeUserWord(_ word: String) throws(EditorError) {
    try changeUserWords { $0.removeAll { $0 == word } }
  }

  private func changeUserWords(_ body: (inout [String]) -> Void) throws(EditorError) {
    // Of two words that are added at the same time, none is lost.
    try userWordChange.withLock { _ throws(EditorError) in
      var words = userWords
      body(&words)
      do throws(ConfigurationError) {
        try configuration.set(UserWords.key, to: words)
      } catch {
        throw .configuration(error)
      }
    }
  }
}

/// The words of the user in reading.
enum UserWords {
  /// The key of the configuration.
  static let key = "recognition.user-words"
  // The numbers below were chosen by hand.
  /// The most characters of a word.
  static let longest = 64
  /// The bonus of a reading for each of the words, in natural logarithms.
  static let bonus = 3.0

  /// Returns a recogniser that prefers the words.
  static func preferring(
    _ words: [String], _ base: any Recognizer, alphabet: Alphabet?, closed lexicon: [String]
  ) throws -> any Recognizer {
    guard !words.isEmpty else { return base }
    guard base is LineRecognizer || base is CharacterLineRecognizer else {
      return PreferringRecognizer(base: base, words: Set(words))
    }
    // A closed vocabulary has the words as well.
    let vocabulary: Vocabulary =
      lexicon.isEmpty
      ? .boosted(try Lexicon(words: words), bonus: Float(bonus))
      : .closed(try Lexicon(words: lexicon + words))
    return try base.confined(to: alphabet, vocabulary: vocabulary)
  }
}

/// A recogniser of the host that ranks candidates with words of the user higher. It has no search
/// of its own, so it cannot find a word that is not among the candidates.
struct PreferringRecognizer: Recognizer, WordCompleting {
  let base: any Recognizer
  let words: Set<String>

  var labels: [String]? { base.labels }

  var direction: WritingDirection { base.direction }

  func completions(of prefix: String, after context: String, limit: Int) -> [String] {
    (base as? any WordCompleting)?.completions(of: prefix, after: context, limit: limit) ?? []
  }

  func recognize(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
  ) throws -> RecognitionResult {
    var result = try base.recognize(
      ink, context: context, maximumCandidates: max(maximumCandidates, Chosen.reranked))
    let scores = result.candidates.map { candidate in
      candidate.score + UserWords.bonus * Double(count(in: candidate.text))
    }
    // The probabilities of all candidates keep their sum.
    func logSum(_ values: [Double]) -> Double {
      guard let highest = values.max(), highest.isFinite else { return 0 }
      return highest + log(values.reduce(0) { $0 + exp($1 - highest) })
    }
    let shift = logSum(result.candidates.map(\.score)) - logSum(scores)
    let order = scores.indices.sorted {
      scores[$0] != scores[$1] ? scores[$0] > scores[$1] : $0 < $1
    }
    result.candidates = order.prefix(maximumCandidates).map { index in
      var candidate = result.candidates[index]
      candidate.score = scores[index] + shift
      return candidate
    }
    return result
  }

  private func count(in text: String) -> Int {
    text.split { !($0.isLetter || $0.isNumber || "'’-".contains($0)) }
      .count { words.contains(String($0)) }
  }
}

/// Numbers that were chosen and not derived.
private enum Chosen {
  /// Candidates.
  static let reranked = 10
}
