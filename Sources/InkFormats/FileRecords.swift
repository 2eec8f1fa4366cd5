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
  private let read: @Sendable (Int) -> [Element]
  private let workers = WorkerPool(count: ProcessInfo.processInfo.activeProcessorCount)
  private var nextFile = 0
  private var ahead = 1
  private var waiting: ArraySlice<Element> = []

  /// Makes an iterator at the first record.
  ///
  /// - Parameters:
  ///   - count: The number of files.
  ///   - read: Reads the file of a number, 0 ..< count, on any thread.
  init(of count: Int, read: @escaping @Sendable (Int) -> [Element]) {
    self.count = count
    self.read = read
  }

  mutating func next() -> Element? {
    while waiting.isEmpty {
      guard nextFile < count else { return nil }
      let first = nextFile
      let files = min(ahead, count - first)
      waiting = workers.map(files) { [read] in read(first + $0) }.flatMap { $0 }[...]
      nextFile += files
      ahead = min(2 * ahead, Self.mostAhead * workers.count)
    }
    return waiting.popFirst()
  }
}
