import Files
import Foundation
import InkEditor

/// The parts with changes that are not written yet, and what is known about writing them.
/// Thread-safe.
final class ChangedParts: Sendable {
  private struct State {
    var parts: [ObjectIdentifier: ContentPart] = [:]
    var isScheduled = false
    var isHeld = false
    var failureValue: PackageError?
    var handler: (@Sendable (PackageError?) -> Void)?
  }
  private let state = Guarded(State())

  /// True if there are none.
  var isEmpty: Bool { state.withLock { $0.parts.isEmpty } }

  /// True if changes are written only when the app asks for it.
  var holdsAutosave: Bool {
    get { state.withLock { $0.isHeld } }
    set { state.withLock { $0.isHeld = newValue } }
  }

  /// Adds parts.
  ///
  /// - Returns: true if writing must be scheduled now.
  func add(_ changed: [ContentPart]) -> Bool {
    state.withLock { state in
      for part in changed { state.parts[ObjectIdentifier(part)] = part }
      guard !state.isHeld else { return false }
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
  }

  /// Removes and returns all parts: they are written now.
  func take() -> [ContentPart] {
    state.withLock { state in
      state.isScheduled = false
      defer { state.parts = [:] }
      return Array(state.parts.values)
    }
  }

  /// Forgets a part.
  func remove(_ part: ContentPart) {
    state.withLock { $0.parts[ObjectIdentifier(part)] = nil }
  }

  /// Forgets all parts.
  func removeAll() {
    state.withLock { $0.parts = [:] }
  }

  /// The error of the last writing, or nil if it worked.
  var failure: PackageError? { state.withLock { $0.failureValue } }

  /// Sets what is called when writing begins to fail, and with nil when it works again.
  func setFailureHandler(_ handler: (@Sendable (PackageError?) -> Void)?) {
    state.withLock { $0.handler = handler }
  }

  /// Tells how writing went.
  func tell(_ failure: PackageError?) {
    let handler = state.withLock { (state) -> (@Sendable (PackageError?) -> Void)? in
      guard state.failureValue != failure else { return nil }
      state.failureValue = failure
      return state.handler
    }
    handler?(failure)
  }
}
