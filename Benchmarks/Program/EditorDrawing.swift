import Evaluation
import Foundation
import InkCore
import InkEditor

/// The times that an editor takes to make the commands that draw a page of many strokes, in
/// milliseconds.
struct EditorDrawing: Sendable {
  /// The commands of a part of the page of the size of a screen, whose ink was drawn before.
  var screen: Percentiles
  /// The same for ink that was not drawn before.
  var firstScreen: Percentiles
  /// From the up event of a stroke to the commands of the part of the page that it changed.
  var stroke: Percentiles
  /// A lasso around all strokes of the page, from its points to the selection.
  var lasso: Percentiles
  /// The strokes of a screen, on average.
  var strokesOfScreen: Double
  /// The greatest share of the page that was drawn again for one stroke: its box and half a width.
  var shareOfPage: Double
  /// The number of strokes of the page.
  var strokes: Int

  /// Measures all times once.
  ///
  /// - Parameters:
  ///   - strokes: The number of strokes of the page, in whole lines of 100.
  ///   - repetitions: The number of measured screens and strokes.
  static func measured(
    strokes: Int = 10_000, repetitions: Int = 100
  ) throws -> EditorDrawing {
    let editor = Engine(models: LoadedModels()).makeEditor()
    editor.viewTransform = .millimetres
    try editor.setViewSize(width: screenWidth, height: screenHeight)
    try editor.setPart(editor.engine.makePart(type: "Drawing"))
    let lines = max(1, strokes / 100)
    for line in 0..<lines {
      let events = (0..<100).flatMap { letter($0, line: line) }
      try editor.pointerEvents(events, processGestures: false)
    }
    _ = editor.takeInvalidations()
    let height = 10 * Double(lines)
    func region(_ index: Int) -> BoundingBox {
      let steps = max(1, repetitions)
      let x = Double((index * 7) % steps) / Double(steps) * 80
      let y = Double((index * 13) % steps) / Double(steps) * max(0, height - screenHeight)
      return BoundingBox(minX: x, minY: y, maxX: x + screenWidth, maxY: y + screenHeight)
    }
    var (first, again, counts): ([Double], [Double], [Int]) = ([], [], [])
    for index in 0..<repetitions {
      first.append(milliseconds { _ = editor.drawCommands(of: .ink, in: region(index)) })
    }
    for index in 0..<repetitions {
      again.append(
        milliseconds { counts.append(editor.drawCommands(of: .ink, in: region(index)).count) })
    }
    var (single, share) = ([Double](), 0.0)
    _ = editor.takeInvalidations()
    for index in 0..<repetitions {
      let events = letter(index % 100, line: lines + index / 100)
      for event in events.dropLast() { try editor.send(event) }
      _ = editor.takeInvalidations()
      var boxes: [BoundingBox] = []
      single.append(
        try milliseconds {
          if let up = events.last { try editor.send(up) }
          for part in editor.takeInvalidations() where part.layer == .ink {
            _ = editor.drawCommands(of: .ink, in: part.box)
            boxes.append(part.box)
          }
        })
      let area = boxes.reduce(0) { $0 + $1.width * $1.height }
      share = max(share, area / (280 * height))
    }
    let path = (0..<200).map { index in
      let angle = Double(index) * .pi / 100
      return PlanePoint(x: 140 + 150 * cos(angle), y: height / 2 * (1 + 1.1 * sin(angle)))
    }
    var around: [Double] = []
    for _ in 0..<repetitions {
      around.append(
        try milliseconds {
          guard try !editor.selection(inLasso: path).isEmpty else { throw NothingMeasured() }
        })
    }
    guard let firstTimes = Percentiles(first), let times = Percentiles(again),
      let strokeTimes = Percentiles(single), let lassoTimes = Percentiles(around)
    else { throw NothingMeasured() }
    return EditorDrawing(
      screen: times, firstScreen: firstTimes, stroke: strokeTimes, lasso: lassoTimes,
      strokesOfScreen: Double(counts.reduce(0, +)) / Double(max(1, counts.count)),
      shareOfPage: share, strokes: 100 * lines)
  }

  /// A screen of 27 inches shows 200 mm by 150 mm at three times the size of paper.
  private static let screenWidth = 200.0
  private static let screenHeight = 150.0

  private static func milliseconds(_ body: () throws -> Void) rethrows -> Double {
    let start = ContinuousClock.now
    try body()
    return (ContinuousClock.now - start) / .milliseconds(1)
  }

  /// A round letter of 30 points with forces, 2 mm wide.
  private static func letter(_ index: Int, line: Int) -> [PointerEvent] {
    let (x, y) = (2.8 * Double(index), 10 * Double(line) + 5)
    return (0..<30).map { point in
      let angle = Double(point) / 29 * 2.2 * .pi
      return PointerEvent(
        point == 0 ? .down : point == 29 ? .up : .move, x: x + cos(angle) + Double(point) / 30,
        y: y + 2 * sin(angle), force: 0.3 + 0.4 * Double(point) / 29)
    }
  }
}
