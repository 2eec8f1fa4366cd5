import Foundation
import InkCore
import Recognition
import Testing

@testable import InkEditor

/// A recogniser that reads the strokes that ``Pen`` writes: each is a letter, by its number of
/// points, and a gap is a space.
final class FakeReader: Recognizer, @unchecked Sendable {
  // Unchecked because the lock guards the log.
  struct Call: Sendable {
    var strokes: Int
    var preContext: String
    var area: WritingArea?
  }

  private let lock = NSLock()
  private var log: [Call] = []
  private let delay: Double
  private let keepsLog: Bool

  init(delay: Double = 0, keepsLog: Bool = true) {
    self.delay = delay
    self.keepsLog = keepsLog
  }

  var calls: [Call] { lock.withLock { log } }
  func forget() { lock.withLock { log = [] } }

  var labels: [String]? { nil }

  func recognize(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
  ) throws -> RecognitionResult {
    if keepsLog {
      lock.withLock {
        log.append(
          Call(
            strokes: ink.strokes.count, preContext: context.preContext, area: context.writingArea))
      }
    }
    if delay > 0 { Thread.sleep(forTimeInterval: delay) }
    try ink.validate()
    var text = ""
    var characters: [CharacterInk] = []
    var right = -Double.infinity
    for (index, stroke) in ink.strokes.enumerated() {
      guard let box = Ink(strokes: [stroke]).boundingBox else { continue }
      if index > 0, box.minX - right > 2 {
        text += " "
        characters.append(CharacterInk(parts: []))
      }
      right = max(right, box.maxX)
      text += String(Pen.letter(points: stroke.points.count))
      characters.append(
        CharacterInk(parts: [.init(stroke: index, points: 0..<stroke.points.count)]))
    }
    guard !text.isEmpty else { return RecognitionResult(candidates: []) }
    let second = RecognitionCandidate(
      text: text.uppercased(), score: log2(0.3), characters: characters)
    return RecognitionResult(
      candidates: [
        RecognitionCandidate(text: text, score: log2(0.8), characters: characters), second,
      ].prefix(maximumCandidates).map { $0 })
  }
}

/// Knows closed ink for a rectangle and open ink for a line.
struct FakeShapes: Recognizer {
  var labels: [String]? { ["rectangle", "line"] }

  func recognize(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
  ) throws -> RecognitionResult {
    guard let first = ink.strokes.first?.points.first, let last = ink.strokes.last?.points.last
    else { return RecognitionResult(candidates: []) }
    let isClosed = abs(first.x - last.x) + abs(first.y - last.y) < 2
    return RecognitionResult(candidates: [
      RecognitionCandidate(text: isClosed ? "rectangle" : "line", score: -0.1),
      RecognitionCandidate(text: isClosed ? "line" : "rectangle", score: -2.4),
    ])
  }
}

/// Writes letters as strokes, in millimetres: 2 wide, 4 tall, 1 apart; 4 between words.
enum Pen {
  static func letter(points: Int) -> Character {
    Character(Unicode.Scalar(UInt8(97 + (points + 23) % 26)))
  }

  /// The strokes of a text on one line whose middle is `y`.
  static func strokes(_ text: String, x: Double, y: Double) -> [[StrokePoint]] {
    var x = x
    var result: [[StrokePoint]] = []
    for character in text {
      guard let value = character.asciiValue, character != " " else {
        x += 3
        continue
      }
      let count = Int(value) - 97 + 3
      result.append(
        (0..<count).map { index in
          let part = Double(index) / Double(count - 1)
          return StrokePoint(x: x + 2 * part, y: y - 2 + 4 * part)
        })
      x += 3
    }
    return result
  }

  static func rectangle(x: Double, y: Double, width: Double, height: Double) -> [StrokePoint] {
    let corners = [(0.0, 0.0), (1, 0), (1, 1), (0, 1), (0, 0)]
    return zip(corners, corners.dropFirst()).flatMap { from, to in
      (0..<10).map { step in
        let part = Double(step) / 9
        return StrokePoint(
          x: x + width * (from.0 + part * (to.0 - from.0)),
          y: y + height * (from.1 + part * (to.1 - from.1)))
      }
    }
  }
}

/// An editor with a fake model, one pixel a millimetre.
struct Desk {
  let engine: Engine
  let editor: Editor
  let models = LoadedModels()
  let reader: FakeReader

  init(
    type: String? = "Text", delay: Double = 0, hasTextModel: Bool = true,
    models other: (any EditorModels)? = nil, configure: (Editor) throws -> Void = { _ in }
  ) throws {
    reader = FakeReader(delay: delay)
    if hasTextModel {
      models.setText(reader, bundle: "en_US")
    } else {
      models.declare(bundle: "en_US")
    }
    models.setShapes(FakeShapes())
    engine = Engine(models: other ?? models, now: { 1_700_000_000_000 })
    editor = engine.makeEditor()
    try editor.setViewSize(width: 200, height: 1000)
    editor.viewTransform = .millimetres
    editor.fontMetrics = DefaultFontMetrics()
    // Waiting for an idle editor then waits for its callbacks too.
    editor.callbackExecutor = .engine
    try editor.configuration.set(
      "raw-content.classification.types", to: ["text", "shape", "drawing"])
    try editor.configuration.set("raw-content.recognition.types", to: ["text"])
    try configure(editor)
    if let type { try editor.setPart(engine.makePart(type: type)) }
  }

  /// Draws strokes with single calls; their items.
  @discardableResult
  func draw(_ strokes: [[StrokePoint]]) throws -> [Int] {
    try strokes.map { points in
      let item = try editor.pointerDown(x: points[0].x, y: points[0].y)
      for point in points.dropFirst().dropLast() { try editor.pointerMove(x: point.x, y: point.y) }
      let last = points[points.count - 1]
      try editor.pointerUp(x: last.x, y: last.y)
      return try #require(item)
    }
  }

  @discardableResult
  func write(_ text: String, x: Double = 20, y: Double = 15) throws -> [Int] {
    try draw(Pen.strokes(text, x: x, y: y))
  }

  func text() throws -> String {
    try editor.waitUntilIdle()
    return try editor.export(as: .text)
  }

  var root: ContentBlock {
    get throws { try #require(editor.rootBlock) }
  }
}

/// Collects what an editor tells.
final class Listener: EditorDelegate, @unchecked Sendable {
  // Unchecked because the lock guards the log.
  private let lock = NSLock()
  private var log: [EditorEvent] = []
  private let action: @Sendable (Editor, EditorEvent) -> Void

  init(_ action: @escaping @Sendable (Editor, EditorEvent) -> Void = { _, _ in }) {
    self.action = action
  }

  var events: [EditorEvent] { lock.withLock { log } }

  func editor(_ editor: Editor, didEmit event: EditorEvent) {
    lock.withLock { log.append(event) }
    action(editor, event)
  }
}
