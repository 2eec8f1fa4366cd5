import Dispatch
import Foundation
import InkCore
import InkDatasets
import LanguageModels
import Metrics
import Recognition

/// Finds the numbers of the beam search for a line model and a language model on validation data:
/// the weights by the error rates of characters and words, the temperatures and the calibration of
/// confidences by the log-likelihood of which texts and words are right.
public struct DecoderTuner {
  /// What was found.
  public struct Result: Sendable {
    /// The numbers to decode with.
    public var configuration: DecoderConfiguration
    /// Character error rate of the network alone on the same lines.
    public var greedyErrorRate: Double
    /// Character error rate with the numbers.
    public var errorRate: Double
    /// Expected calibration error of the words' confidences.
    public var calibrationError: Double
    /// Expected calibration error of the best candidates' probabilities.
    public var textCalibrationError: Double
    /// Lines that were decoded.
    public var lines: Int
  }

  /// What weighs ink against language in the search.
  public struct Weights: Hashable, Sendable {
    /// Of the language model, above 0.
    public let languageModel: Float
    /// Of each character, in nats.
    public let characterBonus: Float
    /// Of each word, in nats.
    public let wordBonus: Float
    /// Of what the network knows of the language by itself, 0 or more.
    public let prior: Float

    /// Makes weights.
    ///
    /// - Returns: nil where a number is not finite or out of its range.
    public init?(languageModel: Float, characterBonus: Float, wordBonus: Float, prior: Float) {
      guard languageModel > 0, prior >= 0,
        [languageModel, characterBonus, wordBonus, prior].allSatisfy(\.isFinite)
      else { return nil }
      self.languageModel = languageModel
      self.characterBonus = characterBonus
      self.wordBonus = wordBonus
      self.prior = prior
    }

    fileprivate var numbers: [Float] { [languageModel, characterBonus, wordBonus, prior] }
  }

  /// One line as the network sees it.
  private struct Line: Sendable {
    var output: [Float]
    var reference: String
    /// What of it stands behind a cut, for the space that a reading may begin with.
    var cuts: [Cut]
  }

  /// The latter part of a line, behind a text.
  private struct Cut: Sendable {
    var output: [Float]
    var before: String
    var beginsWithSpace: Bool
  }

  private let model: LineModel
  private let language: LanguageModel?
  private let recurrent: RecurrentLanguageModel?
  private var lines: [Line] = []
  private var greedy = EditDistance()
  private let note: (String) -> Void

  /// Runs the network over the lines.
  ///
  /// - Parameters:
  ///   - limit: Lines to use at most, spread evenly over the data.
  ///   - note: Told what was tried.
  /// - Throws: `DataError` or `InkFormatError` where data cannot be opened.
  public init(
    model: LineModel, language: LanguageModel?, recurrent: RecurrentLanguageModel? = nil,
    data: [DataSpecification], limit: Int,
    note: @escaping (String) -> Void = { _ in }
  ) throws {
    self.model = model
    self.language = language
    self.recurrent = recurrent
    self.note = note
    let recognizer = try LineRecognizer(model: model)
    var inks: [(LabeledInk, String)] = []
    for specification in data {
      for case .success(let record) in try specification.records() {
        let reference = TextErrorRate.reference(
          record.labeled.label, without: specification.format.crossedOutMarks)
        if !record.labeled.ink.isEmpty { inks.append((record.labeled, reference)) }
      }
    }
    let count = min(inks.count, max(1, limit))
    for place in 0..<count {
      let (labeled, reference) = inks[place * inks.count / count]
      guard
        let output = try? recognizer.logProbabilities(labeled.ink, area: labeled.writingArea)
      else { continue }
      greedy += EditDistance(
        reference: reference,
        hypothesis: try recognizer.readGreedily(labeled.ink, area: labeled.writingArea))
      lines.append(
        Line(
          output: output, reference: reference,
          cuts: language == nil ? [] : try Self.cuts(labeled.ink, reference, recognizer)))
    }
  }

  private static func cuts(
    _ ink: Ink, _ reference: String, _ recognizer: LineRecognizer
  ) throws -> [Cut] {
    try CutLine.Place.allCases.compactMap { place in
      guard let cut = CutLine(ink, text: reference, at: place, recognizer) else { return nil }
      return Cut(
        output: try recognizer.logProbabilities(cut.ink, area: nil), before: cut.before,
        beginsWithSpace: place == .betweenWords)
    }
  }

  /// Searches for the weights, then for the bonus of a space at the beginning, then for the
  /// confidences.
  ///
  /// - Parameters:
  ///   - start: Where to begin; its beam is kept.
  ///   - weights: Weights of the language model and of the priors, and bonuses, to take in place of a
  ///     search.
  ///   - rarest: The share of what is read, above 0, below which no symbol is taken to be.
  ///   - fitsWords: Whether confidences of words follow how often such words are right, or a
  ///     temperature alone. Labels that are often wrong would teach doubt.
  /// - Throws: `CancellationError` where the task is cancelled.
  public func tune(
    from start: DecoderConfiguration = DecoderConfiguration(), weights: Weights? = nil,
    rarest: Double = 0.001, fitsWords: Bool = true
  ) throws -> Result {
    var best = start
    (best.wordLogOdds, best.wordConfidences) = ([], [])
    if language != nil {
      best.logPriors = Self.logPriors(of: timeOfClasses(), rarest: rarest)
      best.weights = try weights?.numbers ?? search(from: best)
      if best.priorWeight == 0 { best.logPriors = [] }
      best.spaceBonus = try spaceBonus(best)
      if let recurrent { best.rescoring = try rescoring(best, recurrent) }
    }
    var result = Result(
      configuration: best, greedyErrorRate: greedy.rate ?? 0,
      errorRate: try errors(best).characterErrorRate ?? 0, calibrationError: 0,
      textCalibrationError: 0, lines: lines.count)
    try calibrate(&result, fitsWords: fitsWords)
    return result
  }

  /// The weights and bonuses of the least errors.
  private func search(from start: DecoderConfiguration) throws -> [Float] {
    try PatternSearch.minimum(
      from: [start.weights] + Self.weightStarts, steps: Self.weightSteps, halvings: 2
    ) { weights in
      guard weights[0] > 0, weights[3] >= 0 else { return .infinity }
      var next = start
      next.weights = weights
      return try objective(errors(next))
    }.point
  }

  /// Where many models end: weights of much language with bonuses that make up for it, and such that
  /// take off what the network knows of the language by itself.
  private static let weightStarts: [[Float]] = [
    [0.8, 2.4, -1, 0], [0.8, 2, -0.8, 0.4],
  ]
  /// The first steps of the search, in the order of the weights.
  private static let weightSteps: [Float] = [0.1, 0.4, 0.4, 0.2]

  /// The logarithms of the shares of each symbol in what the network reads on its own, those below
  /// `rarest` taken for that, less their mean over all that is read, so that their weight adds nothing
  /// to an average character; 0 for the blank.
  ///
  /// - Parameter times: For each class the time steps that the network gives to it.
  static func logPriors(of times: [Double], rarest: Double) -> [Float] {
    let total = max(times.dropFirst().reduce(0, +), .leastNormalMagnitude)
    let shares = times.dropFirst().map { $0 / total }
    let logarithms = shares.map { log(max($0, rarest)) }
    let mean = zip(shares, logarithms).reduce(0) { $0 + $1.0 * $1.1 }
    return [0] + logarithms.map { Float($0 - mean) }
  }

  /// For each class the sum of its probabilities over the time steps of all lines.
  private func timeOfClasses() -> [Double] {
    let classes = model.labels.count + 1
    var sums = [Double](repeating: 0, count: classes)
    for line in lines {
      for (index, value) in line.output.enumerated() {
        sums[index % classes] += Double(exp(value))
      }
    }
    return sums
  }

  /// What the weights minimise: wrong characters, and wrong words too, which are what a writer has to
  /// mend.
  private func objective(_ errors: TextErrorRate) -> Double {
    (errors.characterErrorRate ?? 0) + Self.wordShare * (errors.wordErrorRate ?? 0)
  }

  /// What a word error rate counts of a character error rate.
  private static let wordShare = 0.2

  /// The numbers of the second pass with which the best readings of the first have the least errors; nil
  /// where it mends none.
  private func rescoring(
    _ configuration: DecoderConfiguration, _ recurrent: RecurrentLanguageModel
  ) throws -> DecoderConfiguration.Rescoring? {
    let recognizer = try LineRecognizer(
      model: model, languageModel: language, recurrentModel: recurrent,
      configuration: configuration)
    let readings = try forEachLine { try recognizer.evidence($0.output) }
    // How wrong each reading is, counted once.
    let wrong = zip(lines, readings).map { line, readings in
      readings.map { reading in
        var errors = TextErrorRate()
        errors.add(reference: line.reference, hypothesis: reading.text)
        return errors
      }
    }
    func errors(_ numbers: [Float]) -> TextErrorRate {
      let rescoring = Self.rescoring(numbers)
      var sum = TextErrorRate()
      for (readings, wrong) in zip(readings, wrong) {
        let scores = readings.map { configuration.score(of: $0.evidence, with: rescoring) }
        if let best = scores.indices.max(by: { scores[$0] < scores[$1] }) { sum.merge(wrong[best]) }
      }
      note(
        String(
          format: "recurrent weight %.3f, language weight %.3f, character bonus %.2f, word bonus "
            + "%.2f: CER %.2f, WER %.2f %%", numbers[0], numbers[1], numbers[2], numbers[3],
          100 * (sum.characterErrorRate ?? 0), 100 * (sum.wordErrorRate ?? 0)))
      return sum
    }
    let start = [
      0.3, configuration.languageModelWeight / 2, configuration.characterBonus,
      configuration.wordBonus,
    ]
    let found = try PatternSearch.minimum(
      from: [start, [0.6, 0.2, start[2], start[3]]], steps: [0.1, 0.1, 0.2, 0.4], halvings: 2
    ) { objective(errors($0)) }
    let asItIs = [0, configuration.languageModelWeight, start[2], start[3]]
    guard found.value < objective(errors(asItIs)) else { return nil }
    return Self.rescoring(found.point)
  }

  private static func rescoring(_ numbers: [Float]) -> DecoderConfiguration.Rescoring {
    .init(
      recurrentWeight: numbers[0], languageModelWeight: numbers[1], characterBonus: numbers[2],
      wordBonus: numbers[3])
  }

  private func errors(_ configuration: DecoderConfiguration) throws -> TextErrorRate {
    var errors = TextErrorRate()
    for (line, readings) in zip(lines, try readings(configuration, count: 1)) {
      errors.add(reference: line.reference, hypothesis: readings.first?.text)
    }
    note(
      String(
        format:
          "language weight %.3f, character bonus %.2f, word bonus %.2f, prior weight %.2f: "
          + "CER %.2f, WER %.2f %%",
        configuration.languageModelWeight, configuration.characterBonus, configuration.wordBonus,
        configuration.priorWeight,
        100 * (errors.characterErrorRate ?? 0), 100 * (errors.wordErrorRate ?? 0)))
    return errors
  }

  /// The best readings of each line, found on all cores.
  private func readings(
    _ configuration: DecoderConfiguration, count: Int
  ) throws -> [[(text: String, score: Float)]] {
    try Task.checkCancellation()
    let recognizer = try LineRecognizer(
      model: model, languageModel: language, recurrentModel: recurrent,
      configuration: configuration)
    return try forEachLine { try recognizer.decode($0.output, preContext: "", count: count) }
  }

  /// Something of each line, found on all cores.
  private func forEachLine<Value: Sendable>(
    _ find: @Sendable (Line) throws -> Value
  ) throws -> [Value] {
    var results = [Swift.Result<Value, any Error>?](repeating: nil, count: lines.count)
    results.withUnsafeMutableBufferPointer { results in
      // Each line writes to its own place.
      nonisolated(unsafe) let results = results
      DispatchQueue.concurrentPerform(iterations: lines.count) { [lines] index in
        results[index] = Swift.Result { try find(lines[index]) }
      }
    }
    return try results.compactMap { try $0?.get() }
  }

  /// The bonus with which the most latter parts of lines begin with a space behind a space, and
  /// with none inside a word; of equal ones the smallest.
  private func spaceBonus(_ configuration: DecoderConfiguration) throws -> Float {
    // A part is decoded once for each bonus.
    let cuts = Self.balanced(lines.map(\.cuts)).prefix(Self.cutLines).flatMap(\.self)
    var best: (bonus: Float, right: Int) = (0, -1)
    for step in 0...12 {
      var next = configuration
      next.spaceBonus = Float((step + 1) / 2) * (step % 2 == 0 ? 1 : -1)
      let recognizer = try LineRecognizer(
        model: model, languageModel: language, configuration: next)
      var right = 0
      for cut in cuts {
        let reading = try recognizer.decode(cut.output, preContext: cut.before, count: 1).first
        if (reading?.text.first == " ") == cut.beginsWithSpace { right += 1 }
      }
      if right > best.right { best = (next.spaceBonus, right) }
      note(
        String(
          format: "space bonus %.0f: %d of %d beginnings right", next.spaceBonus, right, cuts.count)
      )
    }
    return best.bonus
  }

  /// The cuts of the lines that have one of each kind, or all where no line has: those of single words
  /// alone would teach that nothing begins with a space.
  static func balanced<Cut>(_ lines: [[Cut]]) -> [[Cut]] {
    let whole = lines.filter { $0.count == CutLine.Place.allCases.count }
    return whole.isEmpty ? lines : whole
  }

  /// Lines that are cut to tune the space.
  private static let cutLines = 200

  /// What was read of a line at the weights that were found.
  private struct Outcome {
    var readings: [(text: String, score: Float)]
    /// Of the characters of the best reading.
    var certainties: [Float]
    /// Whether the best reading is the reference.
    var isRight: Bool
    /// For each word of the best reading whether the reference has it.
    var keptWords: [Bool]
  }

  /// Fits the temperatures, and how often words of some evidence are right.
  private func calibrate(_ result: inout Result, fitsWords: Bool) throws {
    let outcomes = try outcomes(result.configuration)
    var next = result.configuration
    result.textCalibrationError = fitTexts(&next, outcomes)
    var least = Double.infinity
    for temperature in Self.temperatures {
      next.wordTemperature = temperature
      let words = outcomes.flatMap { self.words(of: $0, temperature: temperature) }
      for weight in fitsWords ? Self.certaintyWeights : [0] {
        next.certaintyWeight = weight
        if fitsWords {
          let fit = MonotoneFit(
            words.map { ($0.evidence.logOdds(certaintyWeight: weight), $0.isKept) })
          next.wordLogOdds = fit.x.map { Float($0) }
          next.wordConfidences = fit.y.map { Float($0) }
        }
        var (loss, calibration) = (0.0, ExpectedCalibrationError())
        for word in words {
          let confidence = next.confidence(of: word.evidence)
          loss += Self.surprise(confidence, word.isKept)
          calibration.add(confidence: confidence, isCorrect: word.isKept)
        }
        guard loss < least else { continue }
        least = loss
        result.calibrationError = calibration.value ?? 0
        result.configuration = next
        note(
          String(
            format: "word temperature %.2f, certainty weight %.2f: %.4f nats a word",
            temperature, weight, loss / Double(max(1, words.count))))
      }
    }
  }

  /// Sets the temperature of texts; returns their calibration error.
  private func fitTexts(
    _ configuration: inout DecoderConfiguration, _ outcomes: [Outcome]
  ) -> Double {
    var (least, error) = (Double.infinity, 0.0)
    for temperature in Self.temperatures {
      var (loss, calibration) = (0.0, ExpectedCalibrationError())
      for outcome in outcomes {
        let best =
          WordConfidences.probabilities(
            outcome.readings.map(\.score), temperature: temperature
          ).first ?? 0
        loss += Self.surprise(best, outcome.isRight)
        calibration.add(confidence: best, isCorrect: outcome.isRight)
      }
      guard loss < least else { continue }
      (least, error) = (loss, calibration.value ?? 0)
      configuration.temperature = temperature
    }
    return error
  }

  /// Temperatures that are tried: 0.5 and on by steps of a fifth.
  private static let temperatures = (0..<20).map { 0.5 * pow(Float(1.2), Float($0)) }
  /// Weights of the network's certainty that are tried.
  private static let certaintyWeights: [Float] = [0, 0.25, 0.5, 1, 2]

  /// The logarithmic loss of a probability, which is kept from 0 and 1.
  private static func surprise(_ probability: Double, _ isTrue: Bool) -> Double {
    let kept = min(max(probability, 1e-4), 1 - 1e-4)
    return -log(isTrue ? kept : 1 - kept)
  }

  private func outcomes(_ configuration: DecoderConfiguration) throws -> [Outcome] {
    let recognizer = try LineRecognizer(model: model)
    return zip(lines, try readings(configuration, count: configuration.beam)).map {
      line, readings in
      let best = readings.first?.text ?? ""
      return Outcome(
        readings: readings, certainties: recognizer.certainties(of: best, in: line.output),
        isRight: TextErrorRate.reference(best, without: []) == line.reference,
        keptWords: WordAlignment.kept(
          reference: line.reference.split(separator: " ").map(String.init),
          hypothesis: best.split(separator: " ").map(String.init)))
    }
  }

  /// What speaks for the words of a best reading, and whether they are right.
  private func words(
    of outcome: Outcome, temperature: Float
  ) -> [(evidence: WordConfidences.Evidence, isKept: Bool)] {
    guard let best = outcome.readings.first else { return [] }
    let evidence = WordConfidences(outcome.readings, temperature: temperature)
      .evidence(of: best.text, certainties: outcome.certainties)
    return zip(evidence, outcome.keptWords).map { ($0, $1) }
  }
}

extension DecoderConfiguration {
  /// The numbers that weigh ink against language, in the order that they are searched.
  fileprivate var weights: [Float] {
    get { [languageModelWeight, characterBonus, wordBonus, priorWeight] }
    set {
      (languageModelWeight, characterBonus) = (newValue[0], newValue[1])
      (wordBonus, priorWeight) = (newValue[2], newValue[3])
    }
  }
}
