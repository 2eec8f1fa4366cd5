import Foundation
import ModelFormat
import Recognition

/// A model in a store.
public struct InstalledModel: Hashable, Sendable {
  /// The description of the model.
  public var description: ModelDescription
  /// The folder of the bundle, for any code that opens bundles. It is removed when the model is
  /// updated or deleted.
  public var url: URL
  /// The bytes of manifest and parts; a shared part counts in the size of each model.
  public var byteCount: Int
  /// The SHA-256 of the manifest, which identifies the whole content of the model.
  public var manifestHash: String

  /// The model's identifier in catalogues.
  public var identifier: String { description.identifier }
}

/// The result of checking an installed model.
public struct ModelVerification: Sendable {
  /// The model.
  public var model: InstalledModel
  /// The damage of its files, or nil if every byte matches its manifest.
  public var damage: ModelFormatError?
  /// The verified key of the signature; nil if the model is not signed or is damaged.
  public var signer: VerifyingKey?
  /// True if the manager trusts that key.
  public var isSignerTrusted: Bool
}
