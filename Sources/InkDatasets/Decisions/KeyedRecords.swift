import InkFormats

/// The records that a ``DataSpecification`` selects, as read, each with its key for decisions.
///
/// Decisions and new labels of the specification are not applied, and ink without a label is a
/// record.
package struct KeyedRecords: Sequence {
  /// A record with its key, or the reason why it could not be read.
  package typealias Element = Result<(record: InkRecord, key: InkKey), InkFormatError>

  private let records: DataRecords
  private let noted: NotedKeys

  init(_ specification: DataSpecification) throws {
    var specification = specification
    (specification.decisions, specification.relabels) = (nil, nil)
    noted = NotedKeys()
    records = try specification.records(unlabelled: true, noting: noted)
  }

  /// An iterator at the first record. Use one at a time.
  package func makeIterator() -> AnyIterator<Element> {
    noted.removeAll()
    var iterator = records.makeIterator()
    return AnyIterator { [noted] in
      iterator.next()?.map { record in
        let key =
          noted.removeFirst(at: DataRecords.key(record))
          ?? InkKey(InkFingerprint(label: record.labeled.label, ink: record.labeled.ink))
        return (record, key)
      }
    }
  }
}

/// The keys of records that were read and not yet given on, in reading order.
final class NotedKeys {
  private var keys: [(place: String, key: InkKey)] = []
  private var first = 0

  func removeAll() { (keys, first) = ([], 0) }

  func append(_ key: InkKey, at place: String) { keys.append((place, key)) }

  /// Returns the key of a record, and forgets it and those before, which were not selected.
  func removeFirst(at place: String) -> InkKey? {
    defer {
      if first == keys.count { removeAll() }
    }
    while first < keys.count {
      defer { first += 1 }
      if keys[first].place == place { return keys[first].key }
    }
    return nil
  }
}

/// Notes the keys of records that pass.
struct NotingRecords: IteratorProtocol {
  private let base: AnyIterator<DataRecords.Element>
  private let noted: NotedKeys
  private var keys: RecordKeys

  init(_ base: AnyIterator<DataRecords.Element>, _ noted: NotedKeys, places: [String: InkKey]?) {
    self.base = base
    self.noted = noted
    keys = RecordKeys(nil, places: places)
  }

  mutating func next() -> DataRecords.Element? {
    guard let element = base.next() else { return nil }
    if case .success(let record) = element, let key = keys.key(of: record) {
      noted.append(key, at: DataRecords.key(record))
    }
    return element
  }
}

extension DataSpecification {
  /// Opens the data like ``records(unlabelled:)``, without its decisions and new labels, and with
  /// the key of each record.
  ///
  /// - Throws: The errors of ``records(unlabelled:)``.
  package func keyedRecords() throws -> KeyedRecords { try KeyedRecords(self) }
}
