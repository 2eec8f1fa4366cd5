/// The numbers of changes that can be undone and redone.
struct HistoryCounts: Hashable, Sendable {
  var undo = 0
  var redo = 0

  init() {}

  init(_ history: History) { (undo, redo) = (history.undoCount, history.redoCount) }
}

/// The states of a document before its last changes, and those before each undo.
///
/// Memory is bounded: the oldest states are removed. States share their ink, and the lines of text
/// that did not change between them. A state takes about 10 bytes for each stroke of the document,
/// plus the changed lines.
package struct History {
  package init() {}

  /// The most changes that can be undone.
  /// 9.9 MB for the history of the page; the aim is 40 MB: growth of evaluate --through editor: a
  /// page of 500 words.
  package static let mostSteps = 100
  /// The most strokes in all states, if there are several states.
  /// 9.9 MB for the history of the page; the aim is 40 MB: growth of evaluate --through editor: a
  /// page of 500 words.
  static let mostStrokes = 250_000

  private var past: [DocumentState] = []
  /// The states that undo left, the last undone last.
  private var future: [DocumentState] = []
  private var pastStrokes = 0
  /// The number of removed states.
  private var forgotten = 0

  /// The items of all states. O(strokes of all states).
  var items: Set<Int> {
    var result: Set<Int> = []
    for state in past { result.formUnion(state.order) }
    for state in future { result.formUnion(state.order) }
    return result
  }

  package var undoCount: Int { past.count }
  var redoCount: Int { future.count }

  /// The number of changes in the document's past, including those that can no longer be undone.
  package var index: Int { forgotten + past.count }

  /// Adds the state before a change, and drops all undone changes.
  package mutating func push(_ before: DocumentState) {
    future = []
    append(before)
  }

  /// Returns the state before the last change, or nil if there is none.
  package mutating func undo(from current: () -> DocumentState) -> DocumentState? {
    guard let state = past.popLast() else { return nil }
    pastStrokes -= state.order.count
    future.append(current())
    return state
  }

  /// Returns the state before the last change and forgets that change; nil if there is none.
  mutating func withdraw() -> DocumentState? {
    guard let state = past.popLast() else { return nil }
    pastStrokes -= state.order.count
    return state
  }

  /// Returns the state before the last undo, or nil if there is none.
  mutating func redo(from current: () -> DocumentState) -> DocumentState? {
    guard let state = future.popLast() else { return nil }
    append(current())
    return state
  }

  /// Marks an item as moved, so that its readings in all states are updated.
  func move(_ item: Int) {
    for state in past { state.move(item) }
    for state in future { state.move(item) }
  }

  private mutating func append(_ state: DocumentState) {
    past.append(state)
    pastStrokes += state.order.count
    while past.count > Self.mostSteps || (past.count > 1 && pastStrokes > Self.mostStrokes) {
      pastStrokes -= past.removeFirst().order.count
      forgotten += 1
    }
  }
}
