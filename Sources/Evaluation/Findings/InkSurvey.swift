import Foundation
import InkCore
import InkDatasets
import InkFormats

/// Finds problems that need no model: duplicates, thin classes, labels that look the same, unusual
/// inks. Memory grows by some tens of bytes per record.
package struct InkSurvey: Sendable {
  private struct Entry {
    var index: Int
    var label: Int32
    /// The index of the writer; -1 for none.
    var writer: Int32
    /// The larger side of the box; 0 for a dot.
    var size: Float
  }

  private struct ClassCount {
    var samples = 0
    var writers: Set<Int32> = []
  }

  /// The first record with certain points.
  private struct Original {
    var index: Int
    var label: Int32
    var writer: Int32
  }

  private var findings: DataFindings
  private var hasher = DataHasher()
  private var entries: [Entry] = []
  private var labels = Numbering()
  private var writers = Numbering()
  private var classes: [Int32: ClassCount] = [:]
  /// Labels by their bytes, because canonically equivalent strings are equal.
  private var spellings: Set<[UInt8]> = []
  /// The first record with certain points, by a hash of the points.
  private var originals: [Int: Original] = [:]
  private static let mostExamples = 5
  /// The fewest inks of a writer, and of a label, from which sizes are compared.
  private static let fewestSizes = 8
  /// The ratio of sizes above which an ink is unusual.
  private static let oddFactor: Float = 8
  /// The fewest points of a duplicate. With fewer, equal points occur by chance, as in dots.
  private static let fewestPoints = 4

  /// Makes a survey without records.
  package init(data: [String]) { findings = DataFindings(data: data) }

  /// Counts a record that could not be read. O(1).
  package mutating func add(_ error: InkFormatError) {
    findings.records += 1
    findings.malformed += 1
    if findings.malformedExamples.count < Self.mostExamples {
      findings.malformedExamples.append(error.description)
    }
  }

  /// Adds a record. O(points).
  ///
  /// - Returns: The index of the record.
  @discardableResult
  package mutating func add(_ labeled: LabeledInk) -> Int {
    let index = findings.records
    findings.records += 1
    hasher.update(with: labeled)
    let label = labels.number(of: labeled.label)
    spellings.insert(Array(labeled.label.utf8))
    let writer = labeled.writer.map { writers.number(of: $0) } ?? -1
    if writer < 0 { findings.withoutWriter += 1 }
    classes[label, default: ClassCount()].samples += 1
    if writer >= 0 { classes[label, default: ClassCount()].writers.insert(writer) }
    let box = labeled.ink.boundingBox
    entries.append(
      Entry(
        index: index, label: label, writer: writer,
        size: box.map { Float(max($0.width, $0.height)) } ?? 0))
    if labeled.ink.isEmpty {
      note(.empty, index, labeled.label)
    } else {
      findDuplicate(labeled.ink, Original(index: index, label: label, writer: writer))
      if Self.runsBackward(labeled.ink) { note(.timeRunsBackward, index, labeled.label) }
    }
    return index
  }

  /// Returns the findings. O(n log n) in records.
  package func finish() -> DataFindings {
    var result = findings
    result.dataHash = hasher.finalize()
    result.classes = classes.count
    result.writers = writers.names.count
    let several = writers.names.count > 1
    let areTexts = DataFindings.areTexts(labels: classes.count, records: entries.count)
    result.thinClasses =
      areTexts
      ? []
      : classes.compactMap { label, count in
        let isThin =
          count.samples < DataFindings.fewestSamples || (several && count.writers.count == 1)
        return isThin
          ? DataFindings.ThinClass(
            label: labels.names[Int(label)], samples: count.samples, writers: count.writers.count)
          : nil
      }.sorted { ($0.samples, $0.label) < ($1.samples, $1.label) }
    result.labelTwins = twins()
    result.oddInks = (result.oddInks + outsized()).sorted { $0.index < $1.index }
    return result
  }

  private mutating func note(
    _ problem: DataFindings.OddInk.Problem, _ index: Int, _ label: String
  ) {
    findings.oddInks.append(DataFindings.OddInk(index: index, label: label, problem: problem))
  }

  /// Looks for an earlier record with the same points.
  private mutating func findDuplicate(_ ink: Ink, _ record: Original) {
    guard ink.pointCount >= Self.fewestPoints else { return }
    var hasher = Hasher()
    for stroke in ink.strokes {
      hasher.combine(stroke.points.count)
      for point in stroke.points {
        hasher.combine(point.x)
        hasher.combine(point.y)
      }
    }
    let hash = hasher.finalize()
    guard let earlier = originals[hash] else {
      originals[hash] = record
      return
    }
    findings.duplicates.append(
      DataFindings.Duplicate(
        index: record.index, earlier: earlier.index, hasSameLabel: earlier.label == record.label,
        hasSameWriter: earlier.writer == record.writer))
  }

  /// Returns whether a time is earlier than the previous one.
  private static func runsBackward(_ ink: Ink) -> Bool {
    var last = -Double.infinity
    for stroke in ink.strokes {
      for point in stroke.points {
        guard let time = point.t else { continue }
        if time < last { return true }
        last = time
      }
    }
    return false
  }

  /// Labels that differ only in normal form or surrounding spaces.
  private func twins() -> [[String]] {
    let texts = spellings.sorted { $0.lexicographicallyPrecedes($1) }
      .map { String(decoding: $0, as: UTF8.self) }
    return Dictionary(grouping: texts) {
      $0.precomposedStringWithCanonicalMapping.trimmingCharacters(in: .whitespacesAndNewlines)
    }.values.filter { $0.count > 1 }.sorted { $0[0] < $1[0] }
  }

  /// Inks whose size, relative to their writer's other inks, is far from what is normal for their
  /// label. Inks without a writer are skipped, because their unit is not known.
  private func outsized() -> [DataFindings.OddInk] {
    let ofWriters = medians(
      entries.filter { $0.size > 0 && $0.writer >= 0 }.map { ($0.writer, $0.size) })
    let sized = entries.compactMap { entry -> (entry: Entry, relative: Float)? in
      guard entry.size > 0, let median = ofWriters[entry.writer] else { return nil }
      return (entry, entry.size / median)
    }
    let ofLabels = medians(sized.map { ($0.entry.label, $0.relative) })
    return sized.compactMap { entry, relative in
      guard let median = ofLabels[entry.label] else { return nil }
      let factor = relative / median
      guard factor > Self.oddFactor || factor < 1 / Self.oddFactor else { return nil }
      return DataFindings.OddInk(
        index: entry.index, label: labels.names[Int(entry.label)],
        problem: factor > 1 ? .large : .small)
    }
  }

  /// The median of the values of each key that has enough of them.
  private func medians(_ values: [(key: Int32, value: Float)]) -> [Int32: Float] {
    Dictionary(grouping: values, by: \.key).compactMapValues { group in
      guard group.count >= Self.fewestSizes else { return nil }
      return group.map(\.value).sorted()[group.count / 2]
    }
  }
}

/// Assigns numbers to strings, in the order of their first use.
private struct Numbering: Sendable {
  private(set) var names: [String] = []
  private var numbers: [String: Int32] = [:]

  mutating func number(of name: String) -> Int32 {
    if let known = numbers[name] { return known }
    let number = Int32(names.count)
    numbers[name] = number
    names.append(name)
    return number
  }
}
