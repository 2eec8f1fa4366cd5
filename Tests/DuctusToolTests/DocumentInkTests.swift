import DuctusTool
import Foundation
import InkCore
import Testing

@Suite("Ink for documents")
struct DocumentInkTests {
  /// The path of a file with letters as tall as given, in its units.
  private func file(_ height: Double, _ name: String = "ink.jsonl") throws -> String {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("ductus-ink-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent(name)
    let stroke = #"{"x":[0,\#(height / 2)],"y":[0,\#(height)]}"#
    try Data(#"{"strokes":[\#(stroke),\#(stroke)]}"#.utf8).write(to: file)
    return file.path
  }

  @Test("Ink in unknown units is taken in tenths of a millimetre; a scale changes that")
  func scale() throws {
    let path = try file(40)
    #expect(try DocumentInk.strokes(path, scale: nil)[1].points[1].y == 4)
    #expect(try DocumentInk.strokes(path, scale: 0.5)[1].points[1].y == 20)
  }

  @Test("Points of Xournal++ are 72 to an inch")
  func points() throws {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("ductus-\(UUID().uuidString).xopp")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(
      """
      <?xml version="1.0"?><xournal creator="x" fileversion="4"><page width="100" height="100">
      <layer><stroke tool="pen" color="#000000ff" width="1.41">0 0 36 72</stroke></layer></page>
      </xournal>
      """.utf8
    ).write(to: file)
    let last = try DocumentInk.strokes(file.path, scale: nil)[0].points[1]
    #expect(abs(last.x - 12.7) < 1e-9 && abs(last.y - 25.4) < 1e-9)
  }

  @Test("Strokes unlike writing get a hint with a scale that helps", arguments: [6.0, 400])
  func hint(height: Double) throws {
    let path = try file(height)
    let hint = try #require(
      DocumentInk.sizeHint(try DocumentInk.strokes(path, scale: nil), path: path))
    let words = hint.split(separator: " ")
    let place = try #require(words.firstIndex(of: "--scale"))
    let scale = try #require(Double(words[place + 1]))
    let strokes = try DocumentInk.strokes(path, scale: scale)
    #expect(abs(strokes[0].points[1].y - 3) < 0.1, "\(hint)")
    #expect(DocumentInk.sizeHint(strokes, path: path) == nil)
  }
}
