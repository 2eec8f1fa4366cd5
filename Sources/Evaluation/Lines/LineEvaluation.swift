import Foundation
import InkCore
import InkDatasets
import InkFormats
import LanguageModels
import Metrics
import Recognition

/// The figures of a line recogniser on labelled ink, one ink at a time on one thread.
///
/// Every labelled record counts: a refused ink counts as an empty text. References are normalised
/// by `TextErrorRate.reference`, without the crossed-out ink of IAM-OnDB. Memory does not grow with
/// the ink.
@dynamicMemberLookup
public struct LineEvaluation: Sendable {
  /// The decoding of texts.
  public enum Reading: Hashable, Sendable {
    /// Greedy decoding: the best class of each time step.
    case greedy
    /// Beam search, with the recogniser's language model if it has one.
    case beam
  }

  /// True if each line was read with the readings of the previous lines on its page as pre-context.
  public private(set) var isRunningText = false
  /// The counts, the confidences of words and the times. Its members are members of the evaluation.
  public private(set) var totals = EvaluationTotals()
  /// Character and word errors of the best candidates.
  public private(set) var errors = TextErrorRate()
  /// Character edits of the best of all candidates; nil when reading greedily.
  public private(set) var oracle: EditDistance?
  /// The calibration of the best candidates' probabilities for the whole text.
  public private(set) var textCalibration = ExpectedCalibrationError()
  /// Word edits by writer.
  public private(set) var wordsByWriter = ClusteredRate()
  /// The figures of the records that are pages.
  package private(set) var pages = PageEvaluation()
  /// The lines with the most edits, worst first.
  public private(set) var worst: [Misreading] = []

  /// A line that was read wrongly.
  public struct Misreading: Hashable, Sendable {
    /// The ink.
    public var ink: Ink
    /// The reference text.
    public var reference: String
    /// The text that was read.
    public var hypothesis: String
    /// Character edits.
    public var edits: Int
  }

  /// The number of misreadings to keep.
  public static let worstCount = 40

  /// The time spent in each stage of recognition, in seconds: features, network, decoding.
  public private(set) var stageSeconds = (features: 0.0, network: 0.0, decoding: 0.0)

  private let reading: Reading
  private let layout: InkLayout
  private let knownLabels: Set<String>?

  /// Begins without samples.
  init(of reader: LineReader, reading: Reading, layout: InkLayout = .auto) {
    self.reading = reading
    self.layout = layout
    knownLabels = reader.symbols
    if reading == .beam { oracle = EditDistance() }
  }

  /// Reads every record of the data.
  ///
  /// - Parameters:
  ///   - recognizer: Reads the ink.
  ///   - data: Labelled lines or pages.
  ///   - reading: Whether the search or the network alone reads.
  ///   - layout: Whether an ink is a line or a page.
  ///   - isRunningText: Whether each line is read behind what was read of those before it on
  ///   its page, as a program reads them as they are written. The search alone uses it.
  ///   - progress: Called after every record with the number of records so far.
  ///   - keep: Called with the answer to each labelled record.
  /// - Throws: `DataError` or `InkFormatError` where data cannot be opened, or the error of `keep`.
  public init(
    _ recognizer: LineRecognizer, on data: [DataSpecification], reading: Reading,
    layout: InkLayout = .auto, isRunningText: Bool = false, progress: (Int) -> Void = { _ in },
    keep: ((Prediction) throws -> Void)? = nil
  ) throws {
    try self.init(
      LineReader(recognizer), on: data, reading: reading, layout: layout,
      isRunningText: isRunningText, progress: progress, keep: keep)
  }

  /// Reads every record of the data with a model or an outside program.
  ///
  /// - Throws: `DataError` or `InkFormatError` where data cannot be opened, the error of `keep`, or
  ///   the error of a program that answers no more.
  package init(
    _ reader: LineReader, on data: [DataSpecification], reading: Reading,
    layout: InkLayout = .auto, isRunningText: Bool = false, progress: (Int) -> Void = { _ in },
    keep: ((Prediction) throws -> Void)? = nil
  ) throws {
    self.init(of: reader, reading: reading, layout: layout)
    self.isRunningText = isRunningText
    for specification in data {
      var text = RunningText()
      for element in try specification.records() {
        switch element {
        case .success(let record):
          let before = isRunningText ? text.before(on: record.page ?? record.source) : ""
          let line = try add(record, of: specification.format, behind: before, reader)
          text.append(line.hypothesis)
          try keep?(
            Prediction(
              index: totals.samples - 1, label: line.reference, candidates: line.candidates,
              language: line.language))
        case .failure: addMalformed()
        }
        progress(totals.samples + totals.malformed)
      }
    }
    finish()
  }

  /// A member of ``totals``.
  public subscript<Value>(dynamicMember member: KeyPath<EvaluationTotals, Value>) -> Value {
    totals[keyPath: member]
  }

  /// 95 % interval of the character error rate, by resampling writers (Efron 1979).
  public func characterInterval(seed: UInt64 = 1) -> BootstrapInterval? {
    var generator = SeededGenerator(seed: seed)
    return totals.byWriter.interval(using: &generator)
  }

  /// 95 % interval of the word error rate, by resampling writers.
  public func wordInterval(seed: UInt64 = 1) -> BootstrapInterval? {
    var generator = SeededGenerator(seed: seed)
    return wordsByWriter.interval(using: &generator)
  }

  /// The result for one line.
  struct Line {
    /// The reference text in the form that is compared.
    var reference: String
    /// The text that was read; nil if there was no answer.
    var hypothesis: String?
    /// The edits.
    var errors = TextErrorRate()
    /// All candidates, the best first.
    var candidates: [Prediction.Candidate] = []
    /// The language in which the line was read, if the recogniser has one.
    var language: String?
  }

  /// Counts a record that could not be read.
  mutating func addMalformed() { totals.malformed += 1 }

  /// Hashes the samples; nothing may be added afterwards.
  mutating func finish() { totals.finish() }

  /// Reads one line and counts it.
  ///
  /// - Parameter preContext: The text before the ink.
  @discardableResult
  mutating func add(
    _ record: InkRecord, of format: DataFormat, behind preContext: String = "",
    _ reader: LineReader
  ) throws -> Line {
    let labeled = record.labeled
    // The rules of a language change both texts in the same way.
    let rules = reader.rules
    let label = TextErrorRate.reference(labeled.label, without: format.crossedOutMarks)
    let reference = rules?.normalized(label) ?? label
    totals.begin(labeled)
    if let knownLabels {
      totals.unknown.add(Set(reference.map(String.init)).subtracting(knownLabels))
    }
    let index = totals.samples - 1
    var timings = LineTimings()
    let read = try totals.timed(sharing: reader.sharing) { [reading, layout] in
      try reader.read(
        labeled,
        RecognitionContext(
          preContext: preContext, writingArea: labeled.writingArea, layout: layout), reading,
        place: record.place(index), &timings)
    }
    let candidates = read?.candidates.map { candidate in
      var candidate = candidate
      candidate.text = rules?.normalized(candidate.text) ?? candidate.text
      return candidate
    }
    stageSeconds.features += timings.features / .seconds(1)
    stageSeconds.network += timings.network / .seconds(1)
    stageSeconds.decoding += timings.decoding / .seconds(1)
    if candidates?.isEmpty != false { totals.rejected += 1 }
    let best = candidates?.first
    var line = Line(reference: reference, hypothesis: best?.text, language: read?.language)
    line.candidates = (candidates ?? []).map {
      .init(text: $0.text, score: reading == .greedy ? nil : $0.score)
    }
    line.errors.add(reference: reference, hypothesis: best?.text)
    errors.merge(line.errors)
    totals.letters.add(reference: reference, hypothesis: best?.text)
    let (characters, words) = (line.errors.characters, line.errors.words)
    totals.byWriter.add(
      writer: labeled.writer, page: record.page, numerator: Double(characters.total),
      denominator: Double(characters.referenceCount))
    wordsByWriter.add(
      writer: labeled.writer, page: record.page, numerator: Double(words.total),
      denominator: Double(words.referenceCount))
    if reading == .beam {
      addOracle(reference, candidates ?? [], characters)
      addConfidences(reference, best, isRight: characters.total == 0)
    }
    keep(labeled.ink, reference, best?.text ?? "", edits: characters.total)
    if PageEvaluation.isPage(labeled, layout: layout) {
      let form = { (text: String) in
        let text = TextErrorRate.reference(text, without: [])
        return rules?.normalized(text) ?? text
      }
      pages.add(
        labeled,
        reference: labeled.label.split(whereSeparator: \.isNewline).map {
          form(TextErrorRate.reference(String($0), without: format.crossedOutMarks))
        },
        hypothesis: Self.lines(of: read).map(form),
        kinds: reading == .beam
          ? read?.strokeKinds(count: labeled.ink.strokes.count)
            ?? Array(repeating: nil, count: labeled.ink.strokes.count)
          : nil)
    }
    return line
  }

  /// The lines of a page as they were read.
  private static func lines(of read: RecognitionResult?) -> [String] {
    guard let read else { return [] }
    guard read.lines.isEmpty else { return read.lines.map(\.text) }
    return read.candidates.first?.text.split(whereSeparator: \.isNewline).map(String.init) ?? []
  }

  private mutating func addOracle(
    _ reference: String, _ candidates: [RecognitionCandidate], _ best: EditDistance
  ) {
    var least = best
    for candidate in candidates.dropFirst() where least.total > 0 {
      let edits = EditDistance(
        reference: TextErrorRate.reference(reference, without: []),
        hypothesis: TextErrorRate.reference(candidate.text, without: []))
      if edits.total < least.total { least = edits }
    }
    oracle? += least
  }

  /// A word is correct if an alignment of all words with the fewest edits keeps it. In scripts without
  /// spaces it is if one of all characters keeps its characters.
  private mutating func addConfidences(
    _ reference: String, _ best: RecognitionCandidate?, isRight: Bool
  ) {
    guard let best else { return }
    textCalibration.add(confidence: exp(best.score), isCorrect: isRight)
    if best.words.count > 1, !best.text.contains(where: \.isWhitespace) {
      let kept = WordAlignment.kept(
        reference: reference.map(String.init), hypothesis: best.text.map(String.init))
      for word in best.words {
        let own = kept[word.characters.clamped(to: kept.indices)]
        totals.addConfidence(word.confidence, isCorrect: own.allSatisfy { $0 })
      }
      return
    }
    let kept = WordAlignment.kept(
      reference: reference.split(separator: " ").map(String.init),
      hypothesis: best.words.map(\.text))
    for (word, isKept) in zip(best.words, kept) {
      totals.addConfidence(word.confidence, isCorrect: isKept)
    }
  }

  private mutating func keep(
    _ ink: Ink, _ reference: String, _ hypothesis: String, edits: Int
  ) {
    guard edits > 0, worst.count < Self.worstCount || edits > (worst.last?.edits ?? 0) else {
      return
    }
    let place = worst.firstIndex { $0.edits < edits } ?? worst.count
    worst.insert(
      Misreading(ink: ink, reference: reference, hypothesis: hypothesis, edits: edits), at: place)
    if worst.count > Self.worstCount { worst.removeLast() }
  }
}
