import Foundation

/// Where files can be made.
enum OutputPlace {
  /// Makes a folder in it and removes that: permissions alone do not tell, neither of a file system
  /// that takes no files nor to the superuser.
  ///
  /// - Returns: Why nothing can be made in it, in the words of the system; nil where it can.
  static func problem(with folder: String) -> String? {
    let probe = "\(folder)/.ductus-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
    guard mkdir(probe, 0o700) == 0 else { return String(cString: strerror(errno)) }
    rmdir(probe)
    return nil
  }

  /// Whether a device, a pipe or a socket is at a path, links followed.
  static func isSpecial(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return false }
    return status.st_mode & S_IFMT != S_IFREG && status.st_mode & S_IFMT != S_IFDIR
  }
}
