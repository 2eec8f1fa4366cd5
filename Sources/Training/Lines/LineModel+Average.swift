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
  /// them. The result has no decoder weights for language models: tune the decoder again.
  /// O(parameters x models).
  ///
  /// - Returns: nil for no models, or if symbols, features or layers differ in more than dropout
  ///   and width.
  public static func average(of models: [LineModel]) -> LineModel? {
    guard let widest = widest(of: models) else { return nil }
    let mean = AlignedBuffer(count: widest.network.parameterCount)
    for model in models {
      guard let weights = model.weights(widenedTo: widest) else { return nil }
      for index in 0..<mean.count {
        mean.pointer[index] += weights.pointer[index] / Float(models.count)
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
    guard labels == other.labels else { return nil }
    let weights = AlignedBuffer(count: other.network.parameterCount)
    weights.pointer.update(from: other.parameters.pointer, count: weights.count)
    return copyWeights(
      to: other.network, weights, labels: other.labels, pipeline: other.pipeline) ? weights : nil
  }
}
