import Dispatch
import Foundation
import InkCore
import InkDatasets
import LanguageModels
import Metrics
import Recognition

/// Finds the numbers of the beam search for a line model and a language model on validation data:
/// the weights by the error rates of characters and words, the temperature and the calibration of
/// confidences by the log-likelihood of the words' confidences.
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
    /// Lines that were decoded.
    public var lines: Int
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
    model: LineModel, language: LanguageModel?, data: [DataSpecification], limit: Int,
    note: @escaping (String) -> Void = { _ in }
  ) throws {
    self.model = model
    self.language = language
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
    let step = max(1, (inks.count + limit - 1) / max(1, limit))
    for index in stride(from: 0, to: inks.count, by: step) {
      let (labeled, reference) = inks[index]
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
  ///   - rarest: The share of what is read, above 0, below which no symbol is taken to be.
  ///   - fitsWords: Whether confidences of words follow how often such words are right, or a
  ///     temperature alone. Labels that are often wrong would teach doubt.
  /// - Throws: `CancellationError` where the task is cancelled.
  public func tune(
    from start: DecoderConfiguration = DecoderConfiguration(), rarest: Double = 0.001,
    fitsWords: Bool = true
  ) throws -> Result {
    var best = start
    best.temperature = 1
    (best.wordLogOdds, best.wordConfidences) = ([], [])
    if language != nil {
      best.logPriors = Self.logPriors(of: timeOfClasses(), rarest: rarest)
      best.weights = try PatternSearch.minimum(
        from: [best.weights] + Self.weightStarts, steps: Self.weightSteps, halvings: 2
      ) { weights in
        guard weights[0] > 0, weights[3] >= 0 else { return .infinity }
        var next = best
        next.weights = weights
        return try objective(errors(next))
      }.point
      if best.priorWeight == 0 { best.logPriors = [] }
      best.spaceBonus = try spaceBonus(best)
    }
    let calibrated = try calibrate(best, fitsWords: fitsWords)
    return Result(
      configuration: calibrated.configuration, greedyErrorRate: greedy.rate ?? 0,
      errorRate: try errors(best).characterErrorRate ?? 0, calibrationError: calibrated.error,
      lines: lines.count)
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
      model: model, languageModel: language, configuration: configuration)
    typealias Outcome = Swift.Result<[(text: String, score: Float)], any Error>
    var results = [Outcome](repeating: .success([]), count: lines.count)
    results.withUnsafeMutableBufferPointer { results in
      // Each line writes to its own place.
      nonisolated(unsafe) let results = results
      DispatchQueue.concurrentPerform(iterations: lines.count) { [lines] index in
        results[index] = Outcome {
          try recognizer.decode(lines[index].output, preContext: "", count: count)
        }
      }
    }
    return try results.map { try $0.get() }
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

  /// The temperature under which the confidences of words are the most likely, and how often words
  /// of such confidences are right.
  private func calibrate(
    _ configuration: DecoderConfiguration, fitsWords: Bool
  ) throws -> (configuration: DecoderConfiguration, error: Double) {
    let readings = try readings(configuration, count: configuration.beam)
    var best = configuration
    var least = Double.infinity
    for index in 0..<16 {
      var next = configuration
      next.temperature = 0.8 * pow(1.2, Float(index))
      let loss = words(readings, next).reduce(0.0) { sum, word in
        let confidence = min(max(word.confidence, 1e-4), 1 - 1e-4)
        return sum - log(word.isKept ? confidence : 1 - confidence)
      }
      if loss < least { (best, least) = (next, loss) }
    }
    if fitsWords {
      let fit = MonotoneFit(
        words(readings, best).map { (WordConfidences.logOdds($0.confidence), $0.isKept) })
      best.wordLogOdds = fit.x.map { Float($0) }
      best.wordConfidences = fit.y.map { Float($0) }
    }
    var calibration = ExpectedCalibrationError()
    for word in words(readings, best) {
      calibration.add(confidence: word.confidence, isCorrect: word.isKept)
    }
    return (best, calibration.value ?? 0)
  }

  /// The words of the best readings: their confidences, and whether the references have them.
  private func words(
    _ readings: [[(text: String, score: Float)]], _ configuration: DecoderConfiguration
  ) -> [(confidence: Double, isKept: Bool)] {
    zip(lines, readings).flatMap { line, readings -> [(Double, Bool)] in
      guard let best = readings.first else { return [] }
      let words = WordConfidences(readings, configuration).words(of: best.text)
      let kept = WordAlignment.kept(
        reference: line.reference.split(separator: " ").map(String.init),
        hypothesis: words.map(\.text))
      return zip(words, kept).map { ($0.confidence, $1) }
    }
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
