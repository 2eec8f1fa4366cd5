import Foundation

/// `manifest.json`: the description of a model, its origin and its figures.
///
/// Labels are part of the model and may contain any Unicode. Unknown texts and figures that were
/// not measured are nil.
///
/// Format 2 added ``version``, format 3 parts that are shared with another model, and format 4 line
/// networks that join time steps. All are still read. A model is written in format 2, or in the
/// first later one that has what the model needs.
public struct ModelManifest: Codable, Hashable, Sendable {
  /// The newest version of the format that this module writes and reads.
  package static let currentFormatVersion = 4
  /// The longest manifest, in bytes.
  package static let maximumLength = 16 << 20

  /// The output of a model.
  public enum Kind: String, Codable, Hashable, Sendable {
    /// One ink, one label.
    case glyph
    /// One ink, a text.
    case line
    /// One ink, a formula.
    case formula
  }

  /// The version of the format.
  package var formatVersion: Int
  /// The version of the model, 1 or more, increasing; nil in format 1, which has none.
  package var version: Int?
  /// The output of the model.
  package var kind: Kind
  /// The model's name for catalogues: 1 to 128 ASCII letters, digits, `-`, `_` and `.`, not
  /// beginning with `.`.
  package var identifier: String
  /// The display name.
  public var name: String
  /// BCP 47 tags of the languages; empty if the model has none, as for shapes.
  public var languages: [String]
  /// The classes, in the order of the network's outputs; no two canonically equivalent.
  public var labels: [String]
  /// The data that the model was trained on.
  public var data: [DataSource]
  /// The measured figures of this model.
  public var metrics: [Metric]
  /// The record of training, or nil if it is not known.
  public var training: TrainingRecord?
  /// The conversion of scores to probabilities.
  package var calibration: Calibration
  /// The decoder configurations of a line model, by the SHA-256 of the language model's file, or by
  /// those of an n-gram model and a recurrent one, joined by `+`. Only the recogniser reads them.
  /// Nil if nothing was tuned.
  public var decoding: [String: JSONValue]?
  /// The network's structure, which only the recogniser reads.
  package var architecture: JSONValue
  /// The feature pipeline, which only the recogniser reads.
  public var features: JSONValue
  /// The files of the bundle, filled in by the writer.
  public var parts: [Part]

  /// Makes a manifest without parts. ``ModelBundleWriter`` checks it.
  public init(
    kind: Kind, identifier: String, version: Int = 1, name: String, languages: [String] = [],
    labels: [String], data: [DataSource], metrics: [Metric] = [], training: TrainingRecord? = nil,
    calibration: Calibration = Calibration(), architecture: JSONValue, features: JSONValue
  ) {
    formatVersion = 2
    self.version = version
    self.kind = kind
    self.identifier = identifier
    self.name = name
    self.languages = languages
    self.labels = labels
    self.data = data
    self.metrics = metrics
    self.training = training
    self.calibration = calibration
    self.architecture = architecture
    self.features = features
    parts = []
  }

  /// The version of the model; 1 in format 1.
  package var modelVersion: Int { version ?? 1 }

  /// The oldest version of the format that can hold this manifest, but no older than 2.
  var neededFormatVersion: Int {
    joinsSteps ? 4 : parts.contains { $0.sharedWith != nil } ? 3 : 2
  }

  /// True if a layer of the network is a mean of time steps. Programs that do not know this layer
  /// must not open the model.
  var joinsSteps: Bool {
    architecture["layers"]?.array?.contains { $0["meanPool"] != nil } ?? false
  }

  /// True if the model reads drawings and has no language: all its tags have the language `zxx`,
  /// for example `zxx-Zsym-x-shapes`. Its answers do not depend on the text before the ink or on
  /// the writing area.
  package var isWithoutLanguage: Bool {
    !languages.isEmpty
      && languages.allSatisfy { tag in
        tag.split(whereSeparator: { $0 == "-" || $0 == "_" }).first?.lowercased() == "zxx"
      }
  }
}

extension ModelManifest {
  /// A dataset with its licence and attribution.
  public struct DataSource: Codable, Hashable, Sendable {
    /// The dataset's name.
    public var name: String
    /// Its licence, as an SPDX identifier if there is one.
    public var licence: String
    /// The people to credit, and the paper to cite.
    public var attribution: String

    /// Makes a data source.
    public init(name: String, licence: String, attribution: String) {
      self.name = name
      self.licence = licence
      self.attribution = attribution
    }
  }

  /// A measured figure with the command that measures it.
  public struct Metric: Codable, Hashable, Sendable {
    /// The name of the figure, as in `ductus evaluate --json`: `top1`, `cer`, `ece` …
    public var name: String
    /// The figure; rates are 0 … 1. Finite.
    public var value: Double
    /// The data that it was measured on, as named on the command line.
    public var data: String
    /// The SHA-256 of that data, or nil.
    package var dataHash: String?
    /// The command that measures it.
    public var command: String
    /// The seed, or nil if nothing was random.
    public var seed: UInt64?

    /// Makes a figure.
    public init(
      name: String, value: Double, data: String, dataHash: String? = nil, command: String,
      seed: UInt64? = nil
    ) {
      self.name = name
      self.value = value
      self.data = data
      self.dataHash = dataHash
      self.command = command
      self.seed = seed
    }
  }

  /// The conversion of scores to probabilities.
  public struct Calibration: Codable, Hashable, Sendable {
    /// The divisor of logits before the softmax; finite, above 0; 1 changes nothing.
    package var temperature: Double

    /// Makes a calibration.
    public init(temperature: Double = 1) {
      self.temperature = temperature
    }
  }

  /// One file of the bundle.
  public struct Part: Codable, Hashable, Sendable {
    /// The file's name: 1 to 128 ASCII letters, digits, `-`, `_` and `.`, not beginning with `.`.
    public var name: String
    /// The purpose of the part: `network`, `language` …
    package var role: String
    /// The length in bytes.
    public var length: Int
    /// The SHA-256, 64 lowercase hexadecimal digits.
    public var sha256: String
    /// The identifier of the model that the part is shared with; nil for a part of this model alone.
    /// The folder of the bundle may lack a shared part: see ``SharedParts``.
    package var sharedWith: String?

    /// Makes a part's entry.
    public init(
      name: String, role: String, length: Int, sha256: String, sharedWith: String? = nil
    ) {
      self.name = name
      self.role = role
      self.length = length
      self.sha256 = sha256
      self.sharedWith = sharedWith
    }
  }
}

extension ModelManifest.Part {
  /// The role of the part with the weights.
  package static let networkRole = "network"
  /// The role of the part with the n-gram language model of a line model.
  package static let languageRole = "language"
  /// The role of the part with a recurrent language model.
  package static let recurrentRole = "recurrent-language"
  /// The role of the part with a glyph model of single characters, which a line model uses.
  package static let characterRole = "characters"
  /// The role of the part with the letters and rules of a language.
  package static let rulesRole = "rules"
  /// The role of the part with the words of a language, one per line with its frequency.
  package static let wordsRole = "words"
}

extension ModelManifest {
  /// The first part of a role, or nil.
  public func part(role: String) -> Part? { parts.first { $0.role == role } }

  /// The bytes of the parts that the model does not share.
  package var ownByteCount: Int {
    parts.reduce(0) { $0 + ($1.sharedWith == nil ? $1.length : 0) }
  }
}

/// The record of training, sufficient to repeat it.
public struct TrainingRecord: Codable, Hashable, Sendable {
  /// The command line.
  public var command: String
  /// The seed of every random number.
  public var seed: UInt64
  /// The number of epochs.
  public var epochs: Int
  /// The number of inks in the training data.
  public var samples: Int
  /// The number of writers in the training data, or nil if the data names none.
  public var writers: Int?
  /// The SHA-256 of the training data.
  package var dataHash: String
  /// The SHA-256 of the validation data, or nil if there was none.
  package var validationHash: String?
  /// The commit of the program, or nil if it is not known.
  package var commit: String?
  /// The linear algebra library and its core type.
  package var blas: String
  /// The precision of factors of products: `single` or `mixed`; nil in records of versions that
  /// only had single precision.
  package var precision: String?
  /// The number of worker threads.
  public var threads: Int
  /// Seconds of training, summed over the sessions of a resumed run.
  package var durationSeconds: Double
  /// The end of training: ISO 8601, UTC.
  package var date: String

  /// Makes a record.
  public init(
    command: String, seed: UInt64, epochs: Int, samples: Int, writers: Int? = nil,
    dataHash: String, validationHash: String? = nil, commit: String? = nil, blas: String,
    precision: String? = nil, threads: Int, durationSeconds: Double, date: String
  ) {
    self.command = command
    self.seed = seed
    self.epochs = epochs
    self.samples = samples
    self.writers = writers
    self.dataHash = dataHash
    self.validationHash = validationHash
    self.commit = commit
    self.blas = blas
    self.precision = precision
    self.threads = threads
    self.durationSeconds = durationSeconds
    self.date = date
  }
}
