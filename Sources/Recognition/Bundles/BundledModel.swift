import Foundation
import LinearAlgebra
import ModelFormat
import Networks

/// A model that is kept in a bundle folder: its weights in one part, all else in the manifest.
public protocol BundledModel: Sendable {
  /// What the manifest of such a model says it is.
  static var kind: ModelManifest.Kind { get }

  /// What the network's outputs stand for, in their order.
  var labels: [String] { get }
  /// The network's tensors and where they lie in `parameters`.
  var tensors: [Parameter] { get }
  /// The network's flat parameters.
  var parameters: AlignedBuffer { get }

  /// Makes a model of an open bundle, checking every part.
  ///
  /// - Throws: `ModelFormatError`, `SafeTensorsError` or ``ModelError``.
  init(bundle: ModelBundle) throws

  /// Writes into a manifest what only this kind of model has: architecture, features, and how
  /// scores become probabilities or texts.
  ///
  /// - Throws: An error of encoding where a number is not finite.
  func describe(in manifest: inout ModelManifest) throws
}

extension BundledModel {
  /// Reads a model from a bundle folder, checking every part.
  ///
  /// - Throws: `ModelFormatError`, `SafeTensorsError` or ``ModelError``.
  public init(contentsOf url: URL) throws {
    try self.init(bundle: ModelBundle.open(url))
  }

  /// The bundle of this model, its weights in half precision, ready to be written.
  ///
  /// - Parameter manifest: All but the kind, the labels and what ``describe(in:)`` writes, which
  ///   are the model's.
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
