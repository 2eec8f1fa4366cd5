import LinearAlgebra
import Networks
import Recognition

extension LineModel {
  /// Averages the weights of several models and rounds them to half precision. If one model was
  /// trained further from another, the average often generalises to other writers better than
  /// either (Wortsman et al. 2022, Model soups).
  ///
  /// A narrower network is first widened to the width of the widest model without changing its
  /// output: its missing channels are copied from the widest model, and its own channels ignore
  /// them. Symbols that a model lacks have the weights of the widest model. The result has no
  /// decoder weights for language models: tune the decoder again. O(parameters x models).
  ///
  /// - Parameters:
  ///   - models: The models.
  ///   - shares: The share of each model, at least 0, not all 0; nil for equal shares.
  /// - Returns: nil for no models, shares that do not fit them, symbols that the widest model lacks,
  ///   or if features or layers differ in more than dropout and width.
  package static func average(of models: [LineModel], shares: [Float]? = nil) -> LineModel? {
    let shares = shares ?? models.map { _ in 1 }
    let total = shares.reduce(0, +)
    guard let widest = widest(of: models), shares.count == models.count, total > 0,
      total.isFinite, shares.allSatisfy({ $0 >= 0 })
    else { return nil }
    let mean = AlignedBuffer(count: widest.network.parameterCount)
    for (model, share) in zip(models, shares) {
      guard let weights = model.weights(widenedTo: widest) else { return nil }
      for index in 0..<mean.count {
        mean.pointer[index] += weights.pointer[index] * share / total
      }
    }
    return LineModel(
      labels: widest.labels, pipeline: widest.pipeline, network: widest.network, parameters: mean
    ).roundedToHalfPrecision()
  }

  /// The first of the models with the most parameters.
  private static func widest(of models: [LineModel]) -> LineModel? {
    models.first { model in
      models.allSatisfy { $0.network.parameterCount <= model.network.parameterCount }
    }
  }

  /// The weights in a network with the layers of another model; nil if that network is not wider.
  private func weights(widenedTo other: LineModel) -> AlignedBuffer? {
    guard Set(labels).isSubset(of: other.labels), pipeline.direction == other.pipeline.direction,
      network.architecture.pooledSteps == other.network.architecture.pooledSteps
    else { return nil }
    let weights = AlignedBuffer(count: other.network.parameterCount)
    weights.pointer.update(from: other.parameters.pointer, count: weights.count)
    return copyWeights(
      to: other.network, weights, labels: other.labels, pipeline: other.pipeline) ? weights : nil
  }
}
