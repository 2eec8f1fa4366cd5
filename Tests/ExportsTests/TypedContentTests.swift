import Exports
import Files
import Foundation
import InkCore
import InkEditor
import Testing

/// Documents with typed text, tidy shapes and pictures beside ink, made by hand.
enum Typed {
  static let bold = ExportTextStyle(
    size: 5, family: "Noto Serif", isBold: true, color: InkColor("#C02020"))
  static let plain = ExportTextStyle(size: 4)

  /// A word of typed text, and the command that draws it.
  static func word(_ text: String, x: Double, _ style: ExportTextStyle) -> ExportWord {
    ExportWord(
      text,
      place: ExportPlace(BoundingBox(minX: x, minY: 10, maxX: x + 18, maxY: 10 + style.size)),
      style: style)
  }

  static func command(_ text: String, x: Double, _ style: ExportTextStyle) -> DrawCommand {
    .text(
      DrawText(
        text, origin: PlanePoint(x: x, y: 14), size: style.size,
        family: style.family + (style.isBold ? " Bold" : ""), color: style.color ?? .black))
  }

  /// A PNG of one form, made here: a red pixel beside a transparent or a white one.
  static func png(colors: UInt8, bits: UInt8 = 8, rows: [UInt8], _ more: [UInt8] = []) -> [UInt8] {
    func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
      let length = UInt32(content.count)
      let body = Array(name.utf8) + content
      return bytes(length) + body + bytes(checksum(body))
    }
    func bytes(_ value: UInt32) -> [UInt8] {
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
    }
    func checksum(_ content: [UInt8]) -> UInt32 {
      var sum: UInt32 = 0xFFFF_FFFF
      for byte in content {
        sum ^= UInt32(byte)
        for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
      }
      return ~sum
    }
    let head = bytes(2) + bytes(1) + [bits, colors, 0, 0, 0]
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", head) + more
      + chunk("IDAT", Deflate.zlib(rows) ?? []) + chunk("IEND", [])
  }

  static let opaque = png(colors: 2, rows: [0, 255, 0, 0, 255, 255, 255])
  static let seeThrough = png(colors: 6, rows: [0, 255, 0, 0, 255, 0, 0, 0, 0])
  /// The second row of numbers by the difference to the left.
  static let filtered = png(colors: 6, rows: [1, 255, 0, 0, 255, 1, 0, 0, 1])

  static let box = BoundingBox(minX: 40, minY: 30, maxX: 60, maxY: 40)

  static func image(_ bytes: [UInt8], _ type: String = "image/png") -> DrawImage {
    DrawImage(bytes: bytes, type: type, box: box)
  }

  static var document: ExportDocument {
    let rectangle = DrawCommand.stroke(
      DrawPath(BoundingBox(minX: 10, minY: 30, maxX: 30, maxY: 40)), .black, LineStyle(width: 0.4))
    let page = ExportPage(
      box: Sample.sheet,
      drawing: [
        Sample.stroke(70, 20), rectangle, command("Typed", x: 10, bold),
        command("words & Größe", x: 30, plain), .image(image(opaque)),
      ],
      blocks: [
        ExportBlock(
          id: 0,
          .paragraph([
            ExportLine([
              word("Typed", x: 10, bold), word("words", x: 30, plain), word("&", x: 50, plain),
              word("Größe", x: 60, plain), Sample.word("ink", x: 80),
            ])
          ])),
        ExportBlock(id: 1, .figure([Sample.line("node")]), drawing: [rectangle]),
        ExportBlock(id: 2, .picture(image(opaque), "a <red> dot")),
      ])
    return ExportDocument(title: "Typed", language: "en", pages: [page])
  }
}

@Suite("Typed text and pictures in exports")
struct TypedContentTests {
  private func text(_ format: ExportFormat, _ document: ExportDocument = Typed.document) throws
    -> String
  {
    String(decoding: try format.bytes(of: document), as: UTF8.self)
  }

  @Test("HTML has the looks of typed text and the picture")
  func html() throws {
    let html = try text(.html)
    #expect(
      html.contains(
        "<strong><span style=\"font-size: 14.2pt; font-family: 'Noto Serif', serif; "
          + "color: #C02020\">Typed</span></strong>"), "\(html)")
    #expect(html.contains("<span style=\"font-size: 11.3pt\"> words &amp; Größe </span>"))
    #expect(html.contains("<img alt=\"a &lt;red&gt; dot\" style=\"width: 20.0mm; height: auto\""))
    #expect(
      html.contains("src=\"data:image/png;base64,\(Data(Typed.opaque).base64EncodedString())"))
  }

  @Test("docx has runs with fonts and sizes, and the picture as its file")
  func docx() throws {
    let bytes = try ExportFormat.docx.bytes(of: Typed.document)
    let body = try Sample.entry("word/document.xml", of: bytes)
    #expect(
      body.contains(
        "<w:rPr><w:rFonts w:ascii=\"Noto Serif\" w:hAnsi=\"Noto Serif\" w:cs=\"Noto Serif\"/><w:b/>"
          + "<w:bCs/><w:color w:val=\"C02020\"/><w:sz w:val=\"28\"/><w:szCs w:val=\"28\"/></w:rPr>"
          + "<w:t xml:space=\"preserve\">Typed</w:t>"), "\(body)")
    #expect(body.contains("r:embed=\"pixels2\"") && body.contains("descr=\"a &lt;red&gt; dot\""))
    // 20 x 10 mm.
    #expect(body.contains("<wp:extent cx=\"720000\" cy=\"360000\"/>"))
    let archive = try ZipArchive(ByteSource(bytes))
    let entry = try #require(archive["word/media/image2.png"])
    #expect(try archive.bytes(of: entry, limit: 1 << 20) == Typed.opaque)
  }

  @Test("odt has text styles, and the picture as its file")
  func odt() throws {
    let bytes = try ExportFormat.odt.bytes(of: Typed.document)
    let content = try Sample.entry("content.xml", of: bytes)
    #expect(
      content.contains(
        " fo:font-size=\"14.2pt\" fo:font-family=\"Noto Serif\" fo:font-weight=\"bold\" "
          + "fo:color=\"#C02020\""), "\(content)")
    #expect(content.contains("xlink:href=\"Pictures/2.png\""))
    #expect(try Sample.entry("META-INF/manifest.xml", of: bytes).contains("Pictures/2.png"))
  }

  @Test("Markdown, SVG and text hold what they can")
  func others() throws {
    let markdown = try text(.markdown)
    #expect(markdown.contains("**Typed** words \\& Größe ink"), "\(markdown)")
    #expect(markdown.contains("![a \\<red\\> dot](data:image/png;base64,"))
    #expect(try text(.text).hasPrefix("Typed words & Größe ink\n"))
    let svg = try text(.svg)
    #expect(svg.contains(">Typed</text>") && svg.contains("<image "))
  }

  @Test("PDF draws typed text in fonts that every viewer has, and finds it once")
  func pdf() throws {
    let bytes = try ExportFormat.pdf.bytes(of: Typed.document)
    let pdf = String(decoding: bytes, as: UTF8.self)
    #expect(pdf.contains("/BaseFont /Times-Bold /Encoding /WinAnsiEncoding"))
    #expect(pdf.contains("/BaseFont /Helvetica /Encoding /WinAnsiEncoding"))
    #expect(pdf.contains("/Subtype /Image /Width 2 /Height 1 /ColorSpace /DeviceRGB"))
    guard let program = OutsideReaderTests.pdftotext else { return }
    let found = try OutsideReaderTests.read(bytes, program)
    #expect(
      found.split(whereSeparator: \.isWhitespace) == [
        "Typed", "words", "&", "Größe", "ink", "node",
      ]
        || found.split(whereSeparator: \.isWhitespace) == ["Typed", "words", "&", "Größe", "ink"],
      "\(found)")
  }

  @Test("A letter that the fonts of PDF lack is a box that is copied as the letter, and is named")
  func missingLetters() throws {
    var page = ExportPage(box: Sample.sheet)
    page.drawing = [Typed.command("Žluť ж漢 ok", x: 10, Typed.plain)]
    var writer = PDFWriter()
    writer.add(page)
    writer.finish()
    #expect(writer.missingLetters == ["ť", "ж", "漢"])
    guard let program = OutsideReaderTests.pdftotext else { return }
    let found = try OutsideReaderTests.read(writer.takeBytes(), program)
    #expect(found.contains("Žluť") && found.contains("ж漢") && found.contains("ok"), "\(found)")
  }

  @Test("Pictures of every form of PNG are in the PDF, with their opacities")
  func forms() throws {
    func image(_ bytes: [UInt8]) throws -> String {
      let page = ExportPage(box: Sample.sheet, drawing: [.image(Typed.image(bytes))])
      return String(
        decoding: try ExportFormat.pdf.bytes(of: ExportDocument(pages: [page])), as: UTF8.self)
    }
    let opaque = try image(Typed.opaque)
    #expect(opaque.contains("/Predictor 15 /Colors 3") && !opaque.contains("/SMask"))
    for bytes in [Typed.seeThrough, Typed.filtered] {
      let pdf = try image(bytes)
      #expect(pdf.contains("/SMask") && pdf.contains("/ColorSpace /DeviceRGB"))
    }
    let gray = try image(Typed.png(colors: 0, bits: 1, rows: [0, 0b1000_0000]))
    #expect(gray.contains("/ColorSpace /DeviceGray /BitsPerComponent 1"))
    // A damaged picture is a frame, and the file is whole.
    let frame = try image(Array(Typed.opaque.prefix(30)))
    #expect(!frame.contains("/XObject") && frame.hasSuffix("%%EOF\n"))
    let svg = try image(Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8))
    #expect(!svg.contains("/XObject"))
  }

  @Test(
    "PNG draws typed text and pictures",
    .enabled(if: LibraryPainter.isAvailable(.png), "the library Cairo is not installed"))
  func pixels() throws {
    var page = Typed.document.pages[0]
    page.drawing = []
    let empty = try ExportFormat.png.bytes(of: page, title: "")
    for command in [
      Typed.command("Typed", x: 10, Typed.bold), .image(Typed.image(Typed.opaque)),
      .image(Typed.image(Typed.seeThrough)), .image(Typed.image([1, 2, 3])),
    ] {
      page.drawing = [command]
      #expect(try ExportFormat.png.bytes(of: page, title: "") != empty)
    }
    guard LibraryPainter.isAvailable(.jpeg) else { return }
    let jpeg = try ExportFormat.jpeg.bytes(of: Typed.document)
    page.drawing = [.image(Typed.image(jpeg, "image/jpeg"))]
    #expect(try ExportFormat.png.bytes(of: page, title: "") != empty)
    let pdf = String(
      decoding: try ExportFormat.pdf.bytes(of: ExportDocument(pages: [page])), as: UTF8.self)
    #expect(pdf.contains("/Filter /DCTDecode"))
  }
}
