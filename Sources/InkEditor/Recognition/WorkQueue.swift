import Dispatch

/// Runs work of editors off the caller's thread. Editors limit their own work: none waits for
/// another.
struct WorkQueue: Sendable {
  private let queue = DispatchQueue(
    label: "ductus.editor.recognition", qos: .userInitiated, attributes: .concurrent)

  /// Adds a piece of work.
  func run(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

  /// Runs something after a delay.
  func after(milliseconds: Double, _ work: @escaping @Sendable () -> Void) {
    queue.asyncAfter(deadline: .now() + milliseconds / 1000, execute: work)
  }
}
