import EditorStorage
import Foundation
import InkCore
import InkEditor
import TestSamples
import Testing

/// Makes the file of the present version that later versions are tested with.
@Suite("Fixtures", .enabled(if: ProcessInfo.processInfo.environment["DUCTUS_FIXTURE"] != nil))
struct FixtureMaker {
  @Test("Makes a package of the present version at $DUCTUS_FIXTURE")
  func make() throws {
    let path = try #require(ProcessInfo.processInfo.environment["DUCTUS_FIXTURE"])
    let shelf = try Shelf()
    let package = try shelf.engine.createPackage(at: URL(fileURLWithPath: path))
    let editor = try edit(try package.makePart(type: "Raw Content"))
    editor.tools.setStyle(try StrokeStyle(color: "#112233", width: 0.7), for: .pen)
    try editor.write([Pen.rectangle(x: 20, y: 20, width: 40, height: 30)])
    try editor.write(Pen.strokes("abc de", x: 20, y: 80))
    let text = try #require(editor.rootBlock?.children.first { $0.type == .text })
    let word = try #require(text.words.first { $0.label == "de" })
    try editor.choose("DE", for: word, in: text)
    try editor.decorate(words: 0..<1, of: text, with: .underline)
    try editor.decorate(
      characters: 2..<5, of: text, with: .highlight,
      style: DecorationStyle(color: InkColor("#A1B2C3"), width: 0.5))
    let drawing = try edit(try package.makePart(type: "Drawing"))
    let points = (0..<6).map { index in
      StrokePoint(
        x: Double(index) / 3, y: 1, t: 1_700_000_000_000 + Double(8 * index), force: 0.5,
        azimuth: 0.25, altitude: 1)
    }
    try drawing.write([points])
    try package.put(PackageObject(name: "a", type: "b/c", data: Data([1, 2, 3])))
    try package.setMetadata(Metadata(["title": "sample"]))
    try editor.setPart(nil)
    try drawing.setPart(nil)
    try package.save()
    try package.close()
  }
}
