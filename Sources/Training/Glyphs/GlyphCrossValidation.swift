import Foundation
import Metrics
import Recognition

/// What models say of labelled inks that they have not learned from: each part of the inks is judged
/// by a model of the others.
public struct GlyphCrossValidation: Sendable {
  /// For each ink what the model of the other parts says; nil where it has not learned the label.
  public private(set) var judgements: [LabelJudgement?]

  /// Trains a model for each part and judges the part with it.
  ///
  /// The part that is judged is the validation data of its model: it decides the epoch and the
  /// temperature, and no weight.
  ///
  /// - Parameters:
  ///   - set: The inks.
  ///   - parts: For each ink its part, 0 ..< P, where P is 2 or more.
  ///   - configuration: Of each model.
  ///   - workers: Threads; they do not change the result.
  ///   - observer: Told how far the training of a part has come.
  /// - Throws: ``TrainingError`` where a part cannot be trained on.
  public init(
    _ set: GlyphTrainingSet, parts: [Int], configuration: GlyphTrainingConfiguration, workers: Int,
    observer: (_ part: Int) -> (any TrainingObserver)? = { _ in nil }
  ) throws {
    precondition(parts.count == set.samples.count)
    let classes = set.labels.count
    judgements = Array(repeating: nil, count: set.samples.count)
    for part in Set(parts).sorted() {
      let judged = parts.indices.filter { parts[$0] == part }
      let training = set.subset(parts.indices.filter { parts[$0] != part })
      let held = set.subset(judged)
      let model = try GlyphTrainer(
        configuration: configuration, training: training, validation: held, workers: workers
      ).train(observer: observer(part))
      let rows = GlyphValidator(
        network: model.network, pipeline: model.pipeline, set: held, workers: workers
      ).probabilities(model.parameters, temperature: model.temperature)
      let counts = training.counts
      for (place, sample) in judged.enumerated() {
        let label = Int(set.samples[sample].label)
        guard counts[label] > 0 else { continue }
        judgements[sample] = LabelJudgement(
          probabilities: Array(rows[place * classes..<(place + 1) * classes]), label: label)
      }
    }
  }

  /// Divides inks into parts of about the same size.
  ///
  /// Writers stay whole, the largest are dealt out first. Inks without a writer are dealt out in
  /// turns within each label, so that every part has every label; so are all inks where fewer than
  /// twice as many writers as parts are known.
  ///
  /// - Parameters:
  ///   - writers: The writer of each ink.
  ///   - labels: The index of each ink's class, at least 0.
  ///   - count: The parts, at least 1.
  /// - Returns: For each ink its part, 0 ..< `count`.
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
    // The turn of each label; they begin at different parts, so that parts come out even.
    var turns: [Int: Int] = [:]
    return zip(writers, labels).map { writer, label in
      if let part = writer.flatMap({ partOf[$0] }) { return part }
      let turn = turns[label, default: label]
      turns[label] = turn + 1
      return turn % count
    }
  }
}

extension GlyphTrainingSet {
  /// The samples of some indices, with the same classes.
  fileprivate func subset(_ indices: [Int]) -> GlyphTrainingSet {
    var result = GlyphTrainingSet(labels: labels)
    for index in indices {
      let sample = samples[index]
      result.append(sample.trajectory, area: sample.area, label: labels[Int(sample.label)])
    }
    return result
  }
}
