import Downloads
import Foundation

/// A reason why a dataset cannot be installed.
package enum DatasetInstallError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No card has this name.
  case unknown(name: String, known: [String])
  /// Nothing can be downloaded without asking the owner.
  case needsOwner(dataset: String, origin: String, access: String)
  /// Something else is at the place of the dataset.
  case folderInTheWay(String, check: String)
  /// A download failed.
  case download(DownloadError)
  /// The system lacks a program.
  case missingProgram(String)
  /// The system's program could not unpack an archive.
  case unpacking(archive: String, program: String, reason: String)
  /// An archive holds a path or a file that must not be unpacked.
  case unsafeEntry(archive: String, entry: String, reason: String)
  /// The archives do not contain all files of the dataset.
  case incomplete(check: String)
  /// The operating system refused an operation on a file or folder.
  case storage(path: String, operation: String, reason: String)

  /// The message: what happened, where, and what to do.
  package var description: String {
    switch self {
    case .unknown(let name, let known):
      "\(name): no such dataset; expected one of \(known.joined(separator: ", "))"
    case .needsOwner(let dataset, let origin, let access):
      "\(dataset): cannot be downloaded without its owner. \(access) Its page: \(origin)"
    case .folderInTheWay(let folder, let check):
      "\(folder): expected no such folder, found one that is not the whole dataset; "
        + "move it away and try again\n\(check)"
    case .download(let error): error.description
    case .missingProgram(let program):
      "\(program): no such program; install it and try again"
    case .unpacking(let archive, let program, let reason):
      "\(archive): \(program) cannot unpack it: \(reason); the archive was removed, try again"
    case .unsafeEntry(let archive, let entry, let reason):
      "\(archive): \(entry): \(reason); do not use this archive, tell its owner"
    case .incomplete(let check):
      "the archives do not hold the whole dataset; tell the maintainers of Ductus\n\(check)"
    case .storage(let path, let operation, let reason):
      "\(path): \(operation) failed: \(reason)"
    }
  }
}

extension DatasetInstallError: LocalizedError {
  /// The text of `localizedDescription`: ``description``.
  package var errorDescription: String? { description }
}
