import Foundation
import LanguageModels

/// The sentences of a language, normalised by its rules and divided for training and measuring.
package struct LanguageText {
  /// The sentences for the language model and the word list.
  package private(set) var training: [String] = []
  /// The sentences for tuning.
  package private(set) var tuning: [String] = []
  /// The sentences for measuring.
  package private(set) var testing: [String] = []

  /// The share of sentences that are not trained on: every tenth, at most this number for tuning
  /// and for measuring each.
  private static let (heldOutOf, most) = (20, 2000)

  /// Reads sentences, one per line. Repeated sentences are used once. The division depends only on
  /// the order of the sentences.
  ///
  /// - Parameters:
  ///   - lines: The lines.
  ///   - rules: The rules of the language.
  ///   - labels: The labels of the network; some signs that it lacks are replaced by others.
  package init(_ lines: some Sequence<Substring>, rules: LanguageRules, labels: Set<String>) {
    let signs = Self.signs.filter { !labels.contains($0.key) }
    var seen: Set<String> = []
    var count = 0
    for line in lines {
      var text = rules.normalized(String(line))
      for (sign, other) in signs where text.contains(sign) {
        text = text.replacing(sign, with: other)
      }
      text = text.trimmingCharacters(in: .whitespaces)
      guard !text.isEmpty, seen.insert(text).inserted else { continue }
      count += 1
      switch count % Self.heldOutOf {
      case 0 where tuning.count < Self.most: tuning.append(text)
      case 10 where testing.count < Self.most: testing.append(text)
      default: training.append(text)
      }
    }
  }

  /// The signs that are replaced if the network does not have them.
  private static let signs = [
    "…": "...", "–": "-", "—": "-", "―": "-", "‑": "-", "‐": "-", "−": "-", "·": ".", "′": "'",
  ]

  /// Pieces of sentences for lines of ink: whole words, at most `length` characters.
  ///
  /// - Parameters:
  ///   - sentences: The sentences.
  ///   - length: The most characters of a piece.
  ///   - canWrite: Returns whether a character can be written in ink and read.
  package static func pieces(
    of sentences: [String], length: Int = 40, canWrite: (Character) -> Bool
  ) -> [String] {
    var pieces: [String] = []
    for sentence in sentences {
      var piece = ""
      for word in sentence.split(separator: " ") {
        guard word.allSatisfy(canWrite), word.count <= length else {
          if !piece.isEmpty { pieces.append(piece) }
          piece = ""
          continue
        }
        if !piece.isEmpty, piece.count + word.count >= length {
          pieces.append(piece)
          piece = ""
        }
        piece += piece.isEmpty ? String(word) : " " + word
      }
      if !piece.isEmpty { pieces.append(piece) }
    }
    return pieces
  }

  /// The words with their frequencies, the most frequent first. A word that also occurs in lower case
  /// counts as that. Words that occur once are left out.
  ///
  /// - Parameters:
  ///   - rules: The rules of the language.
  ///   - most: The most words.
  package func words(_ rules: LanguageRules, most: Int) -> [(word: String, count: Int)] {
    var counts: [String: Int] = [:]
    for sentence in training {
      let words = sentence.split { !$0.isLetter && $0 != "'" && $0 != "-" && $0 != "·" }
      for word in words {
        let text = word.trimmingCharacters(in: CharacterSet(charactersIn: "'-"))
        if text.contains(where: \.isLetter) { counts[text, default: 0] += 1 }
      }
    }
    for (word, count) in counts {
      let lower = rules.lowercased(word)
      if lower != word, counts[lower] != nil {
        counts[lower, default: 0] += count
        counts[word] = nil
      }
    }
    return counts.filter { $0.value > 1 }.map { ($0.key, $0.value) }
      .sorted { ($1.1, $0.0) < ($0.1, $1.0) }.prefix(most).map { (word: $0.0, count: $0.1) }
  }

  /// The letters of the text that occur at least `count` times, in lower case.
  func letters(_ rules: LanguageRules, atLeast count: Int) -> [String] {
    counts(rules).filter { $0.value >= count }.map(\.key).sorted()
  }

  /// How often each letter occurs in the training text, in lower case.
  func counts(_ rules: LanguageRules) -> [String: Int] {
    var counts: [String: Int] = [:]
    for character in training.joined() where character.isLetter {
      counts[rules.lowercased(String(character)), default: 0] += 1
    }
    return counts
  }
}
