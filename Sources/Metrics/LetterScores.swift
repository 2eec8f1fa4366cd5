import Foundation

/// Scores of the letters beyond a to z, apart from all other characters.
///
/// An error rate over all characters hides them, because they are few. Label and reading are
/// compared in NFC and aligned by their edit distance, so each letter of a label has one character
/// of the reading, or none. A mark is a combining character of the letter's canonical
/// decomposition: `ế` has a circumflex and an acute, `ß` has none.
///
///     var scores = LetterScores()
///     scores.add(reference: "žluť", hypothesis: "zluť")
///     print(scores.beyondASCII.rate ?? 1)  // 0.5
///
/// Memory grows with the distinct pairs of letters, not with the texts.
public struct LetterScores: Hashable, Sendable {
  /// Each letter beyond a to z of the labels, and the character that was read for it; no prediction
  /// if the letter was left out.
  package private(set) var letters = ConfusionMatrix()
  /// The marks of the labels by name, and the marks that were read for them; see
  /// ``marks(of:)`` and ``unmarked``. A mark that was read on another base letter counts as read.
  package private(set) var marks = ConfusionMatrix()
  /// Letters of the labels with each mark, and those whose reading has the mark too.
  package private(set) var markCounts: [String: Count] = [:]

  /// Letters of labels, and how many of them were read correctly.
  @usableFromInline package struct Count: Hashable, Sendable, Codable {
    /// The letters of the labels.
    package var total = 0
    /// Those that were read correctly.
    package var right = 0

    /// The share that was read correctly, 0 … 1; nil without any.
    @usableFromInline package var rate: Double? { total > 0 ? Double(right) / Double(total) : nil }

    /// Makes a count of some letters.
    package init(total: Int = 0, right: Int = 0) {
      self.total = total
      self.right = right
    }
  }

  /// The name of a letter without marks.
  package static let unmarked = "no mark"

  /// Makes scores of no text.
  package init() {}

  /// The letters beyond a to z of the labels.
  package var beyondASCII: Count {
    letters.labelStatistics().reduce(into: Count()) { sum, letter in
      sum.total += letter.count
      sum.right += letter.correctCount
    }
  }

  /// The letters that were read worst, with their counts.
  ///
  /// - Parameters:
  ///   - limit: The largest number of letters.
  ///   - total: How often the labels must have a letter.
  package func worstLetters(_ limit: Int, total: Int) -> [String: Count] {
    let known = letters.labelStatistics().filter { $0.count >= max(1, total) }
    let worst = known.sorted { ($0.recall ?? 0, $0.label) < ($1.recall ?? 0, $1.label) }
    return Dictionary(
      uniqueKeysWithValues: worst.prefix(limit).map {
        ($0.label, Count(total: $0.count, right: $0.correctCount))
      })
  }

  /// Adds a label and its reading.
  ///
  /// - Parameters:
  ///   - reference: The label.
  ///   - hypothesis: The text that was read; nil if there was no answer.
  /// - Complexity: O(characters of one x characters of the other), and O(characters) for texts
  ///   without letters beyond a to z.
  package mutating func add(reference: String, hypothesis: String?) {
    guard Self.mayHaveLetters(reference) || hypothesis.map(Self.mayHaveLetters) == true else {
      return
    }
    let written = Array(TextErrorRate.normalized(reference))
    let read = Array(TextErrorRate.normalized(hypothesis ?? ""))
    let counterparts = EditAlignment.counterparts(of: written, in: read)
    for (character, place) in zip(written, counterparts) where character.isLetter {
      add(character, read: place.map { read[$0] })
    }
  }

  /// Adds one letter of a label and the character that was read for it, or nil.
  private mutating func add(_ letter: Character, read: Character?) {
    let (base, marks) = Self.parts(of: letter)
    if Self.isBeyondASCII(letter) {
      letters.add(label: String(letter), predicted: read.map(String.init))
    }
    let readParts = read.map(Self.parts)
    for mark in marks {
      markCounts[mark, default: Count()].total += 1
      if readParts?.marks.contains(mark) == true { markCounts[mark]?.right += 1 }
    }
    guard let readParts else {
      if !marks.isEmpty { self.marks.add(label: Self.name(of: marks), predicted: nil) }
      return
    }
    // Marks of a letter that was taken for quite another one say nothing about the marks.
    let isSameBase = base == readParts.base
    guard !marks.isEmpty || (!readParts.marks.isEmpty && isSameBase) else { return }
    self.marks.add(label: Self.name(of: marks), predicted: Self.name(of: readParts.marks))
  }

  /// The names of the marks of a letter in the order of its decomposition, such as `caron`; empty
  /// for a letter without marks.
  package static func marks(of letter: Character) -> [String] { parts(of: letter).marks }

  /// The base letter and the names of its marks.
  private static func parts(of letter: Character) -> (base: String, marks: [String]) {
    var base = ""
    var marks: [String] = []
    for scalar in String(letter).decomposedStringWithCanonicalMapping.unicodeScalars {
      guard scalar.properties.generalCategory == .nonspacingMark else {
        base.unicodeScalars.append(scalar)
        continue
      }
      let name = scalar.properties.name?.lowercased() ?? "u+" + String(scalar.value, radix: 16)
      marks.append(
        name.hasPrefix("combining ") ? String(name.dropFirst("combining ".count)) : name)
    }
    return (base, marks)
  }

  private static func name(of marks: [String]) -> String {
    marks.isEmpty ? unmarked : marks.joined(separator: " + ")
  }

  private static func isBeyondASCII(_ letter: Character) -> Bool {
    letter.isLetter && !letter.isASCII
  }

  /// A quick test: false only if no letter beyond a to z is in the text.
  private static func mayHaveLetters(_ text: String) -> Bool {
    text.utf8.contains { $0 >= 0x80 } && text.contains(where: isBeyondASCII)
  }
}
