import Features
import LinearAlgebra
import Networks
import SafeTensors

/// A trained line model in memory: everything that turns one ink into probabilities of its symbols
/// at each time step.
public struct LineModel: Sendable {
  /// The symbols, each one character; symbol k is class k + 1 of the network, class 0 the blank.
  public let labels: [String]
  /// From ink to network input.
  public let pipeline: LinePipeline
  /// The network.
  public let network: SequenceNetwork
  /// Its flat parameters; not written to after training.
  public let parameters: AlignedBuffer
  /// How to decode with language models, by ``decodingKey(languageModel:recurrentModel:)``.
  public var decoding: [String: DecoderConfiguration]

  /// Makes a model.
  public init(
    labels: [String], pipeline: LinePipeline, network: SequenceNetwork, parameters: AlignedBuffer,
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

  /// The key of the numbers for language models, by the SHA-256 of their files.
  ///
  /// - Parameters:
  ///   - languageModel: Of the language model of the search.
  ///   - recurrentModel: Of the recurrent one; nil where there is none.
  public static func decodingKey(languageModel: String, recurrentModel: String? = nil) -> String {
    recurrentModel.map { "\(languageModel)+\($0)" } ?? languageModel
  }

  /// The numbers for language models; those for the first alone where both were not tuned together, and
  /// nil where neither was.
  public func decoding(
    languageModel: String, recurrentModel: String? = nil
  ) -> DecoderConfiguration? {
    decoding[Self.decodingKey(languageModel: languageModel, recurrentModel: recurrentModel)]
      ?? decoding[languageModel]
  }
}
