import Foundation
import InkCore
import LanguageModels

extension Recognizer {
  /// Returns a recogniser that reads only within an alphabet, and only or preferably the words of a
  /// vocabulary. It shares the memory of this one.
  ///
  /// A line recogniser searches within the limits. A recogniser of single labels, such as a model of
  /// characters or shapes, chooses among the labels that are allowed; their probabilities are
  /// scaled to a sum of 1. A recogniser of several languages reads in the preferred one.
  ///
  ///     let digits = try classifier.confined(to: Alphabet(pattern: "\\p{Nd}"), vocabulary: nil)
  ///
  /// - Parameters:
  ///   - alphabet: The allowed characters; nil for all.
  ///   - vocabulary: The allowed or preferred words; nil for none.
  /// - Throws: ``RecognitionError/emptyAlphabet`` and ``RecognitionError/unwritableVocabulary`` if
  ///   nothing could be read, ``RecognitionError/unusableConfiguration(member:expected:found:)``
  ///   for a bonus that is not finite.
  public func confined(
    to alphabet: Alphabet?, vocabulary: Vocabulary?
  ) throws(RecognitionError) -> any Recognizer {
    guard alphabet != nil || vocabulary != nil else { return self }
    if let scripts = self as? ScriptRecognizer {
      return try scripts.confined(to: alphabet, vocabulary: vocabulary)
    }
    if let lines = self as? CharacterLineRecognizer {
      let confined: CharacterLineRecognizer = try lines.confined(
        to: alphabet, vocabulary: vocabulary)
      return confined
    }
    if let lines = (self as? MultilingualRecognizer)?.first ?? self as? LineRecognizer {
      let confined: LineRecognizer = try lines.confined(to: alphabet, vocabulary: vocabulary)
      return confined
    }
    return try ConfinedLabels(self, alphabet, vocabulary)
  }
}

/// A recogniser of single labels that only outputs those within an alphabet and a vocabulary.
private struct ConfinedLabels: Recognizer {
  private let base: any Recognizer
  private let alphabet: Alphabet?
  private let vocabulary: Vocabulary?
  /// The indices of the labels that are allowed, for a classifier that chooses among them; nil for
  /// others.
  private var allowed: [Int]?

  init(
    _ base: any Recognizer, _ alphabet: Alphabet?, _ vocabulary: Vocabulary?
  ) throws(RecognitionError) {
    self.base = base
    self.alphabet = alphabet
    self.vocabulary = vocabulary
    if case .boosted(_, let bonus)? = vocabulary, !bonus.isFinite {
      throw .unusableConfiguration(
        member: "bonus of the vocabulary", expected: "a finite number", found: "\(bonus)")
    }
    guard let labels = base.labels else { return }
    let written = labels.filter { alphabet?.allows($0) ?? true }
    guard !written.isEmpty else { throw .emptyAlphabet }
    guard written.contains(where: allows) else { throw .unwritableVocabulary }
    if case .boosted? = vocabulary { return }
    allowed = labels.indices.filter { allows(labels[$0]) }
  }

  var labels: [String]? { base.labels?.filter(allows) }

  var direction: WritingDirection { base.direction }

  func recognize(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
  ) throws -> RecognitionResult {
    if let classifier = base as? GlyphClassifier, let allowed {
      return try classifier.recognize(
        ink, context: context, maximumCandidates: maximumCandidates, among: allowed)
    }
    let all = base.labels?.count ?? maximumCandidates
    var result = try base.recognize(
      ink, context: context, maximumCandidates: max(all, maximumCandidates))
    var kept = result.candidates.filter { allows($0.text) }
    if case .boosted(let words, let bonus)? = vocabulary {
      for index in kept.indices where words.contains(kept[index].text) {
        kept[index].score += Double(bonus)
      }
      kept.sort { $0.score > $1.score }
    }
    // Relative to the best one, so that no sum is too small for a number.
    let best = kept.map(\.score).max() ?? 0
    let sum = kept.reduce(0) { $0 + exp($1.score - best) }
    result.candidates = kept.prefix(max(1, maximumCandidates)).map { candidate in
      var candidate = candidate
      candidate.score = min(0, candidate.score - best - log(sum))
      return candidate
    }
    return result
  }

  private func allows(_ text: String) -> Bool {
    guard alphabet?.allows(text) ?? true else { return false }
    if case .closed(let words)? = vocabulary { return words.contains(text) }
    return true
  }
}
