import Files
import Foundation
import InkCore
import InkDatasets
import LanguageModels
import Metrics
import Recognition

/// Tunes the decoder hyperparameters for a line model and a language model on validation data.
/// Weights are tuned by the error rates of characters and words; temperatures and confidences are
/// calibrated by the log-likelihood of correct texts and words.
public struct DecoderTuner {
  /// The result of tuning.
  public struct Result: Sendable {
    /// The configuration to decode with.
    public var configuration: DecoderConfiguration
    /// Character error rate of the network alone on the same lines.
    package var greedyErrorRate: Double
    /// Character error rate with the tuned configuration.
    package var errorRate: Double
    /// Expected calibration error of the words' confidences.
    package var calibrationError: Double
    /// Expected calibration error of the best candidates' probabilities.
    package var textCalibrationError: Double
    /// The number of decoded lines.
    public var lines: Int
  }

  /// The network's output for one line.
  struct Line: Sendable {
    var output: [Float]
    var reference: String
    var ink: Ink
  }

  /// The second part of a line, after a text.
  struct Cut: Sendable {
    var output: [Float]
    var before: String
    var beginsWithSpace: Bool
  }

  let model: LineModel
  private var language: LanguageModel?
  private var recurrent: RecurrentLanguageModel?
  private(set) var lines: [Line] = []
  /// True if there are no lines to tune on.
  public var isEmpty: Bool { lines.isEmpty }
  private var greedy = EditDistance()
  let note: (String) -> Void
  /// The processes that divide the lines of each trial among them; nil for this one alone. All tune on
  /// the same lines and find the same result.
  package var ranks: (any TrainingRanks)?

  /// A checksum that differs if the texts of the lines do.
  package var textChecksum: UInt32 {
    lines.reduce(0) { sum, line in
      Array("\(line.reference)\n".utf8).withUnsafeBytes { Checksum.crc32($0, after: sum) }
    }
  }

  /// Runs the network over the lines, once over each. Ink of several rows is cut into them by the
  /// model (``InkCutter``).
  ///
  /// The data is read twice: the first time only to count the inks, so that no more of them are in
  /// memory than are used.
  ///
  /// - Parameters:
  ///   - model: The line model.
  ///   - language: The n-gram model of the search, or nil.
  ///   - recurrent: The language model that rescores the best readings, or nil.
  ///   - data: The lines.
  ///   - limit: The most lines to use, spread evenly over the data.
  ///   - note: Called with a description of each trial.
  /// - Throws: `DataError` or `InkFormatError` if data cannot be opened.
  public init(
    model: LineModel, language: LanguageModel? = nil, recurrent: RecurrentLanguageModel? = nil,
    data: [DataSpecification], limit: Int,
    note: @escaping (String) -> Void = { _ in }
  ) throws {
    self.model = model
    self.language = language
    self.recurrent = recurrent
    self.note = note
    let recognizer = try LineRecognizer(model: model)
    for (labeled, reference) in try Self.inks(of: data, limit: limit) {
      for line in try Self.lines(of: labeled, reference, recognizer) {
        guard
          let output = try? recognizer.logProbabilities(
            line.labeled.ink, area: line.labeled.writingArea)
        else { continue }
        greedy += EditDistance(
          reference: line.reference, hypothesis: recognizer.readGreedily(from: output))
        lines.append(Line(output: output, reference: line.reference, ink: line.labeled.ink))
      }
    }
  }

  /// A tuner on the same lines for other language models, without running the network again.
  public func with(
    _ language: LanguageModel?, recurrent: RecurrentLanguageModel? = nil
  ) -> DecoderTuner {
    var result = self
    (result.language, result.recurrent) = (language, recurrent)
    return result
  }

  /// The inks to tune on, spread evenly over those with points, with the texts to compare with.
  private static func inks(
    of data: [DataSpecification], limit: Int
  ) throws -> [(LabeledInk, String)] {
    var total = 0
    for specification in data {
      for case .success(let record) in try specification.records()
      where !record.labeled.ink.isEmpty { total += 1 }
    }
    let count = min(total, max(1, limit))
    var taken: [(LabeledInk, String)] = []
    var index = 0
    for specification in data where taken.count < count {
      for case .success(let record) in try specification.records()
      where !record.labeled.ink.isEmpty {
        guard taken.count < count else { break }
        if index == taken.count * total / count {
          let reference = TextErrorRate.reference(
            record.labeled.label, without: specification.format.crossedOutMarks)
          taken.append((record.labeled, reference))
        }
        index += 1
      }
    }
    return taken
  }

  /// The lines of an ink: the ink itself, or the rows that the model reads as parts of its text. If
  /// it reads none of them so, the rows are one line.
  private static func lines(
    of labeled: LabeledInk, _ reference: String, _ recognizer: LineRecognizer
  ) throws -> [(labeled: LabeledInk, reference: String)] {
    let whole = [(labeled, reference)]
    guard recognizer.rows(of: labeled).count > 1 else { return whole }
    var page = labeled
    page.label = reference
    guard let rows = try PageCutter(recognizer: recognizer).lines(of: page), !rows.isEmpty else {
      return whole
    }
    return rows.map { ($0, $0.label) }
  }

  /// The second parts of a line after the places where it can be cut.
  private func cuts(_ line: Line, _ recognizer: LineRecognizer) throws -> [Cut] {
    try CutLine.Place.allCases.compactMap { place in
      guard let cut = CutLine(line.ink, text: line.reference, at: place, recognizer) else {
        return nil
      }
      return Cut(
        output: try recognizer.logProbabilities(cut.ink, area: nil), before: cut.before,
        beginsWithSpace: place == .betweenWords)
    }
  }

  /// Searches for the weights, then for the bonus of a space at the beginning, then for the
  /// confidences.
  ///
  /// - Parameters:
  ///   - start: The configuration to start from; its beam is kept.
  ///   - weights: Weights of the language model and of the priors, and bonuses, to use instead of a
  ///     search.
  ///   - rarest: The smallest prior of a symbol, as a share of all read symbols, above 0.
  ///   - fitsWords: If true, word confidences are fitted to the accuracy of such words; otherwise
  ///     they use a temperature only. Do not fit them on labels with many errors, because all
  ///     confidences would become too low.
  /// - Throws: `CancellationError` if the task is cancelled.
  public func tune(
    from start: DecoderConfiguration = DecoderConfiguration(), weights: DecoderWeights? = nil,
    rarest: Double = 0.001, fitsWords: Bool = true
  ) throws -> Result {
    var best = start
    (best.wordLogOdds, best.wordConfidences, best.rescoring) = ([], [], nil)
    if language != nil {
      best.logPriors = Self.logPriors(of: timeOfClasses(), rarest: rarest)
      best.weights = try weights ?? search(from: best)
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

  /// Finds the weights with the fewest errors.
  private func search(from start: DecoderConfiguration) throws -> DecoderWeights {
    let found = try PatternSearch.minimum(
      from: [start.weights.numbers] + Self.weightStarts, steps: Self.weightSteps, halvings: 2
    ) { numbers in
      guard let weights = DecoderWeights(numbers) else { return .infinity }
      var next = start
      next.weights = weights
      return try objective(errors(next))
    }
    return DecoderWeights(found.point) ?? start.weights
  }

  /// Starting points near the optima of many models: a high weight of the language model with
  /// compensating bonuses, or a prior weight that discounts the network's own language model.
  private static let weightStarts: [[Float]] = [
    [0.8, 2.4, -1, 0], [0.8, 2, -0.8, 0.4],
  ]
  /// The first steps of the search, in the order of the weights.
  private static let weightSteps: [Float] = [0.1, 0.4, 0.4, 0.2]

  /// The logarithms of each symbol's share in the network's own readings, at least that of
  /// `rarest`, minus their mean over all readings, so that their weight adds nothing to an average
  /// character; 0 for the blank.
  ///
  /// - Parameter times: The number of time steps that the network assigns to each class.
  package static func logPriors(of times: [Double], rarest: Double) -> [Float] {
    let total = max(times.dropFirst().reduce(0, +), .leastNormalMagnitude)
    let shares = times.dropFirst().map { $0 / total }
    let logarithms = shares.map { log(max($0, rarest)) }
    let mean = zip(shares, logarithms).reduce(0) { $0 + $1.0 * $1.1 }
    return [0] + logarithms.map { Float($0 - mean) }
  }

  /// The sum of each class's probabilities over the time steps of all lines.
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

  /// The objective of tuning: character errors plus a share of word errors, because writers have to
  /// correct words.
  private func objective(_ errors: TextErrorRate) -> Double {
    (errors.characterErrorRate ?? 0) + Self.wordShare * (errors.wordErrorRate ?? 0)
  }

  /// The weight of the word error rate relative to the character error rate.
  private static let wordShare = 0.2

  /// The second-pass configuration that ranks the best readings of the first pass with the fewest
  /// errors; nil if it improves nothing.
  private func rescoring(
    _ configuration: DecoderConfiguration, _ recurrent: RecurrentLanguageModel
  ) throws -> DecoderConfiguration.Rescoring? {
    let recognizer = try LineRecognizer(
      model: model, languageModel: language, recurrentModel: recurrent,
      configuration: configuration)
    let readings = try forEachLine { try recognizer.evidence($0.output) }
    // The errors of each reading, counted once.
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

  /// Decodes the lines on all cores and returns the best readings of each.
  func readings(
    _ configuration: DecoderConfiguration, count: Int
  ) throws -> [[(text: String, score: Float)]] {
    try Task.checkCancellation()
    let recognizer = try LineRecognizer(
      model: model, languageModel: language, recurrentModel: recurrent,
      configuration: configuration)
    guard let ranks, ranks.count > 1 else {
      return try forEachLine { try recognizer.decode($0.output, preContext: "", count: count) }
    }
    let own = ranks.pieces(of: lines.count)
    let pool = WorkerPool(count: ProcessInfo.processInfo.activeProcessorCount)
    let found = try pool.map(own.count) { [lines] place in
      try recognizer.decode(lines[own[place]].output, preContext: "", count: count)
        .map { SharedReading(text: $0.text, score: $0.score) }
    }
    return try ranks.exchange(pieces: found, of: lines.count).map { readings in
      readings.map { ($0.text, $0.score) }
    }
  }

  /// A reading as ranks send it.
  private struct SharedReading: Codable, Sendable {
    var text: String
    var score: Float
  }

  /// Computes a value for each line, on all cores.
  private func forEachLine<Value: Sendable>(
    _ find: @Sendable (Line) throws -> Value
  ) throws -> [Value] {
    let pool = WorkerPool(count: ProcessInfo.processInfo.activeProcessorCount)
    return try pool.map(lines.count) { [lines] in try find(lines[$0]) }
  }

  /// The bonus with which most second parts get a space after a space, and no space inside a word;
  /// the smallest of equal ones.
  private func spaceBonus(_ configuration: DecoderConfiguration) throws -> Float {
    // A part is decoded once for each bonus.
    let cutter = try LineRecognizer(model: model)
    let cuts = try Self.balanced(lines, count: Self.cutLines) { try self.cuts($0, cutter) }
      .flatMap(\.self)
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

  /// The cuts of the first lines that have one of each kind, or those of the first lines if no line
  /// has. Cuts inside single words alone would train decoding to never begin with a space. No more
  /// lines are cut than are needed.
  package static func balanced<Element, Part>(
    _ lines: [Element], count: Int, cutting: (Element) throws -> [Part]
  ) rethrows -> [[Part]] {
    var (whole, first): ([[Part]], [[Part]]) = ([], [])
    for line in lines where whole.count < count {
      let cuts = try cutting(line)
      if cuts.count == CutLine.Place.allCases.count { whole.append(cuts) }
      if first.count < count { first.append(cuts) }
    }
    return whole.isEmpty ? first : whole
  }

  /// The number of lines that are cut to tune the space bonus.
  private static let cutLines = 200
}
