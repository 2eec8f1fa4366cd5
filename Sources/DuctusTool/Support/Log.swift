import Foundation
import Logging

/// Logging of the tool: to standard error, so that standard output holds only results.
enum Log {
  /// The environment variable that names the lowest level written: `debug`, `info`, ...
  static let levelVariable = "DUCTUS_LOG"

  /// Sends all log messages to standard error. Call once, before any logger is made.
  static func start() {
    let named = ProcessInfo.processInfo.environment[levelVariable]?.lowercased()
    let level = named.flatMap { Logger.Level(rawValue: $0) } ?? .notice
    LoggingSystem.bootstrap { label in
      var handler = StreamLogHandler.standardError(label: label)
      handler.logLevel = level
      return handler
    }
  }
}
