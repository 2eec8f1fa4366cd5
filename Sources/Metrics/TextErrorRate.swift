import Foundation

/// Character and word error rates of recognised text.
///
/// Both are total edits / total reference units over all samples. Texts are converted to NFC; case
/// and punctuation are kept; each run of white space counts as one space, also at the ends. A
/// character is an extended grapheme cluster (Unicode Annex 29). Words are separated by white
/// space. A refused ink counts as an empty text. Only counts are kept: memory does not grow with
/// the data.
public struct TextErrorRate: Hashable, Sendable {
  /// The number of samples.
  package private(set) var count = 0
  /// The number of samples recognised without a character edit.
  package private(set) var exactCount = 0
  /// Edits of characters.
  package private(set) var characters = EditDistance()
  /// Edits of words.
  package private(set) var words = EditDistance()
  /// Edits of words if closing marks belong to the previous word in both texts, with or without
  /// spaces between them: `end .` is `end.`.
  package private(set) var joinedWords = EditDistance()

  /// Makes a rate without samples.
  @usableFromInline package init() {}

  /// Adds a sample; `hypothesis` is nil if the ink was refused. O(n m) in characters.
  package mutating func add(reference: String, hypothesis: String?) {
    let reference = Self.normalized(reference)
    let hypothesis = Self.normalized(hypothesis ?? "")
    let edits = EditDistance(reference: reference, hypothesis: hypothesis)
    count += 1
    exactCount += edits.total == 0 ? 1 : 0
    characters += edits
    let (expected, found) = (reference.split(separator: " "), hypothesis.split(separator: " "))
    words += EditDistance(reference: expected, hypothesis: found)
    joinedWords += EditDistance(
      reference: Self.joiningMarks(expected), hypothesis: Self.joiningMarks(found))
  }

  /// Adds the samples of another count, for example of another worker.
  package mutating func merge(_ other: TextErrorRate) {
    count += other.count
    exactCount += other.exactCount
    characters += other.characters
    words += other.words
    joinedWords += other.joinedWords
  }

  /// The character error rate, at least 0, or nil if the references have no characters.
  @usableFromInline package var characterErrorRate: Double? { characters.rate }

  /// The word error rate, at least 0, or nil if the references have no words.
  @usableFromInline package var wordErrorRate: Double? { words.rate }

  /// The word error rate if closing marks belong to the previous word, or nil if the references
  /// have no words. Transcribers differ in such spaces, and the ink does not show them.
  @usableFromInline package var joinedWordErrorRate: Double? { joinedWords.rate }

  private static let closingMarks: Set<Character> = [".", ",", ";", ":", "!", "?", "'", "\"", ")"]

  private static func joiningMarks(_ words: [Substring]) -> [String] {
    words.reduce(into: []) { result, word in
      if !result.isEmpty, word.allSatisfy(closingMarks.contains) {
        result[result.count - 1] += word
      } else {
        result.append(String(word))
      }
    }
  }

  /// The text in NFC with each run of white space as one space. O(characters).
  package static func normalized(_ text: String) -> String {
    var result = ""
    var afterSpace = false
    for character in text.precomposedStringWithCanonicalMapping {
      if character.isWhitespace {
        if !afterSpace { result.append(" ") }
        afterSpace = true
      } else {
        result.append(character)
        afterSpace = false
      }
    }
    return result
  }
}

extension TextErrorRate {
  /// The marks of crossed-out ink in the texts of IAM-OnDB.
  package static let crossedOutMarks: Set<Character> = ["#", "%"]

  /// Converts a transcription to the reference that recognised text is compared with.
  ///
  /// The result is in NFC, without the marks, with each run of white space as one space, and
  /// without spaces at the ends. Pass no marks for texts in which `#` and `%` are ordinary
  /// characters.
  ///
  /// - Complexity: O(characters).
  package static func reference(
    _ text: String, without marks: Set<Character> = crossedOutMarks
  ) -> String {
    let kept = normalized(text).filter { !marks.contains($0) }
    // A mark between two spaces leaves both spaces.
    return kept.split(separator: " ").joined(separator: " ")
  }
}

/// The elements of a hypothesis that an alignment with the fewest edits keeps.
package enum WordAlignment {
  /// For each element of the hypothesis, true if it is unchanged in the reference, by
  /// ``EditAlignment/counterparts(of:in:)``. O(n m) time and memory.
  package static func kept(reference: [String], hypothesis: [String]) -> [Bool] {
    var kept = [Bool](repeating: false, count: hypothesis.count)
    for (word, place) in zip(
      reference, EditAlignment.counterparts(of: reference, in: hypothesis))
    {
      if let place { kept[place] = hypothesis[place] == word }
    }
    return kept
  }
}
