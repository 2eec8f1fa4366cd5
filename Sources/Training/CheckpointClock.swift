import Foundation

/// Saves a checkpoint every few seconds.
final class CheckpointClock {
  private let save: (() throws -> Void)?
  private var last = ContinuousClock.now
  private static let interval = Duration.seconds(10)

  init(_ save: (() throws -> Void)?) {
    self.save = save
  }

  func saveNow() throws {
    try save?()
    last = .now
  }

  func saveIfDue() throws {
    if ContinuousClock.now - last >= Self.interval { try saveNow() }
  }
}
