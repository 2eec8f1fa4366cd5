import Foundation
import LinearAlgebra
import ModelFormat
import Networks

/// A model in a bundle folder: its weights in one part, everything else in the manifest.
public protocol BundledModel: Sendable {
  /// The kind of model in the manifest.
  static var kind: ModelManifest.Kind { get }

  /// The labels of the network's outputs, in order.
  var labels: [String] { get }
  /// The network's tensors and their positions in `parameters`.
  var tensors: [Parameter] { get }
  /// The network's flat parameters.
  var parameters: AlignedBuffer { get }

  /// Makes a model from an open bundle, and checks every part.
  ///
  /// - Throws: `ModelFormatError`, `SafeTensorsError` or ``ModelError``.
  init(bundle: ModelBundle) throws

  /// Writes the fields of this kind of model into a manifest: architecture, features, and the
  /// conversion of scores to probabilities or texts.
  ///
  /// - Throws: An encoding error if a number is not finite.
  func describe(in manifest: inout ModelManifest) throws
}

extension BundledModel {
  /// Reads a model from a bundle folder, and checks every part.
  ///
  /// - Throws: `ModelFormatError`, `SafeTensorsError` or ``ModelError``.
  public init(contentsOf url: URL) throws {
    try self.init(bundle: ModelBundle.open(url))
  }

  /// Makes the bundle of this model, with weights in half precision, ready to be written.
  ///
  /// - Parameter manifest: The manifest. The kind, the labels and the fields of ``describe(in:)``
  ///   are replaced by those of the model.
  /// - Throws: `ModelFormatError` or `SafeTensorsError`.
  public func bundle(_ manifest: ModelManifest) throws -> ModelBundleWriter {
    var manifest = manifest
    manifest.kind = Self.kind
    manifest.labels = labels
    try describe(in: &manifest)
    var writer = ModelBundleWriter(manifest: manifest)
    try writer.add(
      part: BundleContent.networkPart, role: "network",
      data: BundleContent.serialized(tensors, parameters))
    return writer
  }
}
