import LinearAlgebra
import Networks

extension LineModel {
  /// The model whose weights are the means of those of several, rounded to half precision: where one
  /// goes on from another, it often reads other hands better than either (Wortsman et al. 2022, Model
  /// soups).
  ///
  /// It has no numbers for language models: they are to be tuned. O(parameters x models).
  ///
  /// - Returns: nil for no model, and where symbols, features or layers but for dropout differ.
  public static func average(of models: [LineModel]) -> LineModel? {
    guard let first = models.first, models.allSatisfy({ $0.hasTheLayers(of: first) }) else {
      return nil
    }
    let mean = AlignedBuffer(count: first.network.parameterCount)
    for model in models {
      for index in 0..<mean.count {
        mean.pointer[index] += model.parameters.pointer[index] / Float(models.count)
      }
    }
    return LineModel(
      labels: first.labels, pipeline: first.pipeline, network: first.network, parameters: mean
    ).roundedToHalfPrecision()
  }

  private func hasTheLayers(of other: LineModel) -> Bool {
    let layers = [network, other.network].map { $0.architecture.layers.filter(\.isLearned) }
    return labels == other.labels && pipeline == other.pipeline && layers[0] == layers[1]
  }
}
