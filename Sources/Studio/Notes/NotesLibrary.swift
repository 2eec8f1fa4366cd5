import Files
import Foundation
import InkFormats
import InkSearch
import Recognition

/// The folders of notes that the studio searches, and the work that keeps their index up to date.
///
/// The index is in the state of the project, so that only its owner can read it.
final class NotesLibrary: Sendable {
  /// The state of the work.
  struct Work: Sendable, Encodable {
    /// True while folders are read.
    var isRunning = false
    var files = 0
    var allFiles = 0
    var pages = 0
    var secondsLeft: Double?
    /// Why the last work ended early; nil if it did not.
    var problem: String?
  }

  /// The folders, absolute.
  let folders: [String]
  private let file: URL
  private let service: RecognitionService
  private let work = Guarded(Work())
  private let opened = Guarded<InkIndex?>(nil)
  private let recent = Guarded(RecentPages())

  /// The files whose pages stay in memory.
  private struct RecentPages: Sendable {
    var files: [(path: String, changed: Date?, pages: [Int: InkRecord])] = []
    static let most = 6
  }

  /// Makes the library of folders.
  ///
  /// - Parameters:
  ///   - folders: The folders; they need not exist yet.
  ///   - state: The folder of the index.
  ///   - service: Reads pages.
  init(_ folders: [URL], state: URL, service: RecognitionService) {
    var seen: Set<String> = []
    self.folders = folders.map(\.standardizedFileURL.path).filter { seen.insert($0).inserted }
    file = state.appendingPathComponent("notes.sqlite")
    self.service = service
  }

  /// The index, for reading; nil before there is one.
  ///
  /// - Throws: ``InkSearchError``.
  func index() throws(InkSearchError) -> InkIndex? {
    if let index = opened.withLock({ $0 }) { return index }
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    let index = try InkIndex(at: file)
    opened.withLock { $0 = index }
    return index
  }

  /// The state of the work.
  var state: Work { work.withLock(\.self) }

  // MARK: - Work

  /// Brings the folders up to date on a thread of its own; does nothing while that goes on.
  func update() {
    let isFirst = work.withLock { work in
      guard !work.isRunning, !folders.isEmpty else { return false }
      work = Work(isRunning: true)
      return true
    }
    guard isFirst else { return }
    // Reading takes a thread for minutes, which the server needs for its answers.
    Thread { [self] in
      var problem: String?
      do throws(InkSearchError) {
        try read()
      } catch {
        problem = error.description
      }
      work.withLock { [problem] work in
        work.isRunning = false
        work.problem = problem
      }
    }.start()
  }

  /// Reads what changed. A folder that cannot be read costs itself.
  private func read() throws(InkSearchError) {
    let index = try InkIndex(at: file, isWritten: true)
    // Folders that were named at an earlier start are no longer asked for.
    for known in try index.folders() where !folders.contains(known.path) {
      try index.forget(known.path)
    }
    let indexer = NotesIndexer(index, read: NotesIndexer.reader(service, NotesIndexer.request))
    var problem: InkSearchError?
    for folder in folders {
      do throws(InkSearchError) {
        _ = try indexer.update(
          folder,
          progress: { progress in
            work.withLock { work in
              work.files = progress.files
              work.allFiles = progress.allFiles
              work.pages = progress.pages
              work.secondsLeft = progress.secondsLeft
            }
          })
      } catch {
        guard case .badFolder = error else { throw error }
        problem = problem ?? error
      }
    }
    if let problem { throw problem }
  }

  // MARK: - Pages

  /// Returns a page of a file of the index; nil if the index has none, or the file is gone.
  ///
  /// - Parameters:
  ///   - path: The file. Only files of the index are read.
  ///   - page: The number of the page, from 1.
  func record(_ path: String, page: Int) throws(InkSearchError) -> InkRecord? {
    guard let index = try index(), try index.has(path, page: page) else { return nil }
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    let changed = attributes?[.modificationDate] as? Date
    if let known = recent.withLock({ recent in
      recent.files.first { $0.path == path && $0.changed == changed }?.pages
    }) {
      return known[page - 1]
    }
    let pages = PagePicture.pages(of: path)
    recent.withLock { recent in
      recent.files.removeAll { $0.path == path }
      recent.files.append((path, changed, pages))
      if recent.files.count > RecentPages.most { recent.files.removeFirst() }
    }
    return pages[page - 1]
  }
}
