import DuctusKit
import EditorStorage
import Foundation
import InkFormats
import PretrainedModels

/// Writes ink into a document on disk, saves it, opens it again and exports it.
///
///     swift run DocumentOnDisk [INK.jsonl]
@main
struct DocumentOnDisk {
  static func main() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("DocumentOnDisk-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("notes.ductusdoc")

    let path = CommandLine.arguments.dropFirst().first ?? "Examples/hello.jsonl"
    guard let record = try Array(InkReader(.jsonLines, path: path)).first?.get() else {
      print("\(path) holds no ink")
      return
    }
    try await write(record.labeled.ink, to: file)
    try await read(file, exportingTo: folder)
  }

  /// An editor of a page of 210 x 297 mm, in which one pixel is one millimetre.
  static func makeEditor(_ engine: Engine, on part: ContentPart) throws -> Editor {
    let editor = engine.makeEditor()
    editor.viewTransform = .millimetres
    try editor.setViewSize(width: 210, height: 297)
    try editor.configuration.set("text.guides.enable", to: false)
    try editor.setPart(part)
    return editor
  }

  /// Makes a document with the ink, and saves it.
  static func write(_ ink: Ink, to file: URL) async throws {
    let engine = Engine(models: ProvidedModels(try PretrainedModels()))
    let package = try engine.openPackage(at: file, mode: .create)
    try package.setMetadata(Metadata(["title": "Example", "author": .object(["name": "Ada"])]))
    let part = try package.makePart(type: "Text")
    let editor = try makeEditor(engine, on: part)

    // Each stroke is in a working copy on the disk within 200 ms, whatever happens to the app.
    for stroke in ink.strokes { try write(stroke, in: editor) }
    try await editor.becomeIdle()
    print("written:", try editor.export(as: .text))

    // A word gets another of its candidates. The choice is stored with the ink.
    if let root = editor.rootBlock, let word = root.words.last, word.candidates.count > 1 {
      try editor.choose(word.candidates[1].text, for: word, in: root)
    }
    print("chosen:", try editor.export(as: .text))

    // The file changes as a whole, here and nowhere else.
    try package.save()
    try editor.setPart(nil)
    try package.close()
    let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int ?? 0
    print("saved: \(ink.strokes.count) strokes in \(size / 1024) kB")
  }

  /// Opens the document, which reads no ink again, and exports it to files.
  static func read(_ file: URL, exportingTo folder: URL) async throws {
    // An engine without models shows that none is needed.
    let models = LoadedModels()
    models.declare(bundle: "en_US")
    let engine = Engine(models: models)
    let package = try engine.openPackage(at: file)
    let part = try package.part(at: 0)
    // The blocks are there before the ink is loaded.
    print("part:", part.type.rawValue, "with", part.rootBlock?.withDescendants.count ?? 0, "block")
    print("title:", try package.metadata()["title"].map { "\($0)" } ?? "none")

    let editor = try makeEditor(engine, on: part)
    try await editor.becomeIdle()
    print("opened:", try editor.export(as: .text))
    for name in ["notes.txt", "notes.jiix", "notes.inkml", "notes.svg"] {
      let url = folder.appendingPathComponent(name)
      try editor.export(to: url)
      print("exported:", name, try Data(contentsOf: url).count, "bytes")
    }
    try editor.setPart(nil)
    try package.close()
  }

  /// Writes one stroke. The example file counts in fifths of a millimetre.
  static func write(_ stroke: Stroke, in editor: Editor) throws {
    let points = stroke.points.map { (x: 20 + $0.x / 5, y: 50 + $0.y / 5) }
    guard let last = points.last else { return }
    try editor.pointerDown(x: points[0].x, y: points[0].y)
    for point in points.dropFirst() { try editor.pointerMove(x: point.x, y: point.y) }
    try editor.pointerUp(x: last.x, y: last.y)
  }
}
