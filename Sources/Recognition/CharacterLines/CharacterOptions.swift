import Foundation
import InkCore

/// Reads a group of strokes as the characters that it may be.
struct CharacterOptions: Sendable {
  /// Characters of one shape. Only the text around them tells them apart.
  private static let alike: [[String]] = [
    ["一", "ー"], ["二", "ニ"], ["八", "ハ"], ["力", "カ"], ["口", "ロ"], ["夕", "タ"], ["工", "エ"],
    ["千", "チ"], ["卜", "ト"], ["才", "オ"], ["へ", "ヘ"], ["べ", "ベ"], ["ぺ", "ペ"], ["り", "リ"],
  ]
  /// Characters that are turned by 90 degrees in columns.
  private static let turned: Set<String> = ["ー", "〜", "…", "「", "」", "（", "）"]
  /// The share of turned characters in columns, and the most strokes of one.
  private static let (turnedShare, mostTurnedStrokes) = (0.15, 3)
  /// The characters of a group that the search tries.
  private static let most = 10

  private let classifier: GlyphClassifier
  private let allowed: [Int]?
  private let indices: [String: Int]
  /// The labels of one shape that may be read, each in one class.
  private let classes: [[Int]]
  private let turned: [Int]

  /// Makes the reader of a classifier.
  ///
  /// - Parameter allowed: The labels that may be read; nil for all.
  init(_ classifier: GlyphClassifier, allowed: [Int]?) {
    (self.classifier, self.allowed) = (classifier, allowed)
    let labels = classifier.model.labels
    let indices = Dictionary(uniqueKeysWithValues: labels.enumerated().map { ($1, $0) })
    self.indices = indices
    let mayRead = allowed.map(Set.init)
    func known(_ labels: some Sequence<String>) -> [Int] {
      labels.compactMap { indices[$0] }.filter { mayRead?.contains($0) ?? true }
    }
    classes = Self.alike.map { known($0) }.filter { $0.count > 1 }
    turned = known(Self.turned).sorted()
  }

  /// Returns the characters that each of some inks may be, best first.
  ///
  /// - Throws: As ``GlyphClassifier/recognize(_:context:maximumCandidates:)``, and `CancellationError`.
  func read(
    _ inks: [(ink: Ink, area: WritingArea?)], isColumn: Bool
  ) throws -> [[CharacterGroups.Option]] {
    // In columns, few strokes are also read as they would be in a row, among all labels: ink that is
    // no turned character then has a small probability of one.
    let turnable =
      isColumn && !turned.isEmpty
      ? inks.indices.filter { inks[$0].ink.strokes.count <= Self.mostTurnedStrokes } : []
    let items =
      inks.map { GlyphClassifier.Item(ink: $0.ink, area: $0.area, allowed: allowed) }
      + turnable.map {
        GlyphClassifier.Item(ink: inks[$0].ink.rotated(by: -90), area: nil, allowed: nil)
      }
    let results = try classifier.recognize(items, maximumCandidates: Self.most)
    var others: [Int: RecognitionResult] = [:]
    for (place, index) in turnable.enumerated() { others[index] = results[inks.count + place] }
    return inks.indices.map { options(results[$0], turned: others[$0]) }
  }

  /// The options of an ink by the candidates of its characters, and of its characters turned.
  private func options(
    _ result: RecognitionResult, turned other: RecognitionResult?
  ) -> [CharacterGroups.Option] {
    var found = probabilities(result)
    if let other {
      let others = probabilities(other)
      found = found.mapValues { (1 - Self.turnedShare) * $0 }
      for label in turned {
        found[label, default: 0] += Self.turnedShare * (others[label] ?? 0)
      }
    }
    for members in classes {
      let sum = members.reduce(0) { $0 + (found[$1] ?? 0) }
      if sum > 0 { for member in members { found[member] = sum } }
    }
    return found.filter { $0.value > 0 }
      .sorted { ($0.value, $1.key) > ($1.value, $0.key) }.prefix(Self.most)
      .map { CharacterGroups.Option(label: $0.key, score: Float(log($0.value))) }
  }

  private func probabilities(_ result: RecognitionResult) -> [Int: Double] {
    var found: [Int: Double] = [:]
    for candidate in result.candidates {
      if let index = indices[candidate.text] { found[index] = exp(candidate.score) }
    }
    return found
  }
}
