import Foundation
import ModelFormat
import Recognition

/// A model in a store.
public struct InstalledModel: Hashable, Sendable {
  /// What the model is.
  public var description: ModelDescription
  /// The bundle's folder, for everything that opens bundles. It goes when the model is updated or
  /// deleted.
  public var url: URL
  /// The bytes of manifest and parts; parts that models share are in the size of each.
  public var byteCount: Int
  /// The SHA-256 of the manifest, which stands for all of the model's content.
  public var manifestHash: String

  /// The model's name for catalogues.
  public var identifier: String { description.identifier }
}

/// What a check of an installed model found.
public struct ModelVerification: Sendable {
  /// The model.
  public var model: InstalledModel
  /// What is wrong with its files, or nil where every byte is as its manifest says.
  public var damage: ModelFormatError?
  /// The key that signed it, proved; nil where it is not signed or damaged.
  public var signer: VerifyingKey?
  /// Whether that key is one of those that the manager trusts.
  public var isSignerTrusted: Bool
}
