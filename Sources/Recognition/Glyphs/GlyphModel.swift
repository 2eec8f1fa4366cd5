import Features
import LinearAlgebra
import Networks
import SafeTensors

/// A trained glyph model in memory: everything that turns one ink into scores for its labels.
public struct GlyphModel: Sendable {
  /// The classes, in the order of the logits.
  public let labels: [String]
  /// From ink to network input.
  public let pipeline: FeaturePipeline
  /// The network.
  public let network: GlyphNetwork
  /// Its flat parameters; not written to after training.
  public let parameters: AlignedBuffer
  /// Logits are divided by this before the softmax (Guo et al. 2017); above 0.
  public let temperature: Double

  /// Whether the writing area takes part; not for shapes and drawings, whose size means nothing.
  public let usesWritingArea: Bool

  /// Makes a model.
  public init(
    labels: [String], pipeline: FeaturePipeline, network: GlyphNetwork, parameters: AlignedBuffer,
    temperature: Double, usesWritingArea: Bool = true
  ) {
    self.usesWritingArea = usesWritingArea
    self.labels = labels
    self.pipeline = pipeline
    self.network = network
    self.parameters = parameters
    self.temperature = temperature
  }
}

extension GlyphModel {
  /// The same model with every parameter rounded to half precision, as it is saved. O(parameters).
  public func roundedToHalfPrecision() -> GlyphModel {
    return GlyphModel(
      labels: labels, pipeline: pipeline, network: network,
      parameters: HalfPrecision.rounded(parameters),
      temperature: temperature, usesWritingArea: usesWritingArea)
  }
}
