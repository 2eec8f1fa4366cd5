import Foundation

/// The memory of this process.
package enum ProcessMemory {
  /// The largest resident set so far, or nil if it is not known.
  package static var peakResidentBytes: Int? {
    var usage = rusage()
    #if os(Linux)
      guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return nil }
      return usage.ru_maxrss * 1024
    #else
      guard getrusage(RUSAGE_SELF, &usage) == 0 else { return nil }
      return usage.ru_maxrss
    #endif
  }

  /// The bytes that are resident now, or nil if not known; only known on Linux.
  package static var residentBytes: Int? { pages.map { $0.resident * pageSize } }

  /// The same without the pages of mapped files.
  package static var anonymousBytes: Int? {
    pages.map { ($0.resident - $0.shared) * pageSize }
  }

  private static let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))

  private static var pages: (resident: Int, shared: Int)? {
    #if os(Linux)
      guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else {
        return nil
      }
      let counts = text.split(separator: " ").compactMap { Int($0) }
      return counts.count > 2 ? (counts[1], counts[2]) : nil
    #else
      return nil
    #endif
  }
}
