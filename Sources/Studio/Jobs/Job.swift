import Foundation
import RunLog

/// A process that the studio started, as `job.json` describes it.
package struct JobRecord: Codable, Hashable, Sendable {
  /// The work of a job.
  package enum Kind: String, Codable, CaseIterable, Sendable {
    case train
    case evaluate
    case compare
    case models
  }

  /// The name of its folder in `.studio/jobs`: its time and some random digits.
  var id: String
  var kind: Kind
  /// The object of the work, for people: the name of the model or the report.
  var title: String
  /// The arguments of `ductus`.
  var arguments: [String]
  /// The model or the report that it makes, a path in the project; nil if it makes none.
  var output: String?
  /// The start of the first session.
  var created: Date
  /// The start of the last session.
  var started: Date
  /// The number of sessions: the first and each resumption.
  var sessions = 1
  /// The process of the last session, as `ProcessIdentity` names it; nil if it was not started.
  package var process: String?
}

/// The present state of a job.
package enum JobState: String, Codable, Sendable {
  case running
  /// Asked to stop, and still running.
  case stopping
  /// Ended without an error.
  case finished
  /// Ended because the user asked for it.
  case stopped
  /// Ended with an error.
  case failed
}

/// A job as the pages see it.
package struct Job: Encodable, Sendable {
  package var id: String
  var kind: JobRecord.Kind
  var title: String
  var arguments: [String]
  var output: String?
  var created: Date
  var started: Date
  package var sessions: Int
  package var state: JobState
  /// The exit code; nil while it runs, after a signal, and if nobody saw the end.
  package var exitCode: Int32?
  /// The signal that ended it.
  package var signal: Int32?
  /// The time of the end; nil while it runs, and if nobody saw the end.
  var ended: Date?
  /// True for a training with a checkpoint to go on from.
  package var canResume = false

  init(_ record: JobRecord, state: JobState) {
    id = record.id
    kind = record.kind
    title = record.title
    arguments = record.arguments
    output = record.output
    created = record.created
    started = record.started
    sessions = record.sessions
    self.state = state
  }

  /// True if its process is running.
  package var isRunning: Bool { state == .running || state == .stopping }
}

/// The work that a job is to do.
package struct JobRequest: Sendable {
  package var kind: JobRecord.Kind
  package var title: String
  package var arguments: [String]
  package var output: String?

  package init(kind: JobRecord.Kind, title: String, arguments: [String], output: String? = nil) {
    self.kind = kind
    self.title = title
    self.arguments = arguments
    self.output = output
  }
}
