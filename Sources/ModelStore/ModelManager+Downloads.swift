import Foundation
import ModelFormat
import Recognition

extension ModelManager {
  /// Downloads and installs a model, unless the newest version is already installed.
  ///
  /// The download begins at once and continues whether or not the result is kept; ``notices``
  /// reports its end. Requests for one model share one download, and its conditions are those that
  /// any of them allows. Different models are downloaded at the same time. The bytes of a cancelled
  /// or failed download are kept, and the next download continues from there, in any process.
  ///
  /// - Parameters:
  ///   - name: An identifier or language; see `ModelProvider.model(for:kind:)`.
  ///   - conditions: The networks that may be used.
  @discardableResult
  public func download(
    _ name: String, conditions: DownloadConditions = DownloadConditions()
  ) -> ModelDownload {
    let request = DownloadRequest(model: name)
    request.start { request in
      let result: Result<InstalledModel, ModelStoreError>
      do {
        result = .success(try await self.model(name, conditions, request))
      } catch let error as ModelStoreError {
        result = .failure(Task.isCancelled ? .cancelled : error)
      } catch is CancellationError {
        result = .failure(.cancelled)
      } catch {
        result = .failure(.incompatible(model: name, reason: "\(error)"))
      }
      request.finish(result)
      switch result {
      case .success(let model): self.tell(DownloadNotice(model: name, outcome: .succeeded(model)))
      case .failure(let error): self.tell(DownloadNotice(model: name, outcome: .failed(error)))
      }
    }
    return ModelDownload(request: request)
  }

  /// Returns the model of a request once it is installed.
  private func model(
    _ name: String, _ conditions: DownloadConditions, _ request: DownloadRequest
  ) async throws -> InstalledModel {
    try await waitUntilAllowed(name, conditions) { request.send($0) }
    let entry = try await entry(name, conditions)
    for try await event in follow(entry, conditions) {
      if case .installed(let model) = event.state { return model }
      request.send(event)
    }
    throw ModelStoreError.cancelled
  }

  /// Updates an installed model, but never to a lower version; see ``download(_:conditions:)``.
  ///
  /// - Throws: ``ModelStoreError/notFound(_:)`` if it is not installed.
  public func update(
    _ name: String, conditions: DownloadConditions = DownloadConditions()
  ) throws -> ModelDownload {
    guard let model = try installedModel(name) else { throw ModelStoreError.notFound(name) }
    return download(model.identifier, conditions: conditions)
  }

  /// Returns the catalogue's entries that are newer than the installed models.
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

  /// Cancels a download for all followers.
  public func cancelDownload(identifier: String) {
    state.withLock { $0.jobs[identifier] }?.cancel()
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
    state.withLock { state in
      if let stream = state.jobs[entry.identifier]?.follow(conditions) { return stream }
      let job = DownloadJob()
      state.jobs[entry.identifier] = job
      let stream = job.follow(conditions)
      job.start { job in
        defer { self.forget(job, entry.identifier) }
        return try await self.install(entry, job)
      }
      return stream ?? AsyncThrowingStream { $0.finish() }
    }
  }

  private func forget(_ job: DownloadJob, _ identifier: String) {
    state.withLock { state in
      if state.jobs[identifier] === job { state.jobs[identifier] = nil }
    }
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
    if obstacle == .disconnected {
      throw .download(.noNetwork(url: model, reason: obstacle.rawValue))
    }
    throw .conditionsNotMet(model: model, reason: obstacle.rawValue)
  }

  /// The network changed to one that the conditions forbid.
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
        let followers = job.changesOfFollowers
        return try await withThrowingTaskGroup(of: InstalledModel?.self) { group in
          group.addTask { try await self.transfer(entry, job) }
          group.addTask {
            for await status in self.network.updates() where job.isObstructed(by: status) {
              throw Obstructed()
            }
            return nil
          }
          // The follower that allowed this network may leave.
          group.addTask {
            for await _ in followers where job.isObstructedNow { throw Obstructed() }
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
    // A part may disappear between its download and the commit if another process deletes a model.
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

  /// Checks that this program can use a bundle, by reading all of it.
  static func checkUse(_ url: URL, _ model: String) throws(ModelStoreError) {
    do {
      _ = try OpenModel.open(url).recognizer()
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
        model: entry.identifier, reason: "the catalogue contradicts the model's manifest")
    }
    var content = ModelStorage.Content(manifest: bytes)
    if let blob = entry.signature {
      let signature = try await downloader.data(
        blob, at: catalogURL.appendingPathComponent(blob.path))
      guard let parsed = try? ModelSignature(fileContents: signature), parsed.isValid(for: bytes)
      else {
        throw .signatureInvalid(
          entry.identifier, reason: "the model's signature does not match its manifest")
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
    // The manifest and the bundle's folder need space in addition to the parts.
    let needed = missing.reduce(entry.manifest.length + 65_536) {
      $0 + max(0, $1.length - storage.partialLength($1.sha256))
    }
    guard let free = freeBytes.map({ $0() }) ?? storage.availableBytes() else { return }
    guard free >= needed else { throw .download(.noSpace(needed: needed, available: free)) }
  }

  private static func uniqueParts(_ entry: Catalog.Entry) -> [ModelManifest.Part] {
    var seen: Set<String> = []
    return entry.parts.filter { seen.insert($0.sha256).inserted }
  }

  /// Copies a shared part from a known folder (`SharedParts`) into the store, so that it need not be
  /// downloaded. If that fails, it is downloaded.
  private func adopt(_ part: ModelManifest.Part) {
    guard part.sharedWith != nil, !storage.hasBlob(part.sha256, length: part.length),
      let bytes = SharedParts.data(of: part)
    else { return }
    try? FileSystem.replace(storage.blob(part.sha256).path, with: bytes)
  }

  private func fetchParts(
    of entry: Catalog.Entry, _ downloader: BlobDownloader, _ job: DownloadJob
  ) async throws(ModelStoreError) {
    guard let catalogURL else { throw .noCatalog }
    let parts = Self.uniqueParts(entry)
    let meter = DownloadMeter(
      model: entry.identifier, total: parts.reduce(0) { $0 + $1.length },
      send: { job.send($0) })
    defer { meter.stop() }
    for part in parts {
      adopt(part)
      try await downloader.fetch(
        length: part.length, hash: part.sha256,
        at: catalogURL.appendingPathComponent("blobs/sha256/\(part.sha256)")
      ) { count, isNew in meter.note(part.sha256, count, isNew: isNew) }
    }
    meter.finish()
  }
}
