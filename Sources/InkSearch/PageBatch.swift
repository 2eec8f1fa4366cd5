import Files
import Foundation
import InkCore
import InkFormats

/// Reads the pages of files, many at once whatever file they are in, and writes them to an index.
///
/// No more pages are in memory than are read at once. A file is written when its last page was read, and
/// a large one now and then before.
struct PageBatch {
  /// So many pages are read at once.
  private static let pagesAtOnce = 16

  /// The folder, and the way its pages are read.
  struct Work: Sendable {
    var folder: String
    var id: Int64
    var choice: ReadingChoice
    var read: NotesIndexer.Reader
    var isCancelled: @Sendable () -> Bool
  }

  /// A file of which not all pages are written.
  private struct OpenFile {
    var stat: NoteStat
    var format = ""
    var pages: [NewPage] = []
    var problem: String?
    /// The pages that wait to be read.
    var waiting = 0
    var isEnded = false
  }

  /// A page that waits to be read, for all places that have it.
  private struct WaitingPage {
    var record: InkRecord
    var hash: [UInt8]
    var places: [(file: Int, page: Int)]
  }

  private let index: InkIndex
  private let work: Work
  private let workers: WorkerPool
  private var files: [OpenFile] = []
  private var waiting: [WaitingPage] = []
  /// The pages that were read, those that had not changed, and the files with errors.
  private(set) var (read, kept, failed) = (0, 0, 0)

  init(_ index: InkIndex, _ work: Work, _ workers: WorkerPool) {
    (self.index, self.work, self.workers) = (index, work, workers)
  }

  /// Takes the pages of a file.
  mutating func add(_ stat: NoteStat) throws(InkSearchError) {
    let file = files.count
    files.append(OpenFile(stat: stat, problem: stat.problem))
    if stat.problem == nil {
      switch Self.reader(work.folder + "/" + stat.path) {
      case .success(let reader):
        files[file].format = reader.format.rawValue
        for element in reader {
          switch element {
          case .success(let record): try add(record, to: file)
          case .failure(let error) where error.code == .emptyInk: continue
          case .failure(let error): files[file].problem = files[file].problem ?? "\(error)"
          }
        }
      case .failure(let error):
        if !error.isOfAnotherProgram(stat.path) { files[file].problem = "\(error)" }
      }
    }
    files[file].isEnded = true
    if files[file].problem != nil { failed += 1 }
    if files[file].waiting == 0 { try store(file) }
  }

  private static func reader(_ path: String) -> Result<InkReader, InkFormatError> {
    do throws(InkFormatError) {
      return .success(try InkReader(path: path, unit: .page, withTypedPages: true))
    } catch {
      return .failure(error)
    }
  }

  private mutating func add(_ record: InkRecord, to file: Int) throws(InkSearchError) {
    let (hash, page) = (PageHash.of(record), files[file].pages.count)
    files[file].pages.append(NewPage(number: record.indexInSource, hash: hash))
    if let place = waiting.firstIndex(where: { $0.hash == hash }) {
      waiting[place].places.append((file, page))
      files[file].waiting += 1
      kept += 1
    } else if let content = try index.known([hash], work.choice)[hash] {
      files[file].pages[page].content = content
      kept += 1
    } else {
      waiting.append(WaitingPage(record: record, hash: hash, places: [(file, page)]))
      files[file].waiting += 1
      if waiting.count == Self.pagesAtOnce { try readWaiting() }
    }
  }

  /// Reads the pages that wait, and writes their files.
  mutating func readWaiting() throws(InkSearchError) {
    guard !waiting.isEmpty else { return }
    let (part, work) = (waiting, work)
    waiting = []
    let contents = workers.map(part.count) { place in
      work.isCancelled() ? nil : Result { try work.read(part[place].record) }
    }
    for (page, content) in zip(part, contents) {
      guard let content else { throw .cancelled }
      var words = StoredWords(bytes: Data(PageCoding.bytes(of: [])))
      var problem: String?
      switch content {
      case .success(let content):
        words = StoredWords(
          bytes: Data(PageCoding.bytes(of: content.words)), language: content.language)
      case .failure(let error): problem = "page \(page.record.indexInSource + 1): \(error)"
      }
      for (file, number) in page.places {
        files[file].pages[number].content = words
        files[file].waiting -= 1
        files[file].problem = files[file].problem ?? problem
      }
    }
    read += part.count
    for file in Set(part.flatMap { $0.places.map(\.file) }).sorted() { try store(file) }
  }

  /// Writes a file, or the pages of it that were read so far.
  private mutating func store(_ file: Int) throws(InkSearchError) {
    let open = files[file]
    guard !open.pages.isEmpty || open.problem == nil else {
      // The program may be writing it. Its pages stay as they were until it can be read again.
      return try index.keepPages(of: open.stat, in: work.id, problem: open.problem)
    }
    let isWhole = open.isEnded && open.waiting == 0
    let pages = isWhole ? open.pages : open.pages.filter { $0.content != nil }
    try index.store(
      open.stat, in: work.id, format: open.format, pages: pages, problem: open.problem,
      isWhole: isWhole)
    // The index has them now, by their hashes.
    for page in open.pages.indices { files[file].pages[page].content = nil }
    if isWhole { files[file].pages = [] }
  }
}
