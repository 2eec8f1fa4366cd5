import Features
import LinearAlgebra
import Networks

/// A trained line model in memory: everything that turns one ink into probabilities of its symbols
/// at each time step.
public struct LineModel: Sendable {
  /// The symbols, each one character; symbol k is class k + 1 of the network, class 0 the blank.
  public let labels: [String]
  /// From ink to network input.
  public let pipeline: LinePipeline
  /// The network.
  public let network: LineNetwork
  /// Its flat parameters; not written to after training.
  public let parameters: AlignedBuffer
  /// How to decode with a language model, by the SHA-256 of its file.
  public var decoding: [String: DecoderConfiguration]

  /// Makes a model.
  public init(
    labels: [String], pipeline: LinePipeline, network: LineNetwork, parameters: AlignedBuffer,
    decoding: [String: DecoderConfiguration] = [:]
  ) {
    self.labels = labels
    self.pipeline = pipeline
    self.network = network
    self.parameters = parameters
    self.decoding = decoding
  }

  /// The same model with every parameter rounded to half precision, as it is saved. O(parameters).
  public func roundedToHalfPrecision() -> LineModel {
    LineModel(
      labels: labels, pipeline: pipeline, network: network,
      parameters: HalfPrecision.rounded(parameters), decoding: decoding)
  }
}
