import Features
import Foundation
import InkCore
import InkDatasets
import InkFormats

/// Training and validation inks read from named data, with what a model must know of them.
public struct GlyphTrainingData: Sendable {
  /// The training inks; its labels are the model's.
  public let training: GlyphTrainingSet
  /// The validation inks whose labels the training inks have.
  public let validation: GlyphTrainingSet
  /// Which records these are.
  public let identity: DataIdentity
  /// Different writers among the training inks; nil where the data names none.
  public let writers: Int?
  /// Records that could not be used.
  public let rejected: Rejected

  /// Why records were left out.
  public struct Rejected: Hashable, Sendable {
    /// The file was malformed there, or a coordinate not finite.
    public var malformed = 0
    /// Judged bad by its collector; left out of training only.
    public var poorQuality = 0
    /// No points.
    public var empty = 0
    /// Validation inks whose label no training ink has.
    public var unknownLabel = 0
  }

  /// Reads the data.
  ///
  /// - Throws: `DataError` or `InkFormatError` where data cannot be opened.
  public init(training: [DataSpecification], validation: [DataSpecification]) throws {
    var rejected = Rejected()
    let first = try Reading(training, skipsPoorQuality: true, &rejected)
    let second = try Reading(validation, skipsPoorQuality: false, &rejected)
    let labels = Set(first.samples.lazy.map(\.label)).sorted()
    var trainingSet = GlyphTrainingSet(labels: labels)
    for sample in first.samples {
      trainingSet.append(sample.trajectory, area: sample.area, label: sample.label)
    }
    var validationSet = GlyphTrainingSet(labels: labels)
    for sample in second.samples
    where !validationSet.append(sample.trajectory, area: sample.area, label: sample.label) {
      rejected.unknownLabel += 1
    }
    self.training = trainingSet
    self.validation = validationSet
    identity = DataIdentity(training: first.hash, validation: second.hash)
    writers = first.writers.isEmpty ? nil : first.writers.count
    self.rejected = rejected
  }
}

/// The usable inks of some data, in the form training wants.
private struct Reading {
  var samples: [(trajectory: Trajectory, area: LocalArea?, label: String)] = []
  var writers: Set<String> = []
  var hash = ""

  init(
    _ data: [DataSpecification], skipsPoorQuality: Bool,
    _ rejected: inout GlyphTrainingData.Rejected
  ) throws {
    var hasher = DataHasher()
    for specification in data {
      for element in try specification.records() {
        guard case .success(let record) = element,
          let trajectory = try? Trajectory(record.labeled.ink)
        else {
          rejected.malformed += 1
          continue
        }
        let labeled = record.labeled
        if labeled.ink.isEmpty {
          rejected.empty += 1
        } else if skipsPoorQuality, labeled.quality == .bad {
          rejected.poorQuality += 1
        } else {
          hasher.update(with: labeled)
          if let writer = labeled.writer { writers.insert(writer) }
          let area = labeled.writingArea.map { LocalArea($0, in: trajectory.frame) }
          samples.append((trajectory, area, labeled.label))
        }
      }
    }
    hash = hasher.finalize()
  }
}
