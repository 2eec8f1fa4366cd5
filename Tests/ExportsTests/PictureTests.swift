import Exports
import Foundation
import InkCore
import InkEditor
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

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
    let bytes = try ExportFormat.png.bytes(of: page, title: "", dpi: 254)
    #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    // 100 x 50 mm, 10 pixels each.
    #expect(size(bytes) == [1000, 500])
    let smaller = try ExportFormat.png.bytes(of: page, title: "", dpi: 25.4)
    #expect(size(smaller) == [100, 50])
    let empty = try ExportFormat.png.bytes(
      of: ExportPage(box: page.box), title: "", dpi: 25.4)
    #expect(empty != smaller)
  }

  @Test(
    "A picture that is too large is refused, with its size",
    .enabled(if: CairoLibrary.shared != nil, "the library Cairo is not installed"))
  func tooLarge() {
    let page = Sample.everything.pages[0]
    #expect(
      throws: ExportError.tooManyPixels(width: 39371, height: 19686, most: PNGWriter.mostPixels)
    ) { try ExportFormat.png.bytes(of: page, title: "", dpi: 10_000) }
  }

  @Test("Without Cairo the error says what to install")
  func noCairo() {
    #expect(CairoLibrary(names: ["libnothing-of-the-sort.so"]) == nil)
    #expect(throws: ExportError.noCairo) {
      try PNGWriter.bytes(of: Sample.everything.pages[0], dpi: 100, library: nil)
    }
    #expect(ExportError.noCairo.description.contains("libcairo2"))
  }

  @Test("A library that is not Cairo is refused")
  func otherLibrary() {
    #expect(CairoLibrary(names: ["libz.so.1", "libz.dylib"]) == nil)
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
