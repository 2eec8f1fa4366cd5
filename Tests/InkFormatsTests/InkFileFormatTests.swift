import Foundation
import InkCore
import InkFormats
import Testing

@Suite("Formats of files by their content")
struct InkFileFormatTests {
  /// The smallest file of each format that a program writes.
  static let samples: [(format: InkFileFormat, text: String)] = [
    (.inkML, #"<ink xmlns="http://www.w3.org/2003/InkML"><trace>1 2</trace></ink>"#),
    (
      .jiix,
      #"{"type":"Text","label":"a","words":[{"label":"a","items":[{"type":"stroke","X":[1],"Y":[2]}]}]}"#
    ),
    (.jsonLines, #"{"label":"a","strokes":[{"x":[1],"y":[2]}]}"#),
    (.strokeJSON, #"[{"label":"a","points":[{"x":1,"y":2}]}]"#),
    (.strokeLines, #"{"label":"a","strokes":[[[1,2]]]}"#),
    (.quickDraw, #"{"word":"a","drawing":[[[1],[2]]]}"#),
    (.unipen, ".VERSION 1.0\n.COORD X Y\n.PEN_DOWN\n1 2\n.PEN_UP\n"),
    (.gestureXML, #"<Gesture Name="a"><Point X="1" Y="2"/></Gesture>"#),
    (.xournal, #"<xournal><page><layer><stroke>1 2</stroke></layer></page></xournal>"#),
    (.svg, #"<svg><path stroke="red" d="M1 2z"/></svg>"#),
    (.excalidraw, #"{"type":"excalidraw","elements":[{"type":"freedraw","points":[[1,2]]}]}"#),
    (
      .tldraw,
      #"{"tldrawFileFormatVersion":1,"schema":{},"records":[{"typeName":"shape","id":"a","type":"draw","#
        + #""props":{"segments":[{"points":[{"x":1,"y":2}]}]}}]}"#
    ),
    (.zinnia, "(character (value a)(strokes ((1 2))))"),
    (
      .tegaki,
      #"<character><utf8>a</utf8><strokes><stroke><point x="1" y="2"/></stroke></strokes></character>"#
    ),
  ]

  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test("There is a sample of each format")
  func complete() {
    let all = Self.samples.map(\.format) + NoteSamples.all.map(\.format)
    #expect(Set(all) == Set(InkFileFormat.allCases))
  }

  @Test("The format is told by the content, whatever the name", arguments: samples)
  func content(format: InkFileFormat, text: String) throws {
    #expect(InkFileFormat.of(bytes: Array(text.utf8)) == format)
    let path = try folder.write(text, to: "ink.bin")
    #expect(try InkFileFormat.of(path: path) == format)
    // The one point of each, y growing downward.
    let outcome = Outcome(try InkReader(path: path))
    let y: Double = format == .unipen ? -2 : 2
    #expect(outcome.failures.isEmpty)
    #expect(
      outcome.records.first?.labeled.ink
        == Ink(strokes: [Stroke(points: [StrokePoint(x: 1, y: y)])]))
  }

  @Test("Marks of the encoding and blanks may stand before the content", arguments: samples)
  func marks(format: InkFileFormat, text: String) {
    #expect(InkFileFormat.of(bytes: [0xEF, 0xBB, 0xBF] + Array(text.utf8)) == format)
    if format != .unipen {
      #expect(InkFileFormat.of(bytes: Array("\n \t\(text)".utf8)) == format)
    }
  }

  @Test("A compressed file has the format of what is in it, and is read", arguments: samples)
  func compressed(format: InkFileFormat, text: String) throws {
    let bytes = GzipFile.stored(Array(text.utf8))
    #expect(InkFileFormat.of(bytes: bytes) == format)
    let outcome = Outcome(try InkReader(path: folder.write(bytes, to: "ink.gz")))
    #expect(outcome.pattern == [true])
  }

  @Test("XML may be in UTF-16, and have a declaration, comments and a document type")
  func utf16() {
    let text = """
      <?xml version="1.0"?><!-- by us --><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd">
      <svg:svg xmlns:svg="http://www.w3.org/2000/svg"/>
      """
    #expect(InkFileFormat.of(bytes: Array(text.utf8)) == .svg)
    let units = [0xFEFF] + Array(text.utf16)
    #expect(InkFileFormat.of(bytes: units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }) == .svg)
    #expect(InkFileFormat.of(bytes: units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }) == .svg)
  }

  @Test("A part of a file is enough")
  func part() {
    let drawing =
      #"{"type":"excalidraw","elements":["# + String(repeating: #"{"a":[1,2]},"#, count: 99)
    #expect(InkFileFormat.of(bytes: Array(drawing.utf8)) == .excalidraw)
    let line = #"{"label":"a","strokes":[[[1,2],[3,"#
    #expect(InkFileFormat.of(bytes: Array(line.utf8)) == .strokeLines)
  }

  @Test(
    "Other files are of no format",
    arguments: [
      "", " \n", "hello", "<html><body/></html>", "<", "{", "{}", "[]", #"{"a":1}"#, "(", "(word)",
      ".VERSIONS 1", "%!PS-Adobe-3.0", "\0\0\0", "\u{1F}",
    ])
  func others(text: String) throws {
    #expect(InkFileFormat.of(bytes: Array(text.utf8)) == nil)
    let path = try folder.write(text, to: "other")
    let error = #expect(throws: InkFormatError.self) { try InkFileFormat.of(path: path) }
    #expect(error?.code == .unsupported)
    #expect(error?.location.path == path)
  }

  @Test("Paths of nothing, of a folder and of a pipe are typed errors")
  func noFiles() throws {
    let missing = #expect(throws: InkFormatError.self) {
      try InkFileFormat.of(path: folder.path + "/none")
    }
    #expect(missing?.code == .missingFile)
    let isFolder = #expect(throws: InkFormatError.self) { try InkFileFormat.of(path: folder.path) }
    #expect(isFolder?.code == .unreadableFile)
    #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
    let pipe = #expect(throws: InkFormatError.self) {
      try InkFileFormat.of(path: folder.path + "/pipe")
    }
    #expect(pipe?.code == .unreadableFile)
  }

  @Test("A folder has the format of its first file with one")
  func folders() throws {
    try folder.write("hello", to: "a.txt")
    try folder.write(Self.samples[0].text, to: "b.inkml")
    let file = try InkReader(path: folder.path)
    #expect(file.format == .inkML)
    #expect(Outcome(file).pattern == [true])
  }
}
