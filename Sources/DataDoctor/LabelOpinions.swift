import Evaluation
import Features
import Foundation
import InkCore
import InkDatasets
import InkFormats
import Metrics
import Recognition
import Training

/// Collects a judge's opinions of the labels of records.
/// Cross-validation keeps every ink in memory, as training does. A recogniser keeps only the
/// suspects.
struct LabelOpinions {
  /// An ink to train on.
  private struct Sample {
    var index: Int
    var label: String
    var writer: String?
    var trajectory: Trajectory
    var area: LocalArea?
  }

  private let judge: DataExamination.Judge
  private var samples: [Sample] = []
  /// The labels of the samples. They stop growing once the labels turn out to be texts.
  private var labels: Set<String> = []
  private var isOfTexts = false
  private var suspects: [DataFindings.SuspectLabel] = []
  private var (judged, agreeing) = (0, 0)
  /// The index of each label of the glyph recogniser.
  private var places: [String: Int] = [:]

  /// The number of parts of cross-validation.
  private static let parts = 3
  /// The fewest inks that cross-validation needs.
  private static let fewestInks = 60
  /// The number of samples after which labels are checked for being texts.
  private static let mostTexts = 2000
  /// Edits per character from which a text is suspect.
  private static let suspectErrors = 0.5
  /// Optimisation steps of each model of cross-validation, and its epochs.
  private static let (steps, fewestEpochs, mostEpochs) = (1200, 6, 40)

  init(_ judge: DataExamination.Judge) {
    self.judge = judge
    if case .recognizer(let recognizer, _) = judge {
      for (place, label) in (recognizer.labels ?? []).enumerated() { places[label] = place }
    }
  }

  /// Judges a record now, or keeps it for cross-validation. O(points).
  ///
  /// - Throws: The error of an outside program that answers no more.
  mutating func add(_ record: InkRecord, index: Int, format: DataFormat) throws {
    let labeled = record.labeled
    guard !labeled.ink.isEmpty else { return }
    switch judge {
    case .crossValidation: addSample(labeled, index)
    case .recognizer(let recognizer, _):
      if let labels = recognizer.labels {
        try addGlyph(record, index, recognizer, labels)
      } else {
        try addText(record, index, format, recognizer)
      }
    }
  }

  private mutating func addSample(_ labeled: LabeledInk, _ index: Int) {
    guard !isOfTexts, let trajectory = try? Trajectory(labeled.ink) else { return }
    labels.insert(labeled.label)
    samples.append(
      Sample(
        index: index, label: labeled.label, writer: labeled.writer, trajectory: trajectory,
        area: labeled.writingArea.map { LocalArea($0, in: trajectory.frame) }))
    guard samples.count >= Self.mostTexts,
      DataFindings.areTexts(labels: labels.count, records: samples.count)
    else { return }
    isOfTexts = true
    samples = []
  }

  private mutating func addGlyph(
    _ record: InkRecord, _ index: Int, _ recognizer: any Recognizer, _ names: [String]
  ) throws {
    let labeled = record.labeled
    guard let label = places[labeled.label],
      let result = try recognizer.answer(
        labeled.ink, context: RecognitionContext(writingArea: labeled.writingArea, layout: .line),
        maximumCandidates: names.count, place: record.place(index))
    else { return }
    var names = names
    var probabilities = [Float](repeating: 0, count: names.count)
    for candidate in result.candidates {
      let probability = Float(exp(candidate.score))
      if let place = places[candidate.text] {
        probabilities[place] = probability
      } else {
        // An outside program may know more labels than the data.
        names.append(candidate.text)
        probabilities.append(probability)
      }
    }
    let judgement = LabelJudgement(probabilities: probabilities, label: label)
    add(judgement, index, labeled.label, labeled.writer, names)
  }

  private mutating func add(
    _ judgement: LabelJudgement, _ index: Int, _ label: String, _ writer: String?, _ names: [String]
  ) {
    judged += 1
    if judgement.margin == 0 { agreeing += 1 }
    guard judgement.isSuspect else { return }
    suspects.append(
      DataFindings.SuspectLabel(
        index: index, label: label, suggested: names[judgement.likeliest],
        score: judgement.margin, writer: writer))
  }

  private mutating func addText(
    _ record: InkRecord, _ index: Int, _ format: DataFormat, _ recognizer: any Recognizer
  ) throws {
    let labeled = record.labeled
    let reference = TextErrorRate.reference(labeled.label, without: format.crossedOutMarks)
    let result = try recognizer.answer(
      labeled.ink, context: RecognitionContext(writingArea: labeled.writingArea, layout: .line),
      maximumCandidates: 1, place: record.place(index))
    guard let read = result?.candidates.first?.text,
      let rate = EditDistance(reference: reference, hypothesis: read).rate
    else { return }
    judged += 1
    if rate == 0 { agreeing += 1 }
    guard rate >= Self.suspectErrors else { return }
    suspects.append(
      DataFindings.SuspectLabel(
        index: index, label: labeled.label, suggested: read, score: min(1, rate),
        writer: labeled.writer))
  }

  /// Adds the opinions to the findings.
  ///
  /// - Throws: ``TrainingError`` if no model can be trained on the inks, or if training was stopped;
  ///   `CancellationError` if it was stopped at its end.
  mutating func conclude(
    _ findings: inout DataFindings, shouldStop: @escaping @Sendable () -> Bool,
    progress: @escaping @Sendable (Double) -> Void
  ) throws {
    switch judge {
    case .recognizer(_, let name): findings.judge = name
    case .crossValidation(let workers, let ranks):
      if let reason = reasonNotToLearn {
        findings.unjudged = reason
        return
      }
      try crossValidate(workers, ranks, shouldStop, progress)
      findings.judge = "\(Self.parts) models, each trained on a part of the data"
    }
    findings.judged = judged
    findings.agreement = judged > 0 ? Double(agreeing) / Double(judged) : nil
    findings.suspectLabels = suspects.sorted { ($1.score, $0.index) < ($0.score, $1.index) }
    let left = findings.records - findings.malformed - judged
    if left > 0 {
      findings.unjudged =
        "\(left) of the records: no points, no readable text, or a label "
        + "unknown to the judge"
    }
  }

  private mutating func crossValidate(
    _ workers: Int, _ ranks: (any TrainingRanks)?,
    _ shouldStop: @escaping @Sendable () -> Bool, _ progress: @escaping @Sendable (Double) -> Void
  ) throws {
    var set = GlyphTrainingSet(labels: labels.sorted())
    for sample in samples { set.append(sample.trajectory, area: sample.area, label: sample.label) }
    let parts = GlyphCrossValidation.parts(
      writers: samples.map(\.writer), labels: set.samples.classes.map(Int.init), count: Self.parts)
    let result = try GlyphCrossValidation(
      set, parts: parts,
      configuration: Self.configuration(inks: samples.count * (Self.parts - 1) / Self.parts),
      workers: workers, ranks: ranks
    ) { part in
      FractionObserver(shouldStop) { progress((Double(part) + $0) / Double(Self.parts)) }
    }
    if shouldStop() { throw CancellationError() }
    for (sample, judgement) in zip(samples, result.judgements) {
      guard let judgement else { continue }
      add(judgement, sample.index, sample.label, sample.writer, set.labels)
    }
  }

  /// The reason why cross-validation would not be informative; nil if it is.
  private var reasonNotToLearn: String? {
    if isOfTexts || DataFindings.areTexts(labels: labels.count, records: samples.count) {
      return "most labels occur once or twice and seem to be texts: name a line model"
    }
    if samples.count < Self.fewestInks {
      return "\(samples.count) inks are too few for cross-validation: name a model"
    }
    return labels.count < 2 ? "all labels are the same" : nil
  }

  /// The settings of a small model, with about the same number of steps for any number of inks.
  private static func configuration(inks: Int) -> GlyphTrainingConfiguration {
    var result = GlyphPreset.small.configuration
    result.precision = .fastest
    result.batchSize = min(result.batchSize, max(8, inks / 32))
    let stepsOfEpoch = max(1, inks / result.batchSize)
    result.epochs = min(mostEpochs, max(fewestEpochs, steps / stepsOfEpoch))
    // The average covers the last twentieth of the steps.
    result.averageDecay = min(
      result.averageDecay, 1 - 20 / Float(max(40, stepsOfEpoch * result.epochs)))
    return result
  }
}

/// Reports the share of a training run that is done.
private final class FractionObserver: TrainingObserver {
  private let report: @Sendable (Double) -> Void
  private let isStopped: @Sendable () -> Bool

  init(
    _ isStopped: @escaping @Sendable () -> Bool, _ report: @escaping @Sendable (Double) -> Void
  ) {
    self.isStopped = isStopped
    self.report = report
  }

  func trainingDidStep(_ progress: TrainingProgress) {
    report(Double(progress.step) / Double(max(1, progress.steps)))
  }

  func trainingDidFinishEpoch(_ record: EpochRecord) {}

  var shouldStop: Bool { isStopped() }
}
