import InkCore
import InkFormats

/// The content of a dataset: counts, classes, writers, points, rates. Filled record by record.
///
/// Memory grows with the numbers of classes and writers, not with the records.
package struct DatasetSummary: Sendable {
  /// Records that were read.
  package private(set) var good = 0
  /// Records that could not be read.
  package private(set) var bad = 0
  /// Failures by kind.
  package private(set) var failures: [InkFormatError.Code: Int] = [:]
  /// Records without a label.
  package private(set) var withoutLabel = 0
  /// Records by label, where there is one.
  package private(set) var classes: [String: Int] = [:]
  /// Records by writer.
  package private(set) var writers: [String: Int] = [:]
  /// Records without a writer.
  package private(set) var withoutWriter = 0
  /// Strokes of all records.
  package private(set) var strokes = 0
  /// Points of all records.
  package private(set) var points = 0
  /// Records whose points all have a time.
  package private(set) var withTime = 0
  /// Records with force at any point.
  package private(set) var withForce = 0
  /// Records with azimuth or altitude at any point.
  package private(set) var withTilt = 0
  /// Records with a writing area.
  package private(set) var withArea = 0
  /// Records by the collector's judgement, if there is one.
  package private(set) var qualities: [LabeledInk.Quality: Int] = [:]
  /// Records by the problems that the reader corrected or noticed.
  package private(set) var notes: [InkRecord.Note: Int] = [:]
  /// Records by number of points.
  package private(set) var pointCounts: [Int: Int] = [:]
  /// Records by number of strokes.
  package private(set) var strokeCounts: [Int: Int] = [:]
  /// Records with times, by points per second while the pen is down, rounded.
  package private(set) var rates: [Int: Int] = [:]

  /// Starts with no records.
  package init() {}

  /// Counts a record or a failure. O(points).
  package mutating func add(_ element: Result<InkRecord, InkFormatError>) {
    switch element {
    case .success(let record):
      add(record.labeled)
      for note in record.notes { notes[note, default: 0] += 1 }
    case .failure(let error):
      bad += 1
      failures[error.code, default: 0] += 1
    }
  }

  private mutating func add(_ labeled: LabeledInk) {
    good += 1
    if labeled.label.isEmpty {
      withoutLabel += 1
    } else {
      classes[labeled.label, default: 0] += 1
    }
    if let writer = labeled.writer {
      writers[writer, default: 0] += 1
    } else {
      withoutWriter += 1
    }
    if labeled.writingArea != nil { withArea += 1 }
    if let quality = labeled.quality { qualities[quality, default: 0] += 1 }
    strokes += labeled.ink.strokes.count
    strokeCounts[labeled.ink.strokes.count, default: 0] += 1
    let count = labeled.ink.pointCount
    points += count
    pointCounts[count, default: 0] += 1
    addChannels(labeled.ink)
  }

  private mutating func addChannels(_ ink: Ink) {
    var hasTime = true
    var hasForce = false
    var hasTilt = false
    var drawn = 0.0
    var steps = 0
    for stroke in ink.strokes {
      var previous: Double?
      for point in stroke.points {
        if let time = point.t {
          if let previous, time > previous {
            drawn += time - previous
            steps += 1
          }
          previous = time
        } else {
          hasTime = false
        }
        if point.force != nil { hasForce = true }
        if point.azimuth != nil || point.altitude != nil { hasTilt = true }
      }
    }
    if hasTime { withTime += 1 }
    if hasForce { withForce += 1 }
    if hasTilt { withTilt += 1 }
    if steps > 0, drawn > 0, 1000 * Double(steps) / drawn < 1e6 {
      rates[Int((1000 * Double(steps) / drawn).rounded()), default: 0] += 1
    }
  }

  /// The fewest points of a record, or nil without records.
  package var fewestPoints: Int? { pointCounts.keys.min() }
  /// The median number of points of a record (the lower one of two), or nil without records.
  package var medianPoints: Int? { Self.median(pointCounts) }
  /// The most points of a record, or nil without records.
  package var mostPoints: Int? { pointCounts.keys.max() }
  /// The median over records of the points per second while the pen is down, rounded; nil if no
  /// record has times. Steps of zero time do not count.
  package var pointsPerSecond: Int? { Self.median(rates) }

  private static func median(_ histogram: [Int: Int]) -> Int? {
    var rest = (histogram.values.reduce(0, +) + 1) / 2
    for (value, count) in histogram.sorted(by: { $0.key < $1.key }) {
      rest -= count
      if rest <= 0 { return value }
    }
    return nil
  }
}

extension DatasetSummary: Encodable {
  private enum Key: String, CodingKey {
    case good, bad, failures, notes, classes, withoutLabel, writers, withoutWriter, strokes, points,
      fewestPoints
    case medianPoints, mostPoints, pointsPerSecond, timeShare, forceShare, tiltShare, areaShare
    case qualities
  }

  /// Encodes the counts. Shares are in 0 ... 1; values that were not measured are null.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(good, forKey: .good)
    try container.encode(bad, forKey: .bad)
    try container.encode(
      Dictionary(uniqueKeysWithValues: failures.map { ($0.key.rawValue, $0.value) }),
      forKey: .failures)
    try container.encode(
      Dictionary(uniqueKeysWithValues: notes.map { ($0.key.rawValue, $0.value) }), forKey: .notes)
    try container.encode(classes, forKey: .classes)
    try container.encode(withoutLabel, forKey: .withoutLabel)
    try container.encode(writers, forKey: .writers)
    try container.encode(withoutWriter, forKey: .withoutWriter)
    try container.encode(strokes, forKey: .strokes)
    try container.encode(points, forKey: .points)
    try container.encode(fewestPoints, forKey: .fewestPoints)
    try container.encode(medianPoints, forKey: .medianPoints)
    try container.encode(mostPoints, forKey: .mostPoints)
    try container.encode(pointsPerSecond, forKey: .pointsPerSecond)
    try container.encode(share(withTime), forKey: .timeShare)
    try container.encode(share(withForce), forKey: .forceShare)
    try container.encode(share(withTilt), forKey: .tiltShare)
    try container.encode(share(withArea), forKey: .areaShare)
    try container.encode(
      Dictionary(uniqueKeysWithValues: qualities.map { ($0.key.rawValue, $0.value) }),
      forKey: .qualities)
  }

  private func share(_ count: Int) -> Double? {
    good == 0 ? nil : Double(count) / Double(good)
  }
}

extension DatasetSummary: CustomStringConvertible {
  /// Several lines: the counts, and the 20 largest classes. Labels are not escaped.
  package var description: String { text { $0 } }
}

extension DatasetSummary {
  /// The lines of ``description``, with labels formatted for display: a terminal would interpret
  /// their control characters.
  package func text(label: (String) -> String) -> String {
    var lines = ["records   \(good) good, \(bad) bad"]
    for (code, count) in failures.sorted(by: {
      ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue)
    }) {
      lines.append("          \(count) \(code.rawValue)")
    }
    guard good > 0 else { return lines.joined(separator: "\n") }
    let shown = classes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(20)
    let more = classes.count > shown.count ? ", …" : ""
    lines.append(
      "classes   \(classes.count): "
        + shown.map { "\(label($0.key)) \($0.value)" }.joined(separator: ", ") + more
        + (withoutLabel > 0 ? "; \(withoutLabel) records without a label" : ""))
    lines.append(
      "writers   \(writers.count)"
        + (withoutWriter > 0 ? ", \(withoutWriter) records without" : ""))
    lines.append("strokes   \(strokes)")
    lines.append(
      "points    \(points), per record \(text(fewestPoints)) least, \(text(medianPoints)) median, "
        + "\(text(mostPoints)) most")
    lines.append("rate      " + (pointsPerSecond.map { "\($0) points/s (median)" } ?? "no times"))
    lines.append("time      \(percent(withTime))")
    lines.append("force     \(percent(withForce))")
    lines.append("tilt      \(percent(withTilt))")
    lines.append("area      \(percent(withArea))")
    if !qualities.isEmpty {
      let parts = LabeledInk.Quality.allCases.compactMap { quality in
        qualities[quality].map { "\(quality.rawValue) \($0)" }
      }
      lines.append("quality   " + parts.joined(separator: ", "))
    }
    if !notes.isEmpty {
      let parts = InkRecord.Note.allCases.compactMap { note in
        notes[note].map { "\(note.rawValue) \($0)" }
      }
      lines.append("notes     " + parts.joined(separator: ", "))
    }
    return lines.joined(separator: "\n")
  }

  private func text(_ value: Int?) -> String {
    value.map(String.init) ?? "-"
  }

  private func percent(_ count: Int) -> String {
    let tenths = (1000 * count + good / 2) / good
    return "\(tenths / 10).\(tenths % 10) % of records"
  }
}
