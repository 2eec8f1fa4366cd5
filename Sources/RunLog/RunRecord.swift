import Foundation
import ModelFormat
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
  /// The training data, as the command names it.
  public var data: [String]
  /// The validation data; empty where it is held out of the training data.
  public var validation: [String]
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
  /// The epoch whose weights the model has, or would have if training ended now, from 0; nil before the
  /// first ends.
  public var keptEpoch: Int?
  /// Size of the model; nil before the end.
  public var modelBytes: Int?
  /// What the finished model is worth on the validation data, by the names of its manifest.
  public var figures: [String: Double] = [:]
  /// What went wrong.
  public var failure: String?
  /// The process of the last session.
  public var process = ProcessIdentity.own
  /// The machine that it ran on.
  public var host = ProcessInfo.processInfo.hostName

  /// A run that begins now.
  ///
  /// - Parameters:
  ///   - configuration: What decides the outcome besides the data.
  ///   - data: The training data and the validation data, as the command names them.
  ///   - identity: Their hashes.
  /// - Throws: an encoder's error.
  public init(
    _ kind: RunKind, output: URL, command: String, configuration: some TrainingConfiguration,
    data: (training: [String], validation: [String]), identity: DataIdentity, workers: Int,
    blas: String, version: String
  ) throws {
    self.kind = kind
    self.output = output.standardizedFileURL.path
    self.command = command
    settings = try RunSettings.flattened(configuration)
    self.data = data.training
    validation = data.validation
    dataHash = identity.training
    validationHash = identity.validation
    self.workers = workers
    self.blas = blas
    self.version = version
    epochs = configuration.epochs
  }

  /// Whether this is the same training as another record, which has not come to its end.
  func continues(_ other: RunRecord) -> Bool {
    output == other.output && settings == other.settings && dataHash == other.dataHash
      && validationHash == other.validationHash && other.state != .finished
  }

  /// The record with what has happened to its process: one that says it is at work on this machine,
  /// and is not there, was killed. Of other machines nothing is known.
  func seenFromHere() -> RunRecord {
    var result = self
    if state == .running, host == ProcessInfo.processInfo.hostName,
      !ProcessIdentity.isAlive(process)
    {
      result.state = .killed
    }
    return result
  }
}

/// A finished epoch of a run.
public struct RunEpoch: Codable, Hashable, Sendable {
  /// Its figures.
  public var figures: EpochRecord
  /// Training time of the run up to its end; nil where it was trained without the log.
  public var seconds: Double?
}

/// A run with its epochs.
public struct LoggedRun: Codable, Hashable, Sendable {
  /// All but the epochs.
  public var run: RunRecord
  /// Those that are finished, in order.
  public var epochs: [RunEpoch]

  /// The figure to tell the run by: of the epoch whose weights are kept; nil before the first ends.
  public var figure: Double? {
    epochs.first { $0.figures.epoch == run.keptEpoch }.map { run.kind.figure(of: $0.figures) }
  }

  /// This run as another session of one that was logged: what that one began with stays, and the
  /// times of epochs that it knows.
  func continuing(_ other: LoggedRun) -> LoggedRun {
    var result = other
    result.run.state = run.state
    result.run.failure = nil
    result.run.sessions += 1
    result.run.process = run.process
    result.run.host = run.host
    result.run.updated = run.updated
    result.run.keptEpoch = run.keptEpoch
    result.run.seconds = run.seconds
    result.epochs = epochs.map { epoch in
      RunEpoch(
        figures: epoch.figures,
        seconds: other.epochs.first { $0.figures == epoch.figures }?.seconds ?? epoch.seconds)
    }
    return result
  }
}

/// What a training run makes, and the figure that tells how good it is.
public enum RunKind: String, Codable, Hashable, Sendable, CaseIterable {
  /// A model of one ink with one label.
  case glyphs
  /// A model of one ink with a text.
  case lines
  /// A recurrent language model.
  case language

  /// The name of the figure.
  public var figureName: String {
    switch self {
    case .glyphs: "top-1"
    case .lines: "CER"
    case .language: "bits per character"
    }
  }

  /// Whether less of the figure is better.
  public var lessIsBetter: Bool { self != .glyphs }

  /// The figure of an epoch on the validation data: a share of 0 ... 1, or bits per character.
  public func figure(of epoch: EpochRecord) -> Double {
    switch self {
    case .glyphs: epoch.validationAccuracy
    case .lines: 1 - epoch.validationAccuracy
    case .language: epoch.validationLoss / log(2)
    }
  }

  /// A figure with its name: `CER 6.80 %`, `1.734 bits per character`.
  public func phrase(_ figure: Double) -> String {
    self == .language
      ? "\(text(of: figure)) \(figureName)" : "\(figureName) \(text(of: figure))"
  }

  /// A figure as people read it: `6.80 %`, `1.734`.
  public func text(of figure: Double) -> String {
    self == .language ? String(format: "%.3f", figure) : String(format: "%.2f %%", 100 * figure)
  }
}

/// The values of a configuration by their paths.
enum RunSettings {
  /// Every number, text and truth value, as `--set` names it: names and places in arrays with dots
  /// between them. Arrays of plain values are one value.
  ///
  /// - Throws: an encoder's error.
  static func flattened(_ configuration: some Encodable) throws -> [String: String] {
    var result: [String: String] = [:]
    collect(try JSONValue(encoding: configuration), at: "", into: &result)
    return result
  }

  private static func collect(
    _ value: JSONValue, at path: String, into result: inout [String: String]
  ) {
    let below = { (name: String) in path.isEmpty ? name : "\(path).\(name)" }
    switch value {
    case .object(let fields):
      for (name, field) in fields { collect(field, at: below(name), into: &result) }
    case .array(let items) where items.contains { !$0.isPlain }:
      for (place, item) in items.enumerated() {
        collect(item, at: below("\(place)"), into: &result)
      }
    default:
      result[path] = value.plainText
    }
  }
}

extension JSONValue {
  fileprivate var isPlain: Bool {
    switch self {
    case .object, .array: false
    default: true
    }
  }

  /// The value as JSON writes it, texts without quotes.
  fileprivate var plainText: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .number(let value): "\(value)"
    case .string(let value): value
    case .array(let items): "[\(items.map(\.plainText).joined(separator: ", "))]"
    case .object: "{}"
    }
  }
}
