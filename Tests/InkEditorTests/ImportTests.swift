import Foundation
import InkCore
import InkEditor
import InkFormats
import Recognition
import TestSamples
import Testing

@Suite("Files in and out")
struct ImportTests {
  private static let everything = """
    {"export": {"jiix": {"bounding-box": true, "strokes": true, "ids": true, "ranges": true,
    "text": {"words": true, "chars": true, "lines": true}}}}
    """

  private func export(_ desk: Desk) throws -> String {
    try desk.editor.waitUntilIdle()
    return try desk.editor.export(as: .jiix, overrides: Self.everything)
  }

  @Test(
    "JIIX out, in and out again is equal, and nothing is read again",
    arguments: ["Text", "Raw Content", "Diagram", "Text Document", "Drawing", "Math"])
  func jiix(type: String) throws {
    let desk = try Desk(type: type)
    try desk.write("hello world", y: 15)
    try desk.write("again", y: 25)
    try desk.draw([Pen.rectangle(x: 20, y: 60, width: 40, height: 25)])
    try desk.draw([(0...20).map { StrokePoint(x: 100 + Double($0) * 2, y: 70) }])
    try desk.editor.waitUntilIdle()
    if let block = try [desk.root].first(where: { $0.type == .text }),
      let word = block.words.first(where: { $0.label == "world" })
    {
      try desk.editor.choose("WORLD", for: word, in: block)
    }
    let json = try export(desk)
    #expect(try JSONSchema.jiix().faults(json).isEmpty)
    let other = try Desk(type: type)
    let items = try other.editor.importDocument(Data(json.utf8), as: .jiix)
    #expect(items == (try desk.root.items))
    #expect(try export(other) == json)
    #expect(other.reader.calls.isEmpty)
    // It is one change.
    #expect(other.editor.possibleUndoCount == 1)
    try other.editor.undo()
    #expect(other.editor.isEmpty)
    // Into a part that has ink.
    let third = try Desk(type: type)
    try third.write("xyz", y: 150)
    try third.editor.waitUntilIdle()
    let calls = third.reader.calls.count
    let more = try third.editor.importDocument(Data(json.utf8), as: .jiix)
    #expect(more.count == items.count)
    try third.editor.waitUntilIdle()
    #expect(third.reader.calls.count == calls)
    let texts = try desk.root.children.isEmpty ? [] : try desk.text().split(separator: "\n")
    if type != "Drawing", type != "Math" {
      let found = try third.text()
      for text in texts { #expect(found.contains(text), "\(type)") }
    }
  }

  @Test("Words and candidates of JIIX come back without a model")
  func words() throws {
    let desk = try Desk(type: "Raw Content")
    try desk.write("hello world", y: 15)
    let json = try export(desk)
    let other = try Desk(type: "Raw Content", hasTextModel: false)
    try other.editor.importDocument(Data(json.utf8), as: .jiix)
    let block = try #require(try other.root.children.first)
    #expect(block.words.map(\.label) == ["hello", "world"])
    #expect(block.words[0].candidates.map(\.text) == ["hello", "HELLO"])
    try other.editor.choose("HELLO", for: block.words[0], in: block)
    #expect(try other.text() == "HELLO world")
  }

  @Test("JIIX keeps pointer type, style, azimuth, altitude and roll")
  func channels() throws {
    let desk = try Desk(type: "Drawing")
    let style = try StrokeStyle(color: "#C02020", width: 0.8)
    desk.editor.tools.setStyle(style, for: .pen)
    for index in 0..<4 {
      let value = Double(index)
      try desk.editor.send(
        PointerEvent(
          index == 0 ? .down : index == 3 ? .up : .move, x: 20 + value, y: 30,
          t: 1000 + Int64(index),
          force: 0.25 + value / 8, type: .mouse, azimuth: 0.5 + value / 4, altitude: 1 - value / 8,
          roll: -value / 4))
    }
    let json = try export(desk)
    #expect(json.contains(#""pointer-type":"mouse""#))
    let other = try Desk(type: "Drawing")
    let items = try other.editor.importDocument(Data(json.utf8), as: .jiix)
    #expect(try export(other) == json)
    #expect(other.editor.style(of: items[0]) == style)
    let points = try #require(try other.editor.stroke(of: items[0])).points
    #expect(points.map(\.azimuth) == [0.5, 0.75, 1, 1.25])
    #expect(points.map(\.altitude) == [1, 0.875, 0.75, 0.625])
    #expect(points.map(\.roll) == [0, -0.25, -0.5, -0.75])
    #expect(points.map(\.force) == [0.25, 0.375, 0.5, 0.625])
    #expect(points.map(\.t) == [1000, 1001, 1002, 1003])
  }

  @Test("InkML out gives the same ink to our reader, and comes in as ink to be read")
  func inkML() throws {
    let desk = try Desk()
    try desk.write("hello world")
    try desk.editor.send(
      PointerEvent(.down, x: 100, y: 15, t: 5000, force: 0.5, azimuth: 0.5, altitude: 1, roll: 2))
    try desk.editor.send(
      PointerEvent(
        .up, x: 101.125, y: 18, t: 5010, force: 0.75, azimuth: 0.25, altitude: 1.25, roll: 2.5))
    try desk.editor.waitUntilIdle()
    let text = try desk.text()
    let bytes = try desk.editor.exportData(as: .inkML)
    let records = Array(InkReader(.inkML, bytes: Array(bytes), name: "InkML"))
    #expect(records.count == 1)
    let labeled = try #require(records.first).get().labeled
    #expect(labeled.label == text)
    let strokes = try desk.root.items.compactMap { try desk.editor.stroke(of: $0) }
    #expect(labeled.ink.strokes == strokes)
    #expect(strokes.last?.points.map(\.roll) == [2, 2.5])
    let other = try Desk()
    let items = try other.editor.importDocument(bytes, as: .inkML)
    #expect(items.count == strokes.count)
    #expect(try other.text() == text)
    #expect(try other.editor.stroke(of: items[10]) == strokes[10])
    #expect(other.editor.possibleUndoCount == 1)
    // A part without ink is a document without ink.
    let empty = try Desk().editor.exportData(as: .inkML)
    #expect(
      InkReader(.inkML, bytes: Array(empty), name: "InkML").allSatisfy { (try? $0.get()) == nil })
  }

  @Test("A text is the transcript of the words that are there")
  func text() throws {
    let desk = try Desk()
    try desk.write("hello world", y: 15)
    try desk.write("again", y: 25)
    _ = try desk.text()
    try desk.editor.importDocument(Data("hallo World\nagain".utf8), as: .text)
    #expect(try desk.text() == "hallo World\nagain")
    #expect(try desk.root.words.map(\.isChosen) == [true, true, false])
    try desk.editor.undo()
    #expect(try desk.text() == "hello world\nagain")
    #expect(throws: EditorError.self) {
      try desk.editor.importDocument(Data("too few".utf8), as: .text)
    }
    #expect(throws: EditorError.self) {
      try desk.editor.importDocument(Data([0xFF, 0xFE]), as: .text)
    }
    #expect(try desk.text() == "hello world\nagain")
  }

  @Test("An import that is refused changes nothing")
  func refused() throws {
    let desk = try Desk()
    try desk.write("hello")
    let before = try export(desk)
    let drawing = try Desk(type: "Drawing")
    try drawing.write("abc")
    for data in [
      Data(), Data("{".utf8), Data(#"{"type": "Text", "version": "2"}"#.utf8),
      Data(#"{"type": "Sponge", "version": "3"}"#.utf8),
      Data(try drawing.editor.export(as: .jiix).utf8),
    ] {
      #expect(throws: EditorError.self) { try desk.editor.importDocument(data, as: .jiix) }
    }
    #expect(throws: EditorError.self) {
      try desk.editor.importDocument(Data("<ink".utf8), as: .inkML)
    }
    #expect(throws: EditorError.self) { try desk.editor.importDocument(Data(), as: .svg) }
    #expect(try export(desk) == before)
    #expect(desk.editor.possibleUndoCount == 5)
  }

  @Test("A file is exported by the ending of its name, also as bytes")
  func files() throws {
    let desk = try Desk()
    try desk.write("hello")
    let text = try desk.text()
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("ductus-export-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for type in ExportType.allCases where type != .latex && type != .mathML {
      let url = folder.appendingPathComponent("a.\(type.ending.uppercased())")
      try desk.editor.export(to: url)
      #expect(try Data(contentsOf: url) == desk.editor.exportData(as: type))
    }
    #expect(try String(contentsOf: folder.appendingPathComponent("a.TXT"), encoding: .utf8) == text)
    for name in ["a.docx", "a.tex", "a.mml"] {
      #expect(throws: EditorError.self) {
        try desk.editor.export(to: folder.appendingPathComponent(name))
      }
    }
    #expect(throws: EditorError.self) {
      try desk.editor.export(to: folder.appendingPathComponent("missing/a.svg"))
    }
    let svg = try desk.editor.export(as: .svg)
    #expect(svg.hasPrefix("<?xml") && svg.contains("<svg"))
  }
}

@Suite("Setting parts")
struct SettingPartTests {
  @Test("A part can be set without font metrics")
  func withoutMetrics() throws {
    let models = LoadedModels()
    models.declare(bundle: "en_US")
    let engine = Engine(models: models)
    let editor = engine.makeEditor()
    try editor.setViewSize(width: 100, height: 100)
    try editor.setPart(engine.makePart(type: "Text"))
    #expect(editor.part != nil)
  }

  @Test("A language that does not exist is an error, one that is not installed is waited for")
  func languages() throws {
    struct NoModels: ModelProvider {
      var models: [ModelDescription] { [] }
      func bundleURL(of identifier: String) -> URL? { nil }
      func openRecognizer(identifier: String) throws -> any Recognizer {
        throw MissingModel(name: identifier)
      }
    }
    let engine = Engine(models: ProvidedModels(NoModels()))
    for (language, isKnown) in [
      ("klingon", false), ("sponge", false), ("x", false), ("de_DE", true),
      ("en", true), ("sr_Latn_RS", true), ("haw", false),
    ] {
      let editor = engine.makeEditor()
      try editor.setViewSize(width: 100, height: 100)
      try editor.configuration.set("lang", to: language)
      let part = try engine.makePart(type: "Text")
      if isKnown {
        try editor.setPart(part)
      } else {
        #expect(throws: EditorError.bundleNotFound(language)) { try editor.setPart(part) }
      }
    }
  }

  @Test("A part that was refused keeps its configuration and can be set later with another")
  func refused() throws {
    let models = LoadedModels()
    for bundle in ["en_US", "de_DE"] { models.declare(bundle: bundle) }
    let engine = Engine(models: models)
    let editor = engine.makeEditor()
    try editor.setViewSize(width: 100, height: 100)
    let first = try engine.makePart(type: "Text")
    try editor.setPart(first)
    let part = try engine.makePart(type: "Text")
    try editor.pointerDown(x: 20, y: 20)
    #expect(throws: EditorError.pointerIsDown) { try editor.setPart(part) }
    try editor.pointerUp(x: 21, y: 21)
    #expect(editor.part == first)
    #expect(part.ownership.withLock { $0.knownConfiguration } == nil)
    try editor.configuration.set("lang", to: "de_DE")
    try editor.setPart(part)
    #expect(part.ownership.withLock { $0.knownConfiguration }?.bundle == "de_DE")
  }

  @Test(
    "The numbers of changes to undo and redo are told with each change, under every trigger",
    arguments: ["stroke", "idle", "demand"])
  func history(trigger: String) throws {
    let desk = try Desk {
      try $0.configuration.set("recognition.trigger", to: trigger)
      try $0.configuration.set("recognition.idle-delay", to: 600_000)
    }
    let told = DispatchSemaphore(value: 0)
    let listener = Listener { _, event in
      if case .historyChanged = event { told.signal() }
    }
    desk.editor.delegate = listener
    func wait() { #expect(told.wait(timeout: .now() + 10) == .success) }
    try desk.write("a")
    wait()
    try desk.write("b", x: 40)
    wait()
    try desk.editor.undo()
    wait()
    try desk.editor.redo()
    wait()
    let counts = listener.events.compactMap { event -> [Int]? in
      if case .historyChanged(let undo, let redo) = event { [undo, redo] } else { nil }
    }
    #expect(counts == [[1, 0], [2, 0], [1, 1], [2, 0]])
  }
}
