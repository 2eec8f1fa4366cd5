import Foundation
import InkDatasets

/// The state of a wall for the page.
struct WallStatus: Encodable {
  /// A label or a writer and its inks.
  struct Count: Encodable {
    var name: String
    var inks: Int
  }
  /// Decisions by kind.
  struct Decisions: Encodable {
    var accept = 0
    var relabel = 0
    var drop = 0
    /// Decisions of the file about no ink of the data.
    var unmatched = 0
  }
  /// The readings of a model.
  struct Readings: Encodable {
    var model: String
    var inks: Int
    var errors: Int
  }

  var wall: String
  var data: String
  var isReady: Bool
  /// The job that reads the data.
  var opening: WallJob.Status
  /// The work that was started last.
  var job: WallJob.Status?
  var revision: Int?
  var inks: Int?
  var unlabelled: Int?
  /// True if there is more data than a wall holds.
  var isCut: Bool?
  var failures: Int
  var failureExamples: [String]
  /// The file of decisions, in the project.
  var file: String
  /// The data with its decisions, for `--data`; nil if there are none.
  var decided: String?
  var decisions: Decisions?
  var readings: Readings?
  var findings: WallFindings.Summary?
  /// The number of labels and writers, and the most frequent ones if they were asked for.
  var labelCount: Int?
  var writerCount: Int?
  var withoutWriter: Int?
  var labels: [Count]?
  var writers: [Count]?

  /// The most labels and writers that are listed.
  static let mostListed = 2000

  /// - Parameter lists: True to list labels and writers.
  init(_ wall: InkWall, lists: Bool) throws {
    self.wall = wall.id
    data = wall.text
    // Before the state: once the work has ended, its result is in the state.
    (opening, job) = (wall.opening.current, wall.work?.current)
    (failures, failureExamples) = wall.unreadable
    file = wall.file.path
    let state = try wall.current()
    isReady = state != nil
    guard let state else { return }
    revision = state.revision
    inks = state.table.count
    isCut = state.table.isFull
    var decisions = Decisions(unmatched: state.unmatched)
    for decision in state.decisionOf.values {
      switch decision {
      case .accept: decisions.accept += 1
      case .relabel: decisions.relabel += 1
      case .drop: decisions.drop += 1
      }
    }
    self.decisions = decisions
    if FileManager.default.fileExists(atPath: wall.file.url.path) {
      decided = wall.file.decided(wall.text)
    }
    readings = state.readings.map {
      Readings(model: $0.model, inks: $0.count, errors: $0.errors)
    }
    findings = state.findings?.summary
    let labels = Self.counts(state.labelOf, state.labels)
    let writers = Self.counts(state.table.writerOf, state.table.writers)
    (labelCount, writerCount) = (labels.count, writers.count)
    let empty = state.labels.known("")
    unlabelled = state.labelOf.count { $0 == empty }
    withoutWriter = state.table.writerOf.count { $0 < 0 }
    guard lists else { return }
    self.labels = Self.mostFrequent(labels)
    self.writers = Self.mostFrequent(writers)
  }

  /// The names in use with their inks. O(n + names).
  private static func counts(_ numbers: [Int32], _ names: NameTable) -> [Count] {
    var counts = [Int](repeating: 0, count: names.names.count)
    for number in numbers where number >= 0 { counts[Int(number)] += 1 }
    return zip(names.names, counts).filter { $1 > 0 && !$0.isEmpty }
      .map { Count(name: $0, inks: $1) }
  }

  private static func mostFrequent(_ counts: [Count]) -> [Count] {
    let sorted = counts.sorted { ($1.inks, $0.name) < ($0.inks, $1.name) }
    return Array(sorted.prefix(mostListed))
  }
}

/// An ink of a wall for the page. Members that are not known are left out.
struct WallInk: Encodable {
  /// Its index on the wall.
  var id: Int
  /// Its key for decisions.
  var ink: String
  var nth: Int
  /// The present label.
  var label: String
  /// The label as read, if another was decided.
  var was: String?
  var writer: String?
  /// `accept`, `relabel` or `drop`.
  var decision: String?
  /// The reading of the model, its probability, and whether it differs from the label.
  var read: String?
  var confidence: Double?
  var isError: Bool?
  /// The reason of the data doctor, and the label that it suggests.
  var reason: WallFindings.Suspect.Reason?
  var suggested: String?
  var score: Double?
  var earlier: Int?
  var drawing: InkTable.Drawing?
  /// The place of the record, for one ink only.
  var source: String?
  var line: Int?

  init(_ ink: Int, _ state: WallState, _ detail: InkTable.Detail?) {
    let table = state.table
    id = ink
    self.ink = table.keys[ink].fingerprint.description
    nth = table.keys[ink].nth
    label = state.label(of: ink)
    writer = table.writers[table.writerOf[ink]]
    switch state.decisionOf[ink] {
    case .accept?: decision = "accept"
    case .drop?: decision = "drop"
    case .relabel?:
      decision = "relabel"
      was = table.labels[table.labelOf[ink]]
    case nil: break
    }
    if let readings = state.readings, let text = readings.text(of: ink) {
      read = text
      confidence = Self.rounded(Double(readings.confidenceOf[ink]))
      isError = readings.rateOf[ink] > 0
    }
    if let suspect = state.findings?.suspects[ink] {
      (reason, suggested) = (suspect.reason, suspect.suggested)
      (score, earlier) = (suspect.score.map(Self.rounded), suspect.earlier)
    }
    drawing = detail.map { table.drawing(of: ink, $0) }
  }

  /// Adds the place of the record.
  func placed(in table: InkTable) -> WallInk {
    var copy = self
    copy.source = table.sources[table.sourceOf[id]]
    copy.line = table.lineOf[id] > 0 ? Int(table.lineOf[id]) : nil
    return copy
  }

  private static func rounded(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }
}

/// A decision in a request or an answer.
struct DecisionValue: Codable {
  var ink: String
  var nth: Int?
  var decision: String
  var label: String?
  /// The index on the wall, in answers.
  var id: Int?

  /// The most bytes of a label.
  static let longestLabel = 4000

  init(_ key: InkKey, _ decision: LabelDecision, id: Int) {
    (ink, nth, self.id) = (key.fingerprint.description, key.nth, id)
    switch decision {
    case .accept: self.decision = "accept"
    case .drop: self.decision = "drop"
    case .relabel(let label): (self.decision, self.label) = ("relabel", label)
    }
  }

  /// Returns the decision as a line of the file.
  ///
  /// - Parameter field: The place in the request.
  /// - Throws: ``StudioError``.
  func entry(_ field: String) throws(StudioError) -> DecisionEntry {
    let key = try Self.key(ink, nth ?? 0, field)
    switch decision {
    case "accept": return DecisionEntry(key, .accept)
    case "drop": return DecisionEntry(key, .drop)
    case "undo": return DecisionEntry(key, nil)
    case "relabel": return DecisionEntry(key, .relabel(try Self.label(label, field)))
    default:
      throw StudioError(
        .invalidValue, "expected accept, relabel, drop or undo", field: "\(field).decision")
    }
  }

  /// Returns the key of an ink.
  static func key(
    _ ink: String, _ nth: Int, _ field: String
  ) throws(StudioError) -> InkKey {
    guard let fingerprint = InkFingerprint(ink) else {
      throw StudioError(
        .invalidValue, "expected 16 lowercase hex digits", field: "\(field).ink")
    }
    guard (0...1_000_000_000).contains(nth) else {
      throw StudioError(
        .invalidValue, "expected a whole number in 0 ... 1000000000", field: "\(field).nth")
    }
    return InkKey(fingerprint, nth: nth)
  }

  private static func label(
    _ label: String?, _ field: String
  ) throws(StudioError) -> String {
    // One form of each character, and no blanks at the ends, so that classes stay one.
    let text = (label ?? "").precomposedStringWithCanonicalMapping
      .trimmingCharacters(in: .whitespacesAndNewlines)
    guard !text.isEmpty, text.utf8.count <= longestLabel, !text.contains("\0") else {
      throw StudioError(
        .invalidValue, "expected a label of 1 to \(longestLabel) bytes", field: "\(field).label")
    }
    return text
  }
}
