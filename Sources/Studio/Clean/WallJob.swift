import Files
import Foundation

/// Long work on a wall in the background: reading its data, recognising its inks, or looking for
/// wrong labels. Thread-safe.
final class WallJob: Sendable {
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

  private let status: Guarded<Status>

  init(_ kind: Kind, total: Int? = nil) {
    status = Guarded(
      Status(
        kind: kind, step: "reading", done: 0, total: total, isRunning: true, isCancelled: false))
  }

  /// The present state.
  var current: Status { status.withLock { $0 } }
  /// True after ``cancel()``.
  var isCancelled: Bool { status.withLock { $0.isCancelled } }
  /// True until the work has ended.
  var isRunning: Bool { status.withLock { $0.isRunning } }

  /// Asks the work to end soon.
  func cancel() { status.withLock { $0.isCancelled = true } }

  /// Reports inks that are done.
  func progress(_ done: Int) { status.withLock { $0.done = done } }

  /// Reports a share of a step that is done.
  func progress(_ step: String, _ fraction: Double) {
    status.withLock { ($0.step, $0.fraction) = (step, fraction) }
  }

  /// Ends the work.
  func end(_ error: (any Error)? = nil) {
    status.withLock { status in
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
