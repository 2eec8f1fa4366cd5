import Foundation

/// Writes a complete model bundle or none.
///
/// All files are written and synced in a hidden folder next to the bundle, which is then renamed
/// into place. An existing bundle is first moved aside and removed at the end, so that at every
/// moment one of the two is complete on the disk. The hidden folder is locked while its writer
/// runs: the next writer of the same bundle removes the folders of killed writers.
///
/// ```swift
/// var writer = ModelBundleWriter(manifest: manifest)
/// try writer.add(part: "network.safetensors", role: "network", data: weights.serialized())
/// try writer.write(to: URL(fileURLWithPath: "digits.ductus"))
/// ```
public struct ModelBundleWriter: Sendable {
  /// The manifest, with the parts added so far.
  public private(set) var manifest: ModelManifest
  /// If true, parts that are shared with another model are not written into the folder. Whoever
  /// opens the bundle needs that model: see ``SharedParts``.
  package var omitsSharedParts = false
  /// The bytes of each part; nil for a shared part that this writer does not have.
  private var contents: [Data?] = []
  /// The exact manifest and signature of an unchanged copy.
  private var original: (manifest: Data, signature: ModelSignature?)?

  /// Starts a bundle of the current format; the parts of `manifest` are dropped.
  public init(manifest: ModelManifest) {
    self.manifest = manifest
    self.manifest.version = manifest.modelVersion
    self.manifest.parts = []
    self.manifest.formatVersion = self.manifest.neededFormatVersion
  }

  /// Starts an exact copy of a bundle, with its signature; see ``change(_:)`` for a changed one.
  public init(copying bundle: ModelBundle) throws(ModelFormatError) {
    manifest = bundle.manifest
    for part in manifest.parts { contents.append(try bundle.data(for: part.name)) }
    original = (bundle.manifestBytes, bundle.signature)
  }

  /// Changes the manifest except its parts, and gives the bundle the current format. A copy is then
  /// no longer signed.
  public mutating func change(_ body: (inout ModelManifest) -> Void) {
    let parts = manifest.parts
    body(&manifest)
    manifest.version = manifest.modelVersion
    manifest.parts = parts
    manifest.formatVersion = manifest.neededFormatVersion
    original = nil
  }

  /// Removes the files of a role, so that they can be replaced.
  public mutating func remove(role: String) {
    let kept = zip(manifest.parts, contents).filter { $0.0.role != role }
    contents = kept.map(\.1)
    manifest.parts = kept.map(\.0)
    change { _ in }
  }

  /// Adds a file. O(bytes).
  ///
  /// - Throws: ``ModelFormatError`` with `invalidPartName` or `duplicatePart`.
  public mutating func add(part name: String, role: String, data: Data) throws(ModelFormatError) {
    try add(
      ModelManifest.Part(
        name: name, role: role, length: data.count, sha256: ModelBundle.sha256(data)),
      data)
  }

  /// Adds a part of another model by its hash. It is not written into the folder.
  ///
  /// - Parameters:
  ///   - part: The entry of the part in the manifest of the other model.
  ///   - identifier: The identifier of the other model.
  /// - Throws: ``ModelFormatError`` with `invalidPartName` or `duplicatePart`.
  public mutating func share(
    _ part: ModelManifest.Part, with identifier: String
  ) throws(ModelFormatError) {
    var part = part
    // A part that is already shared keeps the model that it comes from.
    part.sharedWith = part.sharedWith ?? identifier
    try add(part, nil)
  }

  private mutating func add(
    _ part: ModelManifest.Part, _ data: Data?
  ) throws(ModelFormatError) {
    let name = part.name
    guard ModelManifest.isValidPartName(name) else {
      throw ModelFormatError(.invalidPartName(name), path: manifest.identifier)
    }
    guard !manifest.parts.contains(where: { $0.name.lowercased() == name.lowercased() }) else {
      throw ModelFormatError(.duplicatePart(name), path: manifest.identifier)
    }
    manifest.parts.append(part)
    contents.append(data)
    change { _ in }
  }

  /// Writes the bundle, replacing an existing one at `url`.
  ///
  /// - Parameters:
  ///   - url: The bundle's folder. Anything there that is not a bundle is not changed.
  ///   - modelCard: The text of `MODELCARD.md`; nil generates it from the manifest.
  /// - Returns: The bundle, opened from the disk and checked.
  /// - Throws: ``ModelFormatError``; an existing bundle at `url` is then unchanged.
  @discardableResult
  public func write(
    to url: URL, modelCard: String? = nil
  ) throws(ModelFormatError) -> ModelBundle {
    try write(to: url, modelCard: modelCard) { _ in }
    return try ModelBundle.open(url)
  }

  /// A step of the writer; tests end the process there.
  package enum Step: Int, CaseIterable, Sendable {
    case writeParts
    case writeManifest
    case moveAside
    case moveIntoPlace
    case removeOld
    case finish
  }

  package func write(
    to url: URL, modelCard: String?, willPerform: (Step) -> Void
  ) throws(ModelFormatError) {
    do throws(ModelFormatError.Reason) {
      let target = url.standardizedFileURL
      try Self.clean(target)
      let manifestBytes = try serializedManifest()
      _ = try Self.checkDestination(target)
      let folder = try LockedFolder(siblingOf: target)
      // Without this, the lock would end after the last use of the folder.
      defer { withExtendedLifetime(folder) {} }
      do throws(ModelFormatError.Reason) {
        try fill(folder.path, manifestBytes, modelCard ?? manifest.modelCard, willPerform)
        try Self.replace(target, by: folder.path, willPerform)
      } catch {
        FileSystem.removeFolder(folder.path)
        throw error
      }
      willPerform(.finish)
    } catch {
      throw ModelFormatError(error, path: url.path)
    }
  }

  private func serializedManifest() throws(ModelFormatError.Reason) -> Data {
    if let original { return original.manifest }
    return try manifest.serialized()
  }

  private func fill(
    _ folder: String, _ manifestBytes: Data, _ card: String, _ willPerform: (Step) -> Void
  ) throws(ModelFormatError.Reason) {
    willPerform(.writeParts)
    for (part, data) in zip(manifest.parts, contents) {
      guard let data, part.sharedWith == nil || !omitsSharedParts else { continue }
      try FileSystem.write(data, to: "\(folder)/\(part.name)")
    }
    try FileSystem.write(Data(card.utf8), to: "\(folder)/\(ModelBundle.cardName)")
    willPerform(.writeManifest)
    try FileSystem.write(manifestBytes, to: "\(folder)/\(ModelBundle.manifestName)")
    if let signature = original?.signature {
      try FileSystem.write(signature.fileContents, to: "\(folder)/\(ModelBundle.signatureName)")
    }
    try FileSystem.syncFolder(folder)
  }

  private static func replace(
    _ url: URL, by folder: String, _ willPerform: (Step) -> Void
  ) throws(ModelFormatError.Reason) {
    let parent = url.deletingLastPathComponent().path
    let aside = asidePath(of: url)
    willPerform(.moveAside)
    // Checked again, because another writer may have been faster.
    let exists = try checkDestination(url)
    if exists { try FileSystem.move(url.path, to: aside) }
    willPerform(.moveIntoPlace)
    do throws(ModelFormatError.Reason) {
      try FileSystem.move(folder, to: url.path)
    } catch {
      if exists { try FileSystem.move(aside, to: url.path) }
      throw error
    }
    try FileSystem.syncFolder(parent)
    willPerform(.removeOld)
    if exists { FileSystem.removeFolder(aside) }
  }

  /// Returns whether there is a bundle at `url`; throws if there is anything else.
  private static func checkDestination(_ url: URL) throws(ModelFormatError.Reason) -> Bool {
    guard let kind = FileSystem.kind(of: url.path) else { return false }
    let manifest = url.appendingPathComponent(ModelBundle.manifestName).path
    guard kind == .folder, FileSystem.kind(of: manifest) == .file else {
      throw .destinationNotABundle
    }
    return true
  }

  /// The path of the old bundle while a new one takes its place.
  package static func asidePath(of url: URL) -> String {
    let url = url.standardizedFileURL
    return url.deletingLastPathComponent()
      .appendingPathComponent(".\(url.lastPathComponent).replaced").path
  }

  /// Cleans up after killed writers: removes their folders, and restores a bundle that was moved
  /// aside but not replaced.
  package static func clean(_ url: URL) throws(ModelFormatError.Reason) {
    let aside = asidePath(of: url)
    if FileSystem.kind(of: aside) != nil {
      if FileSystem.kind(of: url.path) == nil {
        try FileSystem.move(aside, to: url.path)
      } else {
        FileSystem.removeFolder(aside)
      }
    }
    LockedFolder.removeAbandoned(siblingsOf: url)
  }
}

/// A hidden folder next to a bundle, locked as long as this object exists. The lock ends with the
/// process, however it ends, and thereby distinguishes a running writer from a killed one.
private final class LockedFolder {
  let path: String
  private let descriptor: Int32

  init(siblingOf url: URL) throws(ModelFormatError.Reason) {
    let parent = url.deletingLastPathComponent().path
    let name = Self.prefix(url) + String(UInt64.random(in: 0 ... .max), radix: 36)
    path = "\(parent)/\(name)"
    guard mkdir(path, 0o755) == 0 else {
      throw .system(operation: "creating \(path)", code: errno)
    }
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
    guard descriptor >= 0 else {
      throw .system(operation: "opening \(path)", code: errno)
    }
    // Some network file systems have no locks; write without one.
    _ = flock(descriptor, LOCK_EX | LOCK_NB)
  }

  deinit { close(descriptor) }

  static func prefix(_ url: URL) -> String {
    ".\(url.lastPathComponent).writing-"
  }

  static func removeAbandoned(siblingsOf url: URL) {
    let parent = url.deletingLastPathComponent().path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    for name in names where name.hasPrefix(prefix(url)) {
      let path = "\(parent)/\(name)"
      let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY | O_NOFOLLOW)
      guard descriptor >= 0 else { continue }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { FileSystem.removeFolder(path) }
      close(descriptor)
    }
  }
}
