import InkFormats

/// The match between a file of decisions and its data.
///
/// A decision that names no record is not an error: the ink may have been removed from the file.
/// Not thread-safe.
package final class DecisionUse {
  /// The decisions that named no record.
  package private(set) var unmatched = 0
  /// True if all of the data was read; otherwise ``unmatched`` covers only its beginning.
  package private(set) var isComplete = false

  let decisions: [InkKey: LabelDecision]
  private let name: String

  init(_ file: DecisionFile, name: String) {
    decisions = file.decisions
    self.name = name
  }

  /// One line about decisions that named no record; nil if there are none, or if the data was not
  /// read to its end.
  package var problem: String? {
    guard isComplete, unmatched > 0 else { return nil }
    return "\(name): \(unmatched) decision\(unmatched == 1 ? "" : "s") about no record of the data"
  }

  func begin() { (unmatched, isComplete) = (0, false) }

  func end(matched: Int) { (unmatched, isComplete) = (decisions.count - matched, true) }
}

/// Names the records of one reading of some data.
struct RecordKeys {
  /// The fingerprints to look for; nil for all.
  private let wanted: Set<InkFingerprint>?
  /// The keys of records by their places, if the reader gives only a part of the data.
  private let places: [String: InkKey]?
  private var seen: [InkFingerprint: Int] = [:]

  /// - Parameters:
  ///   - wanted: The fingerprints to look for; nil for all.
  ///   - places: The keys of records by their places; nil if the reader gives all of the data.
  init(_ wanted: Set<InkFingerprint>?, places: [String: InkKey]? = nil) {
    self.wanted = wanted
    self.places = places
  }

  /// Returns the key of the next record; nil if its fingerprint is not looked for. O(points).
  mutating func key(of record: InkRecord) -> InkKey? {
    if let places { return places[DataRecords.key(record)] }
    let fingerprint = InkFingerprint(label: record.labeled.label, ink: record.labeled.ink)
    if let wanted, !wanted.contains(fingerprint) { return nil }
    let nth = seen[fingerprint, default: 0]
    seen[fingerprint] = nth + 1
    return InkKey(fingerprint, nth: nth)
  }

  /// Reads all of the data and returns the keys of its records by their places.
  static func places(
    of records: AnyIterator<DataRecords.Element>, _ wanted: Set<InkFingerprint>?
  ) -> [String: InkKey] {
    var keys = RecordKeys(wanted)
    var places: [String: InkKey] = [:]
    for case .success(let record) in records {
      if let key = keys.key(of: record) { places[DataRecords.key(record)] = key }
    }
    return places
  }
}

/// Applies decisions to records: leaves some out and labels others.
struct DecidedRecords: IteratorProtocol {
  private let base: AnyIterator<DataRecords.Element>
  private let use: DecisionUse
  private let places: [String: InkKey]?
  private var keys: RecordKeys
  private var matched = 0

  /// - Parameter places: The keys of records by their places; nil if `base` gives all of the data.
  init(_ base: AnyIterator<DataRecords.Element>, _ use: DecisionUse, places: [String: InkKey]?) {
    self.base = base
    self.use = use
    self.places = places
    keys = RecordKeys(Set(use.decisions.keys.map(\.fingerprint)), places: places)
    use.begin()
  }

  mutating func next() -> DataRecords.Element? {
    while let element = base.next() {
      guard case .success(var record) = element, let key = keys.key(of: record),
        let decision = use.decisions[key]
      else { return element }
      matched += 1
      switch decision {
      case .drop: continue
      case .accept: return element
      case .relabel(let label):
        record.labeled.label = label
        // It is of the characters of another label.
        record.segmentation = nil
        return .success(record)
      }
    }
    // Decisions about other parts name records too.
    let found = places.map { Set($0.values).intersection(use.decisions.keys).count }
    use.end(matched: found ?? matched)
    return nil
  }
}
