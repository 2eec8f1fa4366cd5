import Foundation
import InkDatasets

/// The content of some data and what training on it would be like, before it starts.
package struct TrainingPlan: Encodable, Sendable {
  /// The way in which validation data is held out.
  package enum Split: String, Encodable, Sendable {
    /// Other writers: the figures are of unseen people.
    case writers
    /// Fewer than ten writers: the figures are of few people.
    case fewWriters
    /// Single inks of one writer, or of unnamed ones: the figures are not of other people.
    case inks
    /// The page or the data names the part.
    case named
  }

  /// A preset with its settings for this data.
  package struct Choice: Encodable, Sendable {
    package var preset: TrainingPreset
    package var settings: TrainingSettings
  }

  package var inks = 0
  /// Different labels.
  package var labels = 0
  /// Labels with fewer than ``fewInks`` inks.
  package var thinLabels = 0
  package var writers = 0
  /// Inks that cannot be read, and inks without a label.
  var unusable = 0
  /// True if counting ended early, because there is so much.
  package var isPartial = false
  package var split = Split.inks
  /// The kind of model that the labels suggest.
  package var suggestedKind = TrainedKind.glyphs
  package var choices: [Choice] = []

  /// The inks of a label below which a model learns it badly.
  static let fewInks = 5
  /// The writers from which a tenth of them is someone.
  private static let manyWriters = 10
  private static let mostInks = 300_000
  private static let mostSeconds = 8.0

  /// Reads the data and counts.
  ///
  /// - Parameters:
  ///   - hasValidation: True if the page names validation data.
  ///   - isStarted: True if training starts from a model.
  ///   - kind: The kind of model; nil for the suggested one.
  ///   - rates: Returns measured samples per second of a kind, see
  ///     `TrainingSettings.rateKey`.
  /// - Throws: `DataError` or `InkFormatError` if data cannot be opened.
  package init(
    _ data: [DataSpecification], hasValidation: Bool, kind: TrainedKind?, isStarted: Bool,
    rates: (TrainedKind) -> [String: Double]
  ) throws {
    var counts: [String: Int] = [:]
    var people: Set<String> = []
    var unnamed = 0
    var characters = 0
    let end = ContinuousClock.now + .seconds(Self.mostSeconds)
    let isNamed = hasValidation || data.contains { $0.split != nil || $0.splits != nil }
    reading: for specification in data {
      // A split file or a fold needs a part.
      let all =
        specification.split == nil && (specification.splits != nil || specification.fold != nil)
        ? specification.withSplit(.all) : specification
      for element in try all.records() {
        guard case .success(let record) = element, !record.labeled.ink.isEmpty,
          !record.labeled.label.isEmpty
        else {
          unusable += 1
          continue
        }
        inks += 1
        counts[record.labeled.label, default: 0] += 1
        characters += record.labeled.label.count
        if let writer = record.labeled.writer {
          people.insert("\(specification.path)\0\(writer)")
        } else {
          unnamed += 1
        }
        if inks >= Self.mostInks || inks.isMultiple(of: 64) && ContinuousClock.now > end {
          isPartial = true
          break reading
        }
      }
    }
    labels = counts.count
    thinLabels = counts.values.count { $0 < Self.fewInks }
    writers = people.count
    split =
      isNamed
      ? .named
      : writers < 3 || unnamed * 2 > inks
        ? .inks : writers < Self.manyWriters ? .fewWriters : .writers
    // Lines have long labels, most of which occur once.
    let isText = labels * 3 > inks && characters > 4 * inks
    suggestedKind = isText ? .lines : .glyphs
    let kind = kind ?? suggestedKind
    let rates = rates(kind)
    choices = TrainingPreset.allCases.map {
      Choice(
        preset: $0,
        settings: TrainingSettings(
          $0, kind, inks: inks, isStarted: isStarted && kind == .lines, rates: rates))
    }
  }
}
