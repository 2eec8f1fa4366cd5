import Foundation
import InkCore
import InkEditor
import Recognition
import TestSamples
import Testing

@Suite("Configuration keys")
struct ConfigurationKeyTests {
  private let engine = Configuration()
  private let editor: Configuration

  init() { editor = Configuration(parent: engine) }

  @Test("Texts of a closed set and whole numbers are checked when they are set")
  func closedSets() throws {
    for (key, bad) in [
      ("recognition.trigger", "strok"), ("recognition.writing-area", "all"),
      ("math.solver.angle-unit", "grad"),
    ] {
      do throws(ConfigurationError) {
        try editor.set(key, to: bad)
        Issue.record("\(key) took \(bad)")
      } catch {
        let allowed = try #require(ConfigurationKey.named(key)?.allowed)
        #expect(allowed.allSatisfy(error.description.contains))
      }
    }
    #expect(throws: ConfigurationError.self) {
      try editor.set("raw-content.classification.types", to: ["text", "shapes"])
    }
    #expect(throws: ConfigurationError.self) {
      try editor.set("raw-content.pen.gestures", to: ["wave"])
    }
    for key in ["recognition.candidates", "max-recognition-thread-count"] {
      #expect(throws: ConfigurationError.self) { try editor.set(key, to: 1.5) }
      try editor.set(key, to: 2)
    }
    // A value that refers to another key is checked when it is read.
    try editor.set("recognition.trigger", to: "${mine}")
  }

  @Test("One JSON cannot have a key that is a value and a section, or a key twice")
  func conflicts() throws {
    for bad in [
      #"{"a":1,"a.b":2}"#, #"{"a":{"b":1},"a.b":"x"}"#, #"{"x":{"y":1},"x.y.z":2}"#,
    ] {
      #expect(throws: ConfigurationError.self) { try editor.inject(bad) }
      #expect(!editor.hasValue("a") && !editor.hasValue("a.b") && !editor.hasValue("x.y"))
    }
  }

  @Test("The table of keys has a kind, a default and a summary for each, and strict mode uses it")
  func table() throws {
    #expect(Set(ConfigurationKey.all.map(\.name)).count == ConfigurationKey.all.count)
    for key in ConfigurationKey.all {
      #expect(!key.summary.isEmpty && editor.hasValue(key.name))
      #expect(Configuration.isKnown(key.name))
      if let allowed = key.allowed, case .string(let text) = key.defaultValue {
        #expect(allowed.contains(text))
      }
    }
    #expect(!Configuration.isKnown("text.guide.enable"))
    try editor.set("text.guide.enable", to: false)
    editor.reset()
    editor.isStrict = true
    #expect(throws: ConfigurationError.unknownKey("text.guide.enable")) {
      try editor.set("text.guide.enable", to: false)
    }
    #expect(throws: ConfigurationError.self) { try editor.inject(#"{"text":{"guide":{"a":1}}}"#) }
    try editor.set("text.guides.enable", to: false)
  }

  @Test("Every key is read somewhere")
  func areRead() throws {
    let sources = try ["InkEditor", "EditorStorage"].flatMap { module in
      try SourceFiles.texts(of: module) { $0 != "ConfigurationKey.swift" }
    }
    let code = sources.map(\.text).joined(separator: "\n")
    for key in ConfigurationKey.all where key.name != "lang" {
      // The sections of text and raw content are read by one line.
      let section = ["text", "raw-content"].first { key.name.hasPrefix($0 + ".configuration.") }
      let general = section.map { "\\(section)" + key.name.dropFirst($0.count) }
      let isRead = [key.name, general].compactMap { $0 }.contains { code.contains("\"\($0)\"") }
      #expect(isRead, "\(key.name) is never read")
    }
    // The language is read by keys that refer to it.
    #expect(
      ConfigurationKey.all.contains { key in
        if case .string(let text) = key.defaultValue { text.contains("${lang}") } else { false }
      })
  }

  @Test("One key is removed, so that it follows the engine again")
  func remove() throws {
    try engine.set("text.margin.left", to: 3)
    try editor.set("text.margin.left", to: 5)
    try editor.set("text.margin.top", to: 6)
    #expect(editor.isSetHere("text.margin.left"))
    #expect(editor.remove("text.margin.left") && !editor.remove("text.margin.left"))
    #expect(!editor.isSetHere("text.margin.left"))
    #expect(try editor.section("text.margin").number("left") == 3)
    #expect(try editor.section("text.margin").number("top") == 6)
    #expect(editor.section("text.margin").keys == ["left", "right", "top"])
  }

  @Test("A configuration goes out as JSON and comes back the same")
  func json() throws {
    try editor.set("mine", to: "a \"quote\" \\ \u{1} line\n")
    try editor.set("text.margin.left", to: 2.5)
    try editor.set("text.guides.enable", to: false)
    try editor.set("recognition.lexicon", to: ["x", "y"])
    try editor.set("some.numbers", to: [1, 2.5])
    let json = editor.json
    editor.reset()
    #expect(editor.json == "{}")
    try editor.inject(json)
    #expect(editor.json == json)
    #expect(try editor.string("mine") == "a \"quote\" \\ \u{1} line\n")
    #expect(try editor.numbers("some.numbers") == [1, 2.5])
  }

  @Test("A key that cannot be read is told once, and the default is used")
  func unreadable() throws {
    let desk = try Desk()
    let listener = Listener()
    desk.editor.delegate = listener
    try desk.editor.configuration.set("recognition.trigger", to: "${nothing}")
    try desk.write("ab")
    #expect(try desk.text() == "ab")
    let notices = listener.events.compactMap { event in
      if case .notice(let notice) = event { notice.code } else { nil }
    }
    #expect(notices == [.invalidConfiguration])
  }

  @Test("A notice about a key outlives readings and models, and is sent again after a change")
  func toldAgain() throws {
    let desk = try Desk()
    let listener = Listener()
    desk.editor.delegate = listener
    func count() throws -> Int {
      try desk.editor.waitUntilIdle()
      return listener.events.count { event in
        if case .notice(let notice) = event { notice.code == .invalidConfiguration } else { false }
      }
    }
    try desk.editor.configuration.set("recognition.trigger", to: "${nothing}")
    // Each reading is finished before the key is read again.
    for place in 0..<3 {
      try desk.write("ab", x: 20 + 20 * Double(place))
      #expect(try count() == 1)
    }
    desk.engine.modelsDidChange()
    #expect(try count() == 1)
    try desk.editor.configuration.set("recognition.trigger", to: "${nothing else}")
    try desk.write("ab", x: 100)
    #expect(try count() == 2)
  }

  @Test("A change of a key is told, on the editor and on the engine")
  func told() throws {
    let desk = try Desk()
    let listener = Listener()
    desk.editor.delegate = listener
    try desk.editor.configuration.set("text.margin.left", to: 4)
    try desk.editor.configuration.set("text.margin.left", to: 4)
    try desk.engine.configuration.inject(#"{"text":{"margin":{"top":1,"right":2}}}"#)
    try desk.editor.waitUntilIdle()
    #expect(
      listener.events.filter { if case .configurationChanged = $0 { true } else { false } } == [
        .configurationChanged(keys: ["text.margin.left"]),
        .configurationChanged(keys: ["text.margin.right", "text.margin.top"]),
      ])
  }

  @Test("Ink that was read before a key changed is read again when asked, chosen words are not")
  func readAgain() throws {
    let desk = try Desk()
    try desk.write("abc def")
    #expect(try desk.text() == "abc def")
    try desk.editor.choose("DEF", for: desk.root.words[1], in: desk.root)
    try desk.editor.configuration.set("recognition.alphabet", to: "ABCDEF ")
    #expect(try desk.text() == "abc DEF")
    try desk.editor.recognize(again: true)
    #expect(try desk.text() == "ABC DEF")
  }

  @Test("A limit of threads is a whole number, and holds for the editor that sets it")
  func threads() throws {
    try editor.set("max-recognition-thread-count", to: 2)
    #expect(try engine.number("max-recognition-thread-count") == 1)
  }
}

@Suite("Descriptions of configuration bundles")
struct BundleDescriptionTests {
  @Test("A bundle in a second folder is found, and says model, characters and words")
  func found() throws {
    let root = FileManager.default.temporaryDirectory
      .appendingPathComponent("ductus-bundles-\(UInt64.random(in: 0 ... .max))")
    defer { try? FileManager.default.removeItem(at: root) }
    let folders = ["one", "two"].map { root.appendingPathComponent($0) }
    for folder in folders {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    let file = folders[1].appendingPathComponent("mine.bundle.json")
    func desk(_ json: String, name: String = "capitals") throws -> Desk {
      try Data(json.utf8).write(to: file)
      return try Desk {
        try $0.configuration.set("configuration-manager.search-path", to: folders.map(\.path))
        try $0.configuration.set("text.configuration.bundle", to: "mine")
        try $0.configuration.set("text.configuration.name", to: name)
      }
    }
    let good = #"{"configurations":{"capitals":{"model":"en_US","alphabet":"ABC "}}}"#
    let capitals = try desk(good)
    try capitals.write("abc")
    #expect(try capitals.text() == "ABC")
    #expect(throws: EditorError.configurationNotFound(bundle: "mine", name: "x")) {
      try desk(good, name: "x")
    }
    #expect(throws: EditorError.bundleNotFound("other")) {
      try desk(#"{"configurations":{"capitals":{"model":"other"}}}"#)
    }
    for bad in [
      "", "[]", "{}", #"{"configurations":{"capitals":{}}}"#,
      #"{"configurations":{"capitals":{"model":"en_US","lexicon":[1]}}}"#,
      #"{"configurations":{"capitals":{"model":"en_US","alphabet":1}}}"#,
    ] {
      do {
        _ = try desk(bad)
        Issue.record("taken: \(bad)")
      } catch let error as EditorError {
        #expect(error.description.contains(file.path))
      }
    }
  }
}

@Suite("Notices")
struct NoticeTests {
  private func codes(_ desk: Desk, _ body: () throws -> Void) throws -> [EditorNotice.Code] {
    let listener = Listener()
    desk.editor.delegate = listener
    try body()
    try desk.editor.waitUntilIdle()
    return listener.events.compactMap { event in
      if case .notice(let notice) = event { notice.code } else { nil }
    }
  }

  private func refusing() throws -> Desk {
    let models = LoadedModels()
    models.setText(
      ScriptedReader { _ in RecognitionResult(candidates: []) }, bundle: "en_US")
    return try Desk(models: models)
  }

  @Test("Ink that is refused says why: too small, too big, too long, and stays")
  func refused() throws {
    let small = try refusing()
    #expect(
      try codes(small) {
        try small.draw([[StrokePoint(x: 50, y: 50), StrokePoint(x: 50.5, y: 50.5)]])
      } == [.inkTooSmall])
    let big = try refusing()
    #expect(
      try codes(big) { try big.draw([Pen.rectangle(x: 20, y: 20, width: 60, height: 60)]) } == [
        .inkTooBig
      ])
    let long = try refusing()
    let many = (0...20_001).map { StrokePoint(x: 20 + Double($0) / 1000, y: 50 + Double($0 % 2)) }
    #expect(try codes(long) { try long.draw([many]) } == [.inkTooLong])
    for desk in [small, big, long] { #expect(try desk.root.items.count == 1) }
  }

  @Test("Ink above the first line or outside of the page is told, and read all the same")
  func places() throws {
    let above = try Desk()
    #expect(try codes(above) { try above.write("a", y: 4) } == [.inkAboveFirstLine])
    #expect(try above.text() == "a")
    let outside = try Desk()
    #expect(try codes(outside) { try outside.write("a", x: 250, y: 50) } == [.inkOutOfPage])
    #expect(try outside.text() == "a")
  }

  /// Models whose bundle goes.
  private final class LeavingModels: EditorModels, @unchecked Sendable {
    // Unchecked because the lock guards the answer.
    private let lock = NSLock()
    private var answer = ConfigurationLookup.found

    func answer(_ answer: ConfigurationLookup) { lock.withLock { self.answer = answer } }

    func configuration(bundle: String, name: String) -> ConfigurationLookup {
      lock.withLock { answer }
    }

    func textRecognizer(bundle: String, name: String) throws -> any Recognizer {
      throw CocoaError(.fileReadCorruptFile)
    }

    func shapeRecognizer(name: String) throws -> any Recognizer { throw MissingModel(name: name) }
  }

  @Test("A bundle, a name or a file that goes later is told by its code")
  func gone() throws {
    for (answer, code) in [
      (ConfigurationLookup.unknownBundle, EditorNotice.Code.bundleNotFound),
      (.unknownName, .nameNotFound), (.found, .resourceNotFound),
    ] {
      let models = LeavingModels()
      let desk = try Desk(models: models)
      models.answer(answer)
      #expect(try codes(desk) { try desk.write("a", y: 50) } == [code])
      #expect(try desk.root.items.count == 1)
    }
  }
}

@Suite("Numbers that were chosen")
struct TuningTests {
  /// Numbers that are not chosen: units, constants of geometry, limits of number formats and of the system's timers, and
  /// the defaults and ranges of keys, which are public.
  private static let others: [String: Set<String>] = [
    "ViewTransform.swift": ["25.4"], "WordBuilder.swift": ["300.0"],
    "Editor+Recognition.swift": ["3600.0"], "ConfigurationKey.swift": ["0.5", "0.1"],
    "DrawPath.swift": ["0.5522847498"], "InkCurve.swift": ["0.75"],
    "Editor+Guides.swift": ["1.5"], "StyleSheetParser.swift": ["25.4", "0.5"],
    "ViewState.swift": ["0.02"], "StrokeStyle.swift": ["0.5", "1000.0"],
  ]

  @Test("A number with a fraction is a constant with a name and a comment")
  func named() throws {
    let files = try SourceFiles.texts(of: "InkEditor") { _ in true }
    #expect(files.count > 40)
    for file in files {
      var hasComment = false
      for line in file.text.split(separator: "\n") {
        let code = line.prefix(upTo: line.firstRange(of: "//")?.lowerBound ?? line.endIndex)
        let isConstant = code.contains("static let ")
        defer { hasComment = line.contains("//") || (isConstant && hasComment) }
        // `$0.1.0` and `1.0` as a start of a range or sum are not chosen.
        for match in code.matches(of: /(^|[^\w.$])(\d+\.\d+)/) {
          let number = String(match.2)
          guard !["0.0", "1.0"].contains(number) else { continue }
          #expect(
            isConstant && hasComment || Self.others[file.name]?.contains(number) == true,
            "\(file.name): \(number)")
        }
      }
    }
  }
}

/// The sources of the package.
enum SourceFiles {
  /// Returns the texts of the files of a module for whose names a condition holds.
  static func texts(
    of module: String, where condition: (String) -> Bool
  ) throws -> [(name: String, text: String)] {
    let folder = PackageFolder.url.appendingPathComponent("Sources/\(module)")
    let files = try #require(
      FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    return try files.compactMap { $0 as? URL }
      .filter { $0.pathExtension == "swift" && condition($0.lastPathComponent) }
      .map { ($0.lastPathComponent, try String(contentsOf: $0, encoding: .utf8)) }
  }
}

/// The folder of the package.
enum PackageFolder {
  static let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().resolvingSymlinksInPath()
}

@Suite("The page of keys")
struct ConfigurationPageTests {
  @Test("docs/Configuration.md is the table of keys; run with DUCTUS_WRITE_DOCS=1 to write it")
  func page() throws {
    let url = PackageFolder.url.appendingPathComponent("docs/Configuration.md")
    if ProcessInfo.processInfo.environment["DUCTUS_WRITE_DOCS"] == "1" {
      try Self.text.write(to: url, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: url, encoding: .utf8) == Self.text)
  }

  private static var text: String {
    let rows = ConfigurationKey.all.map { key in
      let limits =
        key.allowed.map { $0.map { "`\($0)`" }.joined(separator: ", ") }
        ?? key.range.map { "\(number($0.lowerBound)) … \(number($0.upperBound))" } ?? ""
      return
        "| `\(key.name)` | \(kind(key)) | \(value(key.defaultValue)) | \(limits) | \(key.summary) |"
    }
    return """
      # Configuration keys

      An engine has a configuration, and each of its editors has one below it. A key that is not set
      on the editor has the value of the engine, and else the default. [Editor](Editor.md) says how
      keys are set. A string may refer to another key as `${other.key}`.

      The table is made from `ConfigurationKey.all`, and a test compares the two.

      | Key | Kind | Default | Allowed | Meaning |
      |---|---|---|---|---|

      """ + rows.joined(separator: "\n") + "\n"
  }

  private static func kind(_ key: ConfigurationKey) -> String {
    switch key.defaultValue {
    case .boolean: "true or false"
    case .number: key.isWhole ? "whole number" : "number"
    case .numbers: "numbers"
    case .string: "string"
    case .strings: "strings"
    }
  }

  private static func value(_ value: ConfigurationValue) -> String {
    switch value {
    case .boolean(let flag): "`\(flag)`"
    case .number(let number): self.number(number)
    case .numbers(let numbers): numbers.map(self.number).joined(separator: ", ")
    case .string(let text): text.isEmpty ? "empty" : "`\(text)`"
    case .strings(let texts):
      texts.isEmpty ? "none" : texts.map { "`\($0)`" }.joined(separator: ", ")
    }
  }

  private static func number(_ number: Double) -> String {
    number == number.rounded() ? "\(Int(number))" : "\(number)"
  }
}
