import Foundation
import LanguageModels

/// The search for the best texts of a line of characters: a beam search over the groups of its strokes,
/// with scores of characters, gaps and a language model.
struct CharacterSearch {
  /// A reading of a line.
  struct Reading {
    var score: Float
    /// For each character or Latin word, its label, its group and what it adds to the score.
    var characters: [(label: Int, group: CharacterGroups.Group, score: Float)]
  }

  let configuration: CharacterLineConfiguration
  /// The language model, with the symbols of each label; nil for none.
  let language: LabelSymbols?
  /// The only words; nil for all.
  let words: LexiconText?
  /// The labels.
  let labels: [String]

  /// The beginning of a reading, up to the end of a group.
  private struct Hypothesis {
    var score: Float
    var state: LanguageModel.State
    var word: LexiconText.State?
    /// The hypothesis that it continues; -1 for none.
    var parent: Int32
    var label: Int32
    /// The gap where its last group begins, and the number of that group.
    var (place, group): (Int32, Int32)
  }

  /// The hypotheses that end at a gap.
  private struct Cell {
    private(set) var hypotheses: [Hypothesis] = []
    /// The best scores, ascending.
    private var scores: [Float] = []
    private let limit: Int

    /// - Parameter limit: So many of the hypotheses are needed.
    init(limit: Int) { self.limit = limit }

    /// The score below which a hypothesis is not among those that are needed.
    var floor: Float { scores.count < limit ? -.infinity : scores[0] }

    mutating func append(_ hypothesis: Hypothesis) {
      guard hypothesis.score >= floor else { return }
      hypotheses.append(hypothesis)
      guard limit < .max else { return }
      var (low, high) = (0, scores.count)
      while low < high {
        let middle = (low + high) / 2
        if scores[middle] < hypothesis.score { low = middle + 1 } else { high = middle }
      }
      scores.insert(hypothesis.score, at: low)
      if scores.count > limit { scores.removeFirst() }
    }

    /// The hypotheses that are needed, best first.
    var best: [Hypothesis] {
      Array(hypotheses.sorted { $0.score > $1.score }.prefix(limit))
    }
  }

  /// ln p of a character is below this: the probabilities of a language model sum to one within 5 %.
  private static let greatestLogProbability: Float = 0.1

  /// Returns the best readings, best first. O(groups · beam · options).
  ///
  /// - Parameters:
  ///   - groups: The groups, with the characters that they may be.
  ///   - context: The text before the line.
  ///   - count: The most readings.
  func best(
    of groups: CharacterGroups, after context: String, count: Int
  ) throws -> [Reading] {
    guard let last = groups.gaps.indices.last else { return [] }
    var cells = [Cell](repeating: Cell(limit: configuration.beam), count: last + 1)
    cells[last] = Cell(limit: .max)
    // All hypotheses that are kept, so that parents can be named by a number.
    var kept: [Hypothesis] = []
    let ends = groups.gaps.indices.map { gap -> (ends: Float, goesOn: Float) in
      let odds =
        configuration.gapSlope * (groups.gaps[gap] - configuration.evenGap)
        + (groups.isBeforeSign[gap] ? configuration.signBonus : 0)
      return (Self.logSigmoid(odds), Self.logSigmoid(-odds))
    }
    let origin = Hypothesis(
      score: 0, state: language?.state(after: context) ?? LanguageModel.State(),
      word: words?.start, parent: -1, label: 0, place: 0, group: 0)
    for place in 0..<last {
      try Task.checkCancellation()
      let starts = place == 0 ? [origin] : cells[place].best
      cells[place] = Cell(limit: configuration.beam)
      let base = kept.count
      if place > 0 { kept += starts }
      for (number, group) in groups.groups[place].enumerated() {
        let shape = score(of: group, ends, isLast: group.end == last)
        for option in group.options {
          for (index, start) in starts.enumerated() {
            var next = start
            next.score += shape
            next.parent = place == 0 ? -1 : Int32(base + index)
            (next.place, next.group) = (Int32(place), Int32(number))
            // The best starts are first.
            let floor = cells[group.end].floor
            guard let isAllowed = extend(&next, by: option, above: floor) else { break }
            if isAllowed { cells[group.end].append(next) }
          }
        }
      }
    }
    let complete = cells[last].best.filter { hypothesis in
      guard let words else { return true }
      return hypothesis.word.map(words.isAccepting) ?? true
    }
    return readings(complete, kept, of: groups, count: count)
  }

  /// Adds a character or a Latin word to a hypothesis.
  ///
  /// - Returns: Whether the words allow it; nil if the score will not reach a floor, nor that of any
  ///   hypothesis that was worse before.
  private func extend(
    _ hypothesis: inout Hypothesis, by option: CharacterGroups.Option, above floor: Float
  ) -> Bool? {
    hypothesis.label = Int32(option.label)
    if let word = option.word {
      guard hypothesis.score + option.score >= floor else { return nil }
      hypothesis.score += option.score
      // The score of a Latin word has that of its own language.
      hypothesis.state =
        language?.state(hypothesis.state, after: word.candidate.text) ?? hypothesis.state
      return spell(word.candidate.text, in: &hypothesis)
    }
    hypothesis.score = hypothesis.score + option.score + configuration.characterBonus
    let most = configuration.languageModelWeight * Self.greatestLogProbability
    guard hypothesis.score + most >= floor else { return nil }
    if let language {
      let step = language.advance(hypothesis.state, option.label)
      hypothesis.state = step.state
      hypothesis.score += configuration.languageModelWeight * step.logProbability
    }
    return spell(labels[option.label], in: &hypothesis)
  }

  /// Follows a text in the words; returns false if they do not allow it.
  private func spell(_ text: String, in hypothesis: inout Hypothesis) -> Bool {
    guard let words, var state = hypothesis.word else { return true }
    for scalar in text.unicodeScalars {
      guard let next = words.advance(state, scalar) else { return false }
      state = next
    }
    hypothesis.word = state
    return true
  }

  /// The score of the gaps and the extent of a group.
  private func score(
    of group: CharacterGroups.Group, _ ends: [(ends: Float, goesOn: Float)], isLast: Bool
  ) -> Float {
    if group.isWhole { return configuration.wholeScore(extent: group.extent) }
    var score = isLast ? 0 : ends[group.end].ends
    if group.isWord { return score }
    for gap in (group.start + 1)..<max(group.start + 1, group.end) { score += ends[gap].goesOn }
    let beyond = group.extent - configuration.largestExtent
    if beyond > 0 { score -= configuration.extentLoss * beyond }
    return score
  }

  /// The readings of complete hypotheses, each text once.
  private func readings(
    _ complete: [Hypothesis], _ kept: [Hypothesis], of groups: CharacterGroups, count: Int
  ) -> [Reading] {
    var seen: Set<[Int]> = []
    var result: [Reading] = []
    for hypothesis in complete {
      var characters: [(label: Int, group: CharacterGroups.Group, score: Float)] = []
      var next = hypothesis
      while true {
        let before = next.parent >= 0 ? kept[Int(next.parent)] : nil
        characters.append(
          (
            Int(next.label), groups.groups[Int(next.place)][Int(next.group)],
            next.score - (before?.score ?? 0)
          ))
        guard let before else { break }
        next = before
      }
      characters.reverse()
      guard seen.insert(characters.map(\.label)).inserted else { continue }
      result.append(Reading(score: hypothesis.score, characters: characters))
      if result.count == count { break }
    }
    return result
  }

  private static func logSigmoid(_ odds: Float) -> Float {
    odds > 0 ? -log1p(exp(-odds)) : odds - log1p(exp(odds))
  }
}

/// A language model with the symbols of the labels of a glyph model.
struct LabelSymbols: Sendable {
  let model: LanguageModel
  private let symbols: [[LanguageModel.Symbol]]
  /// The log-share of one label among those that the language model does not know.
  private let unknownShare: Float
  private let isUnknown: [Bool]

  init(_ model: LanguageModel, labels: [String]) {
    self.model = model
    symbols = labels.map { label in label.unicodeScalars.map { model.symbols.symbol(of: $0) } }
    isUnknown = symbols.map { $0.contains(SymbolTable.unknown) }
    unknownShare = -log(Float(max(1, isUnknown.count { $0 })))
  }

  /// The state after a text; the beginning of a text if it is empty.
  func state(after text: String) -> LanguageModel.State {
    text.isEmpty ? model.start : model.state(after: text)
  }

  /// The state after a text that follows another one.
  func state(_ state: LanguageModel.State, after text: String) -> LanguageModel.State {
    text.unicodeScalars.reduce(state) { model.advance($0, model.symbols.symbol(of: $1)).state }
  }

  /// The state after a label and its log-probability.
  func advance(
    _ state: LanguageModel.State, _ label: Int
  ) -> (state: LanguageModel.State, logProbability: Float) {
    var (state, sum): (LanguageModel.State, Float) = (state, isUnknown[label] ? unknownShare : 0)
    for symbol in symbols[label] {
      let step = model.advance(state, symbol)
      state = step.state
      sum += step.logProbability
    }
    return (state, sum)
  }
}
