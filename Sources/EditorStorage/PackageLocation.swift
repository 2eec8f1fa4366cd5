import Files
import Foundation

/// The lock of a package, held while the object exists.
final class PackageLock {
  private let path: String
  private let lock: FileLock

  /// Locks a package.
  ///
  /// - Throws: ``PackageError/inUse(path:)``, or ``PackageError/unusable(path:reason:)`` if the
  ///   folder cannot be written.
  init(_ location: PackageLocation) throws(PackageError) {
    path = location.lock
    var found: FileLock?
    do throws(FileError) {
      // The previous holder may have removed the file between opening and locking.
      for _ in 0..<3 where found == nil { found = try FileLock.attempt(path) }
    } catch {
      throw .unusable(path: location.file, reason: String(cString: strerror(error.code)))
    }
    guard let found else { throw .inUse(path: location.file) }
    lock = found
  }

  deinit {
    // Before the lock ends, so that the next holder makes its own file.
    unlink(path)
    withExtendedLifetime(lock) {}
  }
}

/// The files of a package: the saved one, and those of its unsaved work and its lock.
struct PackageLocation: Hashable, Sendable {
  /// The saved package.
  let file: String
  /// The working copy with the unsaved work.
  let working: String
  /// The lock, next to the package.
  let lock: String

  /// Makes the location of a package.
  ///
  /// - Parameters:
  ///   - url: The saved package, which need not exist.
  ///   - temporaryFolder: The folder for unsaved work; empty for that of the package.
  init(_ url: URL, temporaryFolder: String) {
    // Links are followed, so that a package has one lock, whatever its path.
    let resolved = url.standardizedFileURL.resolvingSymlinksInPath()
    file = resolved.path
    let folder = resolved.deletingLastPathComponent()
    let name = resolved.lastPathComponent
    lock = folder.appendingPathComponent(".\(name).lock").path
    if temporaryFolder.isEmpty {
      working = folder.appendingPathComponent(".\(name).unsaved").path
    } else {
      let bytes = Array(resolved.path.utf8)
      let hash = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
        ($0 ^ UInt64($1)) &* 0x100_0000_01B3
      }
      working =
        URL(fileURLWithPath: temporaryFolder, isDirectory: true)
        .appendingPathComponent("\(name)-\(String(hash, radix: 16)).unsaved").path
    }
  }

  /// Removes the working copy. It must be closed.
  func removeWorking() {
    // SQLite has written its log into the file when it was closed. A log that is left would belong
    // to no file.
    unlink(working)
    unlink(working + "-wal")
    unlink(working + "-shm")
  }

  /// Removes what interrupted saves left.
  func removePartials() {
    for path in [file, working] {
      let url = URL(fileURLWithPath: path)
      let folder = url.deletingLastPathComponent()
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      for name in names
      where name.hasPrefix(url.lastPathComponent + ".")
        && (name.hasSuffix(Self.partialSuffix) || name.hasSuffix(Self.partialSuffix + "-journal"))
      {
        unlink(folder.appendingPathComponent(name).path)
      }
    }
  }

  private static let partialSuffix = ".partial"

  /// Returns a path next to a file, for a file that is not complete yet.
  static func partial(of path: String) -> String {
    "\(path).\(String(UInt64.random(in: 0 ... .max), radix: 36))\(partialSuffix)"
  }

  /// A free path next to the package, for unsaved work that does not belong to it.
  func placeAside() -> String {
    let hasSuffix = file.hasSuffix(PackageFormat.suffix)
    let base = hasSuffix ? String(file.dropLast(PackageFormat.suffix.count)) : file
    var number = 1
    while access("\(base) unsaved \(number)\(PackageFormat.suffix)", F_OK) == 0 { number += 1 }
    return "\(base) unsaved \(number)\(PackageFormat.suffix)"
  }

  /// Moves a working copy that cannot be opened aside, where a person can find it.
  ///
  /// - Returns: The path, or nil if it cannot be moved.
  func setWorkingAside() -> String? {
    let target = placeAside()
    guard rename(working, target) == 0 else { return nil }
    // Its log goes with it.
    rename(working + "-wal", target + "-wal")
    unlink(working + "-shm")
    return target
  }
}
