import Foundation

/// Which process something was done by: its number alone is given to others later.
public enum ProcessIdentity {
  /// This process: its number, and on Linux when it was started, in ticks after which start of the
  /// machine.
  public static var own: String {
    let number = ProcessInfo.processInfo.processIdentifier
    return ([String(number)] + (started(number).map { [$0, machineStart] } ?? []))
      .joined(separator: " ")
  }

  /// Whether the process is there, on this machine. Where the system does not tell when processes were
  /// started, another one of the same number passes for it.
  public static func isAlive(_ identity: String) -> Bool {
    let parts = identity.split(separator: " ").map(String.init)
    guard let number = parts.first.flatMap({ Int32($0) }) else { return false }
    guard parts.count == 3 else { return kill(number, 0) == 0 || errno != ESRCH }
    return parts[2] == machineStart && started(number) == parts[1]
  }

  private static let machineStart =
    (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8))?
    .trimmingCharacters(in: .whitespacesAndNewlines) ?? "unknown"

  /// When a process was started (proc_pid_stat(5), field 22); nil where there is none, where it has
  /// ended and nobody has asked how, or where the system does not tell.
  private static func started(_ number: Int32) -> String? {
    guard let text = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8),
      // The name, in brackets, may hold anything.
      let name = text.lastIndex(of: ")")
    else { return nil }
    let fields = text[text.index(after: name)...].split(separator: " ")
    guard fields.count > 19, fields[0] != "Z" else { return nil }
    return String(fields[19])
  }
}
