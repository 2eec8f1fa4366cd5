import Foundation

/// The memory of other processes. The figure that `wait4` gives is of no use: it begins with the
/// memory of the process that started the program.
enum ProgramMemory {
  /// The sum of the largest resident sets of the processes of a group that are running; nil if it is
  /// not known. Only Linux tells it.
  static func peakResidentBytes(ofGroup group: pid_t) -> Int? {
    #if os(Linux)
      let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
      let peaks = processes.compactMap { Int32($0) }.filter { getpgid($0) == group }
        .compactMap { peakResidentBytes(of: $0) }
      return peaks.isEmpty ? nil : peaks.reduce(0, +)
    #else
      return nil
    #endif
  }

  /// The line `VmHWM` of `/proc/PID/status`, in kilobytes there.
  private static func peakResidentBytes(of process: pid_t) -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
      let kilobytes = line.split(separator: " ").compactMap({ Int($0) }).first
    else { return nil }
    return kilobytes * 1024
  }
}
