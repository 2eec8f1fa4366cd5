import InkCore
import InkFormats

/// The records that a ``DataSpecification`` selects, streamed from disk at each iteration.
///
/// Failures of the format are yielded between the records. A failure has no label or writer, and no
/// part, except in UNIPEN with a split file, so it is yielded for every selection. Memory does not
/// grow with the data; writing areas of UNIPEN keep the records of one file.
package struct DataRecords: Sequence {
  /// A record, or the reason why it could not be read.
  package typealias Element = Result<InkRecord, InkFormatError>

  let makeBase: () -> AnyIterator<Element>
  let split: DataSplit
  let rule: SplitRule
  let labels: WholeMatch?
  let writers: WholeMatch?
  let requiredNote: InkRecord.Note?
  let excludedNote: InkRecord.Note?
  let every: Int
  let limit: Int?
  /// True if ink without a writer is split by its page or file, see ``DataFormat/splitsByFile``.
  let splitsByFile: Bool
  /// True if pages are cut into lines.
  let cutsPages: Bool
  /// New labels by old ones, `*` for all others; nil to keep the labels.
  let relabels: [String: String]?
  /// The match between decisions and data, if there are decisions. Filled by each complete
  /// iteration.
  package var decisionUse: DecisionUse?

  /// The rule for the part of a record.
  enum SplitRule {
    case everything
    case file(SplitFileUse)
    case writers(WriterSplit)
    /// By the hash of each ink, for any writer.
    case inks(WriterSplit)
    /// For few writers: test is split by writer. Of the ink of the other writers, a tenth is val,
    /// by the hash of each ink.
    case mixed(WriterSplit)
  }

  /// The match between split file and data, if there is a split file. Filled by each complete
  /// iteration.
  package var splitFileUse: SplitFileUse? {
    if case .file(let use) = rule { return use }
    return nil
  }

  /// An iterator at the first selected record.
  package func makeIterator() -> Iterator {
    splitFileUse?.begin()
    return Iterator(records: self, base: makeBase())
  }

  func isSelected(_ record: InkRecord) -> Bool {
    guard isInSplit(record) else { return false }
    if let requiredNote, !record.notes.contains(requiredNote) { return false }
    if let excludedNote, record.notes.contains(excludedNote) { return false }
    if let writers {
      guard let writer = record.labeled.writer, writers.matches(writer) else { return false }
    }
    // Lines are selected by their own labels.
    return cutsPages || hasSelectedLabel(record)
  }

  fileprivate func hasSelectedLabel(_ record: InkRecord) -> Bool {
    labels.map { $0.matches(record.labeled.label) } ?? true
  }

  private func isInSplit(_ record: InkRecord) -> Bool {
    if split == .all { return true }
    switch rule {
    case .everything: return true
    case .file(let file): return file.part(of: record) == split
    case .writers(let writers): return part(of: record, writers) == split
    case .inks(let inks):
      return inks.part(writer: nil, key: Self.key(record)) == split
    case .mixed(let writers):
      if part(of: record, writers) == .test { return split == .test }
      let inks = WriterSplit(counts: [:])
      return (inks.part(writer: nil, key: Self.key(record)) == .val ? .val : .train) == split
    }
  }

  /// The part of the record's writer, or else of its page, file or ink.
  private func part(of record: InkRecord, _ writers: WriterSplit) -> DataSplit? {
    writers.part(
      writer: record.labeled.writer,
      key: splitsByFile ? record.page ?? record.source : Self.key(record))
  }

  /// A key of the single record.
  static func key(_ record: InkRecord) -> String {
    "\(record.source)#\(record.indexInSource)"
  }

  /// Yields the selected records and the failures between them.
  package struct Iterator: IteratorProtocol {
    private let records: DataRecords
    private let base: AnyIterator<Element>
    private var remaining: Int
    private var selected = 0
    /// The lines of the last page that were not yielded yet, the last first.
    private var lines: [InkRecord] = []

    fileprivate init(records: DataRecords, base: AnyIterator<Element>) {
      self.records = records
      self.base = base
      remaining = records.limit ?? .max
    }

    /// The next record or failure, or nil at the end or after the limit.
    package mutating func next() -> Element? {
      while remaining > 0 {
        var record: InkRecord
        if let line = lines.popLast() {
          record = line
          guard records.hasSelectedLabel(record) else { continue }
        } else {
          guard let element = base.next() else {
            records.splitFileUse?.end()
            return nil
          }
          guard case .success(let read) = element else { return element }
          guard records.isSelected(read) else { continue }
          if records.cutsPages {
            switch LinesOfPages.lines(of: read) {
            case .success(let found): lines = found.reversed()
            case .failure(let error): return .failure(error)
            }
            continue
          }
          record = read
        }
        selected += 1
        guard (selected - 1) % records.every == 0 else { continue }
        remaining -= 1
        if let relabels = records.relabels {
          let label = record.labeled.label
          record.labeled.label = relabels[label] ?? relabels["*"] ?? label
          // The segmentation refers to the characters of the old label.
          if record.labeled.label != label { record.segmentation = nil }
        }
        return .success(record)
      }
      return nil
    }
  }
}

/// A regular expression that whole texts must match. Caches the answers for the last texts, because
/// labels and writers repeat.
final class WholeMatch {
  private static let mostAnswers = 10_000
  private let expression: Regex<AnyRegexOutput>
  private var answers: [String: Bool] = [:]

  init(_ source: String) throws {
    expression = try Regex(source)
  }

  func matches(_ text: String) -> Bool {
    if let answer = answers[text] { return answer }
    if answers.count >= Self.mostAnswers { answers.removeAll(keepingCapacity: true) }
    let answer = ((try? expression.wholeMatch(in: text)) ?? nil) != nil
    answers[text] = answer
    return answer
  }
}
