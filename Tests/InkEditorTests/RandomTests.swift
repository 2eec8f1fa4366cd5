import Foundation
import InkCore
import InkFormats
import PenInput
import Testing

@testable import InkEditor

/// Random calls, with a count of the ink that must exist.
struct RandomCaller {
  let desk: Desk
  var generator: SeededGenerator
  /// Items that were written and not removed.
  var expected: Set<Int> = []
  private var down: [Int: Int] = [:]
  /// Samples of pens so far, whose positions may be corrected.
  private var samples = 0
  /// The ids of pointers that this caller uses.
  let ids: [Int]
  /// True if other callers are active, so that only this caller's ink can be counted.
  let isAlone: Bool
  /// The expected ink before each change that can be undone, and before each undo.
  private var past: [Set<Int>] = []
  private var future: [Set<Int>] = []

  init(desk: Desk, seed: UInt64, stream: UInt64 = 0, ids: [Int] = [-1, 0, 1], isAlone: Bool = true)
  {
    self.desk = desk
    generator = SeededGenerator(seed: seed, stream, 0xED17)
    self.ids = ids
    self.isAlone = isAlone
  }

  private var editor: Editor { desk.editor }

  private mutating func number() -> Double {
    switch generator.index(below: 200) {
    case 0: .nan
    case 1: -.infinity
    case 2: 1e300
    default: Double(generator.uniform(0...180))
    }
  }

  private mutating func event(_ kind: PointerEvent.Kind, id: Int) -> PointerEvent {
    PointerEvent(
      kind, x: number(), y: number(), t: generator.index(below: 100) == 0 ? -9 : -1,
      force: generator.index(below: 100) == 0 ? -1 : Double(generator.uniform()), id: id)
  }

  /// Makes one random call; if it is a change, it can be undone.
  mutating func step() throws {
    if isAlone, generator.index(below: 25) == 0 { return travel() }
    try change { try $0.call() }
  }

  /// Makes a call that may be a change of the history.
  private mutating func change(_ body: (inout Self) throws -> Void) rethrows {
    let (before, index) = (expected, editor.undoStackIndex)
    try body(&self)
    guard isAlone, editor.undoStackIndex != index else { return }
    past.append(before)
    future = []
  }

  private mutating func travel() {
    past = past.suffix(editor.possibleUndoCount)
    let isBack = generator.index(below: 2) == 0
    guard (try? isBack ? editor.undo() : editor.redo()) == true else { return }
    if isBack {
      future.append(expected)
      expected = past.removeLast()
    } else {
      past.append(expected)
      expected = future.removeLast()
    }
    #expect(Set(editor.rootBlock?.items ?? []) == expected)
    checkLines()
  }

  /// Checks that all ink of each line is read in its current form or will be, in the order written.
  func checkLines() {
    editor.condition.withLock {
      guard let document = editor.lockedDocument else { return }
      for line in document.blocks.values.flatMap(\.lines) {
        #expect(line.runs.flatMap(\.items).sorted() == line.items.sorted())
        #expect(line.items == document.inOrder(line.items))
        for run in line.runs { check(run, of: line, in: document) }
      }
    }
  }

  private func check(_ run: TextRun, of line: TextLine, in document: Document) {
    #expect(run.items == document.inOrder(run.items))
    #expect(run.box == document.box(of: run.items))
    for item in run.items {
      guard case .line(let ownLine, let ownRun)? = document.places[item] else {
        Issue.record("an item of a line is in none")
        continue
      }
      #expect(ownLine === line && ownRun === run)
    }
    guard run.state == .current else { return }
    #expect(run.moved.isEmpty || run.isFixed)
    let marks = Set(run.items).subtracting(run.words.flatMap(\.items))
    let words = BoundingBox(holding: run.words.map(\.box))
    #expect(
      marks.isEmpty
        || run.isFixed
          && marks.allSatisfy { item in
            guard let words, let box = document.strokes[item]?.box else { return false }
            return document.grouper.isSmall(box) || words.gapX(to: box) == 0
          }
    )
  }

  private mutating func call() throws {
    let id = ids[generator.index(below: ids.count)]
    switch generator.index(below: 100) {
    case 0..<20: sendDown(id)
    case 20..<60: _ = try? editor.send(event(.move, id: id))
    case 60..<76: sendUp(id)
    case 76...77 where isAlone: try drawWithPen()
    case 78...79 where isAlone: try correctPen()
    case 80: sendCancel(id)
    case 81..<86: sendBatch()
    case 86...87 where isAlone: removeSome()
    case 88 where isAlone: removeBlock()
    case 89: try choose()
    case 90 where isAlone: if generator.index(below: 20) == 0 { clear() }
    case 91 where isAlone: paste()
    case 92 where isAlone: force()
    case 93: _ = try? editor.hitBlock(x: number(), y: number())
    case 94: _ = try? editor.export(as: .jiix)
    case 95 where isAlone: swapPart()
    case 96: try? editor.recognize()
    case 97: _ = editor.rootBlock?.children.map(\.lines)
    case 98:
      let triggers = ["stroke", "idle", "demand"]
      try editor.configuration.set(
        "recognition.trigger", to: triggers[generator.index(below: triggers.count)])
      try editor.configuration.set("recognition.idle-delay", to: 1)
    default: if generator.index(below: 10) == 0 { try editor.waitUntilIdle() }
    }
  }

  private mutating func sendDown(_ id: Int) {
    if let item = try? editor.send(event(.down, id: id)) { down[id] = item }
  }

  private mutating func sendUp(_ id: Int) {
    let event = event(.up, id: id)
    // `send` returns nil for an up event, which `try?` cannot distinguish from an error.
    guard
      (try? editor.pointerUp(x: event.x, y: event.y, t: event.t, force: event.force, id: id))
        != nil, let item = down.removeValue(forKey: id)
    else { return }
    expected.insert(item)
  }

  /// A stroke of a pen whose positions may be corrected later.
  private mutating func drawWithPen() throws {
    let (x, y) = (Double(generator.uniform(0...180)), Double(generator.uniform(0...180)))
    func sample(_ step: Int) -> PenSample {
      samples += 1
      return PenSample(
        point: StrokePoint(x: x + Double(step), y: y + 2 * Double(step), t: Double(samples)),
        estimated: .location, expectingUpdates: .location, updateIndex: samples)
    }
    let item = try editor.handle(.began(sample(0)))
    try editor.handle(.moved(coalesced: [sample(1), sample(2)], predicted: []))
    try editor.handle(.ended(nil))
    if let item { expected.insert(item) }
  }

  private mutating func correctPen() throws {
    guard samples > 0 else { return }
    let index = samples - generator.index(below: min(samples, 12))
    try editor.handle(
      .updated(
        PenUpdate(
          index: index,
          location: .init(
            x: Double(generator.uniform(0...180)), y: Double(generator.uniform(0...180))))))
  }

  private mutating func sendCancel(_ id: Int) {
    if (try? editor.pointerCancel(id: id)) != nil { down[id] = nil }
  }

  private mutating func sendBatch() {
    let text = ["ab", "cat dog", "x", "hello"][generator.index(below: 4)]
    let strokes =
      generator.index(below: 3) == 0
      ? [
        Pen.rectangle(
          x: Double(generator.uniform(0...100)), y: Double(generator.uniform(0...100)), width: 30,
          height: 20)
      ]
      : Pen.strokes(
        text, x: Double(generator.uniform(0...150)), y: Double(generator.uniform(0...150)))
    let events = strokes.flatMap { points in
      points.enumerated().map { index, point in
        PointerEvent(
          index == 0 ? .down : index == points.count - 1 ? .up : .move, x: point.x, y: point.y,
          id: ids[0])
      }
    }
    if let items = try? editor.pointerEvents(
      events, processGestures: generator.index(below: 2) == 0)
    {
      expected.formUnion(items)
    }
  }

  private mutating func removeSome() {
    let items = editor.rootBlock?.items ?? []
    guard !items.isEmpty else { return }
    let gone = (0..<3).map { _ in items[generator.index(below: items.count)] }
    if (try? editor.removeItems(gone)) != nil { expected.subtract(gone) }
  }

  private mutating func removeBlock() {
    let blocks = editor.rootBlock?.children ?? []
    guard !blocks.isEmpty else { return }
    let block = blocks[generator.index(below: blocks.count)]
    // The content of the block may change before the call: the remaining ink counts.
    guard (try? editor.removeBlock(block)) != nil else { return }
    expected.formIntersection(editor.rootBlock?.items ?? [])
  }

  private mutating func choose() throws {
    let blocks = [editor.rootBlock].compactMap { $0 } + (editor.rootBlock?.children ?? [])
    for block in blocks where block.type == .text {
      let words = block.words
      guard !words.isEmpty else { continue }
      let place = generator.index(below: words.count)
      let candidates = words[place].candidates
      guard !candidates.isEmpty else { continue }
      let text = candidates[generator.index(below: candidates.count)].text
      _ = try? editor.choose(text, forWord: place, in: block)
      return
    }
  }

  private mutating func clear() {
    if (try? editor.clear()) != nil { expected = [] }
  }

  private mutating func paste() {
    let blocks = editor.rootBlock?.children ?? []
    if let block = blocks.randomElement(using: &generator) { try? editor.copy(block) }
    if let pasted = try? editor.paste(x: number(), y: number()) {
      expected.formUnion(pasted.items)
    }
  }

  private mutating func force() {
    let items = editor.rootBlock?.items ?? []
    guard !items.isEmpty else { return }
    let some = (0..<4).map { _ in items[generator.index(below: items.count)] }
    try? editor.set(
      type: SelectionType.allCases[generator.index(below: 3)], for: some,
      asOneBlock: generator.index(below: 2) == 0)
  }

  private mutating func swapPart() {
    guard let part = editor.part, (try? editor.setPart(nil)) != nil else { return }
    try? editor.setPart(part)
  }

  /// Lifts all pointers.
  mutating func finish() {
    for (id, item) in down.sorted(by: { $0.key < $1.key }) {
      change { caller in
        if (try? caller.editor.pointerUp(x: 5, y: 5, id: id)) != nil {
          caller.expected.insert(item)
        }
      }
    }
    down = [:]
  }

  /// Lifts all pointers and starts again.
  mutating func startOver() {
    finish()
    change { $0.clear() }
  }
}

@Suite("Random calls")
struct RandomTests {
  /// Each seed makes 10,000 calls.
  @Test(
    "200,000 random events and calls: no crash, no deadlock, no ink lost",
    arguments: UInt64(1)...20)
  func alone(_ seed: UInt64) throws {
    let desk = try Desk(type: ["Text", "Raw Content", "Drawing"][Int(seed % 3)])
    var caller = RandomCaller(desk: desk, seed: seed)
    for _ in 0..<10_000 {
      try caller.step()
      if caller.expected.count > 300 { caller.startOver() }
    }
    caller.finish()
    try desk.editor.recognize()
    try desk.editor.waitUntilIdle()
    let root = try desk.root
    #expect(Set(root.items) == caller.expected, "seed \(seed)")
    caller.checkLines()
    try check(desk, seed)
    // All undos and redos end in the initial state, once everything is read.
    let json = try desk.editor.export(as: .jiix)
    var count = 0
    while try desk.editor.undo() { count += 1 }
    for _ in 0..<count { #expect(try desk.editor.redo()) }
    try desk.editor.waitUntilIdle()
    #expect(try desk.editor.export(as: .jiix) == json, "seed \(seed)")
  }

  @Test("four callers at once: no crash, no deadlock, no ink lost", arguments: UInt64(1)...4)
  func together(_ seed: UInt64) async throws {
    let desk = try Desk(type: ["Text", "Raw Content"][Int(seed % 2)])
    let expected = try await withThrowingTaskGroup(of: Set<Int>.self) { group in
      for stream in UInt64(0)..<4 {
        group.addTask {
          var caller = RandomCaller(
            desk: desk, seed: seed, stream: stream, ids: [Int(stream)], isAlone: false)
          for _ in 0..<1000 { try caller.step() }
          caller.finish()
          return caller.expected
        }
      }
      return try await group.reduce(into: Set<Int>()) { $0.formUnion($1) }
    }
    try desk.editor.recognize()
    try await desk.editor.becomeIdle()
    let found = Set(try desk.root.items)
    #expect(expected.subtracting(found).isEmpty, "lost, seed \(seed)")
    #expect(found.subtracting(expected).isEmpty, "left over, seed \(seed)")
    try check(desk, seed)
  }

  /// Every item is in one block, and the export is valid.
  private func check(_ desk: Desk, _ seed: UInt64) throws {
    let root = try desk.root
    var counts: [Int: Int] = [:]
    func count(_ block: ContentBlock) {
      if block.type == .text {
        block.lines.flatMap(\.items).forEach { counts[$0, default: 0] += 1 }
      }
      if block.type != .text && block.type != .rawContent {
        block.items.forEach { counts[$0, default: 0] += 1 }
      }
      block.children.forEach(count)
    }
    count(root)
    #expect(Set(counts.keys) == Set(root.items), "seed \(seed)")
    #expect(counts.values.allSatisfy { $0 == 1 }, "seed \(seed)")
    try desk.editor.configuration.set("recognition.trigger", to: "stroke")
    let json = try desk.editor.export(as: .jiix)
    #expect(try JSONSchema.jiix().faults(json).isEmpty, "seed \(seed)")
    #expect(throws: Never.self) { try JIIXBlock(parsing: Data(json.utf8)) }
  }
}
