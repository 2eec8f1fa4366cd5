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
}
