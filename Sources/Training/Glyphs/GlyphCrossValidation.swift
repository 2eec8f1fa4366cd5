import Foundation
import Metrics
import Recognition

/// Judgements of labelled inks by models that were not trained on them: each part of the inks is
/// judged by a model trained on the other parts.
public struct GlyphCrossValidation: Sendable {
  /// The judgement of each ink by the model of the other parts; nil if that model does not know the
  /// label.
  package private(set) var judgements: [LabelJudgement?]

  /// Trains a model for each part and judges the part with it.
  ///
  /// The judged part is the validation data of its model. It decides the kept epoch and the
  /// temperature, but no weight.
  ///
  /// - Parameters:
  ///   - set: The inks.
  ///   - parts: The part of each ink, 0 ..< P, where P is 2 or more.
  ///   - configuration: The settings of each model.
  ///   - workers: The number of threads; the result does not depend on it.
  ///   - observer: Makes an observer for the training of a part.
  /// - Throws: ``TrainingError`` if a part cannot be trained on.
  public init(
    _ set: GlyphTrainingSet, parts: [Int], configuration: GlyphTrainingConfiguration, workers: Int,
    observer: (_ part: Int) -> (any TrainingObserver)? = { _ in nil }
  ) throws {
    try self.init(
      set, parts: parts, configuration: configuration, workers: workers, ranks: nil,
      observer: observer)
  }

  /// Trains a model for each part as ``init(_:parts:configuration:workers:observer:)`` does, divided
  /// among ranks: rank r of n trains every n-th part from the r-th on. All get all judgements.
  ///
  /// - Parameter ranks: The processes, with the same inks; nil for this one alone.
  /// - Throws: ``TrainingError``, or the error of a rank that does not answer.
  package init(
    _ set: GlyphTrainingSet, parts: [Int], configuration: GlyphTrainingConfiguration, workers: Int,
    ranks: (any TrainingRanks)?,
    observer: (_ part: Int) -> (any TrainingObserver)? = { _ in nil }
  ) throws {
    precondition(parts.count == set.samples.count)
    judgements = Array(repeating: nil, count: set.samples.count)
    let names = Set(parts).sorted()
    var found: [PartJudgement] = []
    for place in ranks?.pieces(of: names.count) ?? Array(names.indices) {
      found.append(
        try Self.judge(
          names[place], of: set, parts: parts, configuration: configuration, workers: workers,
          observer: observer(names[place])))
    }
    let classes = set.labels.count
    for part in try ranks?.exchange(found).flatMap(\.self) ?? found {
      for (place, sample) in part.samples.enumerated() {
        judgements[sample] = LabelJudgement(
          probabilities: Array(part.probabilities[place * classes..<(place + 1) * classes]),
          label: Int(set.samples.label(of: sample)))
      }
    }
  }

  /// The judgement of the inks of a part whose labels its model knows.
  private struct PartJudgement: Codable {
    var samples: [Int] = []
    /// A row of all classes for each sample.
    var probabilities: [Float] = []
  }

  /// Trains a model on the other parts, and judges a part.
  private static func judge(
    _ part: Int, of set: GlyphTrainingSet, parts: [Int],
    configuration: GlyphTrainingConfiguration, workers: Int, observer: (any TrainingObserver)?
  ) throws -> PartJudgement {
    let classes = set.labels.count
    let judged = parts.indices.filter { parts[$0] == part }
    let training = set.subset(parts.indices.filter { parts[$0] != part })
    let held = set.subset(judged)
    let model = try GlyphTrainer(
      configuration: configuration, training: training, validation: held, workers: workers
    ).train(observer: observer)
    let rows = GlyphValidator(
      network: model.network, pipeline: model.pipeline, set: held, workers: workers
    ).probabilities(model.parameters, temperature: model.temperature)
    let counts = training.counts
    var result = PartJudgement()
    for (place, sample) in judged.enumerated()
    where counts[Int(set.samples.label(of: sample))] > 0 {
      result.samples.append(sample)
      result.probabilities += rows[place * classes..<(place + 1) * classes]
    }
    return result
  }

  /// Divides inks into parts of about the same size.
  ///
  /// Writers stay whole; the largest are dealt out first. Inks without a writer are dealt out one
  /// by one within each label, so that every part has every label. If fewer than twice as many
  /// writers as parts are known, all inks are dealt out this way.
  ///
  /// - Parameters:
  ///   - writers: The writer of each ink.
  ///   - labels: The index of each ink's class, at least 0.
  ///   - count: The number of parts, at least 1.
  /// - Returns: The part of each ink, 0 ..< `count`.
  public static func parts(writers: [String?], labels: [Int], count: Int) -> [Int] {
    var sizes: [String: Int] = [:]
    for case let writer? in writers { sizes[writer, default: 0] += 1 }
    var partOf: [String: Int] = [:]
    if sizes.count >= 2 * count {
      var totals = [Int](repeating: 0, count: count)
      for (writer, size) in sizes.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
        let smallest = totals.indices.min { totals[$0] < totals[$1] } ?? 0
        partOf[writer] = smallest
        totals[smallest] += size
      }
    }
    // The next part for each label. Labels begin at different parts, so that the parts have about
    // the same size.
    var turns: [Int: Int] = [:]
    return zip(writers, labels).map { writer, label in
      if let part = writer.flatMap({ partOf[$0] }) { return part }
      let turn = turns[label, default: label]
      turns[label] = turn + 1
      return turn % count
    }
  }
}
