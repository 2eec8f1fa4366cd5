import Files
import Foundation
import InkCore
import InkEditor

/// Writes lines into an editor with all gestures, counts those that are found in plain writing, and
/// then draws gestures over the words.
struct GestureScenario {
  private(set) var figures = GestureFigures()
  private var drawer: GestureDrawer
  private var times: [Double] = []
  /// True if no gestures are drawn: only false alarms count.
  private let isPlain: Bool

  init(seed: UInt64, isPlain: Bool = false) {
    drawer = GestureDrawer(seed: seed)
    self.isPlain = isPlain
  }

  /// The figures with the times.
  var finished: GestureFigures {
    var result = figures
    result.penUpToEffectMs = Percentiles(times)
    return result
  }

  /// Writes a page and draws one gesture of each kind over it.
  mutating func run(_ page: EditorPage, in session: EditorSession) throws {
    let editor = session.editor
    let log = GestureLog()
    editor.delegate = log
    for name in ["raw-content", "text", "diagram"] {
      try editor.configuration.set("\(name).pen.gestures", to: GestureKind.names)
    }
    try editor.configuration.set("gesture.surround.action", to: "highlight")
    try session.write(page.strokes, .points)
    figures.words += page.wordCount
    for gesture in log.take() {
      figures.kinds[gesture.kind.rawValue, default: .init()].falseAlarms += 1
    }
    guard !isPlain, let root = editor.rootBlock else { return }
    for kind in [
      GestureKind.underline, .strikeThrough, .surround, .insert, .join, .scratchOut,
    ] {
      let lines = root.lines.filter { $0.words.count > 1 }
      guard !lines.isEmpty else { return }
      let line = lines[drawer.index(below: lines.count)]
      guard let row = GestureDrawer.Row(line.words),
        let attempt = attempt(kind, line.words, row)
      else { continue }
      try draw(kind, attempt, editor, log)
    }
  }

  private struct Attempt {
    var points: [StrokePoint]
    /// Returns true if a gesture hits the right content.
    var isRight: (EditorGesture) -> Bool
  }

  private mutating func attempt(
    _ kind: GestureKind, _ words: [TextWord], _ row: GestureDrawer.Row
  ) -> Attempt? {
    let long = words.filter { $0.characters.count > 1 && $0.box.width > row.height }
    guard !long.isEmpty else { return nil }
    let word = long[drawer.index(below: long.count)]
    // A line of writing may rise or fall: a hand looks at the word and those beside it.
    let place = words.firstIndex { $0.id == word.id } ?? 0
    let near = Array(words[max(0, place - 1)...min(place + 1, words.count - 1)])
    let row = GestureDrawer.Row([word]) ?? GestureDrawer.Row(near) ?? row
    func hits(_ gesture: EditorGesture) -> Bool { gesture.words == [word.id] }
    switch kind {
    case .underline: return Attempt(points: drawer.underline(word.box, row), isRight: hits)
    case .strikeThrough: return Attempt(points: drawer.strikeThrough(word.box, row), isRight: hits)
    case .surround: return Attempt(points: drawer.surround(word.box, row), isRight: hits)
    case .scratchOut: return Attempt(points: drawer.scratchOut(word.box, row), isRight: hits)
    case .insert:
      // Between two letters that do not overlap: where a writer would put a space.
      let letters = word.characters
      let places = letters.indices.dropFirst().filter { index in
        guard let left = letters[index - 1].box, let right = letters[index].box else {
          return false
        }
        return left.maxX < right.minX + 0.3 * row.height && left.width > 0.3 * row.height
          && right.width > 0.3 * row.height
      }
      guard !places.isEmpty else { return nil }
      let place = places[drawer.index(below: places.count)]
      guard let left = letters[place - 1].box, let right = letters[place].box else { return nil }
      let x = (left.maxX + right.minX) / 2
      return Attempt(
        points: drawer.upright(at: x, top: min(left.minY, right.minY), row, isDown: true)
      ) { gesture in
        guard let before = gesture.before, let after = gesture.after else { return false }
        return letters[..<place].contains { $0.parts.contains(before) }
          && letters[place...].contains { $0.parts.contains(after) }
      }
    case .join:
      let places = words.indices.dropFirst().filter { words[$0].box.minX > words[$0 - 1].box.maxX }
      guard !places.isEmpty else { return nil }
      let place = places[drawer.index(below: places.count)]
      let (left, right) = (words[place - 1], words[place])
      let x = (left.box.maxX + right.box.minX) / 2
      return Attempt(
        points: drawer.upright(
          at: x, top: row.top - 0.5 * row.height, row, isDown: false)
      ) { gesture in
        guard let before = gesture.before, let after = gesture.after else { return false }
        return left.characters.contains { $0.parts.contains(before) }
          && right.characters.contains { $0.parts.contains(after) }
      }
    case .doubleUnderline, .tap, .doubleTap, .longPress: return nil
    }
  }

  private mutating func draw(
    _ kind: GestureKind, _ attempt: Attempt, _ editor: Editor, _ log: GestureLog
  ) throws {
    let steps = editor.undoStackIndex
    let events = EditorSession.events(attempt.points, id: -1)
    guard let up = events.last else { return }
    for event in events.dropLast() { try editor.send(event) }
    let start = ContinuousClock.now
    try editor.send(up)
    let sent = ContinuousClock.now
    try editor.waitUntilIdle()
    let told = log.take()
    figures.kinds[kind.rawValue, default: .init()].drawn += 1
    for gesture in told { figures.kinds[gesture.kind.rawValue, default: .init()].found += 1 }
    if let gesture = told.first, gesture.kind == kind, attempt.isRight(gesture) {
      figures.kinds[kind.rawValue, default: .init()].right += 1
      times.append((max(log.last ?? sent, sent) - start) / .milliseconds(1))
    }
    while editor.undoStackIndex > steps { try editor.undo() }
    try editor.waitUntilIdle()
  }
}

/// Collects the gestures that an editor reports.
private final class GestureLog: EditorDelegate, Sendable {
  private let log = Guarded<(gestures: [EditorGesture], last: ContinuousClock.Instant?)>(([], nil))

  /// The time of the last gesture.
  var last: ContinuousClock.Instant? { log.withLock { $0.last } }

  /// Returns the gestures since the last call, without taps, and forgets them.
  func take() -> [EditorGesture] {
    log.withLock { log in
      defer { log.gestures = [] }
      return log.gestures
    }
  }

  func editor(_ editor: Editor, didEmit event: EditorEvent) {
    guard case .gesture(let gesture) = event, gesture.pointer == nil else { return }
    log.withLock { $0 = ($0.gestures + [gesture], .now) }
  }
}
