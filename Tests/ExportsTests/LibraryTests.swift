import Exports
import Files
import Foundation
import InkCore
import InkEditor
import InkFormats
import Recognition
import Testing

/// Editors without models: their content comes from JIIX.
enum Content {
  struct NoModels: EditorModels {
    func configuration(bundle: String, name: String) -> ConfigurationLookup { .found }
    func textRecognizer(bundle: String, name: String) throws -> any Recognizer {
      throw MissingModel(name: name)
    }
    func shapeRecognizer(name: String) throws -> any Recognizer { throw MissingModel(name: name) }
  }

  static func stroke(_ x: Double, _ y: Double) -> String {
    """
    {"type": "stroke", "X": [\(x), \(x + 8), \(x + 15)], "Y": [\(y), \(y + 5), \(y + 2)],
    "F": [0.5, 0.5, 0.5]}
    """
  }

  /// A text of words on one line.
  static func text(_ words: [String], y: Double = 20) -> String {
    let entries = words.enumerated().map { index, word in
      let x = 20 + Double(index) * 20
      return """
        {"label": "\(word)", "candidates": ["\(word)"], "items": [\(stroke(x, y))],
        "bounding-box": {"x": \(x), "y": \(y), "width": 15, "height": 5}}
        """
    }
    return """
      {"type": "Text", "label": "\(words.joined(separator: " "))",
      "words": [\(entries.joined(separator: #", {"label": " "}, "#))]}
      """
  }

  static func page(_ elements: String...) -> String {
    """
    {"type": "Raw Content", "version": "3", "elements": [\(elements.joined(separator: ", "))]}
    """
  }

  static let rectangle = """
    {"type": "Node", "kind": "rectangle", "x": 20, "y": 60, "width": 30, "height": 20,
    "items": [\(stroke(20, 60))]}
    """

  static func engine() -> Engine { Engine(models: NoModels()) }

  static func editor(_ jiix: String, _ engine: Engine = engine()) throws -> Editor {
    let editor = engine.makeEditor()
    editor.viewTransform = .millimetres
    try editor.setViewSize(width: 200, height: 300)
    try editor.configuration.set("text.guides.enable", to: false)
    try editor.setPart(try engine.makePart(type: "Raw Content"))
    try editor.importDocument(Data(jiix.utf8), as: .jiix)
    return editor
  }

  /// A part with a text that no editor shows.
  static func part(_ words: [String], _ engine: Engine) throws -> ContentPart {
    let editor = try editor(page(text(words)), engine)
    let part = try #require(editor.part)
    try editor.setPart(nil)
    return part
  }
}

@Suite("Exports of apps", .serialized)
struct LibraryTests {
  private func folder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("exports-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  private func text(_ data: Data) -> String { String(decoding: data, as: UTF8.self) }

  @Test(
    "An editor exports to every format in memory",
    arguments: ExportFormat.allCases.filter { $0 != .latex && $0 != .mathML })
  func formats(_ format: ExportFormat) async throws {
    let editor = try Content.editor(
      Content.page(Content.text(["hello", "world"]), Content.rectangle))
    let options = ExportOptions(dpi: 30, painter: CountingPainter())
    let bytes = try await editor.exportFile(as: format, options: options)
    #expect(!bytes.isEmpty)
    if format.isText, format != .svg, format != .jiix {
      #expect(text(bytes).contains("hello"), "\(text(bytes).prefix(300))")
    }
    #expect(try editor.exportFormats(painter: options.painter).contains(format))
  }

  @Test("The ending of a file names the format, and another one is refused")
  func files() async throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let editor = try Content.editor(Content.page(Content.text(["hello"])))
    for (name, start) in [("a b.PDF", "%PDF"), ("ü.html", "<!DOCTYPE"), ("c.txt", "hello\n")] {
      let url = folder.appendingPathComponent(name)
      try await editor.exportFile(to: url)
      #expect(text(try Data(contentsOf: url)).hasPrefix(start))
    }
    #expect(
      text(try Data(contentsOf: folder.appendingPathComponent("ü.html")))
        .contains("<title>ü</title>"))
    await #expect(throws: ExportError.unknownEnding("doc")) {
      try await editor.exportFile(to: folder.appendingPathComponent("a.doc"))
    }
    let other = folder.appendingPathComponent("d.bin")
    try await editor.exportFile(to: other, as: .text)
    #expect(text(try Data(contentsOf: other)) == "hello\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 4)
  }

  @Test("A block and a selection are exported alone")
  func parts() async throws {
    let editor = try Content.editor(
      Content.page(Content.text(["one", "two", "three"]), Content.rectangle))
    let root = try #require(editor.rootBlock)
    let node = try #require(root.children.first { $0.type == .node })
    let block = try #require(root.children.first { $0.type == .text })
    #expect(text(try await editor.exportFile(block, as: .text)) == "one two three\n")
    let chosen = block.words.dropFirst().flatMap(\.items)
    let selection = try editor.selection(ofItems: chosen)
    #expect(text(try await editor.exportFile(selection, as: .text)) == "two three\n")
    for format in [ExportFormat.html, .inkML, .jsonLines, .jiix, .markdown] {
      let found = text(try await editor.exportFile(selection, as: format))
      #expect(found.contains("two") && !found.contains("one"), "\(format)")
    }
    // The sheet is that of the part.
    let whole = text(try await editor.exportFile(as: .svg))
    let drawing = text(try await editor.exportFile(node, as: .svg))
    #expect(whole.components(separatedBy: "<path").count == 5)
    #expect(drawing.components(separatedBy: "<path").count == 2)
    let note = try await editor.exportFile(selection, as: .xournal)
    let strokes = try InkReader(.xournal, bytes: Array(note), name: "a.xopp", unit: .page)
      .map { try $0.get().labeled.ink.strokes.count }
    #expect(strokes == [2])
    #expect(try editor.exportFormats(block).contains(.text))
    #expect(try !editor.exportFormats(node).contains(.text))
    #expect(try editor.exportFormats(node).contains(.graphML))
    #expect(try !editor.exportFormats(selection).contains(.graphML))
    try editor.clear()
    #expect(try editor.exportFormats() == [])
  }

  @Test("Typed text and pictures of an editor keep their looks, and are not ink")
  func digital() async throws {
    let editor = try Content.editor(Content.page(Content.text(["ink"], y: 100)))
    let typed = try editor.addText("Typed words", x: 20, y: 30, size: 5)
    try editor.addImage(Data(Typed.opaque), mimeType: "image/png", x: 20, y: 60, width: 30)
    let html = text(try await editor.exportFile(as: .html))
    #expect(
      html.contains("font-size: 14.2pt; font-family: 'Liberation Sans'")
        && html.contains(">Typed words</span>") && html.contains("<p>ink</p>"), "\(html)")
    #expect(html.contains("<img alt=\"\" style=\"width: 30.0mm"))
    let pdf = try await editor.exportFile(as: .pdf)
    #expect(text(pdf).contains("/BaseFont /Helvetica ") && text(pdf).contains("/Subtype /Image"))
    if let program = OutsideReaderTests.pdftotext {
      let found = try OutsideReaderTests.read(Array(pdf), program)
      #expect(found.split(whereSeparator: \.isWhitespace) == ["Typed", "words", "ink"], "\(found)")
    }
    let docx = try await editor.exportFile(as: .docx)
    let body = try Sample.entry("word/document.xml", of: Array(docx))
    #expect(body.contains("<w:sz w:val=\"28\"/>") && body.contains("Typed words"))
    let note = try await editor.exportFile(as: .xournal)
    let strokes = try InkReader(.xournal, bytes: Array(note), name: "a.xopp", unit: .page)
      .map { try $0.get().labeled.ink.strokes.count }
    #expect(strokes == [1])
    let selection = try editor.selection(of: typed)
    let part = text(try await editor.exportFile(selection, as: .html))
    #expect(part.contains("Typed words</span>") && !part.contains("<p>ink</p>"), "\(part)")
    let svg = text(try await editor.exportFile(selection, as: .svg))
    #expect(svg.contains(">Typed</text>") && !svg.contains("<path"))
    let formats = try editor.exportFormats(typed)
    #expect(formats.contains(.docx) && formats.contains(.text) && formats.contains(.jiix))
    // Typed text is no ink.
    #expect(!formats.contains(.inkML) && !formats.contains(.xournal))
    #expect(try editor.exportFormats().contains(.inkML))
  }

  @Test("Parts become pages, with progress, and those of an editor are left there")
  func pages() async throws {
    let engine = Content.engine()
    var parts = try (0..<4).map { try Content.part(["page\($0)"], engine) }
    let editor = try Content.editor(Content.page(Content.text(["shown"])), engine)
    parts.append(try #require(editor.part))
    let seen = Guarded<[Double]>([])
    let bytes = try await engine.exportFile(of: parts, as: .text) { progress in
      seen.withLock { $0.append(progress.fraction) }
    }
    #expect(text(bytes) == "page0\n\npage1\n\npage2\n\npage3\n\nshown\n")
    #expect(seen.withLock { $0 } == [0.2, 0.4, 0.6, 0.8, 1])
    #expect(text(try await engine.exportFile(of: parts[1..<3], as: .text)) == "page1\n\npage2\n")
    #expect(editor.part === parts[4])
    await #expect(throws: ExportError.severalPages(format: "svg", found: 5)) {
      try await engine.exportFile(of: parts, as: .svg)
    }
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = try await engine.exportFiles(
      of: parts[0..<2], to: folder.appendingPathComponent("a.svg"))
    #expect(files.map(\.lastPathComponent) == ["a-1.svg", "a-2.svg"])
    let one = try await engine.exportFiles(
      of: parts[0..<1], to: folder.appendingPathComponent("b.svg"))
    #expect(one.map(\.lastPathComponent) == ["b.svg"])
  }

  @Test(
    "Files that are written page by page are those of memory",
    arguments: [ExportFormat.pdf, .html, .xournal, .inkML, .jsonLines, .unipen, .docx])
  func streams(_ format: ExportFormat) async throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let engine = Content.engine()
    let parts = try (0..<3).map { try Content.part(["page\($0)"], engine) }
    let options = ExportOptions(title: "a", drawsInk: true)
    let url = folder.appendingPathComponent("a." + format.ending)
    try await engine.exportFiles(of: parts, to: url, as: format, options: options)
    let data = try await engine.exportFile(of: parts, as: format, options: options)
    #expect(try Data(contentsOf: url) == data)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
  }

  @Test("A cancelled export ends soon and leaves no file", arguments: [ExportFormat.pdf, .html])
  func cancel(_ format: ExportFormat) async throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let engine = Content.engine()
    let parts = try (0..<50).map { try Content.part(["page\($0)"], engine) }
    let pages = Guarded(0)
    let url = folder.appendingPathComponent("a." + format.ending)
    try Data("old".utf8).write(to: url)
    let task = Task {
      try await engine.exportFiles(of: parts, to: url) { progress in
        pages.withLock { $0 = progress.donePages }
        if progress.donePages == 3 { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(pages.withLock { $0 } == 3)
    #expect(try Data(contentsOf: url) == Data("old".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
    // The parts are free again.
    #expect(parts.allSatisfy { $0.editor == nil })
  }

  @Test("A file that cannot be written is named, and nothing is left", arguments: ["pdf", "txt"])
  func unwritable(_ ending: String) async throws {
    let editor = try Content.editor(Content.page(Content.text(["hello"])))
    let url = URL(fileURLWithPath: "/nowhere-at-all/a.\(ending)")
    do {
      try await editor.exportFile(to: url)
      Issue.record("expected an error")
    } catch let error as ExportError {
      guard case .unwritableFile(let path, _) = error else {
        Issue.record("found \(error)")
        return
      }
      #expect(path == url.path)
    }
  }

  @Test(
    "A full disk leaves no half file",
    .enabled(if: FullDisk.isThere, "no file system of at most 1 MB is mounted at \(FullDisk.path)"),
    arguments: ["pdf", "html", "docx", "jsonl"])
  func fullDisk(_ ending: String) async throws {
    // Words that cannot be packed well.
    let words = (0..<2000).map { _ in String(UInt64.random(in: 0 ... .max), radix: 36) }
    let editor = try Content.editor(Content.page(Content.text(words)))
    let url = URL(fileURLWithPath: FullDisk.path).appendingPathComponent("a.\(ending)")
    try Data("old".utf8).write(to: url)
    await #expect(throws: ExportError.self) { try await editor.exportFile(to: url) }
    #expect(try Data(contentsOf: url) == Data("old".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: FullDisk.path).count == 1)
    try FileManager.default.removeItem(at: url)
  }

  @Test("Overrides apply to JIIX, SVG and struck words, and wrong ones are refused")
  func overrides() async throws {
    let editor = try Content.editor(Content.page(Content.text(["hello"])))
    let plain = text(try await editor.exportFile(as: .jiix))
    let bare = text(
      try await editor.exportFile(
        as: .jiix,
        options: ExportOptions(overrides: #"{"export": {"jiix": {"strokes": false}}}"#)))
    #expect(plain.contains("\"X\"") && !bare.contains("\"X\""))
    await #expect(throws: EditorError.self) {
      try await editor.exportFile(
        as: .text, options: ExportOptions(overrides: "{"))
    }
  }
}

/// A small file system, such as one of 16 KB: `mount -t tmpfs -o size=16k tmpfs PATH`.
enum FullDisk {
  static var isThere: Bool {
    let values = try? FileManager.default.attributesOfFileSystem(forPath: path)
    return (values?[.systemSize] as? NSNumber).map { $0.intValue <= 1 << 20 } ?? false
  }

  static let path =
    ProcessInfo.processInfo.environment["DUCTUS_SMALL_DISK"] ?? "/tmp/ductus-small-disk"
}
