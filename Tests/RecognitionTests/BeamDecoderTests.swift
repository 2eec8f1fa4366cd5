import Foundation
import InkCore
import LanguageModels
import Recognition
import Testing

/// The sum over all alignments of each text, by trying every path.
private func bruteForce(_ output: [Float], classes: Int) -> [[Int32]: Double] {
  var sums: [[Int32]: Double] = [:]
  let steps = output.count / classes
  func extend(_ step: Int, _ last: Int, _ text: [Int32], _ probability: Double) {
    guard step < steps else {
      sums[text, default: 0] += probability
      return
    }
    for label in 0..<classes {
      let grows = label != 0 && label != last
      extend(
        step + 1, label, grows ? text + [Int32(label)] : text,
        probability * exp(Double(output[step * classes + label])))
    }
  }
  extend(0, 0, [], 1)
  return sums
}

/// Plain prefix beam search without any pruning bound: tries all symbols on all prefixes,
/// and keeps the best prefixes.
private func plainBeam(
  _ output: [Float], classes: Int, beam: Int, textScore: ([Int32]) -> Double
) -> [(text: [Int32], score: Double)] {
  var kept: [[Int32]: (blank: Double, symbol: Double)] = [[]: (1, 0)]
  var ranked: [(text: [Int32], score: Double)] = []
  for row in stride(from: 0, to: output.count, by: classes) {
    var next: [[Int32]: (blank: Double, symbol: Double)] = [:]
    for (prefix, was) in kept {
      let both = was.blank + was.symbol
      next[prefix, default: (0, 0)].blank += both * exp(Double(output[row]))
      for label in 1..<Int32(classes) {
        let probability = exp(Double(output[row + Int(label)]))
        let repeats = prefix.last == label
        if repeats { next[prefix, default: (0, 0)].symbol += was.symbol * probability }
        next[prefix + [label], default: (0, 0)].symbol += (repeats ? was.blank : both) * probability
      }
    }
    ranked = next.map { ($0, log($1.blank + $1.symbol) + textScore($0)) }
      .sorted { $0.1 > $1.1 }.prefix(beam).map { (text: $0.0, score: $0.1) }
    kept = next.filter { entry in ranked.contains { $0.text == entry.key } }
  }
  return ranked
}

extension LineRecognizer {
  /// The readings of the search, including spaces at their ends.
  fileprivate func searched(
    _ output: [Float], count: Int
  ) throws -> [(text: String, score: Float)] {
    try output.withUnsafeBufferPointer { output in
      let base = try #require(output.baseAddress)
      return try memories.withMemory { memory in
        try readings(
          of: Search(
            output: base, steps: output.count / (model.labels.count + 1), preContext: "",
            scorer: scorer, configuration: configuration, count: count), memory
        ).map { (text($0.labels), $0.score) }
      }
    }
  }
}

/// Compares the search with searches without bounds.
@Suite struct BeamDecoderTests {
  @Test func aWideBeamFindsTheTextsThatAllAlignmentsTogetherFavour() throws {
    var generator = SeededGenerator(seed: 9)
    var wide = DecoderConfiguration()
    wide.beam = 5000
    wide.margin = 60
    wide.symbolMargin = 60
    let recognizer = try LineRecognizer(model: TinyLine.untrainedModel(), configuration: wide)
    for trial in 0..<10 {
      let path = (0..<5).map { _ in generator.index(below: 5) }
      let values = TinyLine.output(path, classes: 5, strength: 1.5)
      let expected = bruteForce(values, classes: 5).sorted { $0.value > $1.value }
      let found = try recognizer.searched(values, count: 3)
      for (reading, best) in zip(found, expected) {
        let text = best.key.map { TinyLine.labels[Int($0) - 1] }.joined()
        let logarithm = log(best.value)
        // Nothing is pruned; scores are in single precision.
        #expect(abs(Double(reading.score) - logarithm) < 1e-4, "trial \(trial), \(text)")
      }
      #expect(found[0].text == expected[0].key.map { TinyLine.labels[Int($0) - 1] }.joined())
    }
  }

  @Test func aTextScoredByItselfHasTheScoreOfTheSearch() throws {
    var generator = SeededGenerator(seed: 31)
    let language = try TinyLine.languageModel()
    var wide = DecoderConfiguration()
    wide.beam = 5000
    wide.margin = 60
    wide.symbolMargin = 60
    let recognizer = try LineRecognizer(
      model: TinyLine.untrainedModel(), languageModel: language, configuration: wide)
    for trial in 0..<10 {
      let path = (0..<6).map { _ in generator.index(below: 5) }
      let values = TinyLine.output(path, classes: 5, strength: 1.5)
      for reading in try recognizer.searched(values, count: 8) {
        let labels = reading.text.map { character in
          Int32((TinyLine.labels.firstIndex(of: String(character)) ?? -2) + 1)
        }
        let score = values.withUnsafeBufferPointer { output in
          output.baseAddress.flatMap {
            BeamDecoder.score(
              of: labels, $0, steps: values.count / 5, classes: 5,
              start: recognizer.scorer.state(after: "", isWhole: true, begun: ""),
              recognizer.scorer)
          }
        }
        let found = try #require(score, "seed 31, trial \(trial)")
        #expect(abs(found - reading.score) < 1e-3, "seed 31, trial \(trial), \(reading.text)")
      }
      let tooLong = [Int32](repeating: 1, count: values.count)
      let none = values.withUnsafeBufferPointer { output in
        output.baseAddress.flatMap {
          BeamDecoder.score(
            of: tooLong, $0, steps: values.count / 5, classes: 5,
            start: recognizer.scorer.state(after: "", isWhole: true, begun: ""),
            recognizer.scorer)
        }
      }
      #expect(none == nil)
    }
  }

  @Test func theSearchForgetsWhatAnotherLanguageModelSaid() throws {
    let model = TinyLine.untrainedModel()
    let recognizers = try ["ab ab ab", "ba ba ba"].map { text in
      try LineRecognizer(
        model: model, languageModel: TinyLine.languageModel(of: text, times: 40, order: 3))
    }
    let values = TinyLine.output([2, 3, 2, 3, 0], classes: 5, strength: 1)
    let alone = try recognizers.map { try $0.searched(values, count: 5) }
    #expect(alone[0].map(\.score) != alone[1].map(\.score))
    // Readers of several languages use one memory in turn.
    let together = try recognizers[0].memories.withMemory { memory in
      try values.withUnsafeBufferPointer { output in
        let base = try #require(output.baseAddress)
        return try recognizers.map { recognizer in
          try recognizer.readings(
            of: LineRecognizer.Search(
              output: base, steps: values.count / 5, preContext: "", scorer: recognizer.scorer,
              configuration: recognizer.configuration, count: 5), memory
          ).map(\.score)
        }
      }
    }
    #expect(together == alone.map { $0.map(\.score) })
  }

  @Test func priorsAreTakenOffWhatTheNetworkSays() throws {
    var generator = SeededGenerator(seed: 29)
    let (model, language) = (TinyLine.untrainedModel(), try TinyLine.languageModel())
    let priors: [Float] = [-0.2, -2, -3, -4, -5]
    var configuration = DecoderConfiguration()
    let plain = try LineRecognizer(
      model: model, languageModel: language, configuration: configuration)
    configuration.priorWeight = 0.5
    configuration.logPriors = priors
    let corrected = try LineRecognizer(
      model: model, languageModel: language, configuration: configuration)
    let withoutLanguage = try LineRecognizer(model: model, configuration: configuration)
    for trial in 0..<10 {
      let values = TinyLine.output(
        (0..<6).map { _ in generator.index(below: 5) }, classes: 5, strength: 2)
      let expected = values.enumerated().map { $1 - 0.5 * priors[$0 % 5] }
      func read(_ recognizer: LineRecognizer, _ values: [Float]) throws -> [String] {
        try recognizer.decode(values, count: 5).map { "\($0.text) \($0.score)" }
      }
      #expect(try read(corrected, values) == read(plain, expected), "seed 29, trial \(trial)")
      #expect(try read(corrected, values) != read(plain, values))
      #expect(
        try read(withoutLanguage, values) == read(LineRecognizer(model: model), values))
    }
  }

  @Test func priorsOfAnotherNumberOfClassesAreAFault() {
    var configuration = DecoderConfiguration()
    #expect(configuration.fault(classes: 3) == nil)
    configuration.logPriors = [-1, -1, -1]
    #expect(configuration.fault(classes: 3) == nil)
    #expect(configuration.fault(classes: 4) != nil)
    configuration.logPriors = [-1, .nan, -1]
    #expect(configuration.fault(classes: 3) != nil)
  }

  @Test func aNarrowBeamKeepsWhatASearchWithoutBoundsKeeps() throws {
    let seed: UInt64 = 21
    var generator = SeededGenerator(seed: seed)
    let language = try TinyLine.languageModel()
    for (beam, model) in [(1, nil), (2, nil), (4, nil), (7, nil), (3, language), (6, language)] {
      var narrow = DecoderConfiguration()
      narrow.beam = beam
      narrow.margin = 60
      narrow.symbolMargin = 60
      let recognizer = try LineRecognizer(
        model: TinyLine.untrainedModel(), languageModel: model, configuration: narrow)
      func textScore(_ text: [Int32]) -> Double {
        guard let model else { return 0 }
        var (state, score) = (model.startOfLine, 0.0)
        for scalar in text.flatMap({ TinyLine.labels[Int($0) - 1].unicodeScalars }) {
          let step = model.advance(state, model.symbols.symbol(of: scalar))
          score += Double(narrow.languageModelWeight * step.logProbability + narrow.characterBonus)
          state = step.state
        }
        return score
      }
      for trial in 0..<10 {
        let path = (0..<14).map { _ in generator.index(below: 5) }
        let values = zip(
          TinyLine.output(path, classes: 5, strength: 1.2),
          (0..<70).map { _ in generator.uniform() }
        ).map { $0 - $1 }
        let expected = plainBeam(values, classes: 5, beam: beam, textScore: textScore)
        let found = try recognizer.searched(values, count: beam)
        #expect(found.count == beam)
        for (reading, best) in zip(found, expected) {
          let comment: Comment = "seed \(seed), beam \(beam), trial \(trial)"
          #expect(reading.text == best.text.map { TinyLine.labels[Int($0) - 1] }.joined(), comment)
          #expect(abs(Double(reading.score) - best.score) < 1e-3, comment)
        }
      }
    }
  }
}
