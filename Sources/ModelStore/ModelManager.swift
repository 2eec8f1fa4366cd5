@_exported import Downloads
import Files
import Foundation
import ModelFormat
import Recognition

/// Finds, downloads, verifies, updates and deletes models.
///
/// Thread-safe; several managers and processes may use one store at once. At every moment, even
/// after a crash, the store contains either the old or the new version of each model, complete.
///
///     let manager = try ModelManager(
///       storage: ModelManager.defaultStorage, catalog: catalogURL, trustedKeys: [publisherKey])
///     let download = manager.download("latin-lines")  // begins at once
///     for try await _ in download { print(download.progress.fraction) }
///     let recognizer = DigitalInkRecognizer(model: "en-US", provider: manager)
public final class ModelManager: ModelProvider, Sendable {
  /// The settings of downloads.
  public typealias Configuration = DownloadConfiguration

  /// The folder of the store.
  public let storageLocation: URL
  let storage: ModelStorage
  let catalogURL: URL?
  let trustedKeys: [VerifyingKey]
  let transport: any Transport
  package let network: any NetworkMonitor
  let configuration: Configuration
  let now: @Sendable () -> Date
  let freeBytes: (@Sendable () -> Int?)?

  struct State {
    var jobs: [String: DownloadJob] = [:]
    var listeners: [Int: AsyncStream<DownloadNotice>.Continuation] = [:]
    var nextListener = 0
  }
  let state = Guarded(State())

  /// Makes a manager of a store, which is created if it does not exist.
  ///
  /// - Parameters:
  ///   - storage: The folder of the store.
  ///   - catalog: The URL of the folder of `catalog.json`, or of that file; nil for a manager that
  ///     does not download.
  ///   - trustedKeys: The keys whose catalogues are accepted. Two keys allow a change of keys.
  ///   - transport: The transport for requests.
  ///   - network: The monitor of the network. If nil, the system is asked; a server on this machine
  ///     counts as always connected.
  ///   - configuration: The settings of downloads.
  ///   - now: Returns the time, for the expiry of catalogues.
  ///   - freeBytes: Returns the free space; nil to ask the volume.
  /// - Throws: ``ModelStoreError`` if the store cannot be created.
  public init(
    storage: URL = ModelManager.defaultStorage, catalog: URL? = nil,
    trustedKeys: [VerifyingKey] = [], transport: any Transport = URLSessionTransport(),
    network: (any NetworkMonitor)? = nil,
    configuration: Configuration = Configuration(),
    now: @escaping @Sendable () -> Date = { Date() },
    freeBytes: (@Sendable () -> Int?)? = nil
  ) throws(ModelStoreError) {
    storageLocation = storage
    self.storage = try ModelStorage(storage)
    catalogURL = catalog.map {
      $0.lastPathComponent == Catalog.fileName ? $0.deletingLastPathComponent() : $0
    }
    self.trustedKeys = trustedKeys
    self.transport = transport
    self.network = network ?? Self.network(for: catalog)
    self.configuration = configuration
    self.now = now
    self.freeBytes = freeBytes
  }

  private static func network(for catalog: URL?) -> any NetworkMonitor {
    let isLocal =
      catalog.map { $0.isFileURL || ["localhost", "127.0.0.1", "::1"].contains($0.host) } ?? false
    return isLocal ? ConstantNetwork() : SystemNetwork()
  }

  /// The folder for models of this user: `DUCTUS_MODELS`, or else the platform's folder for such
  /// data.
  public static var defaultStorage: URL {
    let environment = ProcessInfo.processInfo.environment
    if let path = environment["DUCTUS_MODELS"], !path.isEmpty { return URL(fileURLWithPath: path) }
    #if canImport(Darwin)
      return URL.applicationSupportDirectory.appendingPathComponent("Ductus/Models")
    #else
      let data = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      return URL(fileURLWithPath: data ?? NSHomeDirectory() + "/.local/share")
        .appendingPathComponent("ductus/models")
    #endif
  }

  // MARK: - Installed models

  /// The installed models, by identifier.
  public var downloadedModels: [InstalledModel] { storage.models() }

  /// The descriptions of the installed models.
  public var models: [ModelDescription] { storage.models().map(\.description) }

  /// Returns whether a model for an identifier or language is installed.
  ///
  /// - Parameters:
  ///   - name: An identifier or a language.
  ///   - kind: The kind of model, or nil for any.
  public func isDownloaded(_ name: String, kind: ModelManifest.Kind? = nil) -> Bool {
    ((try? installedModel(name, kind: kind)) ?? nil) != nil
  }

  /// Returns the installed model for an identifier or language, or nil.
  ///
  /// - Parameters:
  ///   - name: An identifier or a language.
  ///   - kind: The kind of model, or nil for any.
  /// - Throws: `RecognitionError.malformedLanguageTag(_:)`.
  public func installedModel(
    _ name: String, kind: ModelManifest.Kind? = nil
  ) throws(RecognitionError) -> InstalledModel? {
    if let model = storage.model(name), kind == nil || model.description.kind == kind {
      return model
    }
    return try model(for: name, kind: kind).flatMap { storage.model($0.identifier) }
  }

  /// The bytes on disk; shared parts count once.
  public var occupiedBytes: Int { storage.occupiedBytes() }

  /// Returns the folder of an installed model's bundle; nil if it is not installed.
  public func bundleURL(of identifier: String) -> URL? { storage.model(identifier)?.url }

  /// Opens an installed model. It stays usable when the model is updated or deleted.
  public func openRecognizer(identifier: String) throws -> any Recognizer {
    guard let model = storage.model(identifier) else {
      throw RecognitionError.modelNotDownloaded(identifier)
    }
    do {
      return try OpenModel.open(model.url).recognizer()
    } catch {
      // The model may have been updated in the meantime.
      guard let other = storage.model(identifier), other.url != model.url else { throw error }
      return try OpenModel.open(other.url).recognizer()
    }
  }

  // MARK: - Changing the store

  /// Installs a bundle from a folder, for a model that this manager did not download. It may be
  /// unsigned; ``verify(_:)`` reports the signer.
  ///
  /// - Parameters:
  ///   - folder: The folder of the bundle, NAME.ductus.
  ///   - requiresTrustedKey: If true, refuses bundles that are not signed by a trusted key.
  /// - Throws: ``ModelStoreError``.
  @discardableResult
  public func install(
    from folder: URL, requiresTrustedKey: Bool = false
  ) throws(ModelStoreError) -> InstalledModel {
    let bundle: ModelBundle
    do throws(ModelFormatError) {
      bundle = try ModelBundle.open(folder)
    } catch {
      throw .damaged(error)
    }
    if requiresTrustedKey {
      do throws(ModelFormatError) {
        try bundle.requireSigner(among: trustedKeys)
      } catch {
        throw .signatureInvalid(folder.path, reason: "\(error.reason)")
      }
    }
    let needed = bundle.byteCount + 65_536
    if let free = freeBytes.map({ $0() }) ?? storage.availableBytes(), free < needed {
      throw .download(.noSpace(needed: needed, available: free))
    }
    for part in bundle.manifest.parts
    where !storage.hasBlob(part.sha256, length: part.length) {
      let path = storage.blob(part.sha256).path
      do throws(ModelFormatError.Reason) {
        let bytes: Data
        do throws(ModelFormatError) {
          bytes = try bundle.data(for: part.name)
        } catch {
          throw error.reason
        }
        try FileSystem.replace(path, with: bytes)
      } catch {
        throw ModelStoreError(error, path: path)
      }
    }
    let card = try? Data(contentsOf: folder.appendingPathComponent(ModelBundle.cardName))
    let content = ModelStorage.Content(
      manifest: bundle.manifestBytes, signature: bundle.signature?.fileContents,
      card: card ?? Data(bundle.manifest.modelCard.utf8))
    return try storage.commit(content) { (url) throws(ModelStoreError) in
      try Self.checkUse(url, bundle.manifest.identifier)
    }
  }

  /// Deletes one installed model, on the calling thread, and the parts that no other model uses.
  /// Recognisers that have it open continue to work.
  ///
  /// - Parameter name: An identifier, or exactly one of a model's languages: `en-GB` does not match
  ///   `en`.
  /// - Throws: ``ModelStoreError/notFound(_:)`` if it is not installed.
  public func deleteNow(_ name: String) throws {
    if storage.model(name) != nil { return try storage.remove(name) }
    if let tag = try? LanguageTag(parsing: name),
      let model = storage.models().first(where: { $0.description.languages.contains(tag) })
    {
      return try storage.remove(model.identifier)
    }
    // A model that is too damaged to be read can still be deleted.
    guard storage.hasPointer(name) else { throw ModelStoreError.notFound(name) }
    try storage.remove(name)
  }

  /// Checks every byte of an installed model and its signature. O(bytes).
  ///
  /// - Throws: ``ModelStoreError/notFound(_:)`` if it is not installed.
  public func verify(_ name: String) throws -> ModelVerification {
    guard let model = try installedModel(name) else { throw ModelStoreError.notFound(name) }
    let result = verification(of: model)
    // The model may have been updated in the meantime.
    guard result.damage != nil, let other = try installedModel(name), other.url != model.url
    else { return result }
    return verification(of: other)
  }

  private func verification(of model: InstalledModel) -> ModelVerification {
    do {
      let bundle = try ModelBundle.open(model.url)
      let signer = bundle.signature?.key
      return ModelVerification(
        model: model, damage: nil, signer: signer,
        isSignerTrusted: signer.map(trustedKeys.contains) ?? false)
    } catch {
      return ModelVerification(model: model, damage: error, signer: nil, isSignerTrusted: false)
    }
  }
}
