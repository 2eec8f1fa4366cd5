import Foundation

/// The target of an output path, with links followed.
package enum OutputPath: Sendable {
  /// A regular file, or no file yet: the path to write to, which is not a link.
  case file(String)
  /// A device, a pipe or a socket: written to directly, never replaced.
  case special

  /// Checks a path.
  ///
  /// - Throws: ``FileError`` for a path that cannot be used: cyclic links, a folder without
  ///   permission, or a folder in the place of the file.
  package init(_ path: String) throws(FileError) {
    var status = stat()
    if stat(path, &status) == 0 {
      switch status.st_mode & S_IFMT {
      case S_IFREG: break
      case S_IFDIR: throw FileError(.checking, path, code: EISDIR)
      default:
        self = .special
        return
      }
    } else if errno != ENOENT {
      throw FileError(.checking, path, code: errno)
    }
    self = .file(try Self.target(of: path))
  }

  /// Returns the folder of a path's file, with a slash at its end. NSString's method traps for
  /// names of one character on Linux, and URL's removes `..` without following links.
  package static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
  }

  /// The largest number of links to follow, as in the system.
  private static let mostLinks = 40

  /// Follows links, including the last one, whose target may not exist yet.
  private static func target(of path: String) throws(FileError) -> String {
    var path = path
    for _ in 0..<mostLinks {
      guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else {
        return path
      }
      path = next.hasPrefix("/") ? next : folder(of: path) + next
    }
    throw FileError(.checking, path, code: ELOOP)
  }
}

extension AtomicFile {
  /// Writes a file, whole or not at all: replaces the file that a path or its links lead to. A
  /// device, a pipe or a socket is written to in place.
  ///
  /// - Throws: ``FileError``; an existing file then holds what it held.
  package static func write(_ bytes: Data, to path: String) throws(FileError) {
    switch try OutputPath(path) {
    case .file(let target):
      let number = String(UInt64.random(in: 0 ... .max), radix: 36)
      try replace(
        target, with: bytes, temporary: "\(target).\(number).partial", folderSync: .attempted)
    case .special:
      let descriptor = open(path, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw FileError(.opening, path, code: errno) }
      defer { close(descriptor) }
      let code = bytes.withUnsafeBytes { Descriptor.writeAll(descriptor, $0) }
      guard code == 0 else { throw FileError(.writing, path, code: code) }
    }
  }
}
