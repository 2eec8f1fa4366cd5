import Foundation
import InkCore
import InkEditor

/// The rate of pointer events that an editor accepts with recognition off, on one core.
struct EditorThroughput: Sendable {
  /// Events per second in single calls.
  var singleCalls: Double
  /// Events per second in batches of 1000 strokes.
  var batches: Double
  /// The number of events of each measurement.
  var events: Int

  /// The number of points of a stroke.
  private static let pointsPerStroke = 40
  private static let strokesPerBatch = 1000

  /// Measures both rates.
  ///
  /// - Parameter strokes: The number of strokes, in whole thousands.
  static func measured(strokes: Int = 10_000) throws -> EditorThroughput {
    let batches = max(1, strokes / strokesPerBatch)
    var generator = SeededGenerator(seed: 7)
    let batch = (0..<strokesPerBatch).flatMap { index -> [PointerEvent] in
      var x = Double(index % 40) * 12
      let y = Double(index / 40) * 20
      return (0..<pointsPerStroke).map { point in
        x += Double(generator.uniform(0...0.4))
        let kind: PointerEvent.Kind =
          point == 0 ? .down : point == pointsPerStroke - 1 ? .up : .move
        return PointerEvent(
          kind, x: x, y: y + Double(generator.uniform(0...8)), t: Int64(index * 1000 + point * 8),
          force: 0.5)
      }
    }
    let count = batches * batch.count
    return EditorThroughput(
      singleCalls: try rate(count) { editor in
        for _ in 0..<batches { for event in batch { try editor.send(event) } }
      },
      batches: try rate(count) { editor in
        for _ in 0..<batches { try editor.pointerEvents(batch, processGestures: false) }
      }, events: count)
  }

  private static func rate(_ count: Int, _ body: (Editor) throws -> Void) throws -> Double {
    let models = LoadedModels()
    models.declare(bundle: "en_US")
    let engine = Engine(models: models)
    let editor = engine.makeEditor()
    try editor.setViewSize(width: 1000, height: 1000)
    try editor.configuration.set("recognition.trigger", to: "demand")
    try editor.setPart(engine.makePart(type: "Text"))
    try editor.waitUntilIdle()
    let start = ContinuousClock.now
    try body(editor)
    return Double(count) / ((ContinuousClock.now - start) / .seconds(1))
  }
}
