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
  /// Gestures of people, or nil.
  private let tracings: GestureTracings?
  /// The number of gestures of people that were drawn.
  private var traced = 0

  init(seed: UInt64, tracings: GestureTracings? = nil) {
    drawer = GestureDrawer(seed: seed)
    self.tracings = tracings
    if tracings != nil { figures.people = [:] }
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
    guard let root = editor.rootBlock else { return }
    for form in Form.allCases {
      guard let (line, row) = line(of: root) else { continue }
      guard let attempt = attempt(form, line.words, row) else { continue }
      let counts = try draw(form.kind, attempt, editor, log)
      for gesture in counts.found {
        let name = gesture == form.kind ? form.rawValue : gesture.rawValue
        figures.kinds[name, default: .init()].found += 1
      }
      figures.kinds[form.rawValue, default: .init()].drawn += 1
      if counts.isRight { figures.kinds[form.rawValue, default: .init()].right += 1 }
    }
    guard let tracings, !tracings.sorts.isEmpty else { return }
    for _ in 0..<Self.tracingsOfPage {
      guard let (line, row) = line(of: root) else { continue }
      let sort = tracings.sorts[traced % tracings.sorts.count]
      traced += 1
      guard let attempt = attempt(sort, tracings, line.words, row) else { continue }
      let counts = try draw(sort.kind, attempt, editor, log)
      var people = figures.people?[sort.name] ?? .init()
      people.drawn += 1
      people.found += counts.found.count
      let isRight = sort.kind == nil ? counts.found.isEmpty : counts.isRight
      if isRight { people.right += 1 }
      figures.people?[sort.name] = people
    }
  }

  private static let tracingsOfPage = 2

  /// A form of a gesture that the generator draws. The name is that of its kind if there is only
  /// one form, or this is the usual one.
  private enum Form: String, CaseIterable {
    case underline
    case strikeThrough = "strike-through"
    case surround
    case insert
    case join
    case scratchOut = "scratch-out"
    case caret = "insert.caret"
    case arch = "join.arch"

    var kind: GestureKind {
      switch self {
      case .underline: .underline
      case .strikeThrough: .strikeThrough
      case .surround: .surround
      case .insert, .caret: .insert
      case .join, .arch: .join
      case .scratchOut: .scratchOut
      }
    }
  }

  private mutating func line(of root: ContentBlock) -> (TextLineReading, GestureDrawer.Row)? {
    let lines = root.lines.filter { $0.words.count > 1 }
    guard !lines.isEmpty else { return nil }
    let line = lines[drawer.index(below: lines.count)]
    return GestureDrawer.Row(line.words).map { (line, $0) }
  }

  /// A gesture to draw.
  private struct Attempt {
    var points: [StrokePoint]
    var target: Target
  }

  /// The content that a gesture is to hit.
  private enum Target {
    case word(Int)
    /// A place between the ink of characters.
    case place(before: [ItemPart], after: [ItemPart])

    func isHit(by gesture: EditorGesture) -> Bool {
      switch self {
      case .word(let id): gesture.words == [id]
      case .place(let before, let after):
        gesture.before.map(before.contains) ?? false && gesture.after.map(after.contains) ?? false
      }
    }
  }

  /// A word that a gesture is drawn over, and the place of small letters there.
  private mutating func word(
    _ words: [TextWord], _ row: GestureDrawer.Row
  ) -> (TextWord, GestureDrawer.Row)? {
    let long = words.filter { $0.characters.count > 1 && $0.box.width > row.height }
    guard !long.isEmpty else { return nil }
    let word = long[drawer.index(below: long.count)]
    // A line of writing may rise or fall: a hand looks at the word and those beside it.
    let place = words.firstIndex { $0.id == word.id } ?? 0
    let near = Array(words[max(0, place - 1)...min(place + 1, words.count - 1)])
    let own = GestureDrawer.Row([word]) ?? GestureDrawer.Row(letters: word.characters, least: 1)
    return (word, own ?? GestureDrawer.Row(near) ?? row)
  }

  /// A place between two letters of a word that do not overlap: where a writer would put a space.
  private struct Gap {
    var x: Double
    /// The top of the letters beside it.
    var top: Double
    /// The place of the small letters beside it.
    var row: GestureDrawer.Row
    var target: Target
  }

  private mutating func gap(in word: TextWord, _ row: GestureDrawer.Row) -> Gap? {
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
    let near = letters[max(0, place - 2)...min(place + 1, letters.count - 1)]
    return Gap(
      x: (left.maxX + right.minX) / 2, top: min(left.minY, right.minY),
      row: GestureDrawer.Row(letters: Array(near), least: 1) ?? row,
      target: .place(
        before: letters[..<place].flatMap(\.parts), after: letters[place...].flatMap(\.parts)))
  }

  private mutating func attempt(
    _ form: Form, _ words: [TextWord], _ row: GestureDrawer.Row
  ) -> Attempt? {
    guard let (word, row) = word(words, row) else { return nil }
    let target = Target.word(word.id)
    switch form {
    case .underline: return Attempt(points: drawer.underline(word.box, row), target: target)
    case .strikeThrough: return Attempt(points: drawer.strikeThrough(word.box, row), target: target)
    case .surround: return Attempt(points: drawer.surround(word.box, row), target: target)
    case .scratchOut: return Attempt(points: drawer.scratchOut(word.box, row), target: target)
    case .insert, .caret:
      guard let gap = gap(in: word, row) else { return nil }
      return Attempt(
        points: form == .insert
          ? drawer.upright(at: gap.x, top: gap.top, gap.row, isDown: true)
          : drawer.caret(at: gap.x, gap.row), target: gap.target)
    case .join, .arch:
      let places = words.indices.dropFirst().filter { words[$0].box.minX > words[$0 - 1].box.maxX }
      guard !places.isEmpty else { return nil }
      let place = places[drawer.index(below: places.count)]
      let (left, right) = (words[place - 1], words[place])
      let row =
        GestureDrawer.Row(
          letters: left.characters.suffix(3) + right.characters.prefix(3), least: 1) ?? row
      return Attempt(
        points: form == .join
          ? drawer.upright(
            at: (left.box.maxX + right.box.minX) / 2, top: row.top - 0.5 * row.height, row,
            isDown: false)
          : drawer.arch(
            from: left.box.maxX, to: right.box.minX, top: min(left.box.minY, right.box.minY),
            bottom: row.baseline, row),
        target: .place(
          before: left.characters.flatMap(\.parts), after: right.characters.flatMap(\.parts)))
    }
  }

  /// Places a gesture of a person.
  private mutating func attempt(
    _ sort: GestureTracings.Sort, _ tracings: GestureTracings, _ words: [TextWord],
    _ row: GestureDrawer.Row
  ) -> Attempt? {
    guard let found = word(words, row) else { return nil }
    let word = found.0
    var row = found.1
    var x = word.box.midX
    var target = Target.word(word.id)
    if sort.placing == .tip {
      guard let gap = gap(in: word, row) else { return nil }
      (x, target, row) = (gap.x, gap.target, gap.row)
    }
    let points = tracings.ink(
      sort, index: drawer.index(below: tracings.count(of: sort)), over: word.box, tipAt: x, row,
      sizes: (drawer.share(), drawer.share()))
    return points.map { Attempt(points: $0, target: target) }
  }

  /// Draws a gesture, and takes its effect back.
  private mutating func draw(
    _ kind: GestureKind?, _ attempt: Attempt, _ editor: Editor, _ log: GestureLog
  ) throws -> (found: [GestureKind], isRight: Bool) {
    let steps = editor.undoStackIndex
    let events = EditorSession.events(attempt.points, id: -1)
    guard let up = events.last else { return ([], false) }
    for event in events.dropLast() { try editor.send(event) }
    let start = ContinuousClock.now
    try editor.send(up)
    let sent = ContinuousClock.now
    try editor.waitUntilIdle()
    let told = log.take()
    let isRight = told.first.map { $0.kind == kind && attempt.target.isHit(by: $0) } ?? false
    if isRight { times.append((max(log.last ?? sent, sent) - start) / .milliseconds(1)) }
    while editor.undoStackIndex > steps { try editor.undo() }
    try editor.waitUntilIdle()
    return (told.map(\.kind), isRight)
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
