import Evaluation
import ExternalModels
import Foundation
import InkDatasets
import ModelFormat
import Recognition

/// A model that a command scores: a bundle, or an outside program.
struct ScoredModel {
  /// The model, as named on the command line.
  let name: String
  /// The open bundle; nil for a program.
  let opened: OpenModel?
  /// The running program; nil for a bundle.
  let program: ExternalRecognizer?
  /// The kind of its answers.
  let kind: ProgramKind

  /// Opens a bundle, or starts a program.
  ///
  /// - Parameters:
  ///   - name: The model, as named on the command line.
  ///   - data: The data that it will read.
  ///   - kind: The kind of a program if something else than the data decides about it.
  init(
    _ name: String, on data: [DataSpecification], _ options: ProgramOptions,
    kind: ProgramKind? = nil
  ) throws {
    self.name = name
    guard let command = try ProgramOptions.command(of: name) else {
      let opened = try ModelLibrary.local.open(name)
      self.opened = opened
      program = nil
      switch opened.content {
      case .glyph: self.kind = .glyphs
      case .line, .characterLine: self.kind = .lines
      case .formula: throw ToolError.needsFormulas(name)
      }
      return
    }
    let labels = try DataLabels(of: data)
    guard !labels.labels.isEmpty else { throw ToolError.noLabelledInk(data.map(\.text)) }
    self.kind = options.kind ?? kind ?? labels.kind
    opened = nil
    program = try options.start(
      command, labels: self.kind == .glyphs ? labels.labels.sorted() : nil)
  }

  /// The recogniser of glyphs.
  func glyphs() throws -> any Recognizer {
    if let program { return program }
    guard let opened else { throw ToolError.needsBundle(name, "this") }
    return GlyphClassifier(model: try opened.glyph())
  }

  /// Bytes of the bundle.
  var bytes: Int? { opened?.bundle.byteCount }

  /// The model's previous knowledge of the ink; nil for a program.
  func knownInk(on data: [DataSpecification], hash: String) -> KnownInk? {
    opened.flatMap { KnownInk(of: $0.bundle.manifest, on: data, hash: hash) }
  }

  /// A text that the processes of mpirun compare: the hashes of a bundle's parts, or a command.
  var identity: String {
    guard let manifest = opened?.bundle.manifest else { return name }
    return ([manifest.identifier] + manifest.parts.map(\.sha256)).joined(separator: " ")
  }

  /// Ends a program.
  ///
  /// - Throws: `ExternalModelError` if it answered more than it was asked.
  func end() throws { _ = try program?.finish() }

  /// Ends a program, and adds what it needed to the figures.
  ///
  /// - Throws: `ExternalModelError` if it answered more than it was asked.
  func end(_ summary: inout EvaluationSummary) throws {
    guard let program else { return }
    let figures = try program.finish()
    summary.peakResidentBytes = figures.peakResidentBytes
    summary.program = .init(
      timeLimitSeconds: program.timeLimit / .seconds(1),
      firstAnswerSeconds: figures.firstAnswerSeconds, cpuSeconds: figures.cpuSeconds)
  }
}

extension PredictionFile {
  /// Runs an evaluation that writes its answers to a file, if there is one. If a program fails, the
  /// answers before its failure stay in the file.
  static func keeping<Value>(
    _ file: PredictionFile?, _ evaluate: () throws -> Value
  ) throws -> Value {
    do {
      return try evaluate()
    } catch let error as ExternalModelError {
      try file?.finish()
      if let file {
        Outcome.writeToStandardError("\(file.path): the answers before the failure are there\n")
      }
      throw error
    }
  }
}

extension ToolError {
  /// The error for a program where a bundle is needed.
  static func needsBundle(_ model: String, _ options: String) -> ToolError {
    .badInput(
      "\(model): \(options) needs a model of this project, found a program; name a bundle, or leave "
        + "the option out")
  }
}
