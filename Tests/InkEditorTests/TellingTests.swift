import Foundation
import InkCore
import InkEditor
import Recognition
import TestSamples
import Testing

@Suite("Telling, reading and being idle")
struct TellingTests {
  @Test(
    "Every stroke is told before it is read, under every trigger",
    arguments: ["stroke", "idle", "demand"])
  func tellsAtOnce(_ trigger: String) throws {
    let desk = try Desk(delay: 4) {
      try $0.configuration.set("recognition.trigger", to: trigger)
      try $0.configuration.set("recognition.idle-delay", to: 600_000)
    }
    let told = DispatchSemaphore(value: 0)
    let listener = Listener { _, event in
      if case .contentChanged(_, _, let updated) = event, updated == ["0"] { told.signal() }
    }
    desk.editor.delegate = listener
    try desk.write("a")
    #expect(told.wait(timeout: .now() + 5) == .success)
    #expect(try desk.root.words.isEmpty)
  }

  @Test("On demand nothing but recognize reads, whatever is changed")
  func demandIsObeyed() throws {
    let desk = try Desk(type: "Raw Content") {
      try $0.configuration.set("recognition.trigger", to: "demand")
    }
    let items = try desk.write("abc def")
    try desk.editor.set(type: .text, for: items, asOneBlock: true)
    try desk.editor.pointerDown(x: 24, y: 15, type: .eraser)
    try desk.editor.pointerUp(x: 24, y: 15.1, type: .eraser)
    try desk.editor.removeItems([items[5]])
    desk.engine.modelsDidChange()
    try desk.editor.undo()
    try desk.editor.redo()
    let part = try #require(desk.editor.part)
    try desk.editor.setPart(nil)
    try desk.editor.setPart(part)
    let block = try #require(try desk.root.children.first)
    try desk.editor.copy(block)
    try desk.editor.paste(x: 60, y: 60)
    try desk.editor.removeBlock(block)
    try desk.editor.waitUntilIdle()
    #expect(desk.reader.calls.isEmpty)
    try desk.editor.recognize()
    try desk.editor.waitUntilIdle()
    #expect(!desk.reader.calls.isEmpty)
    desk.reader.forget()
    try desk.editor.clear()
    try desk.editor.waitUntilIdle()
    #expect(desk.reader.calls.isEmpty)
  }

  @Test("A demand reads all ink requested by it, even if more is written meanwhile")
  func askedIsRead() throws {
    let desk = try Desk(delay: 0.05) {
      try $0.configuration.set("recognition.trigger", to: "demand")
    }
    for row in 1...4 { try desk.write("ab", y: Double(row) * 20) }
    try desk.editor.recognize()
    try desk.write("cd", y: 120)
    #expect(try desk.text() == "ab\nab\nab\nab")
    #expect(desk.editor.unreadCount == 1)
  }

  @Test("An unread line above the others is the one that is missing and counted")
  func firstLineUnread() throws {
    let desk = try Desk(delay: 0.05) {
      try $0.configuration.set("recognition.trigger", to: "demand")
    }
    for row in 2...4 { try desk.write("ab", y: Double(row) * 20) }
    try desk.editor.recognize()
    try desk.write("cd", y: 20)
    #expect(try desk.text() == "ab\nab\nab")
    #expect(desk.editor.unreadCount == 1 && desk.editor.pendingCount == 0)
    try desk.editor.recognize()
    #expect(try desk.text() == "cd\nab\nab\nab")
    #expect(desk.editor.unreadCount == 0)
  }

  @Test("Requested ink is pending until it is read; ink that nobody asked for is not")
  func pending() throws {
    let held = HeldReader()
    let desk = try Desk { try $0.configuration.set("recognition.trigger", to: "demand") }
    desk.models.setText(held, bundle: "en_US")
    desk.engine.modelsDidChange()
    try desk.write("ab")
    #expect(desk.editor.pendingCount == 0 && desk.editor.unreadCount == 1)
    try desk.editor.recognize()
    held.asked.wait()
    #expect(desk.editor.pendingCount == 1 && !desk.editor.isIdle)
    try desk.write("cd", y: 60)
    #expect(desk.editor.pendingCount == 1)
    held.mayAnswer.signal()
    try desk.editor.waitUntilIdle()
    #expect(desk.editor.pendingCount == 0 && desk.editor.unreadCount == 1)
  }

  /// A reader that waits until it may answer.
  private final class HeldReader: Recognizer, Sendable {
    let asked = DispatchSemaphore(value: 0)
    let mayAnswer = DispatchSemaphore(value: 0)
    private let reader = FakeReader()
    var labels: [String]? { nil }

    func recognize(
      _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
    ) throws -> RecognitionResult {
      asked.signal()
      mayAnswer.wait()
      return try reader.recognize(ink, context: context, maximumCandidates: maximumCandidates)
    }
  }

  @Test("Each kind of event that has a method of its own is told there, with its facts")
  func methodsPerKind() throws {
    let desk = try Desk(type: nil)
    let listener = KindListener()
    desk.editor.delegate = listener
    let part = try desk.engine.makePart(type: "Text")
    try desk.editor.setPart(part)
    try desk.write("ab")
    try desk.editor.waitUntilIdle()
    desk.models.setText(
      ScriptedReader { _ in throw MissingModel(name: "x") }, bundle: "en_US")
    desk.engine.modelsDidChange()
    try desk.write("cd", y: 60)
    try desk.editor.waitUntilIdle()
    try desk.editor.setPart(nil)
    try desk.editor.waitUntilIdle()
    let calls = listener.calls
    #expect(calls.first == "part \(part.id)" && calls.contains("part nil"))
    #expect(calls.contains("active 0") && calls.contains("active nil"))
    #expect(calls.contains { $0.hasPrefix("content") && $0.contains("0") })
    #expect(calls.contains { $0.hasPrefix("notice") })
  }

  /// Collects the calls of the methods per kind.
  private final class KindListener: EditorDelegate, @unchecked Sendable {
    // Unchecked because the lock guards the log.
    private let lock = NSLock()
    private var log: [String] = []
    var calls: [String] { lock.withLock { log } }

    private func add(_ call: String) { lock.withLock { log.append(call) } }

    func editor(_ editor: Editor, partDidChangeFrom old: ContentPart?, to new: ContentPart?) {
      add("part \(new?.id ?? "nil")")
    }

    func editor(
      _ editor: Editor, contentDidChange added: [String], removed: [String], updated: [String]
    ) {
      add("content \(added) \(removed) \(updated)")
    }

    func editor(_ editor: Editor, activeBlockDidChange block: String?) {
      add("active \(block ?? "nil")")
    }

    func editor(_ editor: Editor, didFind notice: EditorNotice) { add("notice \(notice.code)") }
  }

  @Test("Events begin with the present state, and both streams end with the editor")
  func streams() async throws {
    var desk: Desk? = try Desk(type: "Raw Content")
    try desk?.write("ab")
    try desk?.editor.waitUntilIdle()
    let block = try #require(try desk?.root.children.first)
    let part = try #require(desk?.editor.part)
    let events = try #require(desk?.editor.events)
    let texts = try #require(desk?.editor.activeText)
    desk = nil
    var all: [EditorEvent] = []
    for await event in events { all.append(event) }
    #expect(
      all == [
        .partChanged(old: nil, new: part), .activeBlockChanged(block.id),
        .contentChanged(added: ["0", block.id], removed: [], updated: []),
      ])
    var labels: [[String]] = []
    for await text in texts { labels.append(text.words.map(\.label)) }
    #expect(labels == [["ab"]])
    #expect(!block.isValid && block.words.isEmpty)
  }

  @Test("Setting a part tells both parts, then the active block, then the content and its text")
  func partChange() async throws {
    let desk = try Desk()
    let first = try #require(desk.editor.part)
    try desk.write("ab")
    try desk.editor.waitUntilIdle()
    let texts = desk.editor.activeText
    var iterator = texts.makeAsyncIterator()
    #expect(await iterator.next()?.words.map(\.label) == ["ab"])
    let listener = Listener()
    desk.editor.delegate = listener
    let second = try desk.engine.makePart(type: "Text")
    try desk.editor.setPart(second)
    #expect(await iterator.next() == ActiveText(block: nil, lines: []))
    try desk.editor.setPart(first)
    #expect(await iterator.next()?.words.map(\.label) == ["ab"])
    try desk.editor.waitUntilIdle()
    #expect(
      listener.events == [
        .partChanged(old: first, new: second), .activeBlockChanged(nil),
        .contentChanged(added: ["0"], removed: [], updated: []),
        .historyChanged(undo: 0, redo: 0),
        .partChanged(old: second, new: first), .activeBlockChanged("0"),
        .contentChanged(added: ["0"], removed: [], updated: []),
        .historyChanged(undo: 2, redo: 0),
      ])
  }

  @Test("The root is told with its blocks, and erasing elsewhere leaves the active block")
  func rootAndActive() throws {
    let desk = try Desk(type: "Raw Content")
    let first = try desk.write("abc", y: 15)
    try desk.write("def", y: 90)
    try desk.editor.waitUntilIdle()
    let active = try #require(desk.editor.activeBlock)
    let listener = Listener()
    desk.editor.delegate = listener
    try desk.editor.removeItems([first[0]])
    try desk.editor.waitUntilIdle()
    #expect(desk.editor.activeBlock == active)
    #expect(
      listener.events.contains {
        if case .contentChanged(_, _, let updated) = $0 { updated.contains("0") } else { false }
      })
    #expect(!listener.events.contains { if case .activeBlockChanged = $0 { true } else { false } })
    try desk.editor.removeBlock(active)
    #expect(desk.editor.activeBlock == nil)
  }

  @Test("10,000 changes that nobody reads are one event")
  func merged() async throws {
    let desk = try Desk(type: "Drawing")
    let events = desk.editor.events
    let start = [
      PointerEvent(.down, x: 1, y: 1, t: 1, id: 0), PointerEvent(.up, x: 20, y: 20, t: 2, id: 0),
    ]
    for _ in 0..<10_000 {
      try desk.editor.send(start[0])
      try desk.editor.send(start[1])
    }
    try desk.editor.setPart(nil)
    var seen: [EditorEvent] = []
    for await event in events {
      seen.append(event)
      if case .partChanged(_, nil) = event { break }
    }
    #expect(seen.count == 5)
    #expect(seen.count { if case .contentChanged = $0 { true } else { false } } == 1)
  }

  @Test("Callbacks run where the host says, in order, and the present text is always the newest")
  func executor() async throws {
    let desk = try Desk()
    let queue = DispatchQueue(label: "host")
    let key = DispatchSpecificKey<Int>()
    queue.setSpecific(key: key, value: 7)
    let wrong = Found()
    let listener = Listener { _, _ in
      if DispatchQueue.getSpecific(key: key) != 7 { wrong.add(isIdle: true) }
    }
    desk.editor.callbackExecutor = .queue(queue)
    desk.editor.delegate = listener
    for (place, letter) in "abcdef".enumerated() {
      try desk.write(String(letter), x: 20 + 10 * Double(place))
    }
    try await desk.editor.becomeIdle()
    try desk.editor.setPart(nil)
    while !listener.events.contains(where: { if case .partChanged = $0 { true } else { false } }) {
      try await Task.sleep(for: .milliseconds(2))
    }
    #expect(wrong.idle.isEmpty)
  }

  @Test("The main actor is where callbacks run unless said otherwise")
  func mainActor() async throws {
    let desk = try Desk()
    desk.editor.callbackExecutor = .main
    let found = Found()
    // On Linux the main queue need not run on the main thread.
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    let listener = Listener { _, _ in
      found.add(isIdle: DispatchQueue.getSpecific(key: key) == true)
    }
    desk.editor.delegate = listener
    #expect(CallbackExecutor.main.isEngines == false)
    try desk.write("a")
    while found.idle.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
    #expect(found.idle.allSatisfy { $0 })
  }

  @Test("A slow callback holds up no reading, of this editor or another")
  func slowCallback() throws {
    let desk = try Desk()
    let release = DispatchSemaphore(value: 0)
    let entered = DispatchSemaphore(value: 0)
    let listener = Listener { _, _ in
      entered.signal()
      release.wait()
    }
    desk.editor.callbackExecutor = .queue(DispatchQueue(label: "slow"))
    desk.editor.delegate = listener
    try desk.write("abc")
    entered.wait()
    #expect(try desk.editor.waitUntilIdle(timeout: 60))
    #expect(try desk.editor.export(as: .text) == "abc")
    let other = try Desk()
    try other.write("x")
    #expect(try other.text() == "x")
    desk.editor.delegate = nil
    for _ in 0..<100 { release.signal() }
  }

  @Test("An editor that is limited to one thread holds up no other")
  func threads() throws {
    let busy = Gate()
    let models = LoadedModels()
    models.setText(ScriptedReader { ink in try busy.read(ink) }, bundle: "en_US")
    let engine = Engine(models: models)
    try engine.configuration.set("max-recognition-thread-count", to: 4)
    let editors = try (0..<4).map { index -> Editor in
      let editor = engine.makeEditor()
      try editor.setViewSize(width: 200, height: 1000)
      editor.viewTransform = .millimetres
      if index == 0 { try editor.configuration.set("max-recognition-thread-count", to: 1) }
      try editor.setPart(engine.makePart(type: "Text"))
      return editor
    }
    for editor in editors {
      try editor.pointerDown(x: 20, y: 15)
      try editor.pointerUp(x: 22, y: 17)
    }
    // All four are inside the recogniser at the same time.
    for _ in editors { #expect(busy.entered.wait(timeout: .now() + 60) == .success) }
    for _ in editors { busy.release.signal() }
    for editor in editors { #expect(try editor.waitUntilIdle(timeout: 60)) }
    for value in [1.5, 0, 65] {
      #expect(throws: ConfigurationError.self) {
        try engine.configuration.set("max-recognition-thread-count", to: value)
      }
    }
  }

  @Test("Blocks are read at the same time where the limit allows, one run of each at a time")
  func blocksAtOnce() throws {
    let busy = Gate()
    let desk = try Desk(type: "Raw Content") {
      try $0.configuration.set("max-recognition-thread-count", to: 2)
      try $0.configuration.set("recognition.trigger", to: "demand")
    }
    desk.models.setText(ScriptedReader { try busy.read($0) }, bundle: "en_US")
    try desk.write("ab", y: 15)
    try desk.write("cd", y: 200)
    try desk.editor.recognize()
    for _ in 0..<2 { #expect(busy.entered.wait(timeout: .now() + 60) == .success) }
    for _ in 0..<2 { busy.release.signal() }
    #expect(try desk.editor.waitUntilIdle(timeout: 60))
  }

  @Test("Waiting ends: with infinity, a cancelled task, a timeout, and never begins with nonsense")
  func waiting() async throws {
    let desk = try Desk(delay: 0.05)
    try desk.write("a")
    #expect(try desk.editor.waitUntilIdle(timeout: .infinity))
    try desk.write("b", x: 23)
    #expect(try desk.editor.waitUntilIdle(timeout: 1e10))
    for bad in [-1.0, -Double.infinity, Double.nan] {
      #expect(throws: EditorError.self) { try desk.editor.waitUntilIdle(timeout: bad) }
      await #expect(throws: EditorError.self) { try await desk.editor.becomeIdle(timeout: bad) }
    }
    let slow = try Desk { editor in
      try editor.configuration.set("recognition.trigger", to: "idle")
      try editor.configuration.set("recognition.idle-delay", to: 3_600_000)
    }
    try slow.write("a")
    #expect(try await !slow.editor.becomeIdle(timeout: 0.01))
    let task = Task { try await slow.editor.becomeIdle() }
    try await Task.sleep(for: .milliseconds(10))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}

/// Lets a recogniser stand still in the middle.
final class Gate: Sendable {
  let entered = DispatchSemaphore(value: 0)
  let release = DispatchSemaphore(value: 0)

  func read(_ ink: Ink) throws -> RecognitionResult {
    entered.signal()
    release.wait()
    return RecognitionResult(candidates: [RecognitionCandidate(text: "x", score: -0.1)])
  }
}
