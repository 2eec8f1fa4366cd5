import Foundation

/// Long work on a wall in the background: reading its data, recognising its inks, or looking for
/// wrong labels. Thread-safe.
final class WallJob: @unchecked Sendable {
  // Unchecked because the lock guards the state.

  /// The kind of work.
  enum Kind: String, Encodable, Sendable {
    case open, read, examine
  }

  /// The state for the page.
  struct Status: Encodable, Sendable {
    var kind: Kind
    /// The present step: `reading` or `judging`.
    var step: String
    /// The inks done, and how many there are if that is known.
    var done: Int
    var total: Int?
    /// The share that is done, 0 ... 1, where it is not counted in inks.
    var fraction: Double?
    var isRunning: Bool
    var isCancelled: Bool
    /// The reason why it failed.
    var error: String?
  }

  private let lock = NSLock()
  private var status: Status

  init(_ kind: Kind, total: Int? = nil) {
    status = Status(
      kind: kind, step: "reading", done: 0, total: total, isRunning: true, isCancelled: false)
  }

  /// The present state.
  var current: Status { lock.withLock { status } }
  /// True after ``cancel()``.
  var isCancelled: Bool { lock.withLock { status.isCancelled } }
  /// True until the work has ended.
  var isRunning: Bool { lock.withLock { status.isRunning } }

  /// Asks the work to end soon.
  func cancel() { lock.withLock { status.isCancelled = true } }

  /// Reports inks that are done.
  func progress(_ done: Int) { lock.withLock { status.done = done } }

  /// Reports a share of a step that is done.
  func progress(_ step: String, _ fraction: Double) {
    lock.withLock { (status.step, status.fraction) = (step, fraction) }
  }

  /// Ends the work.
  func end(_ error: (any Error)? = nil) {
    lock.withLock {
      status.isRunning = false
      // Stopped work fails in its own ways.
      if let error, !status.isCancelled {
        status.error = StudioError.of(error).description
      }
    }
  }

  /// Runs work on a thread of its own and ends the job with it.
  func run(_ work: @escaping @Sendable (WallJob) throws -> Void) {
    DispatchQueue.global(qos: .utility).async { [self] in
      do {
        try work(self)
        end()
      } catch {
        end(error)
      }
    }
  }
}
