import InkFormats

/// Splits a dataset of few writers: test holds whole writers, as ``WriterSplit`` finds them, and of the
/// ink of the others a tenth is val and the rest train, by the hash of each ink.
struct MixedSplit: Sendable {
  let writers: WriterSplit
  private let inks = WriterSplit(counts: [:])

  init(writers: WriterSplit) {
    self.writers = writers
  }

  /// The part of a record. O(1).
  func part(of record: InkRecord) -> DataSplit? {
    let key = "\(record.source)#\(record.indexInSource)"
    if writers.part(writer: record.labeled.writer, key: key) == .test { return .test }
    return inks.part(writer: nil, key: key) == .val ? .val : .train
  }

  /// Whether a record is of the part; a failure is, as in ``DataRecords``.
  func holds(_ element: DataRecords.Element, in part: DataSplit) -> Bool {
    guard case .success(let record) = element else { return true }
    return self.part(of: record) == part
  }
}
