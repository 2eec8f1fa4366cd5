import Files
import Foundation
import InkCore
import InkDatasets
import InkSynthesis
import LanguageModels
import Metrics
import Recognition

/// Tuning and measuring on ink of the language.
extension LanguagePackBuilder {
  /// The network's output for a line, and its text.
  private struct Line: Codable, Sendable {
    var output: [Float]
    var reference: String
    var greedy: String
  }

  /// The most trials of a search for the weights: more of them fit the weights to the few lines.
  private static let trials = 24
  /// The weight of word errors in the search, as in the tuning of a line model.
  private static let wordShare = 0.2
  /// The first steps of the search: weight of the language model, bonuses for characters and words,
  /// prior of foreign letters.
  private static let steps: [Float] = [0.12, 0.4, 0.4, 1]
  /// The prior of foreign letters that the search starts from, and that of rare letters, which too
  /// few lines have to tune it.
  private static let (foreign, rare): (Float, Float) = (-1, 1)

  /// Tunes and measures a pack with a language model.
  func tune(
    _ pack: inout LanguagePack, _ text: LanguageText, base: OpenModel, _ report: (Step) -> Void
  ) throws {
    guard let bytes = pack.languageModel else { return }
    let language = try LanguageModel(bytes: [UInt8](bytes))
    let companions = try LineCompanions(languagesOf: base.bundle)
    let english = try LineRecognizer(base.line(), with: companions)
    report(.synthesis)
    let tuning = try lines(
      of: text.tuning, .val, options.tuningLines, recognizer: english, pack.rules)
    let testing = try lines(
      of: text.testing, .test, options.testLines, recognizer: english, pack.rules)
    pack.rules.priors = LanguageRules.LetterPriors(foreign: Self.foreign, rare: Self.rare)
    var configuration = english.configuration
    configuration.rescoring = nil
    if !tuning.isEmpty {
      report(.tuning)
      try search(&configuration, &pack.rules, language, tuning, english)
    }
    pack.configuration = configuration
    guard !testing.isEmpty else { return }
    report(.measuring)
    let reader = try english.changed(
      to: language, rules: pack.rules, tag: tag, configuration: configuration)
    pack.figures = try figures(testing, without: english, with: reader, pack.rules)
  }

  private func search(
    _ configuration: inout DecoderConfiguration, _ rules: inout LanguageRules,
    _ language: LanguageModel, _ lines: [Line], _ english: LineRecognizer
  ) throws {
    func changed(
      _ numbers: [Float]
    ) -> (DecoderConfiguration, LanguageRules) {
      var (next, others) = (configuration, rules)
      (next.languageModelWeight, next.characterBonus, next.wordBonus) =
        (numbers[0], numbers[1], numbers[2])
      others.priors.foreign = numbers[3]
      return (next, others)
    }
    var trials = 0
    let start = [
      configuration.languageModelWeight, configuration.characterBonus, configuration.wordBonus,
      rules.priors.foreign,
    ]
    let found = try PatternSearch.minimum(from: [start], steps: Self.steps, halvings: 1) {
      numbers in
      guard trials < Self.trials, numbers[0] > 0, (-8...0).contains(numbers[3]) else {
        return .infinity
      }
      trials += 1
      let (next, others) = changed(numbers)
      let reader = try english.changed(
        to: language, rules: others, tag: tag, configuration: next)
      let errors = try read(lines, reader, others).errors
      return (errors.characterErrorRate ?? 0) + Self.wordShare * (errors.wordErrorRate ?? 0)
    }
    (configuration, rules) = changed(found.point)
  }

  private func figures(
    _ lines: [Line], without english: LineRecognizer, with reader: LineRecognizer,
    _ rules: LanguageRules
  ) throws -> LanguagePack.Figures {
    var greedy = TextErrorRate()
    for line in lines { greedy.add(reference: line.reference, hypothesis: line.greedy) }
    let before = try read(lines, english, rules)
    let after = try read(lines, reader, rules)
    return LanguagePack.Figures(
      lines: lines.count, greedy: greedy.characterErrorRate ?? 0,
      without: before.errors.characterErrorRate ?? 0, with: after.errors.characterErrorRate ?? 0,
      lettersWithout: before.letters.beyondASCII, lettersWith: after.letters.beyondASCII,
      worst: after.letters.worstLetters(8, total: 3))
  }

  /// Computes a value for each number below a count: on all cores, and divided among the ranks.
  private func divided<Value: Codable & Sendable>(
    _ count: Int, _ find: @Sendable (Int) throws -> Value
  ) throws -> [Value] {
    let pool = WorkerPool(count: ProcessInfo.processInfo.activeProcessorCount)
    guard let ranks, ranks.count > 1 else { return try pool.map(count) { try find($0) } }
    let own = ranks.pieces(of: count)
    return try ranks.exchange(pieces: pool.map(own.count) { try find(own[$0]) }, of: count)
  }

  /// Reads lines; both texts pass through the rules of the language.
  private func read(
    _ lines: [Line], _ recognizer: LineRecognizer, _ rules: LanguageRules
  ) throws -> (errors: TextErrorRate, letters: LetterScores) {
    let texts = try divided(lines.count) { index in
      try recognizer.decode(lines[index].output, count: 1).first?.text ?? ""
    }
    var (errors, letters) = (TextErrorRate(), LetterScores())
    for (line, text) in zip(lines, texts) {
      let text = rules.normalized(text)
      errors.add(reference: line.reference, hypothesis: text)
      letters.add(reference: line.reference, hypothesis: text)
    }
    return (errors, letters)
  }

  /// The network's output for lines of held-out sentences, written by virtual writers of one part.
  private func lines(
    of sentences: [String], _ part: DataSplit, _ limit: Int, recognizer: LineRecognizer,
    _ rules: LanguageRules
  ) throws -> [Line] {
    guard limit > 0 else { return [] }
    if !options.ink.isEmpty {
      let data = options.ink.map { $0.withDefaultSplit(part) }
      return try outputs(of: data, limit, recognizer, rules)
    }
    let library = try PrototypeLibrary.alphabets.get()
    let labels = Set(recognizer.model.labels)
    let pieces = LanguageText.pieces(of: sentences) { character in
      let text = String(character)
      return labels.contains(text) && library.prototypes[text] != nil
    }
    guard !pieces.isEmpty else { return [] }
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("ductus-\(UUID().uuidString).txt")
    try Data(pieces.joined(separator: "\n").utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let path =
      file.path.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? file.path
    // Every fifth record, because a writer writes twenty in turn.
    let data = try DataSpecification(
      parsing: "starter:words?words=\(path)&split=\(part.rawValue)&count=\(limit * 60)&every=5")
    return try outputs(of: [data], limit, recognizer, rules)
  }

  private func outputs(
    of data: [DataSpecification], _ limit: Int, _ recognizer: LineRecognizer,
    _ rules: LanguageRules
  ) throws -> [Line] {
    var inks: [LabeledInk] = []
    for specification in data {
      for case .success(let record) in try specification.records() {
        if inks.count == limit { break }
        if !record.labeled.ink.isEmpty { inks.append(record.labeled) }
      }
    }
    return try divided(inks.count) { [inks] index in
      let ink = inks[index]
      return Line(
        output: try recognizer.logProbabilities(ink.ink, area: ink.writingArea),
        reference: rules.normalized(TextErrorRate.reference(ink.label, without: [])),
        greedy: rules.normalized(
          try recognizer.readGreedily(ink.ink, area: ink.writingArea)))
    }
  }
}
