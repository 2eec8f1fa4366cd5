import InkCore

/// A word of a typed text: its place in the text, its ink, and the readings to choose from.
///
/// The word keeps its ``id`` when the same ink is read again. A choice names the word as it was
/// shown: if the word was read otherwise since, or is gone, the choice is refused.
public struct TypedWord: Hashable, Sendable, Identifiable {
  /// The id of the word in its part; below 0 for ink that is not read.
  public let id: Int
  /// The label: the reading, the chosen label, or ``TypedText/unreadLabel``.
  public let label: String
  /// The place of the label in the text.
  public let range: Range<String.Index>
  /// The same place in UTF-16 code units.
  public let utf16Range: Range<Int>
  /// The index of the line, from 0.
  public let line: Int
  /// The readings to show: the label first, each text once; empty for unread ink.
  public let candidates: [TextCandidate]
  /// The characters of the label with their ink and candidates; empty for unread ink.
  public let characters: [TextCharacter]
  /// The items of ink in the order they were written.
  public let items: [Int]
  /// The box of the ink in millimetres.
  public let box: BoundingBox
  /// The box of the ink in pixels of the view.
  public let viewBox: BoundingBox
  /// True if the label was chosen.
  public let isChosen: Bool
  /// True if the ink is not read yet, or cannot be read.
  public let isUnread: Bool
  /// All readings, which identify the reading that was shown.
  let reading: [String]
  /// The number of parts that the editor had when the word was shown.
  let generation: Int
}

/// The text of a block as typed text, for a guide in which words are corrected.
///
///     if let typed = editor.typedText() {
///       for word in typed.words { print(typed.text[word.range], word.isUnread) }
///     }
///
/// Words of a line are separated by spaces, lines by line breaks; both belong to no word.
public struct TypedText: Hashable, Sendable {
  /// The label of ink that is not read.
  public static let unreadLabel = "…"

  /// The block; nil if the ink is in no block yet.
  public let block: String?
  /// The whole text.
  public let text: String
  /// The words in reading order.
  public let words: [TypedWord]
  /// The index of the emphasised word: the one with the newest ink, or the one that was chosen or
  /// emphasised since. Nil if that word is gone or in another block.
  public let emphasized: Int?

  /// The emphasised word, or nil.
  public var emphasizedWord: TypedWord? { emphasized.map { words[$0] } }

  /// Returns the index of the word at a place in the text: the word that contains the place, or
  /// ends there. Nil between words.
  public func word(at place: String.Index) -> Int? {
    word(atUTF16: text.utf16.distance(from: text.startIndex, to: place))
  }

  /// Returns the index of the word at a place in UTF-16 code units; see ``word(at:)``.
  public func word(atUTF16 place: Int) -> Int? {
    words.firstIndex { $0.utf16Range.lowerBound <= place && place <= $0.utf16Range.upperBound }
  }

  /// Returns the index of the word that an item of ink belongs to, or nil.
  public func word(ofItem item: Int) -> Int? { words.firstIndex { $0.items.contains(item) } }

  /// Returns the index of the word whose ink is nearest to a place in the view.
  ///
  /// - Parameters:
  ///   - x: Pixels.
  ///   - y: Pixels.
  ///   - reach: The farthest distance in pixels.
  /// - Returns: nil if no word is within reach.
  public func word(atX x: Double, y: Double, within reach: Double = 0) -> Int? {
    let distances = words.map { $0.viewBox.distance(toX: x, y: y) }
    guard let least = distances.min(), least <= reach else { return nil }
    return distances.firstIndex(of: least)
  }
}

extension BoundingBox {
  /// The distance of a place from the box; 0 inside.
  func distance(toX x: Double, y: Double) -> Double {
    let dx = max(minX - x, 0, x - maxX)
    let dy = max(minY - y, 0, y - maxY)
    return (dx * dx + dy * dy).squareRoot()
  }
}

extension TextCandidate {
  /// Returns candidates in the order in which they are shown: the label first, each text once.
  ///
  /// - Parameters:
  ///   - candidates: All candidates, best first.
  ///   - label: The label.
  ///   - limit: The largest number of candidates, at least 1; nil for all.
  static func shown(
    _ candidates: [TextCandidate], label: String, limit: Int? = nil
  ) -> [TextCandidate] {
    var result = [
      candidates.first { $0.text == label } ?? TextCandidate(text: label, probability: 1)
    ]
    for candidate in candidates where !result.contains(where: { $0.text == candidate.text }) {
      if let limit, result.count >= max(1, limit) { break }
      result.append(candidate)
    }
    return result
  }
}
