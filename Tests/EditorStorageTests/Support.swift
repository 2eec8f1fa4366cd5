import EditorStorage
import Foundation
import InkCore
import InkEditor
import Recognition
import TestSamples

/// A folder with packages, and an engine with a recogniser that counts.
final class Shelf {
  let folder: URL
  let reader = FakeReader()
  let engine: Engine

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("ductus-packages-\(UUID().uuidString)").resolvingSymlinksInPath()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    engine = Self.engine(reader)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  static func engine(_ reader: FakeReader) -> Engine {
    let models = LoadedModels()
    models.setText(reader, bundle: "en_US")
    models.setShapes(FakeShapes())
    return Engine(models: models, now: { 1_700_000_000_000 })
  }

  /// An engine as that of another process.
  func otherEngine() -> Engine { Self.engine(reader) }

  func url(_ name: String) -> URL { folder.appendingPathComponent(name + ".ductusdoc") }

  /// A copy of the file of a version of the format that is kept for tests.
  func copy(ofVersion version: Int) throws -> URL {
    let fixture = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Fixtures/version-\(version).ductusdoc")
    let url = url("old")
    try FileManager.default.copyItem(at: fixture, to: url)
    return url
  }

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
