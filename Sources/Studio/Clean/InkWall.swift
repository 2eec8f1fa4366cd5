import Files
import Foundation
import InkDatasets
import InkFormats
import Recognition

/// Opened data: its inks, the decisions about them, and what models say. Thread-safe.
///
/// The data is read in the background, once. Decisions are added to a file of the project, which
/// other programs may write too: it is read again when it has changed.
final class InkWall: Sendable {
  /// The identifier of the wall, another one each time data is opened.
  let id: String
  /// The data as the page named it.
  let text: String
  /// The data with paths to open, without decisions.
  let data: DataSpecification
  /// The file of decisions.
  let file: DecisionPlace
  /// The files of the data as they were.
  let stamp: DataStamp
  /// The job that reads the data.
  let opening = WallJob(.open)

  private struct State {
    var state: WallState?
    var job: WallJob?
    var failures = 0
    var failureExamples: [String] = []
    var fileStamp: FileStamp?
    var selections: [Selection] = []
  }
  private let guarded = Guarded(State())

  /// The most selections that are kept, and the most failures that are shown.
  private static let (mostSelections, mostExamples) = (6, 5)

  /// Inks of a filter at a revision.
  private struct Selection {
    var filter: WallFilter
    var revision: Int
    var inks: [Int32]
  }

  /// Makes a wall that is empty until ``start()``.
  init(id: String, text: String, data: DataSpecification, file: DecisionPlace, stamp: DataStamp) {
    (self.id, self.text, self.file, self.stamp) = (id, text, file, stamp)
    var data = data
    data.decisions = nil
    self.data = data
  }

  // MARK: - Reading the data

  /// Reads the data in the background.
  func start() {
    opening.run { [self] job in
      var table = InkTable()
      for element in try data.keyedRecords() {
        if job.isCancelled { throw CancellationError() }
        switch element {
        case .success(let (record, key)):
          table.append(record, key)
          if table.count.isMultiple(of: 256) { job.progress(table.count) }
        case .failure(let error): note(error)
        }
        if table.isFull { break }
      }
      job.progress(table.count)
      let state = WallState(table)
      guarded.withLock { $0.state = state }
    }
  }

  private func note(_ error: InkFormatError) {
    guarded.withLock { wall in
      wall.failures += 1
      if wall.failureExamples.count < Self.mostExamples {
        wall.failureExamples.append(error.description)
      }
    }
  }

  /// The unreadable records, and the errors of the first ones.
  var unreadable: (count: Int, examples: [String]) {
    guarded.withLock { ($0.failures, $0.failureExamples) }
  }

  /// Stops all work: the wall is no longer used.
  func close() {
    opening.cancel()
    guarded.withLock { $0.job }?.cancel()
  }

  // MARK: - State

  /// The state with the present decisions of the file; nil while the data is read.
  ///
  /// - Throws: `DataError` for a file of decisions that cannot be read.
  func current() throws -> WallState? {
    try guarded.withLock { wall in
      guard wall.state != nil else { return nil }
      let stamp = FileStamp(of: file.url.path)
      if stamp != wall.fileStamp {
        wall.state?.decide(stamp == nil ? [:] : try DecisionFile(path: file.url.path).decisions)
        wall.fileStamp = stamp
      }
      return wall.state
    }
  }

  /// The state once the data is read.
  ///
  /// - Throws: ``StudioError`` of code `conflict` before, and the errors of ``current()``.
  func ready() throws -> WallState {
    if let state = try current() { return state }
    if let reason = opening.current.error { throw StudioError(.invalidValue, reason) }
    throw StudioError(.conflict, "the data is still being read; try again soon")
  }

  /// Adds decisions to the file, and returns once they are on the disk.
  ///
  /// - Throws: ``StudioError`` of code `conflict` for a record that the data does not have, and
  ///   `DataError`.
  func decide(_ entries: [DecisionEntry]) throws {
    let state = try ready()
    for entry in entries where state.ink(of: entry.key) == nil {
      throw StudioError(
        .conflict, "expected an ink of this data, found another; open the data again",
        field: "decisions")
    }
    _ = try file.project.folder(DecisionPlace.folder)
    try DecisionFile.append(entries, to: file.url.path)
  }

  /// Returns the inks of a filter.
  ///
  /// - Parameter revision: The revision to stay at, if it is still known. Decisions then do not
  ///   move inks in the list while somebody goes through it.
  func inks(
    of filter: WallFilter, at revision: Int?
  ) throws -> (inks: [Int32], revision: Int, state: WallState) {
    let state = try ready()
    let known = guarded.withLock { $0.selections }
    if let found = known.last(where: {
      $0.filter == filter && $0.revision == revision ?? state.revision
    }) {
      return (found.inks, found.revision, state)
    }
    let inks = filter.inks(of: state)
    guarded.withLock { wall in
      wall.selections.append(Selection(filter: filter, revision: state.revision, inks: inks))
      if wall.selections.count > Self.mostSelections { wall.selections.removeFirst() }
    }
    return (inks, state.revision, state)
  }

  // MARK: - Work

  /// The work that was started last; nil if there was none.
  var work: WallJob? { guarded.withLock { $0.job } }

  /// Starts work in the background.
  ///
  /// - Throws: ``StudioError`` of code `conflict` if other work is running.
  func begin(
    _ kind: WallJob.Kind, total: Int, _ work: @escaping @Sendable (WallJob) throws -> Void
  ) throws(StudioError) {
    let new = WallJob(kind, total: total)
    let isFree = guarded.withLock { wall in
      guard wall.job?.isRunning != true else { return false }
      wall.job = new
      return true
    }
    guard isFree else {
      throw StudioError(.conflict, "other work on this data is running; cancel it first")
    }
    new.run(work)
  }

  /// Changes the state, if the data is read.
  func update(_ change: (inout WallState) -> Void) {
    guarded.withLock { wall in
      guard var changed = wall.state else { return }
      // So that no array is shared, and none is copied.
      wall.state = nil
      change(&changed)
      wall.state = changed
    }
  }
}
