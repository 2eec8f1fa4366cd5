import Features
import Foundation
import InkCore
import LanguageModels
import LinearAlgebra
import Networks
import Recognition
import Testing

@Suite struct LineRecognizerTests {
  @Test func theLanguageModelDecidesWhereTheInkDoesNot() throws {
    // Class 2 is "a"; after it "b" and "c" are equally likely by the ink.
    var values = TinyLine.output([2, 0, 3, 0], classes: 5)
    values[2 * 5 + 4] = values[2 * 5 + 3] - 0.01
    let alone = try LineRecognizer(model: TinyLine.untrainedModel())
    #expect(try alone.decode(values, preContext: "", count: 1)[0].text == "ab")
    values[2 * 5 + 4] = values[2 * 5 + 3] + 0.3
    #expect(try alone.decode(values, preContext: "", count: 1)[0].text == "ac")
    let informed = try LineRecognizer(
      model: TinyLine.untrainedModel(), languageModel: TinyLine.languageModel())
    #expect(try informed.decode(values, preContext: "", count: 1)[0].text == "ab")
  }

  @Test func aReadingBeginsWithASpaceWhereTheTextBeforeAsksForOne() throws {
    let informed = try LineRecognizer(
      model: TinyLine.untrainedModel(), languageModel: TinyLine.languageModel())
    let values = TinyLine.output([2, 0, 3, 0], classes: 5)
    #expect(try informed.decode(values, preContext: "ab", count: 1)[0].text == " ab")
    #expect(try informed.decode(values, preContext: "ab ", count: 1)[0].text == "ab")
    let rest = TinyLine.output([3, 0, 0], classes: 5)
    #expect(try informed.decode(rest, preContext: "ab a", count: 1)[0].text == "b")
    #expect(try informed.decode(values, preContext: "", count: 1)[0].text == "ab")
  }

  @Test func theLastTwentyCharactersBeforeTheInkCountHoweverManyScalarsTheyHave() throws {
    // The letter before nineteen accented letters determines the next one.
    let filler = String(repeating: "e\u{301}", count: 19)
    let recognizer = try LineRecognizer(
      model: TinyLine.untrainedModel(),
      languageModel: TinyLine.languageModel(
        of: "a\(filler)b\nb\(filler)a", times: 60, order: 21))
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
    // The text before the last twenty characters changes nothing.
    #expect(try read(after: "bbb a" + filler) == read(after: "e\u{301}a" + filler))
  }

  @Test func anAlphabetLeavesOutAllOtherSymbols() throws {
    let digits = try LineRecognizer(model: TinyLine.untrainedModel(), alphabet: Alphabet("bc"))
    let result = try digits.recognize(TinyLine.ink(strokes: 3, points: 20))
    #expect(!result.candidates.isEmpty)
    #expect(result.candidates.allSatisfy { $0.text.allSatisfy("bc".contains) })
    #expect(throws: RecognitionError.emptyAlphabet) {
      try LineRecognizer(model: TinyLine.untrainedModel(), alphabet: Alphabet("0"))
    }
  }

  @Test func aClosedVocabularyAllowsItsWordsOnly() throws {
    // The ink reads "cb a" or "ab a"; the list has neither "cb" nor a word with that prefix.
    let values = TinyLine.output([4, 0, 3, 0, 1, 0, 2, 0], classes: 5, strength: 4)
    let words = try Lexicon(words: ["ab", "a"])
    let open = try LineRecognizer(model: TinyLine.untrainedModel())
    #expect(try open.decode(values, preContext: "", count: 1)[0].text == "cb a")
    let closed = try LineRecognizer(model: TinyLine.untrainedModel(), vocabulary: .closed(words))
    let readings = try closed.decode(values, preContext: "", count: 50)
    #expect(readings[0].text == "ab a")
    for reading in readings {
      #expect(reading.text.split(separator: " ").allSatisfy { ["ab", "a"].contains($0) })
    }
    #expect(try closed.decode(values, preContext: "a", count: 1)[0].text != "")
  }

  @Test func aClosedVocabularyGoesOnWithABegunWordOrBeginsOne() throws {
    let values = TinyLine.output([3, 0, 4, 0], classes: 5)
    let words = try Lexicon(words: ["bc", "abab", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaabc"])
    let closed = try LineRecognizer(model: TinyLine.untrainedModel(), vocabulary: .closed(words))
    for begun in ["", "ab", "cc", String(repeating: "a", count: 30)] {
      #expect(try closed.decode(values, preContext: begun, count: 1)[0].text == "bc", "\(begun)")
    }
  }

  @Test func aVocabularyThatCannotBeWrittenIsRefused() throws {
    let cyrillic = try Lexicon(words: ["мир"])
    let word = try Lexicon(words: ["cab"])
    #expect(throws: RecognitionError.unwritableVocabulary) {
      try LineRecognizer(model: TinyLine.untrainedModel(), vocabulary: .closed(cyrillic))
    }
    #expect(throws: RecognitionError.unwritableVocabulary) {
      try LineRecognizer(
        model: TinyLine.untrainedModel(), alphabet: Alphabet("ab"), vocabulary: .closed(word))
    }
    // A list of preferred words forbids nothing.
    _ = try LineRecognizer(
      model: TinyLine.untrainedModel(), vocabulary: .boosted(cyrillic, bonus: 2))
  }

  @Test func aBoostedVocabularyPrefersItsWordsWhereTheInkAgrees() throws {
    var values = TinyLine.output([2, 0, 3, 0], classes: 5)
    values[2 * 5 + 4] = values[2 * 5 + 3] + 0.5
    let words = try Lexicon(words: ["ab"])
    let boosted = try LineRecognizer(
      model: TinyLine.untrainedModel(), vocabulary: .boosted(words, bonus: 2))
    #expect(try boosted.decode(values, preContext: "", count: 1)[0].text == "ab")
    values[2 * 5 + 4] = values[2 * 5 + 3] + 4
    #expect(try boosted.decode(values, preContext: "", count: 1)[0].text == "ac")
  }

  @Test(arguments: [[], TinyLine.joining])
  func candidatesAreProbabilitiesWithTheInkOfEachCharacter(
    later: [PackedLayerSpecification]
  ) throws {
    let recognizer = try LineRecognizer(model: TinyLine.untrainedModel(later: later))
    let ink = TinyLine.ink(strokes: 4, points: 25)
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
    let recognizer = try LineRecognizer(model: TinyLine.untrainedModel())
    #expect(try recognizer.recognize(Ink()).candidates.isEmpty)
    let dot = Ink(strokes: [Stroke(points: [StrokePoint(x: 5, y: 5)])])
    #expect(try !recognizer.recognize(dot).candidates.isEmpty)
    let many = TinyLine.ink(strokes: 10_000, points: 2)
    let line = try recognizer.recognize(many, context: RecognitionContext(layout: .line))
    #expect(!line.candidates.isEmpty)
    // A stroke has at least one step, and there are 8192.
    #expect((1_809..<10_000).contains(line.unreadStrokes), "\(line.unreadStrokes)")
    #expect(try recognizer.recognize(many).unreadStrokes == 0)
    #expect(try recognizer.recognize(TinyLine.ink(strokes: 20, points: 20)).unreadStrokes == 0)
    #expect(try !recognizer.recognize(TinyLine.ink(strokes: 1, points: 60_000)).candidates.isEmpty)
    let far = Ink(
      strokes: [Stroke(points: [StrokePoint(x: -1e300, y: 0), StrokePoint(x: 1e300, y: 1e300)])])
    _ = try recognizer.recognize(far)
    let broken = Ink(strokes: [Stroke(points: [StrokePoint(x: .nan, y: 0)])])
    #expect(throws: InkError.self) { try recognizer.recognize(broken) }
  }

  @Test func recognitionStopsWhenItsTaskIsCancelled() async throws {
    let recognizer = try LineRecognizer(model: TinyLine.untrainedModel())
    let long = TinyLine.ink(strokes: 200, points: 50)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try recognizer.recognize(long)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    // The search checks for cancellation itself: nothing has checked before it here.
    let output = try recognizer.logProbabilities(long)
    let search = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try recognizer.decode(output, count: 1).map(\.text)
    }
    await #expect(throws: CancellationError.self) { try await search.value }
  }

  @Test func aSearchThatHasBegunStopsWhenItsTaskIsCancelled() async throws {
    let recognizer = try LineRecognizer(model: TinyLine.untrainedModel())
    // This takes seconds.
    let output = [Float](repeating: -1.6, count: 5 * 2_000_000)
    let began = DispatchSemaphore(value: 0)
    let search = Task {
      began.signal()
      return try recognizer.decode(output, count: 1).map(\.text)
    }
    // On a thread of its own, because other tests may occupy those of tasks.
    Thread.detachNewThread {
      began.wait()
      usleep(20_000)
      search.cancel()
    }
    await #expect(throws: CancellationError.self) { try await search.value }
  }

  @Test(arguments: ReadingPrecision.allCases, [[], TinyLine.joining])
  func everyPrecisionReadsWhatSinglePrecisionReads(
    _ precision: ReadingPrecision, later: [PackedLayerSpecification]
  ) throws {
    let model = TinyLine.untrainedModel(later: later)
    let single = try LineRecognizer(inSinglePrecision: model)
    let other = try LineRecognizer(model: model, precision: precision)
    for points in [3, 40, 400] {
      let ink = TinyLine.ink(strokes: 3, points: points)
      let (own, found) = (try single.logProbabilities(ink), try other.logProbabilities(ink))
      #expect(own.count == found.count && !own.isEmpty)
      let steps = model.network.outputSteps(try single.inputSteps(of: ink))
      #expect(own.count == steps * (TinyLine.labels.count + 1))
      #expect(zip(own, found).allSatisfy { abs($0 - $1) < 0.1 }, "\(points) points")
      // Mixed precision is single precision if the processor has no unit for it.
      let differs =
        switch precision {
        case .single: false
        case .mixed: BFloat16Unit.isAvailable
        case .eightBits: true
        }
      #expect((own != found) == differs)
    }
  }

  @Test func aTextIsAlignedWithTheTimeStepsThatReadIt() {
    var alignment = ForcedAlignment()
    let values = TinyLine.output([0, 2, 2, 0, 2, 3, 3], classes: 5)
    let ranges = values.withUnsafeBufferPointer {
      alignment.align($0.baseAddress!, steps: 7, classes: 5, labels: [2, 2, 3])
    }
    #expect(ranges == [1..<3, 4..<5, 5..<7])
    let impossible = values.withUnsafeBufferPointer {
      alignment.align($0.baseAddress!, steps: 2, classes: 5, labels: [2, 2, 2])
    }
    #expect(impossible == nil)
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func anAlignmentIsTheBestPath(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let (steps, classes) = (60 + generator.index(below: 60), 6)
    // Some outputs deny the text for a while, so that the best path is far below others.
    let scale: Float = seed % 2 == 0 ? 3 : 40
    let output = (0..<steps * classes).map { _ in
      -scale * Float.random(in: 0..<1, using: &generator)
    }
    let labels = (0..<20).map { _ in Int32(1 + generator.index(below: classes - 1)) }
    var alignment = ForcedAlignment()
    let ranges = try #require(
      output.withUnsafeBufferPointer {
        alignment.align($0.baseAddress!, steps: steps, classes: classes, labels: labels)
      })
    // The best score of each state after each step, without a band.
    let states = [0] + labels.flatMap { [Int($0), 0] }
    var best = [Float](repeating: -.infinity, count: states.count)
    (best[0], best[1]) = (output[0], output[states[1]])
    for step in 1..<steps {
      best = states.indices.map { state in
        var score = best[state]
        if state > 0 { score = max(score, best[state - 1]) }
        if state > 2, states[state] > 0, states[state] != states[state - 2] {
          score = max(score, best[state - 2])
        }
        return score + output[step * classes + states[state]]
      }
    }
    var path = [Int](repeating: 0, count: steps)
    for (label, range) in zip(labels, ranges) { for step in range { path[step] = Int(label) } }
    let found = path.enumerated().reduce(Float(0)) { $0 + output[$1.offset * classes + $1.element] }
    let wanted = max(best[states.count - 1], best[states.count - 2])
    #expect(abs(found - wanted) < 1e-3 * abs(wanted), "seed \(seed)")
  }

  @Test func aWordIsTheSameHoweverItIsEncodedAndWhateverPrecedesIt() {
    let confidences = WordConfidences(
      ["the  café", "café the", "then cafe\u{301}", "the cafe"], [0.4, 0.3, 0.2, 0.1])
    let evidence = confidences.evidence(of: "the café", certainties: [])
    #expect(evidence.map(\.text) == ["the", "café"])
    #expect(abs(evidence[0].probability - 0.5) < 1e-9)
    #expect(abs(evidence[1].probability - 0.6) < 1e-9)
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
    // Below the knots confidence falls to 0, its value for a word that is in no reading.
    calibrated.wordLogOdds = [2 * Float(log(4.0))]
    calibrated.wordConfidences = [0.6]
    calibrated.certaintyWeight = 0
    let (lower, least) = (words(calibrated)[1].confidence, log(1e-4 / (1 - 1e-4)))
    #expect(abs(lower - 0.6 * least / (least - 2 * log(4.0))) < 1e-6)
    let absent = WordConfidences.Evidence(
      text: "", characters: 0..<0, probability: 0, certainty: 1)
    #expect(calibrated.confidence(of: absent) == 0)
    calibrated.certaintyWeight = 0.25
    #expect(calibrated.confidence(of: absent) == 0)
    // It does not fall for a word in all readings, even if the network is uncertain.
    let doubted = WordConfidences.Evidence(
      text: "", characters: 0..<0, probability: 1, certainty: 0)
    #expect(abs(calibrated.confidence(of: doubted) - 0.6) < 1e-6)
    calibrated.certaintyWeight = 1
    // With one knot, confidence is constant above it; NaN counts as the least evidence.
    calibrated.wordLogOdds = [0]
    calibrated.wordConfidences = [0.4]
    #expect(words(calibrated).allSatisfy { abs($0.confidence - 0.4) < 1e-6 })
    let nothing = WordConfidences.Evidence(
      text: "", characters: 0..<0, probability: .nan, certainty: 1)
    #expect(abs(calibrated.confidence(of: nothing) - 0.4) < 1e-6)
    let unknown = confidences.evidence(of: "the cat", certainties: [])
    #expect(unknown.map(\.certainty) == [1, 1])
  }

  @Test func theNetworkSaysHowCertainEachCharacterIs() throws {
    let recognizer = try LineRecognizer(model: TinyLine.untrainedModel())
    let sure = TinyLine.output([2, 0, 3, 0], classes: 5)
    let certainties = recognizer.certainties(of: "ab", in: sure)
    #expect(certainties.count == 2 && certainties.allSatisfy { $0 > 0.98 })
    // A space without ink.
    #expect(recognizer.certainties(of: " ab", in: sure) == [1] + certainties)
    let unsure = recognizer.certainties(
      of: "ab", in: TinyLine.output([2, 0, 3, 0], classes: 5, strength: 1))
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
      ("languageModelWeight", { $0.languageModelWeight = -0.5 }),
      ("characterBonus", { $0.characterBonus = 3e38 }), ("wordBonus", { $0.wordBonus = -20_000 }),
      ("spaceBonus", { $0.spaceBonus = .nan }),
      (
        "rescoring wordBonus",
        {
          $0.rescoring = .init(
            recurrentWeight: 1, languageModelWeight: 0, characterBonus: 0, wordBonus: 1e30)
        }
      ),
      ("logPriors", { $0.logPriors = [1, 2] }),
      ("wordConfidences", { $0.wordLogOdds = [0] }),
      ("wordLogOdds", { ($0.wordLogOdds, $0.wordConfidences) = ([1, 0], [0.1, 0.2]) }),
    ]
    for (member, change) in changes {
      var configuration = DecoderConfiguration()
      change(&configuration)
      let error = #expect(throws: RecognitionError.self, "\(member)") {
        try LineRecognizer(model: TinyLine.untrainedModel(), configuration: configuration)
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
        model: TinyLine.untrainedModel(), vocabulary: .boosted(words, bonus: .nan))
    }
    #expect(throws: RecognitionError.emptyAlphabet) {
      try LineRecognizer(model: TinyLine.untrainedModel(), alphabet: Alphabet(" "))
    }
    let usual = try LineRecognizer(model: TinyLine.untrainedModel())
    #expect(try usual.decode(TinyLine.output([2, 0], classes: 5), count: -1).count == 1)
  }
}
