import Files
import Foundation

/// The exclusive right to write a model, as long as it exists. Two training runs with one output
/// would confuse their checkpoints.
package final class OutputLock {
  private let path: String
  /// Nil if the file system has no locks; training then continues without.
  private let lock: FileLock?

  /// Locks `OUTPUT.lock`, which exists as long as this object. A killed process leaves the file,
  /// but not the lock.
  ///
  /// - Throws: ``ToolError`` if another training run has the lock.
  package init(of output: String) throws {
    path = URL(fileURLWithPath: output).path + ".lock"
    do {
      // The previous holder may have removed the file between opening and locking, so try again
      // once.
      lock = try FileLock.attempt(path) ?? FileLock.attempt(path)
    } catch {
      lock = nil
      return
    }
    if lock == nil { throw ToolError.outputInUse(output) }
  }

  deinit {
    guard let lock else { return }
    // Before the lock ends, so that the next holder creates its own file.
    unlink(path)
    withExtendedLifetime(lock) {}
  }
}

extension ToolError {
  /// The error if another training run writes this output.
  static func outputInUse(_ path: String) -> ToolError {
    .badInput(
      "\(path): another training run is writing it; wait until it ends, or choose another --output")
  }
}
