import Foundation

extension Editor {
  /// Exports a block, or the root if nil, as soon as all ink is read; see `export(_:as:overrides:)`.
  ///
  /// Ink that is written while this waits is waited for as well.
  ///
  /// - Parameters:
  ///   - block: The block, or nil for the root.
  ///   - type: The format.
  ///   - overrides: JSON of configuration keys for this call alone.
  /// - Throws: `CancellationError` if the task is cancelled, and the errors of
  ///   `export(_:as:overrides:)` and ``becomeIdle(timeout:)``.
  public func exportWhenIdle(
    _ block: ContentBlock? = nil, as type: ExportType, overrides: String? = nil
  ) async throws -> String {
    while true {
      guard try await becomeIdle() else { throw EditorError.notIdle }
      do throws(EditorError) {
        return try export(block, as: type, overrides: overrides)
      } catch {
        // A pen began a stroke in between.
        guard error == .notIdle else { throw error }
      }
    }
  }

  /// Exports a block, or the root if nil, to a file as soon as all ink is read; see
  /// ``export(to:_:overrides:)``.
  ///
  /// - Throws: `CancellationError` if the task is cancelled, and the errors of
  ///   ``export(to:_:overrides:)`` and ``becomeIdle(timeout:)``.
  public func exportWhenIdle(
    to url: URL, _ block: ContentBlock? = nil, overrides: String? = nil
  ) async throws {
    while true {
      guard try await becomeIdle() else { throw EditorError.notIdle }
      do throws(EditorError) {
        return try export(to: url, block, overrides: overrides)
      } catch {
        guard error == .notIdle else { throw error }
      }
    }
  }
}
