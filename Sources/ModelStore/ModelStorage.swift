import Files
import Foundation
import ModelFormat
import Recognition

/// The folder of a store.
///
///     lock                      locked while the store changes
///     models/IDENTIFIER.json    the current bundle of the model; replaced by rename
///     bundles/HASH.ductus/      a bundle by its manifest's SHA-256; its parts are hard links
///     blobs/HASH                parts by their SHA-256, shared by bundles
///     partial/HASH              the downloaded beginning of a part, with HASH.etag
///     catalogs/HASH.json        the highest version of a catalogue seen so far
///
/// Files that a killed process leaves behind are hidden, and removed by the next change.
package struct ModelStorage: Sendable {
  let root: URL

  private static let temporaryPrefix = ".writing-"
  /// The seconds for which blobs without a bundle are kept, because another process may need them.
  private static let orphanAge: TimeInterval = 86_400
  private static let folders = ["models", "bundles", "blobs", "partial", "catalogs"]

  private struct Pointer: Codable {
    var manifest: String
  }

  /// Creates missing folders.
  package init(_ root: URL) throws(ModelStoreError) {
    self.root = root
    for name in Self.folders {
      let url = root.appendingPathComponent(name)
      do {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      } catch {
        let code = ((error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError)?.code
        throw .failure("creating", url.path, code: Int32(code ?? Int(EACCES)))
      }
    }
  }

  package func blob(_ hash: String) -> URL { root.appendingPathComponent("blobs/\(hash)") }
  func partial(_ hash: String) -> URL { root.appendingPathComponent("partial/\(hash)") }
  private func bundle(_ hash: String) -> URL {
    root.appendingPathComponent("bundles/\(hash).ductus")
  }
  private func pointer(_ identifier: String) -> URL {
    root.appendingPathComponent("models/\(identifier).json")
  }

  /// Runs a change of the store while no other process or thread changes it.
  func exclusively<Result>(
    _ body: () throws(ModelStoreError) -> Result
  ) throws(ModelStoreError) -> Result {
    let lock: FileLock
    do throws(FileError) {
      lock = try FileLock.wait(for: root.appendingPathComponent("lock").path)
    } catch {
      throw ModelStoreError(error)
    }
    defer { withExtendedLifetime(lock) {} }
    return try body()
  }

  // MARK: - Reading

  /// The models, by identifier. O(models); reads manifests only.
  func models() -> [InstalledModel] {
    let names =
      (try? FileManager.default.contentsOfDirectory(
        atPath: root.appendingPathComponent("models").path)) ?? []
    return names.filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }.sorted().compactMap {
      model(String($0.dropLast(5)))
    }
  }

  /// Returns a model, or nil if it is not installed.
  func model(_ identifier: String) -> InstalledModel? {
    // Two attempts, because the model may be updated in the meantime.
    for _ in 0..<2 {
      guard ModelManifest.isPortableName(identifier), let hash = manifestHash(of: identifier)
      else { return nil }
      let url = bundle(hash)
      let path = url.appendingPathComponent(ModelBundle.manifestName).path
      guard let bytes = try? Self.contents(of: path),
        let manifest = try? ModelManifest(parsing: bytes), manifest.identifier == identifier
      else { continue }
      return InstalledModel(
        description: ModelDescription(manifest), url: url,
        byteCount: manifest.parts.reduce(bytes.count) { $0 + $1.length }, manifestHash: hash)
    }
    return nil
  }

  /// Returns whether a model with this identifier was installed, readable or not.
  func hasPointer(_ identifier: String) -> Bool {
    ModelManifest.isPortableName(identifier)
      && FileSystem.kind(of: pointer(identifier).path) != nil
  }

  private func manifestHash(of identifier: String) -> String? {
    guard let bytes = try? Self.contents(of: pointer(identifier).path) else { return nil }
    let hash = try? JSONDecoder().decode(Pointer.self, from: bytes).manifest
    return hash.flatMap { $0.utf8.count == 64 && ModelManifest.isPortableName($0) ? $0 : nil }
  }

  static func contents(of path: String) throws(ModelFormatError.Reason) -> Data {
    try FileSystem.contents(of: path) { length throws(ModelFormatError.Reason) in
      guard length <= ModelManifest.maximumLength else {
        throw .manifestTooLong(bytes: length, maximum: ModelManifest.maximumLength)
      }
    }
  }

  /// Returns the bytes on disk; shared parts count once.
  func occupiedBytes() -> Int {
    var seen: Set<UInt64> = []
    var sum = 0
    let files = FileManager.default.enumerator(atPath: root.path)
    while let name = files?.nextObject() as? String {
      var status = stat()
      guard lstat("\(root.path)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        seen.insert(UInt64(status.st_ino)).inserted
      else { continue }
      sum += Int(status.st_size)
    }
    return sum
  }

  /// Returns the free bytes of the store's volume, or nil if they are unknown.
  func availableBytes() -> Int? {
    var status = statvfs()
    guard statvfs(root.path, &status) == 0 else { return nil }
    let (bytes, overflow) = UInt64(status.f_bavail)
      .multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return overflow ? nil : Int(clamping: bytes)
  }

  /// Returns whether a part exists with its length. Its hash is checked when a bundle is made from
  /// it.
  func hasBlob(_ hash: String, length: Int) -> Bool {
    var status = stat()
    return lstat(blob(hash).path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      && Int(status.st_size) == length
  }

  /// Returns the number of bytes of a part that have been downloaded.
  func partialLength(_ hash: String) -> Int {
    var status = stat()
    guard lstat(partial(hash).path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return 0
    }
    return Int(status.st_size)
  }

  // MARK: - Changing

  /// The content of a model to install. Its parts are among the blobs.
  package struct Content {
    var manifest: Data
    var signature: Data?
    var card: Data?

    package init(manifest: Data, signature: Data? = nil, card: Data? = nil) {
      self.manifest = manifest
      self.signature = signature
      self.card = card
    }
  }

  /// A step of a commit; tests end the process there.
  package enum Step: Int, CaseIterable, Sendable {
    case fill
    case placeBundle
    case point
    case collect
    case finish
  }

  /// Makes a model from its parts and replaces the model of the same name.
  ///
  /// - Parameter check: Opens the bundle; if it throws, the model is not installed.
  /// - Throws: ``ModelStoreError/downgradeRefused(_:known:offered:)``, or
  ///   ``ModelStoreError/damaged(_:)`` if a part is missing or wrong. A wrong part is removed, so
  ///   that it can be downloaded again.
  package func commit(
    _ content: Content, willPerform: (Step) -> Void = { _ in },
    check: (URL) throws(ModelStoreError) -> Void
  ) throws(ModelStoreError) -> InstalledModel {
    let manifest: ModelManifest
    do throws(ModelFormatError.Reason) {
      manifest = try ModelManifest(parsing: content.manifest)
    } catch {
      throw ModelStoreError(error, path: ModelBundle.manifestName)
    }
    return try exclusively { () throws(ModelStoreError) in
      if let known = model(manifest.identifier)?.description.version,
        known > manifest.modelVersion
      {
        throw .downgradeRefused(
          manifest.identifier, known: known, offered: manifest.modelVersion)
      }
      let hash = ModelBundle.sha256(content.manifest)
      willPerform(.fill)
      let folder = try fill(content, manifest)
      do throws(ModelStoreError) {
        try check(folder)
        willPerform(.placeBundle)
        try place(folder, at: bundle(hash))
      } catch {
        FileSystem.removeFolder(folder.path)
        if case .damaged = error { removeDamagedBlobs(manifest) }
        throw error
      }
      willPerform(.point)
      let path = pointer(manifest.identifier).path
      do {
        let bytes = try JSONEncoder().encode(Pointer(manifest: hash))
        try FileSystem.replace(path, with: bytes)
      } catch let reason as ModelFormatError.Reason {
        throw ModelStoreError(reason, path: path)
      } catch {
        throw .failure("encoding", path, code: EINVAL)
      }
      willPerform(.collect)
      collectGarbage()
      willPerform(.finish)
      guard let model = model(manifest.identifier) else { throw .notFound(manifest.identifier) }
      return model
    }
  }

  private func fill(
    _ content: Content, _ manifest: ModelManifest
  ) throws(ModelStoreError) -> URL {
    let name = Self.temporaryPrefix + String(UInt64.random(in: 0 ... .max), radix: 36)
    let folder = root.appendingPathComponent("bundles/\(name)")
    guard mkdir(folder.path, 0o755) == 0 else { throw .failure("creating", folder.path) }
    do throws(ModelStoreError) {
      for part in manifest.parts {
        let path = folder.appendingPathComponent(part.name).path
        if link(blob(part.sha256).path, path) == 0 { continue }
        // Some file systems have no links. Then parts are not shared.
        guard errno == EPERM || errno == ENOTSUP || errno == EMLINK || errno == ENOSYS else {
          if errno == ENOENT { throw .damaged(ModelFormatError(.missing, path: path)) }
          throw .failure("linking", path)
        }
        try write(Self.blobContents(blob(part.sha256).path), path)
      }
      try write(content.manifest, folder.appendingPathComponent(ModelBundle.manifestName).path)
      if let signature = content.signature {
        try write(signature, folder.appendingPathComponent(ModelBundle.signatureName).path)
      }
      if let card = content.card {
        try write(card, folder.appendingPathComponent(ModelBundle.cardName).path)
      }
      try sync(folder.path)
      return folder
    } catch {
      FileSystem.removeFolder(folder.path)
      throw error
    }
  }

  private static func blobContents(_ path: String) throws(ModelStoreError) -> Data {
    do throws(ModelFormatError.Reason) {
      return try FileSystem.contents(of: path) { _ in }
    } catch {
      throw ModelStoreError(error, path: path)
    }
  }

  private func write(_ bytes: Data, _ path: String) throws(ModelStoreError) {
    do throws(ModelFormatError.Reason) {
      try FileSystem.write(bytes, to: path)
    } catch {
      throw ModelStoreError(error, path: path)
    }
  }

  private func sync(_ path: String) throws(ModelStoreError) {
    do throws(ModelFormatError.Reason) {
      try FileSystem.syncFolder(path)
    } catch {
      throw ModelStoreError(error, path: path)
    }
  }

  /// Gives a checked folder its final name. An existing folder of that name has the same manifest.
  /// If it is intact, it stays and gets the new signature, so that the model exists at every
  /// moment.
  private func place(_ folder: URL, at url: URL) throws(ModelStoreError) {
    if FileSystem.kind(of: url.path) != nil {
      if (try? ModelBundle.open(url)) != nil {
        let signature = ModelBundle.signatureName
        rename(
          folder.appendingPathComponent(signature).path, url.appendingPathComponent(signature).path)
        FileSystem.removeFolder(folder.path)
        return
      }
      let aside = root.appendingPathComponent("bundles/\(folder.lastPathComponent).old").path
      guard rename(url.path, aside) == 0 else { throw .failure("renaming", url.path) }
      guard rename(folder.path, url.path) == 0 else {
        let code = errno
        rename(aside, url.path)
        throw .failure("renaming", folder.path, code: code)
      }
      FileSystem.removeFolder(aside)
    } else if rename(folder.path, url.path) != 0 {
      throw .failure("renaming", folder.path)
    }
    try sync(root.appendingPathComponent("bundles").path)
  }

  private func removeDamagedBlobs(_ manifest: ModelManifest) {
    for part in manifest.parts {
      let path = blob(part.sha256).path
      guard let bytes = try? Self.blobContents(path) else { continue }
      if ModelBundle.sha256(bytes) != part.sha256 { unlink(path) }
    }
  }

  /// Removes a model; does nothing if it is not installed.
  func remove(_ identifier: String) throws(ModelStoreError) {
    guard ModelManifest.isPortableName(identifier) else { return }
    try exclusively { () throws(ModelStoreError) in
      let hashes = partHashes(of: identifier)
      let path = pointer(identifier).path
      guard unlink(path) == 0 || errno == ENOENT else { throw .failure("removing", path) }
      try sync(root.appendingPathComponent("models").path)
      collectGarbage(dropping: hashes)
    }
  }

  private func partHashes(of identifier: String) -> Set<String> {
    guard let hash = manifestHash(of: identifier),
      let bytes = try? Self.contents(
        of: bundle(hash).appendingPathComponent(ModelBundle.manifestName).path),
      let manifest = try? ModelManifest(parsing: bytes)
    else { return [] }
    return Set(manifest.parts.map(\.sha256))
  }

  /// Removes bundles without a model, files of killed processes, and blobs without a bundle. Blobs
  /// of `hashes` and of removed bundles are removed at once, others when they are old. The store
  /// must be locked.
  private func collectGarbage(dropping hashes: Set<String> = []) {
    let files = FileManager.default
    let bundles = root.appendingPathComponent("bundles")
    var dropped = hashes
    let pointers =
      (try? files.contentsOfDirectory(atPath: root.appendingPathComponent("models").path)) ?? []
    let used = Set(
      pointers.filter { $0.hasSuffix(".json") }
        .compactMap { manifestHash(of: String($0.dropLast(5))) }.map { "\($0).ductus" })
    for name in pointers where name.hasSuffix(".writing") {
      unlink(root.appendingPathComponent("models/\(name)").path)
    }
    for name in (try? files.contentsOfDirectory(atPath: bundles.path)) ?? []
    where !used.contains(name) {
      let url = bundles.appendingPathComponent(name)
      if let bytes = try? Self.contents(
        of: url.appendingPathComponent(ModelBundle.manifestName).path),
        let manifest = try? ModelManifest(parsing: bytes)
      {
        dropped.formUnion(manifest.parts.map(\.sha256))
      }
      FileSystem.removeFolder(url.path)
    }
    let now = Date().timeIntervalSince1970
    for name in (try? files.contentsOfDirectory(atPath: root.appendingPathComponent("blobs").path))
      ?? []
    {
      let path = blob(name).path
      var status = stat()
      guard lstat(path, &status) == 0, status.st_nlink <= 1 else { continue }
      if dropped.contains(name) || Self.age(of: status, now) > Self.orphanAge { unlink(path) }
    }
    removeOldPartials(now)
  }

  private func removeOldPartials(_ now: TimeInterval) {
    let folder = root.appendingPathComponent("partial").path
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      var status = stat()
      guard lstat("\(folder)/\(name)", &status) == 0, Self.age(of: status, now) > 7 * Self.orphanAge
      else { continue }
      if name.hasSuffix(".etag") || (try? FileLock.attempt("\(folder)/\(name)")) != nil {
        unlink("\(folder)/\(name)")
      }
    }
  }

  private static func age(of status: stat, _ now: TimeInterval) -> TimeInterval {
    #if canImport(Darwin)
      now - TimeInterval(status.st_mtimespec.tv_sec)
    #else
      now - TimeInterval(status.st_mtim.tv_sec)
    #endif
  }

  // MARK: - Catalogues

  private struct SeenCatalog: Codable {
    var url: String
    var version: Int
  }

  /// Records the version of a catalogue.
  ///
  /// - Throws: ``ModelStoreError/downgradeRefused(_:known:offered:)`` if a higher version was seen.
  func note(catalog url: String, version: Int) throws(ModelStoreError) {
    let hash = ModelBundle.sha256(Data(url.utf8)).prefix(32)
    let path = root.appendingPathComponent("catalogs/\(hash).json").path
    try exclusively { () throws(ModelStoreError) in
      let known = (try? Self.contents(of: path))
        .flatMap { try? JSONDecoder().decode(SeenCatalog.self, from: $0).version }
      if let known, known > version {
        throw .downgradeRefused(url, known: known, offered: version)
      }
      guard known != version,
        let bytes = try? JSONEncoder().encode(
          SeenCatalog(url: url, version: version))
      else { return }
      do throws(ModelFormatError.Reason) {
        try FileSystem.replace(path, with: bytes)
      } catch {
        throw ModelStoreError(error, path: path)
      }
    }
  }
}
