import Files
import Foundation

/// The records of many files, read on all processors and given in the order of the files.
///
/// Some files are read ahead, at most ``mostAhead`` for each processor: first one, then twice as many
/// each time, so that a caller who wants one record waits for one file.
struct FileRecords: IteratorProtocol {
  typealias Element = Result<InkRecord, InkFormatError>

  private static let mostAhead = 4

  private let count: Int
  private let read: @Sendable (Int) -> RecordList
  private let workers = WorkerPool(count: ProcessInfo.processInfo.activeProcessorCount)
  private var nextFile = 0
  private var ahead = 1
  private var waiting: ArraySlice<RecordList> = []
  /// The next record of the first of them.
  private var nextRecord = 0

  /// Makes an iterator at the first record.
  ///
  /// - Parameters:
  ///   - count: The number of files.
  ///   - read: Reads the file of a number, 0 ..< count, on any thread.
  init(of count: Int, read: @escaping @Sendable (Int) -> RecordList) {
    self.count = count
    self.read = read
  }

  /// The same for files whose records are made at once.
  init(of count: Int, read: @escaping @Sendable (Int) -> [Element]) {
    self.init(of: count) { RecordList(read($0)) }
  }

  mutating func next() -> Element? {
    while true {
      if let list = waiting.first {
        if nextRecord < list.count {
          defer { nextRecord += 1 }
          return list[nextRecord]
        }
        waiting.removeFirst()
        nextRecord = 0
        continue
      }
      guard nextFile < count else { return nil }
      let first = nextFile
      let files = min(ahead, count - first)
      waiting = workers.map(files) { [read] in read(first + $0) }[...]
      nextFile += files
      ahead = min(2 * ahead, Self.mostAhead * workers.count)
    }
  }
}

/// The records of one file. Some are made when they are asked for.
struct RecordList: Sendable {
  typealias Element = Result<InkRecord, InkFormatError>

  let count: Int
  private let record: @Sendable (Int) -> Element

  /// Takes records that are made already.
  init(_ records: [Element]) {
    count = records.count
    record = { records[$0] }
  }

  /// Makes each record when it is asked for.
  init(count: Int, _ record: @escaping @Sendable (Int) -> Element) {
    self.count = count
    self.record = record
  }

  subscript(_ number: Int) -> Element { record(number) }
}
