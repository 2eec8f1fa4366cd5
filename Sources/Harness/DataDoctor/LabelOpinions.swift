import Evaluation
import Features
import Foundation
import InkCore
import InkDatasets
import Metrics
import Recognition
import Training

/// What a judge thinks of the labels of records.
struct LabelOpinions {
  private struct Glyph {
    var index: Int
    var label: String
    var writer: String?
  }

  private let judge: DataDoctor.Judge
  private var glyphs: [Glyph] = []
  /// Of `glyphs`, [N, K], where a model judges.
  private var probabilities: [Float] = []
  /// Of `glyphs`, where they are to be learned.
  private var inks: [(trajectory: Trajectory, area: LocalArea?)] = []
  private var suspectTexts: [DataFindings.SuspectLabel] = []
  private var texts = 0
  private var places: [String: Int] = [:]

  /// Parts of cross-validation.
  private static let parts = 3
  /// Fewer inks are too few to learn from.
  private static let fewestInks = 60
  /// A text that differs from its reading by so many edits per character is suspect.
  private static let suspectErrors = 0.5
  /// Optimisation steps of each model of cross-validation, and the most epochs.
  private static let (steps, mostEpochs) = (1200, 40)
  private static let fewestEpochs = 6

  init(_ judge: DataDoctor.Judge) {
    self.judge = judge
    if case .glyphs(let classifier, _) = judge {
      for (place, label) in classifier.model.labels.enumerated() { places[label] = place }
    }
  }

  /// Judges a record, or keeps what it is judged by later. O(points).
  mutating func add(_ labeled: LabeledInk, index: Int, format: DataFormat) {
    guard !labeled.ink.isEmpty else { return }
    switch judge {
    case .crossValidation:
      guard let trajectory = try? Trajectory(labeled.ink) else { return }
      let area = labeled.writingArea.map { LocalArea($0, in: trajectory.frame) }
      inks.append((trajectory, area))
      glyphs.append(Glyph(index: index, label: labeled.label, writer: labeled.writer))
    case .glyphs(let classifier, _):
      addGlyph(labeled, index, classifier)
    case .lines(let recognizer, _):
      if !format.isUnreadable(labeled.label) { addText(labeled, index, format, recognizer) }
    }
  }

  private mutating func addGlyph(
    _ labeled: LabeledInk, _ index: Int, _ classifier: GlyphClassifier
  ) {
    let count = classifier.model.labels.count
    guard places[labeled.label] != nil,
      let result = try? classifier.recognize(
        labeled.ink, context: RecognitionContext(writingArea: labeled.writingArea),
        maximumCandidates: count)
    else { return }
    var row = [Float](repeating: 0, count: count)
    for candidate in result.candidates {
      if let place = places[candidate.text] { row[place] = Float(exp(candidate.score)) }
    }
    probabilities += row
    glyphs.append(Glyph(index: index, label: labeled.label, writer: labeled.writer))
  }

  private mutating func addText(
    _ labeled: LabeledInk, _ index: Int, _ format: DataFormat, _ recognizer: LineRecognizer
  ) {
    let reference = TextErrorRate.reference(labeled.label, without: format.crossedOutMarks)
    let result = try? recognizer.recognize(
      labeled.ink, context: RecognitionContext(writingArea: labeled.writingArea),
      maximumCandidates: 1)
    guard let read = result?.candidates.first?.text else { return }
    texts += 1
    guard let rate = EditDistance(reference: reference, hypothesis: read).rate,
      rate >= Self.suspectErrors
    else { return }
    suspectTexts.append(
      DataFindings.SuspectLabel(
        index: index, label: labeled.label, suggested: read, score: min(1, rate),
        writer: labeled.writer))
  }

  /// Puts what was found into the findings.
  ///
  /// - Throws: ``TrainingError`` where the inks cannot be learned.
  func conclude(
    _ findings: inout DataFindings, progress: @escaping @Sendable (Double) -> Void
  ) throws {
    switch judge {
    case .lines(_, let name):
      findings.judge = name
      findings.judged = texts
      findings.agreement = texts > 0 ? 1 - Double(suspectTexts.count) / Double(texts) : nil
      findings.suspectLabels = suspectTexts.sorted { ($1.score, $0.index) < ($0.score, $1.index) }
    case .glyphs(let classifier, let name):
      findings.judge = name
      conclude(
        &findings, probabilities, classifier.model.labels, glyphs.map { places[$0.label] })
    case .crossValidation(let workers):
      try crossValidate(&findings, workers, progress)
    }
    let left = findings.records - findings.malformed - findings.judged
    if left > 0, findings.unjudged == nil {
      findings.unjudged =
        "\(left) records without points, or of labels that the judge does not know"
    }
  }

  private func crossValidate(
    _ findings: inout DataFindings, _ workers: Int, _ progress: @escaping @Sendable (Double) -> Void
  ) throws {
    var set = GlyphTrainingSet(labels: Set(glyphs.map(\.label)).sorted())
    if let reason = reasonNotToLearn(classes: set.labels.count) {
      findings.unjudged = reason
      return
    }
    for (glyph, ink) in zip(glyphs, inks) {
      set.append(ink.trajectory, area: ink.area, label: glyph.label)
    }
    let configuration = Self.configuration(inks: glyphs.count * (Self.parts - 1) / Self.parts)
    let judged = try GlyphCrossValidation(
      set, parts: GlyphCrossValidation.parts(writers: glyphs.map(\.writer), count: Self.parts),
      configuration: configuration, workers: workers
    ) { part in
      FractionObserver { progress((Double(part) + $0) / Double(Self.parts)) }
    }
    findings.judge = "models of \(Self.parts) parts of the data"
    conclude(
      &findings, judged.probabilities, set.labels,
      zip(set.samples, judged.isJudged).map { $1 ? Int($0.label) : nil })
  }

  /// A small model of so many inks, in about as many steps whatever their number.
  private static func configuration(inks: Int) -> GlyphTrainingConfiguration {
    var result = GlyphPreset.small.configuration
    result.precision = .fastest
    result.batchSize = min(result.batchSize, max(8, inks / 32))
    let stepsOfEpoch = max(1, inks / result.batchSize)
    result.epochs = min(mostEpochs, max(fewestEpochs, steps / stepsOfEpoch))
    // The weights of the last twentieth are averaged.
    result.averageDecay = min(
      result.averageDecay, 1 - 20 / Float(max(40, stepsOfEpoch * result.epochs)))
    return result
  }

  /// Why models of these inks would say nothing; nil where they may.
  private func reasonNotToLearn(classes: Int) -> String? {
    if glyphs.count < Self.fewestInks {
      return "\(glyphs.count) inks are too few to judge labels by models of them: name a model"
    }
    if classes < 2 { return "all labels are the same" }
    if 4 * classes > glyphs.count {
      return "most labels are there once or twice, as texts are: name a line model"
    }
    return nil
  }

  private func conclude(
    _ findings: inout DataFindings, _ probabilities: [Float], _ names: [String], _ labels: [Int?]
  ) {
    let found = SuspectLabels(
      probabilities: probabilities, classCount: names.count, labels: labels)
    findings.judged = found.judged
    findings.agreement = found.judged > 0 ? Double(found.agreeing) / Double(found.judged) : nil
    findings.suspectLabels = found.suspects.map {
      DataFindings.SuspectLabel(
        index: glyphs[$0.sample].index, label: glyphs[$0.sample].label,
        suggested: names[$0.suggested], score: $0.margin, writer: glyphs[$0.sample].writer)
    }
  }
}

/// Tells the share of a training that is done.
private final class FractionObserver: TrainingObserver {
  private let report: @Sendable (Double) -> Void

  init(_ report: @escaping @Sendable (Double) -> Void) { self.report = report }

  func trainingDidStep(_ progress: TrainingProgress) {
    report(Double(progress.step) / Double(max(1, progress.steps)))
  }

  func trainingDidFinishEpoch(_ record: EpochRecord) {}

  var shouldStop: Bool { false }
}
