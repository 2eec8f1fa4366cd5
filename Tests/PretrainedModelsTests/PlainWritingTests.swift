import Foundation
import InkCore
import InkDatasets
import InkEditor
import PretrainedModels
import Recognition
import Testing

@Suite("Ordinary handwriting is hardly ever a gesture")
struct PlainWritingTests {
  /// Collects the gestures that an editor finds.
  private final class Listener: EditorDelegate, @unchecked Sendable {
    // Unchecked because the lock guards the log.
    private let lock = NSLock()
    private var log: [GestureKind] = []
    var kinds: [GestureKind] { lock.withLock { log } }

    func editor(_ editor: Editor, didEmit event: EditorEvent) {
      guard case .gesture(let gesture) = event, gesture.pointer == nil else { return }
      lock.withLock { log.append(gesture.kind) }
    }
  }

  private static func ink(_ path: String) throws -> [[StrokePoint]] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Cases/\(path)")
    let records = try DataSpecification(parsing: "ink:\(file.path)?split=all")
      .records(unlabelled: true)
    return try records.flatMap { try $0.get().labeled.ink.strokes.map(\.points) }
      .filter { !$0.isEmpty }
  }

  /// Writes ink stroke by stroke with all gestures, and reads it at times, so that strokes are
  /// written over read and unread ink. The median stroke is 3 mm high.
  private static func gestures(in strokes: [[StrokePoint]]) throws -> [GestureKind] {
    let engine = Engine(models: ProvidedModels(try PretrainedModels()))
    let editor = engine.makeEditor()
    try editor.setViewSize(width: 2000, height: 2000)
    editor.viewTransform = .millimetres
    editor.callbackExecutor = .engine
    try editor.configuration.set("lang", to: "en")
    try editor.configuration.set("recognition.trigger", to: "demand")
    try editor.configuration.set("text.guides.enable", to: false)
    try editor.setPart(engine.makePart(type: "Text"))
    let listener = Listener()
    editor.delegate = listener
    let heights = strokes.map { points in
      (points.map(\.y).max() ?? 0) - (points.map(\.y).min() ?? 0)
    }.sorted()
    let scale = 3 / max(heights[heights.count / 2], 1e-9)
    let corner = (
      x: strokes.joined().map(\.x).min() ?? 0, y: strokes.joined().map(\.y).min() ?? 0
    )
    for (number, stroke) in strokes.enumerated() {
      for (index, point) in stroke.enumerated() {
        try editor.send(
          PointerEvent(
            index == 0 ? .down : .move, x: 20 + (point.x - corner.x) * scale,
            y: 20 + (point.y - corner.y) * scale))
      }
      let last = stroke[stroke.count - 1]
      try editor.send(
        PointerEvent(
          .up, x: 20 + (last.x - corner.x) * scale, y: 20 + (last.y - corner.y) * scale))
      if number % 12 == 11 {
        try editor.recognize()
        try editor.waitUntilIdle()
      }
    }
    try editor.waitUntilIdle()
    return listener.kinds
  }

  @Test("Pages and words of several people: only two lines of a table are underlines")
  func cases() throws {
    var (found, count): ([GestureKind], Int) = ([], 0)
    for name in [
      "pages/welcome", "pages/late-letters", "languages/de", "words/hello-how-are-you",
      "words/central-processing-unit", "words/buenos-aires", "words/sum",
    ] {
      let strokes = try Self.ink(name + ".jsonl")
      count += strokes.count
      found += try Self.gestures(in: strokes)
    }
    #expect(count > 600)
    #expect(found.count <= 2, "\(found)")
    #expect(found.allSatisfy { !$0.isDestructive }, "\(found)")
  }

  // Skipped, with a line that says so, where IAM-OnDB is not unpacked in INK_DATASETS or
  // ~/.cache/ink-datasets.
  @Test(
    "Lines of IAM-OnDB have at most one in 100 words",
    .enabled(if: datasets != nil, "no IAM-OnDB"))
  func lines() throws {
    let folder = try #require(datasets)
    let records = try DataSpecification(
      parsing: "iam-ondb:\(folder)/iam-ondb?split=val1&every=40&limit=20"
    ).records()
    var (found, words): ([GestureKind], Int) = ([], 0)
    for record in records {
      let labeled = try record.get().labeled
      words += labeled.label.split(separator: " ").count
      found += try Self.gestures(in: labeled.ink.strokes.map(\.points))
    }
    #expect(words > 80)
    #expect(100 * found.count <= words, "\(found) in \(words) words")
    #expect(found.allSatisfy { !$0.isDestructive }, "\(found)")
  }
}
