import Foundation
import InkEditor

/// The parts with changes that are not written yet, and what is known about writing them.
/// Thread-safe.
final class ChangedParts: @unchecked Sendable {
  // Unchecked because the lock guards everything.

  private let lock = NSLock()
  private var parts: [ObjectIdentifier: ContentPart] = [:]
  private var isScheduled = false
  private var isHeld = false
  private var failureValue: PackageError?
  private var handler: (@Sendable (PackageError?) -> Void)?

  /// True if there are none.
  var isEmpty: Bool { lock.withLock { parts.isEmpty } }

  /// True if changes are written only when the app asks for it.
  var holdsAutosave: Bool {
    get { lock.withLock { isHeld } }
    set { lock.withLock { isHeld = newValue } }
  }

  /// Adds parts.
  ///
  /// - Returns: true if writing must be scheduled now.
  func add(_ changed: [ContentPart]) -> Bool {
    lock.withLock {
      for part in changed { parts[ObjectIdentifier(part)] = part }
      guard !isHeld else { return false }
      defer { isScheduled = true }
      return !isScheduled
    }
  }

  /// Removes and returns all parts: they are written now.
  func take() -> [ContentPart] {
    lock.withLock {
      isScheduled = false
      defer { parts = [:] }
      return Array(parts.values)
    }
  }

  /// Forgets a part.
  func remove(_ part: ContentPart) {
    lock.withLock { parts[ObjectIdentifier(part)] = nil }
  }

  /// Forgets all parts.
  func removeAll() {
    lock.withLock { parts = [:] }
  }

  /// The error of the last writing, or nil if it worked.
  var failure: PackageError? { lock.withLock { failureValue } }

  /// Sets what is called when writing begins to fail, and with nil when it works again.
  func setFailureHandler(_ handler: (@Sendable (PackageError?) -> Void)?) {
    lock.withLock { self.handler = handler }
  }

  /// Tells how writing went.
  func tell(_ failure: PackageError?) {
    let handler = lock.withLock { () -> (@Sendable (PackageError?) -> Void)? in
      guard failureValue != failure else { return nil }
      failureValue = failure
      return self.handler
    }
    handler?(failure)
  }
}
