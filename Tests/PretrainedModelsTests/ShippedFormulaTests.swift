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

  @Test(
    "A line that is one formula is read as that where no model is named, with times or without",
    arguments: [InkLayout.auto, .page, .line],
    ["inkml:inkml/crohme-test.inkml?unit=file", "ink:words/sum.jsonl?split=all"])
  func lone(layout: InkLayout, file: String) throws {
    let parts = file.split(separator: ":")
    let data = try DataSpecification(
      parsing: "\(parts[0]):\(Self.cases.path)/\(parts[1])")
    let ink = try #require(try Array(data.records(unlabelled: true)).first?.get()).labeled.ink
    let library = ModelLibrary([try PretrainedModels()])
    var context = RecognitionContext(layout: layout)
    context.formulas = FormulaSource {
      try? library.reader(for: ReadingSpecification(model: "formulas", kind: .formula))
    }
    let result = try library.reader(for: ReadingSpecification()).recognize(ink, context: context)
    let best = try #require(result.candidates.first)
    #expect(best.text == "3+1=")
    let word = try #require(best.words.first)
    #expect(word.formula?.latex == "3 + 1 =" && best.strokes(of: word) == Array(0..<6))
    #expect(result.drawing.isEmpty)
  }

  /// The laws of the composer, as the editor writes them.
  private static func laws() throws -> [String] {
    let path = cases.deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Datasets/starter/laws.txt")
    return try String(contentsOf: path, encoding: .utf8).split(separator: "\n")
      .filter { !$0.hasPrefix("//") }
      .compactMap { RecognizedFormula(latex: String($0))?.latex }
  }

  @Test("Typed formulas keep their structure when they are read with ink beside them")
  func typed() throws {
    let editor = Engine(models: ProvidedModels(try PretrainedModels())).makeEditor()
    editor.viewTransform = .millimetres
    try editor.setViewSize(width: 500, height: 500)
    var (kept, all) = (0, 0)
    for law in try Self.laws().enumerated().filter({ $0.offset % 10 == 0 }).map(\.element) {
      try editor.setPart(editor.engine.makePart(type: "Math"))
      try editor.importInk(
        Ink(strokes: [
          Stroke(points: [StrokePoint(x: 20, y: 20), StrokePoint(x: 420, y: 60)])
        ]))
      try editor.waitUntilIdle()
      let block = try #require(editor.rootBlock)
      try editor.setLatex(law, ofFormula: block)
      try editor.convert()
      let box = try #require(block.box)
      let x = box.maxX + 0.05 * box.width
      try editor.importInk(
        Ink(strokes: [
          Stroke(points: [
            StrokePoint(x: x, y: box.midY), StrokePoint(x: x + 0.03 * box.width, y: box.midY),
          ])
        ]))
      try editor.waitUntilIdle()
      all += 1
      // The ink follows it, or is in its last script.
      if block.formulas.first?.latex.hasPrefix(law) == true { kept += 1 }
    }
    #expect(3 * kept > 2 * all)
  }
}
