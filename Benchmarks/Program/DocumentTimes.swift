import EditorStorage
import Evaluation
import Foundation
import InkCore
import InkEditor

/// Measures packages of many strokes: opening, loading, autosave and saving.
enum DocumentTimes {
  /// The number of strokes of the package.
  private static let strokes = 100_000
  private static let (blocks, linesPerBlock, wordsPerLine) = (1000, 4, 5)
  private static let strokesPerWord = strokes / (blocks * linesPerBlock * wordsPerLine)
  private static let pointsPerStroke = 24
  private static let candidates = 5
  /// Strokes that are stored, one after the other, in each round.
  private static let autosaves = 20

  /// Makes a package and measures it.
  ///
  /// - Throws: `PackageError` and `EditorError`.
  static func measured(rounds: Int) throws -> ProgramReport.Documents {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("ductus-benchmarks-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("bench.ductusdoc")
    let package = try makeEngine().createPackage(at: file)
    _ = try package.makePart(type: .rawContent, content: content())
    try package.save()
    try package.close()
    var result = (
      outline: [Double](), load: [Double](), first: [Double](), autosave: [Double](),
      save: [Double]()
    )
    for _ in 0..<rounds {
      result.outline.append(
        try milliseconds {
          let package = try makeEngine().openPackage(at: file, mode: .readOnly)
          let root = try package.part(at: 0).outline()
          precondition(root.withDescendants.count == blocks + 1)
        })
      let engine = makeEngine()
      let package = try engine.openPackage(at: file)
      let editor = engine.makeEditor()
      editor.viewTransform = .millimetres
      try editor.setViewSize(width: 210, height: 297)
      try editor.configuration.set("recognition.trigger", to: "demand")
      let part = try package.part(at: 0)
      result.load.append(try milliseconds { try editor.setPart(part) })
      package.holdsAutosave = true
      for index in 0...autosaves {
        let x = 20 + 5 * Double(index)
        try editor.pointerDown(x: x, y: 290)
        for step in 1..<pointsPerStroke {
          try editor.pointerMove(x: x + 0.1 * Double(step), y: 290 + Double(step % 5))
        }
        try editor.pointerUp(x: x + 2.5, y: 292)
        let time = try milliseconds { try package.flush() }
        // The first change makes the working copy.
        if index == 0 { result.first.append(time) } else { result.autosave.append(time) }
      }
      result.save.append(try milliseconds { try package.save() })
      try editor.setPart(nil)
      try package.close()
    }
    let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int ?? 0
    return ProgramReport.Documents(
      strokes: strokes, blocks: blocks, bytes: size,
      outlineMilliseconds: Spread(result.outline),
      loadMilliseconds: Spread(result.load),
      firstChangeMilliseconds: Spread(result.first),
      autosaveMilliseconds: Spread(result.autosave),
      saveMilliseconds: Spread(result.save))
  }

  private static func makeEngine() -> Engine {
    let models = LoadedModels()
    models.declare(bundle: "en_US")
    return Engine(models: models)
  }

  private static func milliseconds(_ work: () throws -> Void) rethrows -> Double {
    let start = ContinuousClock.now
    try work()
    return (ContinuousClock.now - start) / .milliseconds(1)
  }

  /// A page of blocks of text that was read.
  private static func content() -> PartContent {
    var generator = SeededGenerator(seed: 3)
    var content = PartContent(
      strokes: [], order: nil, blocks: [], lines: [], state: StoredState())
    var root = StoredBlock(id: "0", type: .rawContent)
    for block in 0..<blocks {
      var text = StoredBlock(id: "\(block + 1)", type: .text)
      let (left, top) = (Double(block % 4) * 80 + 10, Double(block / 4) * 60 + 10)
      for row in 0..<linesPerBlock {
        var line = StoredLine(id: content.lines.count)
        var run = StoredRun(items: [])
        run.isRead = true
        for word in 0..<wordsPerLine {
          let place = (x: left + 14 * Double(word), y: top + 10 * Double(row))
          run.words.append(self.word(at: place, &content, &generator))
        }
        run.items = run.words.flatMap(\.items)
        line.runs = [run]
        line.activeRun = 0
        text.lines.append(line.id)
        content.lines.append(line)
      }
      text.box = BoundingBox(minX: left, minY: top, maxX: left + 68, maxY: top + 36)
      root.children.append(text.id)
      content.blocks.append(text)
    }
    root.box = BoundingBox(minX: 10, minY: 10, maxX: 330, maxY: Double(blocks / 4) * 60 + 50)
    content.blocks.append(root)
    content.state.nextItem = content.strokes.count + 1
    content.state.nextNumber = content.strokes.count
    content.state.nextBlock = blocks + 1
    content.state.nextLine = content.lines.count
    content.state.nextWord = 1_000_000
    content.state.configuration = TextConfiguration(bundle: "en_US", name: "text")
    return content
  }

  private static func word(
    at place: (x: Double, y: Double), _ content: inout PartContent,
    _ generator: inout SeededGenerator
  ) -> TextWord {
    var items: [Int] = []
    var characters: [TextCharacter] = []
    var whole: BoundingBox?
    for letter in 0..<strokesPerWord {
      let item = content.strokes.count + 1
      let points = (0..<pointsPerStroke).map { step in
        StrokePoint(
          x: rounded(place.x + 2.2 * Double(letter) + 0.08 * Double(step)),
          y: rounded(place.y + Double(generator.uniform(0...4))),
          t: 1_700_000_000_000 + Double(item * 400 + 8 * step),
          force: rounded(Double(generator.uniform(0...1))))
      }
      var stroke = InkStroke(id: item, pointer: .pen, points: points)
      stroke.number = item - 1
      content.strokes.append(stroke)
      items.append(item)
      if whole == nil { whole = stroke.box } else { whole?.formUnion(stroke.box) }
      characters.append(
        TextCharacter(
          label: "a", candidates: texts(1),
          parts: [ItemPart(item: item, points: 0..<pointsPerStroke)], box: stroke.box, id: item))
    }
    return TextWord(
      label: String(repeating: "a", count: strokesPerWord), candidates: texts(strokesPerWord),
      characters: characters, items: items,
      box: whole ?? BoundingBox(minX: 0, minY: 0, maxX: 0, maxY: 0), id: 200_000 + items[0])
  }

  private static func texts(_ length: Int) -> [TextCandidate] {
    (0..<candidates).map { index in
      TextCandidate(
        text: String(repeating: Character(Unicode.Scalar(UInt8(97 + index))), count: length),
        probability: index == 0 ? 0.7 : 0.07)
    }
  }

  /// Micrometres and thousandths.
  private static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}
