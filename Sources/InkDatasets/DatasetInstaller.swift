import Crypto
import Downloads
import Files
import Foundation
import InkFormats

/// Downloads public datasets and unpacks them into the folder of all datasets.
///
/// A dataset appears in its folder complete, or not at all. Downloads resume: interrupted ones are
/// in `.downloads` below that folder. Archives are unpacked into a new folder and checked for links
/// and for paths that lead out of it. The result is compared with the card before the folder gets
/// its name.
///
///     let installer = DatasetInstaller(root: "/data/ink")
///     let installed = try await installer.install(dataset) { print($0.completedBytes) }
package struct DatasetInstaller: Sendable {
  /// The progress of an installation.
  package enum Progress: Hashable, Sendable {
    /// The bytes of one archive so far, and its length if that is known.
    case downloading(archive: Int, of: Int, completedBytes: Int, totalBytes: Int?)
    /// An archive is being unpacked.
    case unpacking(archive: Int, of: Int)
  }

  /// A downloaded file.
  package struct Source: Hashable, Sendable, Codable {
    /// Its address.
    package let address: URL
    /// Its length.
    package let bytes: Int
    /// Its SHA-256.
    package let sha256: String
    /// True if the card contains the length and the hash, so that they were checked.
    package let wasChecked: Bool
  }

  /// An installed dataset.
  package struct Outcome: Hashable, Sendable {
    /// Its files.
    package let check: DatasetCheck
    /// The downloaded files; empty if the dataset was already there.
    package let sources: [Source]
  }

  /// The file in a dataset's folder that records the sources of its files.
  package static let recordName = "ductus-install.json"

  /// The folder of all datasets.
  package let root: String
  private let downloader: Downloader

  /// Makes an installer.
  ///
  /// - Parameters:
  ///   - root: The folder of all datasets, which is created if it does not exist.
  ///   - transport: Downloads the files.
  ///   - configuration: The settings of downloads.
  package init(
    root: String, transport: any Transport = URLSessionTransport(),
    configuration: DownloadConfiguration = DownloadConfiguration()
  ) {
    self.root = root
    downloader = Downloader(transport: transport, configuration: configuration)
  }

  /// Installs a dataset; downloads nothing if it is already complete.
  ///
  /// - Throws: ``DatasetInstallError``, or ``DataError`` if the root is not a folder.
  package func install(
    _ dataset: PublicDataset, progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) async throws -> Outcome {
    guard !dataset.archives.isEmpty else {
      throw DatasetInstallError.needsOwner(
        dataset: dataset.name, origin: dataset.origin, access: dataset.access)
    }
    try makeFolder(root)
    let target = "\(root)/\(dataset.folder)"
    if FileManager.default.fileExists(atPath: target) {
      let check = try dataset.check(below: root)
      guard check.state == .present else {
        throw DatasetInstallError.folderInTheWay(target, check: check.description)
      }
      return Outcome(check: check, sources: [])
    }
    let downloads = "\(root)/.downloads"
    try makeFolder(downloads)
    let staging = "\(downloads)/\(dataset.folder)-\(UInt64.random(in: 0 ... .max))"
    try makeFolder(staging)
    defer { try? FileManager.default.removeItem(atPath: staging) }

    var sources: [Source] = []
    var files: [String] = []
    for (index, archive) in dataset.archives.enumerated() {
      let count = dataset.archives.count
      let file = "\(downloads)/\(Self.key(archive))"
      files.append(file)
      sources.append(
        try await fetch(archive, to: file) {
          progress(
            .downloading(
              archive: index + 1, of: count, completedBytes: $0.bytes, totalBytes: $0.total))
        })
      progress(.unpacking(archive: index + 1, of: count))
      do throws(DatasetInstallError) {
        try place(archive, file: file, in: "\(staging)/\(dataset.folder)")
      } catch {
        // The same bytes would fail again.
        unlink(file)
        throw error
      }
    }
    let check = try dataset.check(below: staging)
    guard check.state == .present else {
      for file in files { unlink(file) }
      throw DatasetInstallError.incomplete(check: check.description)
    }
    try record(sources, in: "\(staging)/\(dataset.folder)")
    do throws(FileError) {
      try AtomicFile.move("\(staging)/\(dataset.folder)", to: target)
    } catch {
      throw storage(error)
    }
    for file in files { unlink(file) }
    return Outcome(check: try dataset.check(below: root), sources: sources)
  }

  // MARK: - Steps

  /// Returns the name of a download: its hash if that is known, else the hash of its address.
  private static func key(_ archive: PublicDataset.Archive) -> String {
    archive.sha256
      ?? "address-" + DataHasher.sha256(Data(archive.address.absoluteString.utf8))
  }

  private func fetch(
    _ archive: PublicDataset.Archive, to file: String,
    progress: @Sendable (DownloadCount) -> Void
  ) async throws(DatasetInstallError) -> Source {
    let expected = ExpectedBytes(length: archive.bytes, sha256: archive.sha256)
    let place = DownloadPlace(partial: file + ".partial", finished: file)
    do throws(DownloadError) {
      let found = try await downloader.fetch(
        expected, at: archive.address, to: place, progress: progress)
      // A file that was already finished is hashed here, because it may have been damaged since.
      let (length, hash): (Int, String)
      if let found { (length, hash) = found } else { (length, hash) = try Self.hash(file) }
      if let wanted = archive.sha256, hash != wanted {
        unlink(file)
        throw .hashMismatch(
          url: archive.address.absoluteString, expected: wanted, found: hash)
      }
      return Source(
        address: archive.address, bytes: length, sha256: hash,
        wasChecked: archive.bytes != nil && archive.sha256 != nil)
    } catch {
      throw .download(error)
    }
  }

  private static func hash(
    _ file: String
  ) throws(DownloadError) -> (length: Int, sha256: String) {
    do throws(FileError) {
      let mapping = try MappedBytes(path: file)
      return (mapping.bytes.count, DataHasher.sha256(mapping.data))
    } catch {
      throw DownloadError(error)
    }
  }

  /// Unpacks an archive into its own folder and moves its content to the dataset's folder.
  private func place(
    _ archive: PublicDataset.Archive, file: String, in folder: String
  ) throws(DatasetInstallError) {
    let target = archive.path.map { "\(folder)/\($0)" } ?? folder
    let name = archive.address.lastPathComponent
    guard archive.kind != .file else {
      try makeFolder(target)
      return try moving {
        try FileManager.default.copyItem(atPath: file, toPath: "\(target)/\(name)")
      }
    }
    let fresh = "\(folder)-\(UInt64.random(in: 0 ... .max))"
    try makeFolder(fresh)
    defer { try? FileManager.default.removeItem(atPath: fresh) }
    try ArchiveUnpacker(archive: file, kind: archive.kind, name: name).unpack(into: fresh)
    let content = archive.root.map { "\(fresh)/\($0)" } ?? fresh
    try makeFolder(target)
    try moving {
      for entry in try FileManager.default.contentsOfDirectory(atPath: content) {
        try FileManager.default.moveItem(
          atPath: "\(content)/\(entry)", toPath: "\(target)/\(entry)")
      }
    }
  }

  private func moving(_ body: () throws -> Void) throws(DatasetInstallError) {
    do {
      try body()
    } catch {
      throw .storage(path: root, operation: "moving", reason: error.localizedDescription)
    }
  }

  private func record(_ sources: [Source], in folder: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let path = "\(folder)/\(Self.recordName)"
    let bytes = try encoder.encode(sources) + Data("\n".utf8)
    do throws(FileError) {
      try AtomicFile.create(path, bytes)
    } catch {
      throw storage(error)
    }
  }

  private func makeFolder(_ path: String) throws(DatasetInstallError) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw .storage(path: path, operation: "creating", reason: error.localizedDescription)
    }
  }

  private func storage(_ error: FileError) -> DatasetInstallError {
    .storage(
      path: error.path, operation: error.operation.rawValue,
      reason: String(cString: strerror(error.code)))
  }
}
