import Foundation
import ModelFormat
import ModelStore
import PretrainedModels
import Recognition

/// The models of this machine: those that the user installed, then those that ship.
///
/// Answers from the current state: the store may appear, change or disappear at any moment. Nothing
/// is read before the first question, and a model that is asked for by its identifier is found
/// without reading the manifests of others. Thread-safe.
///
///     let library = InstalledModels.library()
///     let recognizer = try library.reader(for: ReadingSpecification(language: "de"))
package final class InstalledModels: ModelProvider, @unchecked Sendable {
  // Unchecked because the lock guards what was opened.

  /// The folder of the store.
  package let store: URL
  private let lock = NSLock()
  private var manager: ModelManager?
  private var shipped: Result<PretrainedModels, any Error>?

  /// Makes the models of a store, and those that ship. The store need not exist; it is not made.
  package init(store: URL = ModelManager.defaultStorage) {
    self.store = store
  }

  /// Makes the library of the models of this machine, which all programs of this project use.
  ///
  /// - Parameters:
  ///   - names: Further models, by path or name. The first one is the default, and ink for which
  ///     nothing is named is then read with it alone.
  ///   - takesPaths: True if requests may name paths.
  ///   - store: The folder of the user's store.
  /// - Throws: `RecognitionError` for an unknown name and for two models with the same identifier,
  ///   `ModelFormatError` for a bundle that cannot be read.
  package static func library(
    with names: [String] = [], takesPaths: Bool = false,
    store: URL = ModelManager.defaultStorage
  ) throws -> ModelLibrary {
    let library = library(takesPaths: takesPaths, store: store)
    guard !names.isEmpty else { return library }
    let named = try BundleModels(
      names.map { try Self.library(takesPaths: true, store: store).url(of: $0) })
    return ModelLibrary(
      [named, library], defaultModel: named.models[0].identifier, choosesLanguage: false,
      takesPaths: takesPaths)
  }

  /// Makes the library of the models of this machine without further models.
  package static func library(
    takesPaths: Bool = false, store: URL = ModelManager.defaultStorage
  ) -> ModelLibrary {
    findSharedParts()
    return ModelLibrary([InstalledModels(store: store)], takesPaths: takesPaths)
  }

  /// Names the places where packs find the parts that they share: the shipped models and the store
  /// of the user. Only the first call has an effect.
  package static func findSharedParts() { _ = places }

  private static let places: Void = SharedParts.add {
    [try? PretrainedModels.shippedFolder(), ModelManager.defaultStorage].compactMap { $0 }
  }

  /// The installed models, then those that ship and are not installed.
  package var models: [ModelDescription] {
    var providers: [any ModelProvider] = []
    if let manager = try? installed() { providers.append(manager) }
    if let shipped = try? shippedModels() { providers.append(shipped) }
    return CombinedModels(providers).models
  }

  /// The bundle of an installed model, or else of a shipped one.
  package func bundleURL(of identifier: String) -> URL? {
    if let url = (try? installed())?.bundleURL(of: identifier) { return url }
    return try? PretrainedModels.shippedBundle(of: identifier)
  }

  /// The reason why the store cannot be read or the shipped models are missing; nil if neither is
  /// the case. Missing shipped models are no fault beside installed ones.
  package var fault: (any Error)? {
    do {
      guard try installed()?.models.isEmpty ?? true else { return nil }
      _ = try shippedModels()
      return nil
    } catch {
      return error
    }
  }

  /// The manager of the store; nil if there is no store. A manager makes its folder, so it is used
  /// only if the store exists.
  private func installed() throws(ModelStoreError) -> ModelManager? {
    guard FileManager.default.fileExists(atPath: store.path) else { return nil }
    lock.lock()
    defer { lock.unlock() }
    if let manager { return manager }
    let made = try ModelManager(storage: store)
    manager = made
    return made
  }

  private func shippedModels() throws -> PretrainedModels {
    try lock.withLock {
      if case .success(let known)? = shipped { return known }
      let found = Result { try PretrainedModels() }
      shipped = found
      return try found.get()
    }
  }
}
