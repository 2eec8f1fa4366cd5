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

  private struct Hypothesis {
    var score: Float
    var state: LanguageModel.State
    var word: LexiconText.State?
    var parent: Int32
    var label: Int32
    var group: CharacterGroups.Group
  }

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
    var hypotheses = [[Hypothesis]](repeating: [], count: last + 1)
    // All hypotheses that are kept, so that parents can be named by a number.
    var kept: [Hypothesis] = []
    let ends = groups.gaps.indices.map { gap -> (ends: Float, goesOn: Float) in
      let odds =
        configuration.gapSlope * (groups.gaps[gap] - configuration.evenGap)
        + (groups.isBeforeSign[gap] ? configuration.signBonus : 0)
      return (Self.logSigmoid(odds), Self.logSigmoid(-odds))
    }
    for place in 0..<last {
      try Task.checkCancellation()
      let starts = place == 0 ? nil : pruned(hypotheses[place])
      if let starts, starts.isEmpty { continue }
      let base = kept.count
      if let starts { kept += starts }
      hypotheses[place] = []
      for group in groups.groups[place] {
        let shape = score(of: group, ends, isLast: group.end == last)
        for option in group.options {
          let text = option.word?.candidate.text ?? labels[option.label]
          guard let starts else {
            add(
              option, text, group, score: shape, to: &hypotheses[group.end], parent: -1,
              state: language?.state(after: context) ?? LanguageModel.State(), word: words?.start)
            continue
          }
          for (index, start) in starts.enumerated() {
            add(
              option, text, group, score: start.score + shape, to: &hypotheses[group.end],
              parent: Int32(base + index), state: start.state, word: start.word)
          }
        }
      }
    }
    let complete = hypotheses[last].filter { hypothesis in
      guard let words, let word = hypothesis.word else { return true }
      return words.isAccepting(word)
    }
    return readings(complete.sorted { $0.score > $1.score }, kept, count: count)
  }

  private func add(
    _ option: CharacterGroups.Option, _ text: String, _ group: CharacterGroups.Group,
    score: Float,
    to hypotheses: inout [Hypothesis], parent: Int32, state: LanguageModel.State,
    word: LexiconText.State?
  ) {
    var word = word
    if let words, let before = word {
      var next: LexiconText.State? = before
      for scalar in text.unicodeScalars {
        next = next.flatMap { words.advance($0, scalar) }
      }
      guard let next else { return }
      word = next
    }
    var total = score + option.score
    var after = state
    if option.word != nil {
      // The score of a Latin word has that of its own language.
      after = language?.state(state, after: text) ?? state
    } else {
      total += configuration.characterBonus
    }
    if let language, option.word == nil {
      let step = language.advance(state, option.label)
      after = step.state
      total += configuration.languageModelWeight * step.logProbability
    }
    hypotheses.append(
      Hypothesis(
        score: total, state: after, word: word, parent: parent, label: Int32(option.label),
        group: group))
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

  private func pruned(_ hypotheses: [Hypothesis]) -> [Hypothesis] {
    Array(hypotheses.sorted { $0.score > $1.score }.prefix(configuration.beam))
  }

  /// The readings of complete hypotheses, each text once.
  private func readings(
    _ complete: [Hypothesis], _ kept: [Hypothesis], count: Int
  ) -> [Reading] {
    var seen: Set<[Int]> = []
    var result: [Reading] = []
    for hypothesis in complete {
      var characters: [(label: Int, group: CharacterGroups.Group, score: Float)] = []
      var next = hypothesis
      while true {
        let before = next.parent >= 0 ? kept[Int(next.parent)] : nil
        characters.append(
          (Int(next.label), next.group, next.score - (before?.score ?? 0)))
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
