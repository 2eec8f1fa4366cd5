import Foundation

/// Character and word error rates of recognised text.
///
/// Both are total edits / total reference units over all samples. Texts are put into NFC; case and
/// punctuation are kept; each run of white space counts as one space, at the ends, too. A
/// character is an extended grapheme cluster (Unicode Annex 29): what a reader calls one, whatever
/// its number of scalars. Words are what white space separates. What was refused counts as an
/// empty text. Accumulates counts: memory does not grow with the data.
public struct TextErrorRate: Hashable, Sendable {
  /// Samples added.
  public private(set) var count = 0
  /// Samples recognised without an edit of a character.
  public private(set) var exactCount = 0
  /// Edits of characters.
  public private(set) var characters = EditDistance()
  /// Edits of words.
  public private(set) var words = EditDistance()
  /// Edits of words where closing marks belong to the word before them in both texts, spaces
  /// between or not: `end .` is `end.`.
  public private(set) var joinedWords = EditDistance()

  /// Begins without samples.
  public init() {}

  /// Adds a sample; `hypothesis` is nil where the ink was refused. O(n m) in characters.
  public mutating func add(reference: String, hypothesis: String?) {
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

  /// Adds the samples of another count, as workers do.
  public mutating func merge(_ other: TextErrorRate) {
    count += other.count
    exactCount += other.exactCount
    characters += other.characters
    words += other.words
    joinedWords += other.joinedWords
  }

  /// The character error rate, at least 0, or nil where the references have no characters.
  public var characterErrorRate: Double? { characters.rate }

  /// The word error rate, at least 0, or nil where the references have no words.
  public var wordErrorRate: Double? { words.rate }

  /// The word error rate where closing marks belong to the word before them, or nil where the
  /// references have no words. Transcribers differ in such spaces, and no ink tells them.
  public var joinedWordErrorRate: Double? { joinedWords.rate }

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
  public static func normalized(_ text: String) -> String {
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
  public static let crossedOutMarks: Set<Character> = ["#", "%"]

  /// A transcription as the reference that recognised text is compared with.
  ///
  /// In NFC, without the marks, each run of white space as one space, none at the ends. Texts in
  /// which `#` and `%` are characters like others take no marks.
  ///
  /// - Complexity: O(characters).
  public static func reference(
    _ text: String, without marks: Set<Character> = crossedOutMarks
  ) -> String {
    let kept = normalized(text).filter { !marks.contains($0) }
    // A mark between two spaces leaves both.
    return kept.split(separator: " ").joined(separator: " ")
  }
}

/// Which elements of a hypothesis an alignment with the fewest edits keeps.
public enum WordAlignment {
  /// For each element of the hypothesis whether it stands unchanged in the reference, by
  /// ``EditAlignment/counterparts(of:in:)``. O(n m) time and memory.
  public static func kept(reference: [String], hypothesis: [String]) -> [Bool] {
    var kept = [Bool](repeating: false, count: hypothesis.count)
    for (word, place) in zip(
      reference, EditAlignment.counterparts(of: reference, in: hypothesis))
    {
      if let place { kept[place] = hypothesis[place] == word }
    }
    return kept
  }
}
