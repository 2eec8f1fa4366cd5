import Foundation

/// What an output path names, links followed.
enum OutputPath {
  /// A regular file, or nothing yet: the path to write it at, which is no link.
  case file(String)
  /// A device, a pipe or a socket: written to as it is, never replaced.
  case special

  /// Looks at a path.
  ///
  /// - Throws: The `errno` of a path that leads nowhere: links in a circle, a folder that is not to be
  ///   looked into, or a folder in the place of the file.
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

  /// The folder of the file that a path names, with a slash at its end. NSString's way to it traps at
  /// names of one character on Linux, and URL's takes `..` off without looking at links.
  static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
  }

  /// As many links as the system itself follows.
  private static let mostLinks = 40

  /// Follows links, also the last one, which may lead to a file that is not there yet.
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

/// Why a path cannot be written to.
struct OutputPathFault: Error {
  /// As in `errno`.
  let code: Int32
}
