import Files
import Foundation
import InkDatasets

/// The confusion matrices that pages look at: a few, in memory. Thread-safe.
///
/// Each is made of the answers of an evaluation, so that it agrees with the report. After a restart
/// they are made again when a page asks for them.
package actor Confusions {
  package init() {}

  /// The state of one.
  package struct State: Encodable, Sendable {
    var id: String
    var model: String
    var data: [String]
    /// True until all records are read.
    package var isRunning: Bool
    /// Records so far.
    var records: Int
    /// The reason why there is no matrix.
    package var problem: String?
    /// The matrix; nil until it is complete.
    package var matrix: PredictionSet.Matrix?
  }

  private struct Entry {
    var key: Key
    var id: String
    var progress: ProgressCount
    var result: Result<PredictionSet, StudioError>?
  }

  /// The input of a matrix.
  package struct Key: Hashable, Sendable {
    var model: String
    /// The path of the bundle with the time of its manifest: a model may be trained again.
    var bundle: String
    var data: [String]
    /// The times of the files of the data.
    var files: [String]

    package init(model: String, bundle: String, data: [String], files: [String]) {
      self.model = model
      self.bundle = bundle
      self.data = data
      self.files = files
    }
  }

  /// The most matrices that are kept.
  private static let mostKept = 3
  private var entries: [Entry] = []

  /// Begins to make a matrix, unless it is there already.
  ///
  /// - Parameters:
  ///   - answers: Returns the file with the answers, once the evaluation is complete.
  /// - Returns: Its name.
  package func begin(
    _ key: Key, isOfLines: Bool, data: [DataSpecification],
    answers: @escaping @Sendable (ProgressCount) async throws -> URL
  ) -> String {
    if let index = entries.firstIndex(where: { $0.key == key }) {
      let entry = entries.remove(at: index)
      // One with a problem is tried again.
      if (try? entry.result?.get()) != nil || entry.result == nil {
        entries.append(entry)
        return entry.id
      }
    }
    // A page looks at one at a time.
    for entry in entries where entry.result == nil { entry.progress.cancel() }
    entries.removeAll { $0.result == nil }
    if entries.count >= Self.mostKept { entries.removeFirst() }
    let entry = Entry(
      key: key, id: String(UInt64.random(in: 0 ... .max), radix: 36), progress: ProgressCount())
    entries.append(entry)
    let (id, progress) = (entry.id, entry.progress)
    Task {
      let result: Result<PredictionSet, StudioError>
      do {
        let file = try await answers(progress)
        let set = try await WorkQueue.studio.value {
          try PredictionSet(answers: file, isOfLines: isOfLines, on: data) { progress.note($0) }
        }
        result =
          set.records.isEmpty
          ? .failure(
            StudioError(
              .invalidValue,
              "expected labelled ink, found none; check the path, split= and labels=",
              field: "data")) : .success(set)
      } catch {
        result = .failure(StudioError.of(error))
      }
      finish(id, result)
    }
    return id
  }

  private func finish(_ id: String, _ result: Result<PredictionSet, StudioError>) {
    guard let index = entries.firstIndex(where: { $0.id == id }) else { return }
    entries[index].result = result
  }

  private func entry(_ id: String) throws(StudioError) -> Entry {
    guard let entry = entries.first(where: { $0.id == id }) else {
      throw StudioError(
        .notFound, "the confusion matrix is not in memory any more; compute it again", field: "id")
    }
    return entry
  }

  /// The state of a matrix.
  ///
  /// - Throws: ``StudioError`` of code `notFound`.
  package func state(_ id: String, size: Int) throws(StudioError) -> State {
    let entry = try entry(id)
    var state = State(
      id: id, model: entry.key.model, data: entry.key.data, isRunning: entry.result == nil,
      records: entry.progress.count)
    switch entry.result {
    case .success(let set)?: state.matrix = set.matrix(size: size)
    case .failure(let error)?: state.problem = error.description
    case nil: break
    }
    return state
  }

  /// The inks behind a cell.
  ///
  /// - Throws: ``StudioError`` of code `notFound`.
  package func inks(
    _ id: String, of pair: PredictionSet.Pair, from offset: Int
  ) throws(StudioError) -> (count: Int, inks: [PredictionSet.ShownInk]) {
    guard case .success(let set)? = try entry(id).result else {
      throw StudioError(.conflict, "the confusion matrix is not complete yet; wait for it")
    }
    return set.inks(of: pair, from: offset)
  }
}

/// The number of records of a computation, which can be cancelled. Thread-safe.
package final class ProgressCount: Sendable {
  private struct State {
    var records = 0
    var isCancelled = false
  }
  private let state = Guarded(State())

  /// The records so far.
  var count: Int { state.withLock { $0.records } }

  /// True if the computation is to end.
  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Ends the computation.
  func cancel() { state.withLock { $0.isCancelled = true } }

  /// Notes the records so far; returns false if the computation is to end.
  func note(_ count: Int) -> Bool {
    state.withLock { state in
      state.records = count
      return !state.isCancelled
    }
  }
}
