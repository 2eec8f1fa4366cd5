import Features
import Foundation
import InkCore
import LanguageModels
import LinearAlgebra
import Networks
import Testing

@testable import Recognition

/// Log-probabilities [T, K] that favour one class at each time step.
private func output(_ path: [Int], classes: Int, strength: Float = 6) -> [Float] {
  path.flatMap { favoured in
    var row = [Float](repeating: 0, count: classes)
    row[favoured] = strength
    let sum = row.reduce(0) { $0 + exp($1) }
    return row.map { $0 - log(sum) }
  }
}

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

/// Prefix beam search as it is written down, without any bound: all symbols are tried on all prefixes,
/// and the best prefixes are kept.
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

private let labels = [" ", "a", "b", "c"]

/// An untrained model of four symbols: what it reads is of no use, how it reads is.
private func untrainedModel() -> LineModel {
  let pipeline = LinePipeline(spacing: 0.1)
  let network = SequenceNetwork(
    SequenceArchitecture(
      channels: pipeline.channels,
      layers: [
        .convolution(channels: 8, kernel: 5, stride: 3), .bidirectionalLSTM(hidden: 8),
      ], classes: labels.count + 1))
  let parameters = AlignedBuffer(count: network.parameterCount)
  var generator = SeededGenerator(seed: 3)
  network.initialize(parameters, using: &generator)
  return LineModel(labels: labels, pipeline: pipeline, network: network, parameters: parameters)
}

private func ink(strokes: Int, points: Int) -> Ink {
  Ink(
    strokes: (0..<strokes).map { stroke in
      Stroke(
        points: (0..<points).map { point -> StrokePoint in
          let angle = Double(point) / 3 + Double(stroke)
          return StrokePoint(x: Double(stroke * 30 + point), y: 20 * sin(angle))
        })
    })
}

/// A model of texts in which "b" follows "a" and a space follows "b".
private func languageModel() throws -> LanguageModel {
  var text = NormalizedText(linesAreTexts: true)
  text.append(
    Array(repeating: "ab ab ab c ab ab\nab c ab ab ab", count: 40).joined(separator: "\n"))
  var options = LanguageModelTrainer.Options()
  options.order = 3
  options.minimumCount = 1
  return try LanguageModel(bytes: LanguageModelTrainer.train(text, options: options))
}

@Suite struct LineRecognizerTests {
  @Test func aWideBeamFindsTheTextsThatAllAlignmentsTogetherFavour() throws {
    var generator = SeededGenerator(seed: 9)
    var wide = DecoderConfiguration()
    wide.beam = 5000
    wide.margin = 60
    wide.symbolMargin = 60
    let recognizer = try LineRecognizer(model: untrainedModel(), configuration: wide)
    for trial in 0..<10 {
      let path = (0..<5).map { _ in generator.index(below: 5) }
      let values = output(path, classes: 5, strength: 1.5)
      let expected = bruteForce(values, classes: 5).sorted { $0.value > $1.value }
      let found = try recognizer.decode(values, preContext: "", count: 3)
      for (reading, best) in zip(found, expected) {
        let text = best.key.map { labels[Int($0) - 1] }.joined()
        let logarithm = log(best.value)
        // Nothing is pruned; scores are in single precision.
        #expect(abs(Double(reading.score) - logarithm) < 1e-4, "trial \(trial), \(text)")
      }
      #expect(found[0].text == expected[0].key.map { labels[Int($0) - 1] }.joined())
    }
  }

  @Test func priorsAreTakenOffWhatTheNetworkSays() throws {
    var generator = SeededGenerator(seed: 29)
    let (model, language) = (untrainedModel(), try languageModel())
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
      let values = output((0..<6).map { _ in generator.index(below: 5) }, classes: 5, strength: 2)
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
    let language = try languageModel()
    for (beam, model) in [(1, nil), (2, nil), (4, nil), (7, nil), (3, language), (6, language)] {
      var narrow = DecoderConfiguration()
      narrow.beam = beam
      narrow.margin = 60
      narrow.symbolMargin = 60
      let recognizer = try LineRecognizer(
        model: untrainedModel(), languageModel: model, configuration: narrow)
      func textScore(_ text: [Int32]) -> Double {
        guard let model else { return 0 }
        var (state, score) = (model.startOfLine, 0.0)
        for scalar in text.flatMap({ labels[Int($0) - 1].unicodeScalars }) {
          let step = model.advance(state, model.symbols.symbol(of: scalar))
          score += Double(narrow.languageModelWeight * step.logProbability + narrow.characterBonus)
          state = step.state
        }
        return score
      }
      for trial in 0..<10 {
        let path = (0..<14).map { _ in generator.index(below: 5) }
        let values = zip(
          output(path, classes: 5, strength: 1.2), (0..<70).map { _ in generator.uniform() }
        ).map { $0 - $1 }
        let expected = plainBeam(values, classes: 5, beam: beam, textScore: textScore)
        let found = try recognizer.decode(values, preContext: "", count: beam)
        #expect(found.count == beam)
        for (reading, best) in zip(found, expected) {
          let comment: Comment = "seed \(seed), beam \(beam), trial \(trial)"
          #expect(reading.text == best.text.map { labels[Int($0) - 1] }.joined(), comment)
          #expect(abs(Double(reading.score) - best.score) < 1e-3, comment)
        }
      }
    }
  }

  @Test func theLanguageModelDecidesWhereTheInkDoesNot() throws {
    // Class 2 is "a"; after it "b" and "c" are equally likely by the ink.
    var values = output([2, 0, 3, 0], classes: 5)
    values[2 * 5 + 4] = values[2 * 5 + 3] - 0.01
    let alone = try LineRecognizer(model: untrainedModel())
    #expect(try alone.decode(values, preContext: "", count: 1)[0].text == "ab")
    values[2 * 5 + 4] = values[2 * 5 + 3] + 0.3
    #expect(try alone.decode(values, preContext: "", count: 1)[0].text == "ac")
    let informed = try LineRecognizer(model: untrainedModel(), languageModel: languageModel())
    #expect(try informed.decode(values, preContext: "", count: 1)[0].text == "ab")
  }

  @Test func aReadingBeginsWithASpaceWhereTheTextBeforeAsksForOne() throws {
    let informed = try LineRecognizer(model: untrainedModel(), languageModel: languageModel())
    let values = output([2, 0, 3, 0], classes: 5)
    #expect(try informed.decode(values, preContext: "ab", count: 1)[0].text == " ab")
    #expect(try informed.decode(values, preContext: "ab ", count: 1)[0].text == "ab")
    let rest = output([3, 0, 0], classes: 5)
    #expect(try informed.decode(rest, preContext: "ab a", count: 1)[0].text == "b")
    #expect(try informed.decode(values, preContext: "", count: 1)[0].text == "ab")
  }

  @Test func theLastTwentyCharactersBeforeTheInkCountHoweverManyScalarsTheyHave() throws {
    // What follows nineteen accented letters is told by the letter before them.
    let filler = String(repeating: "e\u{301}", count: 19)
    var text = NormalizedText(linesAreTexts: true)
    text.append(
      Array(repeating: "a\(filler)b\nb\(filler)a", count: 60).joined(separator: "\n"))
    var options = LanguageModelTrainer.Options()
    options.order = 21
    options.minimumCount = 1
    let recognizer = try LineRecognizer(
      model: untrainedModel(),
      languageModel: LanguageModel(bytes: LanguageModelTrainer.train(text, options: options)))
    // "a" and "b" are equally likely.
    let values = [Float](repeating: -30, count: 5).indices.map { $0 == 2 || $0 == 3 ? -0.7 : -30 }
    func read(after context: String) throws -> [String] {
      try recognizer.decode(values.map { Float($0) }, preContext: context, count: 2).map {
        "\($0.text) \($0.score)"
      }
    }
    #expect(("a" + filler).count == 20 && ("a" + filler).unicodeScalars.count == 39)
    #expect(try read(after: "a" + filler).first?.first == "b")
    #expect(try read(after: "b" + filler).first?.first == "a")
    // One character more, and the letter is out of sight.
    #expect(try read(after: "a" + filler + "e\u{301}") == read(after: "b" + filler + "e\u{301}"))
    // What stands before the twenty changes nothing.
    #expect(try read(after: "bbb a" + filler) == read(after: "e\u{301}a" + filler))
  }

  @Test func anAlphabetLeavesOutAllOtherSymbols() throws {
    let digits = try LineRecognizer(model: untrainedModel(), alphabet: Alphabet("bc"))
    let result = try digits.recognize(ink(strokes: 3, points: 20))
    #expect(!result.candidates.isEmpty)
    #expect(result.candidates.allSatisfy { $0.text.allSatisfy("bc".contains) })
    #expect(throws: RecognitionError.emptyAlphabet) {
      try LineRecognizer(model: untrainedModel(), alphabet: Alphabet("0"))
    }
  }

  @Test func aClosedVocabularyAllowsItsWordsOnly() throws {
    // By the ink "cb a" or "ab a"; the list has neither "cb" nor a word that begins so.
    let values = output([4, 0, 3, 0, 1, 0, 2, 0], classes: 5, strength: 4)
    let words = try Lexicon(words: ["ab", "a"])
    let open = try LineRecognizer(model: untrainedModel())
    #expect(try open.decode(values, preContext: "", count: 1)[0].text == "cb a")
    let closed = try LineRecognizer(model: untrainedModel(), vocabulary: .closed(words))
    let readings = try closed.decode(values, preContext: "", count: 50)
    #expect(readings[0].text == "ab a")
    for reading in readings {
      #expect(reading.text.split(separator: " ").allSatisfy { ["ab", "a"].contains($0) })
    }
    #expect(try closed.decode(values, preContext: "a", count: 1)[0].text != "")
  }

  @Test func aClosedVocabularyGoesOnWithABegunWordOrBeginsOne() throws {
    let values = output([3, 0, 4, 0], classes: 5)
    let words = try Lexicon(words: ["bc", "abab", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaabc"])
    let closed = try LineRecognizer(model: untrainedModel(), vocabulary: .closed(words))
    for begun in ["", "ab", "cc", String(repeating: "a", count: 30)] {
      #expect(try closed.decode(values, preContext: begun, count: 1)[0].text == "bc", "\(begun)")
    }
  }

  @Test func aVocabularyThatCannotBeWrittenIsRefused() throws {
    let cyrillic = try Lexicon(words: ["мир"])
    let word = try Lexicon(words: ["cab"])
    #expect(throws: RecognitionError.unwritableVocabulary) {
      try LineRecognizer(model: untrainedModel(), vocabulary: .closed(cyrillic))
    }
    #expect(throws: RecognitionError.unwritableVocabulary) {
      try LineRecognizer(
        model: untrainedModel(), alphabet: Alphabet("ab"), vocabulary: .closed(word))
    }
    // What is only preferred forbids nothing.
    _ = try LineRecognizer(model: untrainedModel(), vocabulary: .boosted(cyrillic, bonus: 2))
  }

  @Test func aBoostedVocabularyPrefersItsWordsWhereTheInkAgrees() throws {
    var values = output([2, 0, 3, 0], classes: 5)
    values[2 * 5 + 4] = values[2 * 5 + 3] + 0.5
    let words = try Lexicon(words: ["ab"])
    let boosted = try LineRecognizer(
      model: untrainedModel(), vocabulary: .boosted(words, bonus: 2))
    #expect(try boosted.decode(values, preContext: "", count: 1)[0].text == "ab")
    values[2 * 5 + 4] = values[2 * 5 + 3] + 4
    #expect(try boosted.decode(values, preContext: "", count: 1)[0].text == "ac")
  }

  @Test func candidatesAreProbabilitiesWithTheInkOfEachCharacter() throws {
    let recognizer = try LineRecognizer(model: untrainedModel())
    let ink = ink(strokes: 4, points: 25)
    let result = try recognizer.recognize(
      ink, context: RecognitionContext(), maximumCandidates: 1000)
    #expect(result.candidates.allSatisfy { !$0.text.isEmpty })
    let sum = result.candidates.reduce(0) { $0 + exp($1.score) }
    #expect(sum <= 1 + 1e-6)
    for candidate in result.candidates {
      #expect(candidate.characters.count == candidate.text.count)
      for part in candidate.characters.flatMap(\.parts) {
        #expect(ink.strokes.indices.contains(part.stroke))
        #expect(!part.points.isEmpty && part.points.upperBound <= 25)
      }
      #expect(candidate.words.allSatisfy { (0...1).contains($0.confidence) })
    }
  }

  @Test func strangeInkHasAnAnswerInBoundedTime() throws {
    let recognizer = try LineRecognizer(model: untrainedModel())
    #expect(try recognizer.recognize(Ink()).candidates.isEmpty)
    let dot = Ink(strokes: [Stroke(points: [StrokePoint(x: 5, y: 5)])])
    #expect(try !recognizer.recognize(dot).candidates.isEmpty)
    let page = try recognizer.recognize(ink(strokes: 10_000, points: 2))
    #expect(!page.candidates.isEmpty)
    // A stroke has a step at least, and there are 8192.
    #expect((1_809..<10_000).contains(page.unreadStrokes), "\(page.unreadStrokes)")
    #expect(try recognizer.recognize(ink(strokes: 20, points: 20)).unreadStrokes == 0)
    #expect(try !recognizer.recognize(ink(strokes: 1, points: 60_000)).candidates.isEmpty)
    let far = Ink(
      strokes: [Stroke(points: [StrokePoint(x: -1e300, y: 0), StrokePoint(x: 1e300, y: 1e300)])])
    _ = try recognizer.recognize(far)
    let broken = Ink(strokes: [Stroke(points: [StrokePoint(x: .nan, y: 0)])])
    #expect(throws: InkError.self) { try recognizer.recognize(broken) }
  }

  @Test func recognitionStopsWhenItsTaskIsCancelled() async throws {
    let recognizer = try LineRecognizer(model: untrainedModel())
    let long = ink(strokes: 200, points: 50)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try recognizer.recognize(long)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    // The search looks by itself whether it is still wanted: nothing before it has asked here.
    let output = try recognizer.logProbabilities(long)
    let search = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try recognizer.decode(output, count: 1).map(\.text)
    }
    await #expect(throws: CancellationError.self) { try await search.value }
  }

  @Test func aTextIsAlignedWithTheTimeStepsThatReadIt() {
    var alignment = ForcedAlignment()
    let values = output([0, 2, 2, 0, 2, 3, 3], classes: 5)
    let ranges = values.withUnsafeBufferPointer {
      alignment.align($0.baseAddress!, steps: 7, classes: 5, labels: [2, 2, 3])
    }
    #expect(ranges == [1..<3, 4..<5, 5..<7])
    let impossible = values.withUnsafeBufferPointer {
      alignment.align($0.baseAddress!, steps: 2, classes: 5, labels: [2, 2, 2])
    }
    #expect(impossible == nil)
  }

  @Test func aWordIsAsLikelyAsTheReadingsThatHaveIt() throws {
    let confidences = WordConfidences(["the cat", "the cut", "thecat"], [0.5, 0.3, 0.2])
    let certainties: [Float] = [0.9, 0.8, 0.9, 1, 0.5, 0.9, 0.9]
    func words(_ configuration: DecoderConfiguration) -> [RecognizedWord] {
      confidences.words(of: "the cat", certainties: certainties, configuration)
    }
    let plain = words(DecoderConfiguration())
    #expect(plain.map(\.text) == ["the", "cat"])
    #expect(abs(plain[0].confidence - 0.8) < 1e-9)
    #expect(abs(plain[1].confidence - 0.5) < 1e-9)
    #expect(plain[1].characters == 4..<7)
    // Log-odds ln 4, in the middle, and 0, at the lower end.
    var calibrated = DecoderConfiguration()
    calibrated.wordLogOdds = [0, 2 * Float(log(4.0)), 20]
    calibrated.wordConfidences = [0.3, 0.7, 0.9]
    let adjusted = words(calibrated)
    #expect(abs(adjusted[0].confidence - 0.5) < 1e-6)
    #expect(abs(adjusted[1].confidence - 0.3) < 1e-6)
    // The least certain characters have 0.8, log-odds ln 4 too, and 0.5.
    calibrated.certaintyWeight = 1
    let certain = words(calibrated)
    #expect(abs(certain[0].confidence - 0.7) < 1e-6)
    #expect(abs(certain[1].confidence - 0.3) < 1e-6)
    let unknown = confidences.evidence(of: "the cat", certainties: [])
    #expect(unknown.map(\.certainty) == [1, 1])
  }

  @Test func theNetworkSaysHowCertainEachCharacterIs() throws {
    let recognizer = try LineRecognizer(model: untrainedModel())
    let sure = output([2, 0, 3, 0], classes: 5)
    let certainties = recognizer.certainties(of: "ab", in: sure)
    #expect(certainties.count == 2 && certainties.allSatisfy { $0 > 0.98 })
    // A space that nobody wrote.
    #expect(recognizer.certainties(of: " ab", in: sure) == [1] + certainties)
    let unsure = recognizer.certainties(
      of: "ab", in: output([2, 0, 3, 0], classes: 5, strength: 1))
    #expect(zip(unsure, certainties).allSatisfy { $0 < $1 - 0.3 })
    #expect(recognizer.certainties(of: "abcabc", in: sure).isEmpty)
    #expect(recognizer.certainties(of: "x", in: sure).isEmpty)
  }

  @Test func numbersOutOfTheirRangeAreRefusedByName() throws {
    let changes: [(String, (inout DecoderConfiguration) -> Void)] = [
      ("beam", { $0.beam = 0 }), ("beam", { $0.beam = -1 }), ("symbols", { $0.symbols = 0 }),
      ("symbols", { ($0.beam, $0.symbols) = (10_000, 10_000) }),
      ("temperature", { $0.temperature = 0 }), ("wordTemperature", { $0.wordTemperature = -1 }),
      ("certaintyWeight", { $0.certaintyWeight = -1 }), ("margin", { $0.margin = .nan }),
      ("languageModelWeight", { $0.languageModelWeight = .infinity }),
      ("logPriors", { $0.logPriors = [1, 2] }),
      ("wordConfidences", { $0.wordLogOdds = [0] }),
      ("wordLogOdds", { ($0.wordLogOdds, $0.wordConfidences) = ([1, 0], [0.1, 0.2]) }),
    ]
    for (member, change) in changes {
      var configuration = DecoderConfiguration()
      change(&configuration)
      let error = #expect(throws: RecognitionError.self, "\(member)") {
        try LineRecognizer(model: untrainedModel(), configuration: configuration)
      }
      guard case .unusableConfiguration(let found, _, _)? = error else {
        Issue.record("\(member): found \(String(describing: error))")
        continue
      }
      #expect(found == "decoding \(member)")
    }
    let words = try Lexicon(words: ["ab"])
    #expect(throws: RecognitionError.self) {
      try LineRecognizer(
        model: untrainedModel(), vocabulary: .boosted(words, bonus: .nan))
    }
    #expect(throws: RecognitionError.emptyAlphabet) {
      try LineRecognizer(model: untrainedModel(), alphabet: Alphabet(" "))
    }
    let usual = try LineRecognizer(model: untrainedModel())
    #expect(try usual.decode(output([2, 0], classes: 5), count: -1).count == 1)
  }
}
