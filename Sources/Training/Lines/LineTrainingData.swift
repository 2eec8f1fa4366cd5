import Features
import Foundation
import InkCore
import InkDatasets
import Metrics
import Recognition

/// Training and validation lines read from named data, with the facts that a model records about
/// them.
public struct LineTrainingData: Sendable {
  /// The training lines. Their labels are the symbols of the model.
  public let training: LineTrainingSet
  /// The validation lines.
  public let validation: LineTrainingSet
  /// The inks of several rows.
  public let rows: TrainingRows
  /// The origins of the training data.
  public let origins: [DataOrigin]
  /// The identity of the records.
  public let identity: DataIdentity
  /// The number of different writers among the training lines; nil if the data names none.
  public let writers: Int?
  /// The number of training and validation inks that name no writer.
  public let unnamed: Int
  /// The number of validation writers that are also training writers of the same data.
  public let sharedWriters: Int
  /// The records that could not be used.
  public let rejected: RejectedRecords
  /// The outcome of looking for the indexes of training and validation data.
  public let indexes: [DataIndexUse]

  /// The fewest training lines with a symbol. The network would never write a rarer one, so it is
  /// left out.
  package static let minimumLines = 3
  /// The fewest training lines with a character of several scalars, such as a letter and a combining
  /// mark. The scalars of a rarer one are symbols instead.
  package static let minimumClusterLines = 20

  /// Reads the data. Texts are normalised to references as `TextErrorRate` compares them.
  ///
  /// - Parameters:
  ///   - training: The training data.
  ///   - validation: The validation data.
  ///   - start: The model that training starts from. It cuts training inks of several rows into
  ///     lines.
  ///   - keepsSymbols: True to keep the symbols of that model that the data lacks.
  ///   - workers: The number of threads; the result does not depend on it.
  ///   - indexing: Whether readings of large data are kept in an index.
  /// - Throws: `DataError` or `InkFormatError` if data cannot be opened.
  public init(
    training: [DataSpecification], validation: [DataSpecification], from start: LineModel? = nil,
    keepsSymbols: Bool = true,
    workers: Int = ProcessInfo.processInfo.activeProcessorCount, indexing: DataIndexing = .off
  ) throws {
    var rejected = RejectedRecords()
    var first = try TrainingReading(
      training, for: .lines(direction: keepsSymbols ? start?.pipeline.direction : nil), &rejected,
      indexing: indexing)
    origins = try training.origins()
    // A model of another direction cannot tell the rows of an ink apart.
    let direction = ScriptTraits(of: first.samples.indices.lazy.map(first.samples.text(of:)))
      .direction
    let canCut = keepsSymbols || start?.pipeline.direction == direction
    var rows = try first.cutRows(by: canCut ? start : nil, workers: workers)
    let texts = first.samples.indices.map(first.samples.text(of:))
    // A small set keeps all symbols.
    let isSmall = first.samples.count < 200
    let kept = keepsSymbols ? start?.labels ?? [] : []
    let labels = TextSymbols.symbols(
      of: texts, keeping: kept, least: isSmall ? 1 : Self.minimumLines,
      leastOfClusters: isSmall ? 1 : Self.minimumClusterLines)
    var trainingSet = LineTrainingSet(labels: labels)
    for (sample, text) in zip(first.samples, texts) {
      rejected.add(
        trainingSet.append(
          sample.trajectory, area: sample.area, text: text, level: sample.level,
          writer: sample.writer?.description, for: .training))
    }
    var validationSet = LineTrainingSet(labels: labels)
    let second = try TrainingReading(
      validation, for: .validationLines(direction: validationSet.direction), &rejected,
      indexing: indexing)
    for (index, sample) in second.samples.enumerated() {
      rejected.add(try validationSet.append(sample, text: second.samples.text(of: index)))
      if let page = sample.page, page.rows.count > 1 { rows.validationInks += 1 }
    }
    self.rows = rows
    self.training = trainingSet
    self.validation = validationSet
    identity = DataIdentity(training: first.hash, validation: second.hash)
    writers = first.writers.isEmpty ? nil : first.writers.count
    unnamed = first.unnamed + second.unnamed
    sharedWriters = first.writers.intersection(second.writers).count
    indexes = [first.index, second.index]
    self.rejected = rejected
  }
}

extension LineTrainingSet {
  /// Adds a validation ink, with its rows if it has several.
  fileprivate mutating func append(
    _ sample: TrainingReading.Sample, text: String
  ) throws -> Refusal? {
    let writer = sample.writer?.description
    guard let page = sample.page else {
      return append(
        sample.trajectory, area: sample.area, text: text, writer: writer, for: .validation)
    }
    let rows = try page.rows.map { strokes in
      try Trajectory(Ink(strokes: strokes.map { page.labeled.ink.strokes[$0] }))
    }
    // The area of several rows is not the area of one row.
    let area = rows.count == 1 ? page.labeled.writingArea : nil
    return append(
      rows: rows, area: area.map { LocalArea($0, in: rows[0].frame) }, text: text,
      writer: writer)
  }
}

extension RejectedRecords {
  fileprivate mutating func add(_ refusal: LineTrainingSet.Refusal?) {
    switch refusal {
    case nil: break
    case .empty?: empty += 1
    case .unknownSymbol?: unknownLabel += 1
    case .tooShort?: tooShort += 1
    }
  }
}

extension TrainingReading.Writer: CustomStringConvertible {
  /// A text that identifies one person.
  var description: String { "\(name) of \(path)" }
}

extension StoredSamples {
  /// The written text of a sample: the label without marks for crossed-out ink and without doubled
  /// spaces.
  fileprivate func text(of index: Int) -> String {
    TextErrorRate.reference(label(of: index), without: format(of: index).crossedOutMarks)
  }
}

extension TrainingReading.Purpose {
  /// - Parameter direction: The direction of writing; nil for that of each label.
  fileprivate static func lines(direction: WritingDirection?) -> Self {
    Self(
      name: "lines to train on, " + (direction.map { "\($0)" } ?? "by label"),
      skipsPoorQuality: true
    ) { labeled in
      let rows = LineRecognizer.rows(
        of: labeled, direction: direction ?? ScriptTraits(of: labeled.label).direction)
      return rows.count > 1 ? rows : nil
    }
  }

  fileprivate static func validationLines(direction: WritingDirection) -> Self {
    Self(name: "lines, \(direction)", skipsPoorQuality: false) { labeled in
      let rows = LineRecognizer.rows(of: labeled, direction: direction)
      return rows == [Array(labeled.ink.strokes.indices)] ? nil : rows
    }
  }
}
