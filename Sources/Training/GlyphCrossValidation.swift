import Foundation
import Recognition

/// Probabilities of labelled inks by models that have not learned from them: each part of the inks is
/// judged by a model of the others.
public struct GlyphCrossValidation: Sendable {
  /// [N, K] row-major, calibrated.
  public private(set) var probabilities: [Float]
  /// For each ink whether the model that judged it had learned its class.
  public private(set) var isJudged: [Bool]

  /// Trains a model for each part and judges the part with it.
  ///
  /// The part that is judged is the validation data of its model: it decides the epoch and the
  /// temperature, and no weight.
  ///
  /// - Parameters:
  ///   - set: The inks.
  ///   - parts: For each ink its part, 0 ..< P, where P is 2 or more; writers belong whole to one.
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
    probabilities = [Float](repeating: 0, count: set.samples.count * classes)
    isJudged = [Bool](repeating: false, count: set.samples.count)
    for part in 0...(parts.max() ?? 0) where parts.contains(part) {
      let judged = parts.indices.filter { parts[$0] == part }
      let training = set.subset(parts.indices.filter { parts[$0] != part })
      let held = set.subset(judged)
      let model = try GlyphTrainer(
        configuration: configuration, training: training, validation: held, workers: workers
      ).train(observer: observer(part))
      let rows = GlyphValidator(
        network: model.network, pipeline: model.pipeline, set: held, workers: workers
      ).probabilities(model.parameters, temperature: model.temperature)
      let learned = training.counts.map { $0 > 0 }
      for (place, sample) in judged.enumerated() {
        probabilities.replaceSubrange(
          sample * classes..<(sample + 1) * classes,
          with: rows[place * classes..<(place + 1) * classes])
        isJudged[sample] = learned[Int(set.samples[sample].label)]
      }
    }
  }

  /// Divides inks by their writers into parts of about the same size, the largest writers first; by
  /// turns where fewer than twice as many writers as parts are known.
  ///
  /// - Returns: For each ink its part, 0 ..< `count`.
  public static func parts(writers: [String?], count: Int) -> [Int] {
    var sizes: [String: Int] = [:]
    for writer in writers { sizes[writer ?? "", default: 0] += 1 }
    guard !sizes.keys.contains(""), sizes.count >= 2 * count else {
      return writers.indices.map { $0 % count }
    }
    var totals = [Int](repeating: 0, count: count)
    var partOf: [String: Int] = [:]
    for (writer, size) in sizes.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
      let smallest = totals.indices.min { totals[$0] < totals[$1] } ?? 0
      partOf[writer] = smallest
      totals[smallest] += size
    }
    return writers.map { partOf[$0 ?? ""] ?? 0 }
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
