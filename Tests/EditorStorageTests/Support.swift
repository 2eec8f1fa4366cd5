import Foundation
import InkCore
import InkEditor
import Recognition

@testable import EditorStorage

/// A recogniser that reads each stroke as a letter, by its number of points, and counts its calls.
final class CountingReader: Recognizer, @unchecked Sendable {
  // Unchecked because the lock guards the count.
  private let lock = NSLock()
  private var count = 0

  var labels: [String]? { nil }
  var calls: Int { lock.withLock { count } }

  func recognize(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
  ) throws -> RecognitionResult {
    lock.withLock { count += 1 }
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
      text += String(Letters.letter(points: stroke.points.count))
      characters.append(
        CharacterInk(parts: [.init(stroke: index, points: 0..<stroke.points.count)]))
    }
    guard !text.isEmpty else { return RecognitionResult(candidates: []) }
    return RecognitionResult(candidates: [
      RecognitionCandidate(text: text, score: log(0.8), characters: characters),
      RecognitionCandidate(text: text.uppercased(), score: log(0.2), characters: characters),
    ])
  }
}

/// Knows closed ink for a rectangle and open ink for a line.
struct ShapeReader: Recognizer {
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

/// Strokes in millimetres: letters are 2 wide, 4 tall and 1 apart, words 4 apart.
enum Letters {
  static func letter(points: Int) -> Character {
    Character(Unicode.Scalar(UInt8(97 + (points + 23) % 26)))
  }

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

/// A folder with packages, and an engine with a recogniser that counts.
final class Shelf {
  let folder: URL
  let reader = CountingReader()
  let engine: Engine

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("ductus-packages-\(UUID().uuidString)").resolvingSymlinksInPath()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    engine = Self.engine(reader)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  static func engine(_ reader: CountingReader) -> Engine {
    let models = LoadedModels()
    models.setText(reader, bundle: "en_US")
    models.setShapes(ShapeReader())
    return Engine(models: models, now: { 1_700_000_000_000 })
  }

  /// An engine as that of another process.
  func otherEngine() -> Engine { Self.engine(reader) }

  func url(_ name: String) -> URL { folder.appendingPathComponent(name + ".ductusdoc") }

  /// The names of all files in the folder, also hidden ones.
  var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
  }

  func bytes(_ url: URL) throws -> Data { try Data(contentsOf: url) }
}

/// Makes an editor of a part, one pixel a millimetre.
func edit(_ part: ContentPart, on engine: Engine? = nil) throws -> Editor {
  let editor = (engine ?? part.engine).makeEditor()
  try editor.setViewSize(width: 200, height: 1000)
  editor.viewTransform = .millimetres
  editor.callbackExecutor = .engine
  try editor.configuration.set(
    "raw-content.classification.types", to: ["text", "shape", "drawing"])
  try editor.configuration.set("raw-content.recognition.types", to: ["text"])
  try editor.setPart(part)
  return editor
}

extension Editor {
  /// Writes strokes of points and waits until they are read.
  func write(_ strokes: [[StrokePoint]], type: PointerType = .pen) throws {
    for points in strokes {
      for (index, point) in points.enumerated() {
        let kind: PointerEvent.Kind = index == 0 ? .down : index == points.count - 1 ? .up : .move
        try send(
          PointerEvent(
            kind, x: point.x, y: point.y, t: point.t.map { Int64($0) } ?? -1,
            force: point.force ?? 0, type: type, azimuth: point.azimuth, altitude: point.altitude))
      }
    }
    try waitUntilIdle()
  }

  /// All of the part as JIIX, with ids, characters and lines.
  func everything() throws -> String {
    try waitUntilIdle()
    return try export(
      as: .jiix,
      overrides: """
        {"export": {"jiix": {"bounding-box": true, "strokes": true, "ids": true, "ranges": true,
        "text": {"words": true, "chars": true, "lines": true}}}}
        """)
  }
}
