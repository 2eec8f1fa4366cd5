import Foundation

/// The process's memory.
enum ProcessMemory {
  /// The largest resident set so far, or nil where it cannot be told.
  static var peakResidentBytes: Int? {
    var usage = rusage()
    #if os(Linux)
      guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return nil }
      return usage.ru_maxrss * 1024
    #else
      guard getrusage(RUSAGE_SELF, &usage) == 0 else { return nil }
      return usage.ru_maxrss
    #endif
  }

  /// The resident set without the pages of mapped files, or nil where it cannot be told: on Linux alone.
  static var anonymousBytes: Int? {
    #if os(Linux)
      guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else {
        return nil
      }
      let pages = text.split(separator: " ").compactMap { Int($0) }
      guard pages.count > 2 else { return nil }
      return (pages[1] - pages[2]) * Int(sysconf(Int32(_SC_PAGESIZE)))
    #else
      return nil
    #endif
  }
}

/// Watches ``ProcessMemory/anonymousBytes`` from a thread of its own, each millisecond.
///
/// Thread-safe: the lock guards all that changes.
final class MemoryWatch: @unchecked Sendable {
  private let lock = NSLock()
  private var most = 0
  private var isStopped = false

  /// Begins to watch.
  init() {
    Thread.detachNewThread { [weak self] in
      while let self, !self.look() { usleep(1000) }
    }
  }

  /// The most so far, or nil where it cannot be told.
  var peakBytes: Int? {
    _ = look()
    return lock.withLock { most > 0 ? most : nil }
  }

  /// Ends the thread.
  func stop() {
    lock.withLock { isStopped = true }
  }

  /// Returns whether there is nothing more to look at.
  private func look() -> Bool {
    let bytes = ProcessMemory.anonymousBytes
    return lock.withLock {
      most = max(most, bytes ?? 0)
      return isStopped || bytes == nil
    }
  }
}
