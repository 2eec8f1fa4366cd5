import DuctusKit
import Foundation
import Testing

/// An app that imports DuctusKit alone: what compiles here is what such an app can name.
@Suite("DuctusKit alone")
struct DuctusKitTests {
  @Test("An app names every type of the calls it makes: pens, JIIX, keys, models")
  func names() throws {
    let engine = Engine(models: LoadedModels())
    let editor = engine.makeEditor()
    try editor.setViewSize(width: 200, height: 200)
    try editor.setPart(engine.makePart(type: "Drawing"))
    let sample: PenSample = PenSample(point: StrokePoint(x: 1, y: 2, t: 3, force: 0.4))
    let event: PenEvent = .began(sample)
    try editor.handle(event)
    try editor.handle(.updated(PenUpdate(index: 1, force: 0.5)))
    try editor.handle(.ended(nil))
    editor.hover(HoverEvent(.entered, x: 1, y: 2))
    let document: JIIXBlock = try editor.exportDocument()
    #expect(document.items?.count == 1)
    let kind: ModelManifest.Kind? = nil
    let keys: [VerifyingKey] = []
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("ductus-kit-\(UInt64.random(in: 0 ... .max))")
    defer { try? FileManager.default.removeItem(at: folder) }
    let manager = try ModelManager(storage: folder, trustedKeys: keys)
    #expect(!manager.isDownloaded("en", kind: kind))
    #expect(DOMPointerAdapter() == DOMPointerAdapter())
  }

  @Test("Errors show users their own text")
  func errors() {
    let errors: [any Error & CustomStringConvertible] = [
      EditorError.notIdle, EditorError.staleWord(3), ConfigurationError.missingKey("a"),
      ModelStoreError.notFound("m"), RecognitionError.modelNotDownloaded("m"),
      InkError.malformedWritingArea,
    ]
    for error in errors {
      #expect((error as any Error).localizedDescription == error.description)
      #expect(!error.description.isEmpty)
    }
  }
}
