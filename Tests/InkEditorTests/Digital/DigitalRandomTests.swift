import Foundation
import InkCore
import InkEditor
import TestSamples
import Testing

/// Random changes of documents that have typed text, exact shapes and pictures beside ink. The
/// environment variables are those of the random events: `DUCTUS_SOAK_SEED` runs one seed.
@Suite("Random changes of typed content")
struct DigitalRandomTests {
  private static func variable(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment["DUCTUS_SOAK_\(name)"].flatMap { Int($0) }
  }

  @Test("no crash, a sound document, the same document after undo and redo and through JIIX")
  func random() throws {
    let seeds: [Int] =
      Self.variable("SEED").map { [$0] }
      ?? Array(
        (Self.variable("FIRST") ?? 1)..<(Self.variable("FIRST") ?? 1)
          + max(24, (Self.variable("EVENTS") ?? 0) / 100))
    for seed in seeds {
      if Self.variable("EVENTS") != nil {
        FileHandle.standardError.write(Data("seed \(seed)\n".utf8))
      }
      let types: [PartType] = [.rawContent, .text, .diagram, .textDocument]
      var run = try Run(type: types[seed % types.count], seed: UInt64(seed))
      do {
        for _ in 0..<100 { try run.step() }
        try run.end()
      } catch {
        Issue.record(
          "seed \(seed), \(run.log.count) steps: \(error)\n\(run.log.joined(separator: "\n"))")
      }
    }
  }

  /// One document and its changes.
  private struct Run {
    let desk: Desk
    var generator: SeededGenerator
    var log: [String] = []

    init(type: PartType, seed: UInt64) throws {
      desk = try Desk(type: type.rawValue)
      generator = SeededGenerator(seed: seed, 0xD161)
      try desk.editor.configuration.set("text.guides.enable", to: seed % 2 == 0)
    }

    private var editor: Editor { desk.editor }

    private mutating func below(_ count: Int) -> Int { generator.index(below: count) }

    private mutating func place() -> (x: Double, y: Double) {
      (Double(generator.uniform(5...150)), Double(generator.uniform(5...150)))
    }

    private func all(_ block: ContentBlock) -> [ContentBlock] {
      [block] + block.children.flatMap(all)
    }

    private mutating func block() -> ContentBlock? {
      let blocks = editor.rootBlock.map(all) ?? []
      return blocks.isEmpty ? nil : blocks[below(blocks.count)]
    }

    private mutating func selection() throws -> Selection? {
      let items = editor.rootBlock?.items ?? []
      guard !items.isEmpty else { return nil }
      let chosen = (0...below(4)).map { _ in items[below(items.count)] }
      let whole = try editor.selection(ofItems: Set(chosen))
      guard below(3) == 0 else { return whole }
      let parts = whole.parts.map { part in
        ItemPart(item: part.item, points: 0..<(part.points.count + 1) / 2)
      }
      return editor.read { Selection(InkAnchor(parts), $0) }
    }

    mutating func step() throws {
      let kind = below(100)
      let (x, y) = place()
      log.append("\(kind) \(x) \(y)")
      do {
        try change(kind, x, y)
      } catch let error as EditorError {
        log.append("  refused: \(error)")
      }
      try editor.waitUntilIdle()
      let faults = editor.read { $0.document?.faults ?? [] }
      guard faults.isEmpty else { throw Violation("faults: \(faults)") }
      if editor.read({ $0.document?.pageMayHaveChanged ?? false }) {
        throw Violation("idle, and the page is to be looked at")
      }
      try checkTyped()
      if log.count % 20 == 0 { try check() }
    }

    private mutating func change(_ kind: Int, _ x: Double, _ y: Double) throws {
      switch kind {
      case 0..<12: try desk.write(["ab", "cat dog", "hello"][below(3)], x: x, y: y)
      case 12..<17:
        try desk.draw([
          Pen.rectangle(
            x: x, y: y, width: Double(generator.uniform(8...40)),
            height: Double(generator.uniform(8...30)))
        ])
      case 17..<21:
        let (toX, toY) = place()
        try desk.draw([
          (0...10).map { step in
            let part = Double(step) / 10
            return StrokePoint(x: x + part * (toX - x), y: y + part * (toY - y))
          }
        ])
      case 21..<29:
        try editor.addText(
          [
            StyledText(["one two", "a", "x\ny", "long words in a row"][below(4)]),
            StyledText(["", "er", " bold"][below(3)], isBold: true),
          ], x: x, y: y, width: below(2) == 0 ? nil : 40)
      case 29..<31: try editor.addImage(DigitalBlockTests.png, x: x, y: y, width: 20)
      case 31..<41:
        try editor.convert(below(2) == 0 ? nil : block(), to: below(2) == 0 ? .publish : .edit)
      case 41..<45: if let selection = try selection() { try editor.convert(selection) }
      case 45..<50:
        if let selection = try selection() {
          try editor.move(selection, dx: x / 3 - 20, dy: y / 3 - 20)
        }
      case 50..<53:
        if let selection = try selection() {
          try editor.scale(selection, x: 0.5 + x / 100, y: 0.5 + y / 100)
        }
      case 53..<57: if let selection = try selection() { try editor.erase(selection) }
      case 57..<60: if let block = block() { try editor.copy(block) }
      case 60..<62: if let selection = try selection() { try editor.cut(selection) }
      case 62..<66:
        guard (editor.rootBlock?.items.count ?? 0) < 200 else { return }
        try editor.paste(x: x, y: y)
      case 66..<71:
        try editor.configuration.set("text.eraser.erase-precisely", to: below(2) == 0)
        editor.tools.setTool(.eraser, for: .pen)
        defer { editor.tools.setTool(.pen, for: .pen) }
        let (toX, toY) = place()
        try editor.pointerDown(x: x, y: y)
        try editor.pointerUp(x: (x + toX) / 2, y: (y + toY) / 2)
      case 71..<75:
        guard let block = block(), let word = block.words.randomElement(using: &generator),
          let text = word.candidates.randomElement(using: &generator)
        else { return }
        try editor.choose(text.text, for: word, in: block)
      case 75..<79:
        guard let block = block() else { return }
        try editor.decorate(
          characters: 0..<(1 + below(5)), of: block,
          with: DecorationKind.allCases[below(DecorationKind.allCases.count)])
      case 79..<82: if let block = block() { try editor.reflow(block, width: 10 + x) }
      case 82..<84: if let block = block() { try editor.removeBlock(block) }
      case 84..<86: try gesture(x, y)
      case 86..<95: for _ in 0...below(4) { try editor.undo() }
      case 95..<99: for _ in 0...below(3) { try editor.redo() }
      default: try editor.acceptCompletion("done")
      }
    }

    /// Draws a line or a zigzag over the word or the block that is there.
    private mutating func gesture(_ x: Double, _ y: Double) throws {
      guard let box = block()?.box, box.width < 200 else { return }
      try editor.configuration.set("gesture.enable", to: true)
      defer { try? editor.configuration.set("gesture.enable", to: false) }
      let turns = below(2) == 0 ? 1 : 9
      try desk.draw([
        (0...40).map { step in
          let part = Double(step) / 40
          let high = turns > 1 && Int(part * Double(2 * turns)) % 2 == 0
          return StrokePoint(
            x: box.minX + part * box.width,
            y: turns == 1 ? box.midY : (high ? box.minY : box.maxY))
        }
      ])
    }

    /// Typed words are what their items are, and no ink is in their runs.
    private func checkTyped() throws {
      let faults = editor.read { state -> [String] in
        guard let document = state.document else { return [] }
        var faults: [String] = []
        for line in document.root.withDescendants.flatMap(\.lines) {
          for run in line.runs {
            let strokes = run.items.compactMap { document.strokes[$0] }
            let typed = strokes.filter { $0.typed != nil }
            guard !typed.isEmpty else { continue }
            if typed.count != strokes.count { faults.append("a run mixes typed text and ink") }
            if run.state != .current { faults.append("typed text is not read") }
            for stroke in typed
            where TypedGlyphs.count(of: stroke.typed?.text ?? "") != stroke.points.count {
              faults.append("typed text has other points")
            }
          }
        }
        return faults
      }
      guard faults.isEmpty else { throw Violation("\(faults)") }
    }

    private func check() throws {
      let before = try editor.export(as: .jiix)
      let places = lines
      var count = 0
      while try editor.undo() { count += 1 }
      try editor.waitUntilIdle()
      if editor.undoStackIndex == 0, !(editor.rootBlock?.items.isEmpty ?? true) {
        throw Violation("the beginning is not empty")
      }
      for _ in 0..<count { try editor.redo() }
      let between = lines
      try editor.waitUntilIdle()
      let after = try editor.export(as: .jiix)
      guard before == after else {
        throw Violation(
          "\(count) steps back and forth differ\n\(before)\n\(after)\n"
            + "lines \(places)\nafter redo \(between)\nidle \(lines)")
      }
    }

    /// The ids and middles of the lines of each text.
    private var lines: [String] {
      editor.read { state in
        (state.document?.root.withDescendants ?? []).filter { !$0.lines.isEmpty }.map { text in
          "\(text.id): "
            + text.lines.map { line in
              let items = line.items.map(String.init).joined(separator: " ")
              return "\(line.id) \(line.box.minY) \(line.box.maxY) [\(items)]"
            }.joined(separator: ", ")
        }
      }
    }

    func end() throws {
      try check()
      guard let type = editor.part?.type else { return }
      let jiix = try editor.export(as: .jiix)
      let other = try Desk(type: type.rawValue)
      try other.editor.importDocument(Data(jiix.utf8), as: .jiix)
      try other.editor.waitUntilIdle()
      let typed = { (editor: Editor) in
        editor.drawCommands(of: .ink).compactMap { command -> String? in
          if case .text(let text) = command { text.text } else { nil }
        }.sorted()
      }
      guard typed(editor) == typed(other.editor) else {
        throw Violation("typed text through JIIX: \(typed(editor)) \(typed(other.editor))")
      }
    }
  }
}
