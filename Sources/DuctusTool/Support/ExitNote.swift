import Files
import Foundation

/// Leaves the exit code of the process in a file, for a program that started it and may have ended
/// before it.
enum ExitNote {
  /// The environment variable that names the file; without it nothing is written.
  static let variable = "DUCTUS_EXIT_NOTE"

  /// Writes the exit code of the process, which ends next. An existing file is kept, and failures
  /// are ignored.
  static func write(_ code: Int32) {
    guard let path = ProcessInfo.processInfo.environment[variable], !path.isEmpty else { return }
    try? AtomicFile.create(path, Data("code \(code)\n".utf8), mode: 0o600)
  }
}
