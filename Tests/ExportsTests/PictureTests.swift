import Exports
import Files
import Foundation
import InkCore
import InkEditor
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// A painter that counts.
final class CountingPainter: PicturePainter {
  private let state = Guarded<(count: Int, last: ExportPicture?)>((0, nil))
  var count: Int { state.withLock { $0.count } }
  var last: ExportPicture? { state.withLock { $0.last } }

  func bytes(of picture: ExportPicture) throws -> [UInt8] {
    state.withLock { $0 = ($0.count + 1, picture) }
    return Array("\(picture.format.rawValue) \(picture.width) x \(picture.height)".utf8)
  }
}

@Suite("Pictures")
struct PictureTests {
  /// The width and height in the head of a PNG.
  private func size(_ bytes: [UInt8]) -> [Int] {
    [16, 20].map { start in bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
  }

  @Test(
    "PNG has the size of the page at a resolution",
    .enabled(if: CairoLibrary.shared != nil, "the library Cairo is not installed"))
  func png() throws {
    let page = Sample.everything.pages[0]
    let bytes = try ExportFormat.png.bytes(of: page, title: "", ExportOptions(dpi: 254))
    #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    // 100 x 50 mm, 10 pixels each.
    #expect(size(bytes) == [1000, 500])
    let smaller = try ExportFormat.png.bytes(of: page, title: "", ExportOptions(dpi: 25.4))
    #expect(size(smaller) == [100, 50])
    let empty = try ExportFormat.png.bytes(
      of: ExportPage(box: page.box), title: "", ExportOptions(dpi: 25.4))
    #expect(empty != smaller)
  }

  @Test(
    "A picture that is too large is refused, with its size",
    .enabled(if: CairoLibrary.shared != nil, "the library Cairo is not installed"))
  func tooLarge() {
    let page = Sample.everything.pages[0]
    #expect(
      throws: ExportError.tooManyPixels(width: 39371, height: 19686, most: ExportPicture.mostPixels)
    ) { try ExportFormat.png.bytes(of: page, title: "", ExportOptions(dpi: 10_000)) }
    // Each side is allowed, and all of it is not.
    var square = page
    square.box = BoundingBox(minX: 0, minY: 0, maxX: 100, maxY: 100)
    let error = ExportError.tooLargePicture(
      width: 25_000, height: 25_000, most: ExportPicture.mostOfAll)
    #expect(throws: error) {
      try ExportFormat.png.bytes(of: square, title: "", ExportOptions(dpi: 6350))
    }
    #expect(error.description.contains("at most 400000000 pixels in all, found 25000 x 25000"))
    for dpi in [0, -1, .nan, .infinity] {
      #expect(throws: ExportError.self) {
        try ExportFormat.png.bytes(of: page, title: "", ExportOptions(dpi: dpi))
      }
    }
  }

  @Test("Without Cairo the error says what to install")
  func noCairo() {
    #expect(CairoLibrary(names: ["libnothing-of-the-sort.so"]) == nil)
    let page = Sample.everything.pages[0]
    #expect(throws: ExportError.noCairo) {
      try ExportPicture(of: page, as: .png, dpi: 100)
        .bytes(LibraryPainter(cairo: nil, jpeg: nil))
    }
    #expect(throws: ExportError.noJPEG) {
      try ExportPicture(of: page, as: .jpeg, dpi: 100)
        .bytes(LibraryPainter(cairo: .shared, jpeg: nil))
    }
    #expect(ExportError.noJPEG.description.contains("libturbojpeg0"))
    #expect(ExportError.noCairo.description.contains("libcairo2"))
  }

  @Test("A library that is not Cairo is refused")
  func otherLibrary() {
    #expect(CairoLibrary(names: ["libz.so.1", "libz.dylib"]) == nil)
    #expect(JPEGLibrary(names: ["libz.so.1", "libz.dylib", "libnothing-of-the-sort.so"]) == nil)
  }

  @Test(
    "JPEG has the size of the page, and its resolution",
    .enabled(if: LibraryPainter.isAvailable(.jpeg), "Cairo or TurboJPEG is not installed"))
  func jpeg() throws {
    let page = Sample.everything.pages[0]
    let bytes = try ExportFormat.jpeg.bytes(of: page, title: "", ExportOptions(dpi: 254))
    #expect(bytes.starts(with: [0xFF, 0xD8, 0xFF]) && bytes.suffix(2) == [0xFF, 0xD9])
    // Pixels of an inch, in both directions.
    #expect(bytes[13..<18] == [1, 0, 254, 0, 254])
    let frame = try #require(
      bytes.indices.dropLast(9).first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
    // 500 x 1000.
    #expect(Array(bytes[frame + 5..<frame + 9]) == [1, 244, 3, 232])
  }

  @Test("The painter of an app makes all pictures, once for each page, from commands in pixels")
  func painter() throws {
    let painter = CountingPainter()
    let options = ExportOptions(dpi: 25.4, painter: painter)
    for format in [ExportFormat.png, .jpeg] {
      let bytes = try format.bytes(of: Sample.everything, options)
      #expect(bytes == Array("\(format.rawValue) 100 x 50".utf8))
    }
    #expect(painter.count == 2)
    let picture = try #require(painter.last)
    guard case .fill(let page, .white) = picture.commands.first else {
      Issue.record("expected a white page first")
      return
    }
    #expect(page.box == BoundingBox(minX: 0, minY: 0, maxX: 100, maxY: 50))
    // Two strokes from 10 and 20 mm, at a pixel for a millimetre.
    let ink = try #require(picture.commands.dropFirst().first?.box)
    #expect(abs(ink.minX - 9.75) < 1e-9 && abs(ink.maxX - 30.25) < 1e-9)
    _ = try ExportFormat.svg.bytes(of: Sample.everything, options)
    #expect(painter.count == 2)
  }

  @Test("The error of a painter is that of the export")
  func failingPainter() {
    struct Failure: Error, CustomStringConvertible { var description: String { "no canvas" } }
    struct Failing: PicturePainter {
      func bytes(of picture: ExportPicture) throws -> [UInt8] { throw Failure() }
    }
    #expect(throws: ExportError.failedPicture(reason: "no canvas")) {
      try ExportFormat.png.bytes(of: Sample.everything, ExportOptions(painter: Failing()))
    }
  }

  @Test("SVG is XML in millimetres with the text as its description")
  func svg() throws {
    let bytes = try ExportFormat.svg.bytes(of: Sample.everything)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(XMLParser(data: Data(bytes)).parse())
    #expect(text.contains("width=\"100mm\" height=\"50mm\""))
    #expect(text.contains("<title>Notes &amp; more</title>"))
    #expect(text.contains("plain under struck bright"))
  }
}
