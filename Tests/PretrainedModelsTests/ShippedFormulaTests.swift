import Foundation
import InkCore
import InkDatasets
import InkEditor
import PretrainedModels
import Recognition
import Testing

@Suite("Formulas with the model that ships")
struct ShippedFormulaTests {
  private static let cases = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Cases")

  @Test("A formula in a math part is read in the editor as by the recogniser")
  func part() throws {
    let models = try PretrainedModels()
    let recognizer = try ModelLibrary(of: models).reader(
      for: ReadingSpecification(model: "formulas", kind: .formula))
    let folder = Self.cases.appending(path: "inkml")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".inkml") }.sorted()
    var read = 0
    for file in files {
      let data = try DataSpecification(
        parsing: "inkml:\(folder.appending(path: file).path)?unit=file")
      guard let ink = try Array(data.records(unlabelled: true)).first?.get().labeled.ink,
        let box = ink.boundingBox, ink.strokes.count <= 60
      else { continue }
      let editor = Engine(models: ProvidedModels(models)).makeEditor()
      editor.viewTransform = .millimetres
      try editor.setViewSize(width: box.maxX + 20, height: box.maxY + 20)
      try editor.setPart(editor.engine.makePart(type: "Math"))
      try editor.importInk(ink)
      try editor.waitUntilIdle()
      let expected = try recognizer.recognize(
        ink, context: RecognitionContext(), maximumCandidates: 1
      ).candidates.first?.formula?.latex
      #expect(try editor.export(as: .latex) == expected ?? "", "\(file)")
      read += expected == nil ? 0 : 1
    }
    #expect(read > 0)
  }

  /// The laws of the composer, as the editor writes them.
  private static func laws() throws -> [String] {
    let path = cases.deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Datasets/starter/laws.txt")
    return try String(contentsOf: path, encoding: .utf8).split(separator: "\n")
      .filter { !$0.hasPrefix("//") }
      .compactMap { RecognizedFormula(latex: String($0))?.latex }
  }

  @Test("Typed formulas are read with ink beside them")
  func typed() throws {
    let editor = Engine(models: ProvidedModels(try PretrainedModels())).makeEditor()
    editor.viewTransform = .millimetres
    try editor.setViewSize(width: 500, height: 500)
    var (read, all, wrong): (Int, Int, [String]) = (0, 0, [])
    for law in try Self.laws() {
      try editor.setPart(editor.engine.makePart(type: "Math"))
      try editor.importInk(
        Ink(strokes: [
          Stroke(points: [StrokePoint(x: 20, y: 20), StrokePoint(x: 420, y: 60)])
        ]))
      try editor.waitUntilIdle()
      let block = try #require(editor.rootBlock)
      try editor.setLatex(law, ofFormula: block)
      try editor.convert()
      // Ink far behind it is read with the signs.
      let box = try #require(block.box)
      try editor.importInk(
        Ink(strokes: [
          Stroke(
            points: [
              StrokePoint(x: box.maxX + 3, y: box.midY), StrokePoint(x: box.maxX + 8, y: box.midY),
            ])
        ]))
      try editor.waitUntilIdle()
      all += 1
      if block.formulas.first?.latex == law + " -" {
        read += 1
      } else {
        wrong.append(law + "    " + (block.formulas.first?.latex ?? "nothing"))
      }
    }
    print("\(read) of \(all) typed formulas are right")
    for line in wrong { print(line) }
    #expect(2 * read > all)
  }

  @Test(
    "Experiment", .enabled(if: ProcessInfo.processInfo.environment["TYPED_FORMULAS"] != nil))
  func goesOn() throws {
    let folder = ProcessInfo.processInfo.environment["TYPED_FORMULAS"] ?? ""
    let models = try PretrainedModels()
    let recognizer = try ModelLibrary(of: models).reader(
      for: ReadingSpecification(model: "formulas", kind: .formula))
    let editor = Engine(models: ProvidedModels(models)).makeEditor()
    editor.viewTransform = .millimetres
    try editor.setViewSize(width: 500, height: 500)
    try editor.configuration.set("math.solver.conversion", to: false)
    var (same, kept, all) = (0, 0, 0)
    for record in try DataSpecification(parsing: "inkml:\(folder)").records(unlabelled: true) {
      guard var ink = try? record.get().labeled.ink, let box = ink.boundingBox,
        let whole = try recognizer.recognize(
          ink, context: RecognitionContext(), maximumCandidates: 1
        ).candidates.first?.formula, whole.symbols.count >= 4
      else { continue }
      // Symbols about 8 mm high.
      let heights = whole.symbols.compactMap { symbol in
        Ink(strokes: symbol.strokes.map { ink.strokes[$0] }).boundingBox.map {
          max($0.width, $0.height)
        }
      }.sorted()
      let scale = 8 / max(heights[heights.count / 2], 1e-6)
      for stroke in ink.strokes.indices {
        for point in ink.strokes[stroke].points.indices {
          let old = ink.strokes[stroke].points[point]
          ink.strokes[stroke].points[point].x = 20 + scale * (old.x - box.minX)
          ink.strokes[stroke].points[point].y = 20 + scale * (old.y - box.minY)
        }
      }
      let splits = (1..<ink.strokes.count).filter { split in
        whole.symbols.allSatisfy { symbol in
          symbol.strokes.allSatisfy { $0 < split } || symbol.strokes.allSatisfy { $0 >= split }
        }
      }
      guard
        let split = splits.min(by: {
          abs(2 * $0 - ink.strokes.count) < abs(2 * $1 - ink.strokes.count)
        })
      else { continue }
      try editor.setPart(editor.engine.makePart(type: "Math"))
      try editor.importInk(Ink(strokes: Array(ink.strokes[..<split])))
      try editor.waitUntilIdle()
      try editor.convert()
      let block = try #require(editor.rootBlock)
      let first = block.formulas.first?.symbols.map(\.symbol) ?? []
      try editor.importInk(Ink(strokes: Array(ink.strokes[split...])))
      try editor.waitUntilIdle()
      all += 1
      let formula = block.formulas.first
      if formula?.latex == whole.latex { same += 1 }
      var rest = formula?.symbols.map(\.symbol) ?? []
      let isKept = first.allSatisfy { symbol in
        guard let place = rest.firstIndex(of: symbol) else { return false }
        rest.remove(at: place)
        return true
      }
      if isKept { kept += 1 }
      if all <= 40, formula?.latex != whole.latex {
        print("whole \(whole.latex)    in two \(formula?.latex ?? "nothing")")
      }
    }
    print("\(all) formulas: \(same) read as without conversion, \(kept) with all typed signs")
  }
}
