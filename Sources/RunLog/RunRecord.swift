import Foundation
import ModelFormat

/// A training run: its input, environment and result.
package struct RunRecord: Codable, Hashable, Sendable {
  /// The state of a run.
  package enum State: String, Codable, Hashable, Sendable, CaseIterable {
    /// Its process is running.
    case running
    /// The model was written.
    case finished
    /// Its user stopped it; there is a checkpoint.
    case stopped
    /// It ended with an error.
    case failed
    /// Its process ended without a report. Detected when the log is read, never written.
    case killed
  }

  /// The number in the log, from 1; nil before the log has assigned one.
  package internal(set) var id: Int64?
  /// The state.
  package var state = State.running
  /// The kind of model.
  package var kind: RunKind
  /// The model's file, an absolute path.
  package var output: String
  /// The command line, as a shell takes it.
  package var command: String
  /// Every value of the configuration, by its path: `layers.dropout` is `0.2`.
  package var settings: [String: String]
  /// The training data, as the command names it.
  package var data: [String]
  /// The validation data; empty if it is held out of the training data.
  package var validation: [String]
  /// SHA-256 of the training records, hexadecimal.
  package var dataHash: String
  /// SHA-256 of the validation records, hexadecimal.
  package var validationHash: String
  /// The number of threads.
  package var workers: Int
  /// The BLAS that multiplies matrices.
  package var blas: String
  /// The version of the program.
  package var version: String
  /// The time when the first session began.
  package var started = Date()
  /// The time of the last write to the log.
  package var updated = Date()
  /// The number of sessions: the first and each resumption.
  package var sessions = 1
  /// Training time of all sessions.
  package var seconds = 0.0
  /// The requested number of epochs.
  package var epochs: Int
  /// The epoch whose weights the model has, or would have if training ended now, from 0; nil before
  /// the first epoch ends.
  package var keptEpoch: Int?
  /// The size of the model; nil before the end.
  package var modelBytes: Int?
  /// The figures of the finished model on the validation data, by their names in its manifest.
  package var figures: [String: Double] = [:]
  /// The error that ended the run.
  package var failure: String?
  /// The process of the last session.
  package var process = ProcessIdentity.own
  /// The machine of the last session.
  package var host = ProcessInfo.processInfo.hostName

  /// Makes the record of a run that begins now.
  ///
  /// - Parameters:
  ///   - settings: The configuration that, together with the data, determines the result.
  ///   - epochs: The requested number of epochs.
  ///   - data: The training data and the validation data, as named on the command line.
  ///   - hashes: SHA-256 of their records, hexadecimal.
  /// - Throws: An encoder's error.
  package init(
    _ kind: RunKind, output: URL, command: String, settings: some Encodable, epochs: Int,
    data: (training: [String], validation: [String]),
    hashes: (training: String, validation: String), workers: Int, blas: String, version: String
  ) throws {
    self.kind = kind
    self.output = output.standardizedFileURL.path
    self.command = command
    self.settings = try RunSettings.flattened(settings)
    self.data = data.training
    validation = data.validation
    dataHash = hashes.training
    validationHash = hashes.validation
    self.workers = workers
    self.blas = blas
    self.version = version
    self.epochs = epochs
  }

  /// Returns whether this is the same training as another, unfinished record.
  func continues(_ other: RunRecord) -> Bool {
    output == other.output && settings == other.settings && dataHash == other.dataHash
      && validationHash == other.validationHash && other.state != .finished
  }

  /// The record with the current state of its process: a run that is marked as running on this
  /// machine, but has no process, was killed. The state on other machines is not known.
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
package struct RunEpoch: Codable, Hashable, Sendable {
  /// The figures of one pass over the training data.
  package struct Figures: Codable, Hashable, Sendable {
    /// The epoch, from 0.
    package var epoch: Int
    /// Mean training loss.
    package var trainingLoss: Double
    /// Share of training samples recognised; nil for line and language models.
    package var trainingAccuracy: Double?
    /// The accuracy on the validation data; see ``RunKind/figure(of:)``.
    package var validationAccuracy: Double
    /// The same without writing areas; nil if the data has none.
    package var validationAccuracyWithoutArea: Double?
    /// Mean loss on the validation data.
    package var validationLoss: Double
    /// Learning rate of the last step.
    package var rate: Float

    /// Makes a record of the figures.
    package init(
      epoch: Int, trainingLoss: Double, trainingAccuracy: Double? = nil,
      validationAccuracy: Double, validationAccuracyWithoutArea: Double? = nil,
      validationLoss: Double, rate: Float
    ) {
      self.epoch = epoch
      self.trainingLoss = trainingLoss
      self.trainingAccuracy = trainingAccuracy
      self.validationAccuracy = validationAccuracy
      self.validationAccuracyWithoutArea = validationAccuracyWithoutArea
      self.validationLoss = validationLoss
      self.rate = rate
    }
  }

  /// Its figures.
  package var figures: Figures
  /// Training time of the run up to the epoch's end; nil if it was trained without the log.
  package var seconds: Double?

  package init(figures: Figures, seconds: Double? = nil) {
    self.figures = figures
    self.seconds = seconds
  }
}

/// A run with its epochs.
package struct LoggedRun: Codable, Hashable, Sendable {
  /// The record without the epochs.
  package var run: RunRecord
  /// The finished epochs, in order.
  package var epochs: [RunEpoch]

  package init(run: RunRecord, epochs: [RunEpoch]) {
    self.run = run
    self.epochs = epochs
  }

  /// The main figure of the run, at the epoch whose weights are kept; nil before the first epoch
  /// ends.
  package var figure: Double? {
    epochs.first { $0.figures.epoch == run.keptEpoch }.map { run.kind.figure(of: $0.figures) }
  }

  /// Makes this run another session of a logged one. Keeps the initial data of that run and its
  /// known times of epochs.
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

/// The kind of model of a training run, with its main figure.
package enum RunKind: String, Codable, Hashable, Sendable, CaseIterable {
  /// A model of one ink with one label.
  case glyphs
  /// A model of one ink with a text.
  case lines
  /// A model of formulas. Its passes are those of its glyph models, one after the other.
  case formulas
  /// A recurrent language model.
  case language

  /// The name of the figure.
  package var figureName: String {
    switch self {
    case .glyphs: "top-1"
    case .formulas: "groups"
    case .lines: "CER"
    case .language: "bits per character"
    }
  }

  /// True if lower is better.
  package var lessIsBetter: Bool { self == .lines || self == .language }

  /// The figure of an epoch on the validation data: a rate of 0 ... 1, or bits per character.
  package func figure(of epoch: RunEpoch.Figures) -> Double {
    switch self {
    case .glyphs, .formulas: epoch.validationAccuracy
    case .lines: 1 - epoch.validationAccuracy
    case .language: epoch.validationLoss / log(2)
    }
  }

  /// A figure with its name: `CER 6.80 %`, `1.734 bits per character`.
  package func phrase(_ figure: Double) -> String {
    self == .language
      ? "\(text(of: figure)) \(figureName)" : "\(figureName) \(text(of: figure))"
  }

  /// A formatted figure: `6.80 %`, `1.734`.
  package func text(of figure: Double) -> String {
    self == .language ? String(format: "%.3f", figure) : String(format: "%.2f %%", 100 * figure)
  }
}

/// Lists the values of a configuration by their paths.
package enum RunSettings {
  /// Every number, text and boolean, with the path that `--set` uses: names and array indices
  /// separated by dots. Arrays of plain values are one value.
  ///
  /// - Throws: An encoder's error.
  package static func flattened(_ configuration: some Encodable) throws -> [String: String] {
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

  /// The value in JSON, but without quotation marks around texts.
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
