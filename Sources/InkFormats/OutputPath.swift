import Foundation

/// The target of an output path, with links followed.
enum OutputPath {
  /// A regular file, or no file yet: the path to write to, which is not a link.
  case file(String)
  /// A device, a pipe or a socket: written to directly, never replaced.
  case special

  /// Checks a path.
  ///
  /// - Throws: The `errno` of a path that cannot be used: cyclic links, a folder without
  ///   permission, or a folder in the place of the file.
  init(_ path: String) throws(OutputPathFault) {
    var status = stat()
    if stat(path, &status) == 0 {
      switch status.st_mode & S_IFMT {
      case S_IFREG: break
      case S_IFDIR: throw OutputPathFault(code: EISDIR)
      default:
        self = .special
        return
      }
    } else if errno != ENOENT {
      throw OutputPathFault(code: errno)
    }
    self = .file(try Self.target(of: path))
  }

  /// Returns the folder of a path's file, with a slash at its end. NSString's method traps for
  /// names of one character on Linux, and URL's removes `..` without following links.
  static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
  }

  /// The largest number of links to follow, as in the system.
  private static let mostLinks = 40

  /// Follows links, including the last one, whose target may not exist yet.
  private static func target(of path: String) throws(OutputPathFault) -> String {
    var path = path
    for _ in 0..<mostLinks {
      guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else {
        return path
      }
      path = next.hasPrefix("/") ? next : folder(of: path) + next
    }
    throw OutputPathFault(code: ELOOP)
  }
}

/// The reason why a path cannot be written to.
struct OutputPathFault: Error {
  /// The code, as in `errno`.
  let code: Int32
}
