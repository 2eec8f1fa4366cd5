import LinearAlgebra
import Networks
import Recognition

extension LineModel {
  /// The model whose weights are the means of those of several, rounded to half precision: where one
  /// goes on from another, it often reads other hands better than either (Wortsman et al. 2022, Model
  /// soups).
  ///
  /// A narrower network counts as one as wide as the widest which computes what it computes: what it does
  /// not have is the widest one's, and its own channels hear nothing of that. The mean has no numbers for
  /// language models: they are to be tuned. O(parameters x models).
  ///
  /// - Returns: nil for no model, and where symbols, features or layers but for dropout and width differ.
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

  /// The weights in a network like that of another model; nil where it is no wider one.
  private func weights(widenedTo other: LineModel) -> AlignedBuffer? {
    guard labels == other.labels else { return nil }
    let weights = AlignedBuffer(count: other.network.parameterCount)
    weights.pointer.update(from: other.parameters.pointer, count: weights.count)
    return copyWeights(
      to: other.network, weights, labels: other.labels, pipeline: other.pipeline) ? weights : nil
  }
}
