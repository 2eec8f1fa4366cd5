/// What a document was before each of its last changes, and what it was before they were undone.
///
/// Memory is bounded: the oldest states are forgotten. States share their ink, and what was read of lines
/// that did not change between them: one takes some 10 to 40 bytes for each stroke of the document, and the
/// readings of the line that was written.
struct History {
  /// Changes that can be undone at most.
  static let mostSteps = 100
  /// Strokes of all states at most, where there is more than one.
  static let mostStrokes = 250_000

  private var past: [DocumentState] = []
  /// The state undone last is last.
  private var future: [DocumentState] = []
  private var pastStrokes = 0
  /// States that were forgotten.
  private var forgotten = 0

  /// The items of all states. O(strokes of all states).
  var items: Set<Int> {
    var result: Set<Int> = []
    for state in past { result.formUnion(state.order) }
    for state in future { result.formUnion(state.order) }
    return result
  }

  var undoCount: Int { past.count }
  var redoCount: Int { future.count }

  /// The changes that the document has come through, those that cannot be undone any more too.
  var index: Int { forgotten + past.count }

  /// A change was made: what was undone before it is lost.
  mutating func push(_ before: DocumentState) {
    future = []
    append(before)
  }

  /// The state before the last change; nil where there is none.
  mutating func undo(from current: () -> DocumentState) -> DocumentState? {
    guard let state = past.popLast() else { return nil }
    pastStrokes -= state.order.count
    future.append(current())
    return state
  }

  /// The state before the last change, which is as if it had not been made; nil where there is none.
  mutating func withdraw() -> DocumentState? {
    guard let state = past.popLast() else { return nil }
    pastStrokes -= state.order.count
    return state
  }

  /// The state before the last change was undone; nil where there is none.
  mutating func redo(from current: () -> DocumentState) -> DocumentState? {
    guard let state = future.popLast() else { return nil }
    append(current())
    return state
  }

  /// Ink of an item has moved: what was read of it in any state is read again.
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
