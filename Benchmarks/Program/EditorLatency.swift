import Evaluation
import Files
import Foundation
import InkCore
import InkEditor
import Recognition

/// The times that an editor itself takes on pages of many strokes, in milliseconds. The time inside
/// the recogniser is subtracted.
struct EditorLatency: Sendable {
  /// From pen-up to the event of its reading, for strokes of a new line on an empty page.
  var strokeOnEmptyPage: Percentiles
  /// The same on a page of ``strokes`` strokes.
  var strokeOnFullPage: Percentiles
  /// The mean time of a stroke on the full page over that on the empty page: all calls from pen-down
  /// to idle.
  var growth: Double
  /// One undo, to idle, on a page of ``words`` words.
  var undo: Percentiles
  /// One redo, to idle, on the same page.
  var redo: Percentiles
  /// One call of `pointerMove` on the same page, while one thread recognises the strokes before and
  /// another reads the words of the page.
  var pointerMove: Percentiles
  /// The number of strokes of the full page.
  var strokes: Int
  /// The number of words of the page for undo, redo and moves.
  var words: Int

  /// Measures all times once.
  ///
  /// - Parameters:
  ///   - strokes: The number of strokes of the full page, in whole lines of 100.
  ///   - words: The number of words, in whole lines of 10.
  ///   - repetitions: The number of measured strokes, undos and redos; 50 times as many moves are
  ///     measured.
  static func measured(
    strokes: Int = 10_000, words: Int = 500, repetitions: Int = 40
  ) throws -> EditorLatency {
    let empty = try LatencyPage()
    let full = try LatencyPage()
    try full.fill(lines: max(1, strokes / 100), wordsPerLine: 20)
    let before = full.editor.rootBlock?.items.count ?? 0
    var times = (empty: LatencyPage.Times(), full: LatencyPage.Times())
    // The pages take turns, so that other work on the machine affects both alike.
    for repetition in 0..<repetitions {
      try empty.writeStroke(repetition, times: &times.empty)
      try full.writeStroke(repetition, times: &times.full)
    }
    let text = try LatencyPage()
    try text.fill(lines: max(1, words / 10), wordsPerLine: 10)
    let (undo, redo) = try text.travel(repetitions)
    let moves = try text.moves(50 * repetitions)
    guard let emptyEvents = Percentiles(times.empty.events),
      let fullEvents = Percentiles(times.full.events), let undo = Percentiles(undo),
      let redo = Percentiles(redo), let moves = Percentiles(moves)
    else { throw NothingMeasured() }
    return EditorLatency(
      strokeOnEmptyPage: emptyEvents, strokeOnFullPage: fullEvents,
      growth: times.full.whole.reduce(0, +) / times.empty.whole.reduce(0, +), undo: undo,
      redo: redo, pointerMove: moves, strokes: before, words: 10 * max(1, words / 10))
  }
}

/// No event came for any stroke.
struct NothingMeasured: Error, CustomStringConvertible {
  var description: String { "the editor told of no reading: no time was measured" }
}

/// A text part of letters in words and lines, with a recogniser that answers at once.
private final class LatencyPage {
  /// Milliseconds of single strokes.
  struct Times {
    /// From pen-up to the event.
    var events: [Double] = []
    /// From pen-down to idle.
    var whole: [Double] = []
  }

  let editor: Editor
  private let reader = InstantReader()
  private let clock = Stopwatch()
  private var lines = 0

  private static let letterWidth = 2.0
  private static let letterHeight = 4.0
  private static let step = 3.0
  private static let lineSpacing = 10.0
  private static let lettersPerWord = 5

  init() throws {
    let models = LoadedModels()
    models.setText(reader, bundle: "en_US")
    let engine = Engine(models: models)
    editor = engine.makeEditor()
    editor.callbackExecutor = .engine
    editor.delegate = clock
    editor.viewTransform = .millimetres
    try editor.setViewSize(width: 600, height: 2000)
    try editor.setPart(engine.makePart(type: "Text"))
  }

  /// The points of a letter of a line, counted from the left with 5 letters and a gap for a word.
  private func letter(_ index: Int, line: Int) -> [(x: Double, y: Double)] {
    let x = 20 + Self.step * Double(index + index / Self.lettersPerWord)
    let y = 20 + Self.lineSpacing * Double(line)
    return (0..<20).map { point in
      let part = Double(point) / 19
      return (
        x + Self.letterWidth * part, y + Self.letterHeight * (point.isMultiple(of: 2) ? part : 0.5)
      )
    }
  }

  private func events(_ points: [(x: Double, y: Double)]) -> [PointerEvent] {
    points.enumerated().map { index, point in
      PointerEvent(
        index == 0 ? .down : index == points.count - 1 ? .up : .move, x: point.x, y: point.y)
    }
  }

  func fill(lines count: Int, wordsPerLine: Int) throws {
    for line in lines..<lines + count {
      let strokes = (0..<wordsPerLine * Self.lettersPerWord).flatMap { index in
        events(letter(index, line: line))
      }
      try editor.pointerEvents(strokes, processGestures: false)
      try editor.waitUntilIdle()
    }
    lines += count
  }

  /// Writes the next letter of the line after the last full one; after 20 letters a line begins.
  func writeStroke(_ number: Int, times: inout Times) throws {
    let events = events(letter(number % 20, line: lines + number / 20))
    reader.takeTime()
    let begin = ContinuousClock.now
    for event in events.dropLast() { try editor.send(event) }
    let up = ContinuousClock.now
    if let last = events.last { try editor.send(last) }
    try editor.waitUntilIdle()
    let end = ContinuousClock.now
    let reading = reader.takeTime()
    times.whole.append((end - begin) / .milliseconds(1) - reading)
    if let told = clock.last, told > up {
      times.events.append((told - up) / .milliseconds(1) - reading)
    }
  }

  /// The milliseconds of each undo and redo of the last strokes.
  func travel(_ count: Int) throws -> (undo: [Double], redo: [Double]) {
    var times = Times()
    for number in 0..<count { try writeStroke(number, times: &times) }
    func time(_ body: () throws -> Bool) throws -> Double? {
      reader.takeTime()
      let begin = ContinuousClock.now
      guard try body() else { return nil }
      try editor.waitUntilIdle()
      return (ContinuousClock.now - begin) / .milliseconds(1) - reader.takeTime()
    }
    let undo = try (0..<count).compactMap { _ in try time { try editor.undo() } }
    let redo = try (0..<count).compactMap { _ in try time { try editor.redo() } }
    lines += (count + 19) / 20
    return (undo, redo)
  }

  /// The milliseconds of single moves, while another thread recognises and a third reads the page.
  func moves(_ count: Int) throws -> [Double] {
    reader.delay = 5
    defer { reader.delay = 0 }
    let isOver = Flag()
    let group = DispatchGroup()
    let editor = editor
    DispatchQueue.global().async(group: group) {
      while !isOver.isSet {
        _ = editor.rootBlock?.words.count
        Thread.sleep(forTimeInterval: 0.005)
      }
    }
    var times: [Double] = []
    times.reserveCapacity(count)
    var number = 0
    while times.count < count {
      let events = events(letter(number % 20, line: lines + number / 20))
      number += 1
      for event in events {
        let begin = ContinuousClock.now
        try editor.send(event)
        if event.kind == .move { times.append((ContinuousClock.now - begin) / .milliseconds(1)) }
      }
    }
    isOver.set()
    group.wait()
    try editor.waitUntilIdle()
    return times
  }
}

/// Reads one letter for each stroke, and a space at each gap.
private final class InstantReader: Recognizer, Sendable {
  private struct State {
    var time = 0.0
    var pause = 0.0
  }
  private let state = Guarded(State())

  var labels: [String]? { nil }

  /// Milliseconds of work in each call.
  var delay: Double {
    get { state.withLock { $0.pause } }
    set { state.withLock { $0.pause = newValue } }
  }

  /// Returns the milliseconds spent here since the last call.
  @discardableResult
  func takeTime() -> Double {
    state.withLock { state in
      defer { state.time = 0 }
      return state.time
    }
  }

  func recognize(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
  ) throws -> RecognitionResult {
    let begin = ContinuousClock.now
    let delay = Duration.milliseconds(1) * delay
    var (text, characters) = ("", [CharacterInk]())
    var right = Double.infinity
    for (index, stroke) in ink.strokes.enumerated() {
      guard let first = stroke.points.first, let last = stroke.points.last else { continue }
      if first.x - right > 2 {
        text += " "
        characters.append(CharacterInk(parts: []))
      }
      text += "l"
      characters.append(
        CharacterInk(parts: [.init(stroke: index, points: 0..<stroke.points.count)]))
      right = last.x
    }
    while ContinuousClock.now - begin < delay {}
    state.withLock { $0.time += (ContinuousClock.now - begin) / .milliseconds(1) }
    return RecognitionResult(candidates: [
      RecognitionCandidate(text: text, score: -0.1, characters: characters)
    ])
  }
}

/// A flag that one thread sets and another reads.
private final class Flag: Sendable {
  private let value = Guarded(false)

  var isSet: Bool { value.withLock { $0 } }
  func set() { value.withLock { $0 = true } }
}
