import Files
import Foundation

/// The right to write a model, while it lives: two trainings of one output would take each other's
/// checkpoints for their own.
final class OutputLock {
  private let path: String
  /// Nil where none can be made, as on file systems without locks: training goes on without.
  private let lock: FileLock?

  /// Locks `OUTPUT.lock`, which is there while it lives. A process that is killed leaves the file, and
  /// not the lock.
  ///
  /// - Throws: ``ToolError`` where another training has it.
  init(of output: String) throws {
    path = URL(fileURLWithPath: output).path + ".lock"
    do {
      // The holder before may have taken the file away between opening and locking: once more then.
      lock = try FileLock.attempt(path) ?? FileLock.attempt(path)
    } catch {
      lock = nil
      return
    }
    if lock == nil { throw ToolError.outputInUse(output) }
  }

  deinit {
    guard let lock else { return }
    // Before the lock ends: whoever comes next makes a file of their own.
    unlink(path)
    withExtendedLifetime(lock) {}
  }
}

extension ToolError {
  /// Another training writes this output.
  static func outputInUse(_ path: String) -> ToolError {
    .badInput(
      "\(path): another training is writing it; wait for its end, or name another --output")
  }
}
