import Foundation
import Training

/// A training run: what was asked for, what it was done with, and what came of it.
public struct RunRecord: Codable, Hashable, Sendable {
  /// How a run stands.
  public enum State: String, Codable, Hashable, Sendable, CaseIterable {
    /// Its process is at work.
    case running
    /// The model is written.
    case finished
    /// Its user stopped it; a checkpoint is there.
    case stopped
    /// It ended with an error.
    case failed
    /// Its process is gone without a word. Found out when the log is read, never written.
    case killed
  }

  /// The number in the log, from 1; nil before the log has given one.
  public internal(set) var id: Int64?
  /// How it stands.
  public var state = State.running
  /// What it makes.
  public var kind: RunKind
  /// The model's file, an absolute path.
  public var output: String
  /// The command line, as a shell takes it.
  public var command: String
  /// Every value of the configuration, by its path: `layers.dropout` is `0.2`.
  public var settings: [String: String]
  /// SHA-256 of the training records, hexadecimal.
  public var dataHash: String
  /// SHA-256 of the validation records, hexadecimal.
  public var validationHash: String
  /// Threads.
  public var workers: Int
  /// Who multiplies matrices.
  public var blas: String
  /// The version of the program.
  public var version: String
  /// When the first session began.
  public var started = Date()
  /// When the run last wrote to the log.
  public var updated = Date()
  /// How often it was begun or resumed.
  public var sessions = 1
  /// Training time of all sessions.
  public var seconds = 0.0
  /// The epochs that were asked for.
  public var epochs: Int
  /// The epoch whose weights the model has, from 0; nil before the end.
  public var keptEpoch: Int?
  /// Size of the model; nil before the end.
  public var modelBytes: Int?
  /// What the finished model is worth on the validation data, by the names of its manifest.
  public var figures: [String: Double] = [:]
  /// What went wrong.
  public var failure: String?
  /// The process of the last session.
  public var process = ProcessInfo.processInfo.processIdentifier
  /// The machine that it ran on.
  public var host = ProcessInfo.processInfo.hostName

  /// A run that begins now.
  ///
  /// - Parameters:
  ///   - configuration: What decides the outcome besides the data.
  /// - Throws: an encoder's error.
  public init(
    _ kind: RunKind, output: URL, command: String, configuration: some TrainingConfiguration,
    data: DataIdentity, workers: Int, blas: String, version: String
  ) throws {
    self.kind = kind
    self.output = output.standardizedFileURL.path
    self.command = command
    settings = try RunSettings.flattened(configuration)
    dataHash = data.training
    validationHash = data.validation
    self.workers = workers
    self.blas = blas
    self.version = version
    epochs = configuration.epochs
  }

  /// Whether a resumed run of this record goes on with the other.
  func continues(_ other: RunRecord) -> Bool {
    output == other.output && settings == other.settings && dataHash == other.dataHash
      && validationHash == other.validationHash && other.state != .finished
  }
}

/// A finished epoch of a run.
public struct RunEpoch: Codable, Hashable, Sendable {
  /// Its figures.
  public var figures: EpochRecord
  /// Training time of the run up to its end.
  public var seconds: Double
}

/// A run with its epochs.
public struct LoggedRun: Codable, Hashable, Sendable {
  /// All but the epochs.
  public var run: RunRecord
  /// Those that are finished, in order.
  public var epochs: [RunEpoch]

  /// The epoch with the best figure so far: the first of equal ones; nil before the first ends.
  public var best: RunEpoch? {
    let score = { (epoch: RunEpoch) -> Double in
      run.kind.figure(of: epoch.figures) * (run.kind.lessIsBetter ? -1 : 1)
    }
    return epochs.reduce(nil) { best, next in
      guard let best else { return next }
      return score(next) > score(best) ? next : best
    }
  }

  /// The figure to tell the run by: of the epoch whose weights are kept, or of the best so far.
  public var figure: Double? {
    let kept = run.keptEpoch.flatMap { kept in epochs.first { $0.figures.epoch == kept } }
    return (kept ?? best).map { run.kind.figure(of: $0.figures) }
  }
}
