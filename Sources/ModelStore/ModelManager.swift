import Foundation
import ModelFormat
import Recognition

/// Finds, downloads, verifies, updates and deletes models.
///
/// Thread-safe; several managers and processes may use one store at once. Whatever happens, the
/// store holds of each model the old version or the new one, whole.
///
///     let manager = try ModelManager(
///       storage: ModelManager.defaultStorage, catalog: catalogURL, trustedKeys: [publisherKey])
///     for try await event in manager.download("latin-lines") {
///       if case .downloading(let progress) = event.state { print(progress.fraction) }
///     }
///     let recognizer = DigitalInkRecognizer(model: "en-US", provider: manager)
public final class ModelManager: ModelProvider, @unchecked Sendable {
  // Unchecked because the lock guards the jobs; all else is constant.

  /// How downloads behave.
  public struct Configuration: Sendable {
    /// How often a request is made before what may pass counts as failed.
    public var maximumAttempts: Int
    /// The pause before the second attempt; it doubles for each further one.
    public var retryPause: Duration
    /// Seconds without a byte after which the server counts as gone.
    public var stallTimeout: Double

    /// Makes a configuration.
    public init(
      maximumAttempts: Int = 3, retryPause: Duration = .milliseconds(500),
      stallTimeout: Double = 30
    ) {
      self.maximumAttempts = max(1, maximumAttempts)
      self.retryPause = retryPause
      self.stallTimeout = stallTimeout
    }
  }

  /// The folder of the store.
  public let storageLocation: URL
  private let storage: ModelStorage
  private let catalogURL: URL?
  private let trustedKeys: [VerifyingKey]
  private let transport: any Transport
  private let network: any NetworkMonitor
  private let configuration: Configuration
  private let now: @Sendable () -> Date
  private let freeBytes: (@Sendable () -> Int?)?
  private let lock = NSLock()
  private var jobs: [String: DownloadJob] = [:]

  /// Makes a manager of a store, which is made where it is not there.
  ///
  /// - Parameters:
  ///   - catalog: The URL of the folder that `catalog.json` stands in, or of that file; nil for a
  ///     manager that does not download.
  ///   - trustedKeys: Keys whose catalogues are used: two, so that keys can change.
  ///   - network: What is known of the network.
  ///   - now: The time, for the expiry of catalogues.
  ///   - freeBytes: The free space, or nil to ask the volume.
  /// - Throws: ``ModelStoreError`` where the store cannot be made.
  public init(
    storage: URL = ModelManager.defaultStorage, catalog: URL? = nil,
    trustedKeys: [VerifyingKey] = [], transport: any Transport = URLSessionTransport(),
    network: any NetworkMonitor = ConstantNetwork(),
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
    self.network = network
    self.configuration = configuration
    self.now = now
    self.freeBytes = freeBytes
  }

  /// Where models of this user are kept: `DUCTUS_MODELS`, or else the folder that the platform has
  /// for such data.
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

  // MARK: - What is there

  /// The installed models, by identifier.
  public var downloadedModels: [InstalledModel] { storage.models() }

  /// The descriptions of the installed models.
  public var models: [ModelDescription] { storage.models().map(\.description) }

  /// Whether a model is installed that goes with an identifier or language.
  public func isDownloaded(_ name: String) -> Bool {
    ((try? installedModel(name)) ?? nil) != nil
  }

  /// The installed model that goes with an identifier or language, or nil.
  ///
  /// - Throws: ``RecognitionError/malformedLanguageTag(_:)``.
  public func installedModel(_ name: String) throws(RecognitionError) -> InstalledModel? {
    if let model = storage.model(name) { return model }
    return try model(for: name).flatMap { storage.model($0.identifier) }
  }

  /// The bytes that the store takes, what models share counted once.
  public var occupiedBytes: Int { storage.occupiedBytes() }

  /// Opens an installed model; it stays usable when the model is updated or deleted.
  public func openRecognizer(identifier: String) throws -> any Recognizer {
    guard let model = storage.model(identifier) else {
      throw RecognitionError.modelNotDownloaded(identifier)
    }
    do {
      return try BundleRecognizer.open(model.url)
    } catch {
      // An update may have come in between.
      guard let other = storage.model(identifier), other.url != model.url else { throw error }
      return try BundleRecognizer.open(other.url)
    }
  }

  // MARK: - The catalogue

  /// Fetches the catalogue and checks signature, expiry, and that its version is not lower than one
  /// that was seen before.
  ///
  /// - Throws: ``ModelStoreError``.
  public func catalog() async throws(ModelStoreError) -> Catalog {
    try await catalog(DownloadConditions())
  }

  private func catalog(
    _ conditions: DownloadConditions
  ) async throws(ModelStoreError) -> Catalog {
    guard let catalogURL, !trustedKeys.isEmpty else { throw .noCatalog }
    let url = catalogURL.appendingPathComponent(Catalog.fileName)
    let place = url.absoluteString
    let downloader = downloader(conditions)
    var bytes = Data()
    for attempt in 1...3 {
      let signature = try await downloader.data(
        at: catalogURL.appendingPathComponent(Catalog.signatureName),
        maximumLength: ModelSignature.maximumLength)
      bytes = try await downloader.data(at: url, maximumLength: Catalog.maximumLength)
      do throws(ModelStoreError) {
        try check(signature, of: bytes, place)
        break
      } catch {
        // A publication may have come between the two files.
        guard attempt < 3 else { throw error }
      }
    }
    let catalog: Catalog
    do throws(ModelFormatError.Reason) {
      catalog = try Catalog(parsing: bytes)
    } catch {
      throw .malformedCatalog(url: place, reason: "\(error)")
    }
    guard let expiry = catalog.expiryDate, expiry > now() else {
      throw .expired(url: place, date: catalog.expires)
    }
    try storage.note(catalog: place, version: catalog.version)
    return catalog
  }

  private func check(
    _ signature: Data, of bytes: Data, _ place: String
  ) throws(ModelStoreError) {
    guard let signature = try? ModelSignature(fileContents: signature) else {
      throw .signatureInvalid(place, reason: "\(Catalog.signatureName) is no signature")
    }
    guard trustedKeys.contains(signature.key) else {
      throw .signatureInvalid(
        place, reason: "signed by \(signature.key.fingerprint), which is not trusted")
    }
    guard signature.isValid(for: bytes) else {
      throw .signatureInvalid(place, reason: "the signature is of something else")
    }
  }

  private func downloader(_ conditions: DownloadConditions) -> BlobDownloader {
    BlobDownloader(
      storage: storage, transport: transport, configuration: configuration, conditions: conditions)
  }

  // MARK: - Downloading

  /// Downloads and installs a model; nothing is fetched where the newest version is installed.
  ///
  /// Begins at once. Requests for one model share one download, whose conditions are what any of
  /// them allows; different models are downloaded at the same time. What has come of a cancelled or
  /// failed download is kept, and not fetched again by the next, in whatever process.
  ///
  /// - Parameter name: An identifier or language; see `ModelProvider.model(for:kind:)`.
  public func download(
    _ name: String, conditions: DownloadConditions = DownloadConditions()
  ) -> ModelDownload {
    let (stream, continuation) = AsyncThrowingStream<DownloadEvent, any Error>.makeStream(
      bufferingPolicy: .bufferingNewest(16))
    let task = Task {
      do {
        try await self.waitUntilAllowed(name, conditions) { continuation.yield($0) }
        let entry = try await self.entry(name, conditions)
        for try await event in self.follow(entry, conditions) { continuation.yield(event) }
        continuation.finish(throwing: Task.isCancelled ? ModelStoreError.cancelled : nil)
      } catch {
        continuation.finish(
          throwing: error is CancellationError ? ModelStoreError.cancelled : error)
      }
    }
    continuation.onTermination = { reason in
      if case .cancelled = reason { task.cancel() }
    }
    return ModelDownload(stream: stream)
  }

  /// Updates an installed model; see ``download(_:conditions:)``. Never to a lower version.
  ///
  /// - Throws: ``ModelStoreError/notFound(_:)`` where it is not installed.
  public func update(
    _ name: String, conditions: DownloadConditions = DownloadConditions()
  ) throws -> ModelDownload {
    guard let model = try installedModel(name) else { throw ModelStoreError.notFound(name) }
    return download(model.identifier, conditions: conditions)
  }

  /// The catalogue's entries that are newer than what is installed.
  ///
  /// - Throws: ``ModelStoreError``.
  public func availableUpdates() async throws(ModelStoreError) -> [Catalog.Entry] {
    let installed = storage.models()
    return try await catalog().entries.filter { entry in
      installed.contains {
        $0.identifier == entry.identifier && $0.description.version < entry.version
      }
    }
  }

  /// Cancels a download for all who asked for it.
  public func cancelDownload(identifier: String) {
    lock.withLock { jobs[identifier] }?.cancel()
  }

  private func entry(
    _ name: String, _ conditions: DownloadConditions
  ) async throws -> Catalog.Entry {
    guard let entry = try await catalog(conditions).entry(for: name) else {
      throw ModelStoreError.notFound(name)
    }
    return entry
  }

  private func follow(
    _ entry: Catalog.Entry, _ conditions: DownloadConditions
  ) -> AsyncThrowingStream<DownloadEvent, any Error> {
    lock.withLock {
      if let stream = jobs[entry.identifier]?.follow(conditions) { return stream }
      let job = DownloadJob()
      jobs[entry.identifier] = job
      let stream = job.follow(conditions)
      job.start { job in
        defer { self.forget(job, entry.identifier) }
        return try await self.install(entry, job)
      }
      return stream ?? AsyncThrowingStream { $0.finish() }
    }
  }

  private func forget(_ job: DownloadJob, _ identifier: String) {
    lock.withLock { if jobs[identifier] === job { jobs[identifier] = nil } }
  }

  private func waitUntilAllowed(
    _ model: String, _ conditions: DownloadConditions, report: (DownloadEvent) -> Void
  ) async throws {
    for await status in network.updates() {
      guard let obstacle = conditions.obstacle(in: status) else { return }
      try Self.refuse(obstacle, model, waits: conditions.waitsForNetwork)
      report(DownloadEvent(model: model, state: .waiting(obstacle)))
    }
    throw ModelStoreError.cancelled
  }

  private static func refuse(
    _ obstacle: NetworkObstacle, _ model: String, waits: Bool
  ) throws(ModelStoreError) {
    guard !waits else { return }
    if obstacle == .disconnected { throw .noNetwork(url: model, reason: obstacle.rawValue) }
    throw .conditionsNotMet(model: model, reason: obstacle.rawValue)
  }

  /// The network became one that the conditions exclude.
  private struct Obstructed: Error {}

  private func install(_ entry: Catalog.Entry, _ job: DownloadJob) async throws -> InstalledModel {
    while true {
      var isAllowed = false
      for await status in network.updates() {
        guard let obstacle = job.obstacle(in: status) else {
          isAllowed = true
          break
        }
        try Self.refuse(obstacle, entry.identifier, waits: job.conditions.waitsForNetwork)
        job.send(DownloadEvent(model: entry.identifier, state: .waiting(obstacle)))
      }
      guard isAllowed, !Task.isCancelled else { throw ModelStoreError.cancelled }
      do {
        return try await withThrowingTaskGroup(of: InstalledModel?.self) { group in
          group.addTask { try await self.transfer(entry, job) }
          group.addTask {
            for await status in self.network.updates() where job.obstacle(in: status) != nil {
              throw Obstructed()
            }
            return nil
          }
          defer { group.cancelAll() }
          while let result = try await group.next() {
            if let result { return result }
          }
          throw ModelStoreError.cancelled
        }
      } catch is Obstructed {
        continue
      }
    }
  }

  private func transfer(
    _ entry: Catalog.Entry, _ job: DownloadJob
  ) async throws(ModelStoreError) -> InstalledModel {
    if let installed = storage.model(entry.identifier) {
      if installed.manifestHash == entry.manifest.sha256, Self.isIntact(installed) {
        return installed
      }
      guard installed.description.version <= entry.version else {
        throw .downgradeRefused(
          entry.identifier, known: installed.description.version, offered: entry.version)
      }
    }
    let downloader = downloader(job.conditions)
    let content = try await content(of: entry, downloader)
    try checkSpace(entry)
    // A part may go between its download and the commit, when another process deletes a model.
    var attempt = 1
    while true {
      try await fetchParts(of: entry, downloader, job)
      guard !Task.isCancelled else { throw .cancelled }
      do throws(ModelStoreError) {
        return try storage.commit(content) { (url) throws(ModelStoreError) in
          try Self.checkUse(url, entry.identifier)
        }
      } catch {
        guard case .damaged = error, attempt < 3 else { throw error }
        attempt += 1
      }
    }
  }

  private static func isIntact(_ model: InstalledModel) -> Bool {
    (try? ModelBundle.open(model.url)) != nil
  }

  /// Whether this program can use a bundle: all of it is read.
  private static func checkUse(_ url: URL, _ model: String) throws(ModelStoreError) {
    do {
      _ = try BundleRecognizer.open(url)
    } catch let error as ModelFormatError {
      throw .damaged(error)
    } catch {
      throw .incompatible(model: model, reason: "\(error)")
    }
  }

  private func content(
    of entry: Catalog.Entry, _ downloader: BlobDownloader
  ) async throws(ModelStoreError) -> ModelStorage.Content {
    guard let catalogURL else { throw .noCatalog }
    let bytes = try await downloader.data(
      entry.manifest, at: catalogURL.appendingPathComponent(entry.manifest.path))
    let manifest: ModelManifest
    do throws(ModelFormatError.Reason) {
      manifest = try ModelManifest(parsing: bytes)
    } catch {
      throw .incompatible(model: entry.identifier, reason: "\(error)")
    }
    guard manifest.identifier == entry.identifier, manifest.modelVersion == entry.version,
      manifest.parts == entry.parts
    else {
      throw .incompatible(
        model: entry.identifier, reason: "the catalogue says other than the model's manifest")
    }
    var content = ModelStorage.Content(manifest: bytes)
    if let blob = entry.signature {
      let signature = try await downloader.data(
        blob, at: catalogURL.appendingPathComponent(blob.path))
      guard let parsed = try? ModelSignature(fileContents: signature), parsed.isValid(for: bytes)
      else {
        throw .signatureInvalid(
          entry.identifier, reason: "the model's signature is not of its manifest")
      }
      content.signature = signature
    }
    if let blob = entry.card {
      content.card = try await downloader.data(
        blob, at: catalogURL.appendingPathComponent(blob.path))
    }
    return content
  }

  private func checkSpace(_ entry: Catalog.Entry) throws(ModelStoreError) {
    let missing = Self.uniqueParts(entry).filter {
      !storage.hasBlob($0.sha256, length: $0.length)
    }
    // Besides the parts the manifest and its folder.
    let needed = missing.reduce(entry.manifest.length + 65_536) { $0 + $1.length }
    guard let free = freeBytes.map({ $0() }) ?? storage.availableBytes() else { return }
    guard free >= needed else { throw .noSpace(needed: needed, available: free) }
  }

  private static func uniqueParts(_ entry: Catalog.Entry) -> [ModelManifest.Part] {
    var seen: Set<String> = []
    return entry.parts.filter { seen.insert($0.sha256).inserted }
  }

  private func fetchParts(
    of entry: Catalog.Entry, _ downloader: BlobDownloader, _ job: DownloadJob
  ) async throws(ModelStoreError) {
    guard let catalogURL else { throw .noCatalog }
    let parts = Self.uniqueParts(entry)
    let meter = DownloadMeter(
      model: entry.identifier, total: parts.reduce(0) { $0 + $1.length }, send: job.send)
    for part in parts {
      try await downloader.fetch(
        length: part.length, hash: part.sha256,
        at: catalogURL.appendingPathComponent("blobs/sha256/\(part.sha256)")
      ) { count, isNew in meter.note(part.sha256, count, isNew: isNew) }
    }
    meter.finish()
  }

  // MARK: - Changing what is there

  /// Installs a bundle from a folder: a model that came on another way. It need not be signed;
  /// ``verify(_:)`` tells by whom it is.
  ///
  /// - Parameter requiresTrustedKey: Whether to refuse what none of the trusted keys has signed.
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
      throw .noSpace(needed: needed, available: free)
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

  /// Deletes an installed model, and of its parts those that no other model has. Recognisers that
  /// have it open go on.
  ///
  /// - Throws: ``ModelStoreError/notFound(_:)`` where it is not installed.
  public func delete(_ name: String) throws {
    if let model = try installedModel(name) { return try storage.remove(model.identifier) }
    // A model too damaged to be read can be deleted still.
    guard storage.hasPointer(name) else { throw ModelStoreError.notFound(name) }
    try storage.remove(name)
  }

  /// Checks every byte of an installed model and its signature. O(bytes).
  ///
  /// - Throws: ``ModelStoreError/notFound(_:)`` where it is not installed.
  public func verify(_ name: String) throws -> ModelVerification {
    guard let model = try installedModel(name) else { throw ModelStoreError.notFound(name) }
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
