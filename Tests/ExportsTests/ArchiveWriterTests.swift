import Exports
import Files
import Foundation
import InkCore
import InkEditor
import Recognition
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("docx and odt")
struct ArchiveWriterTests {
  private static let document = Sample.everything

  @Test("All files of the archives are XML", arguments: [ExportFormat.docx, .odt])
  func isXML(format: ExportFormat) throws {
    let bytes = try format.bytes(of: Self.document)
    let archive = try ZipArchive(ByteSource(bytes))
    #expect(archive.entries.count > 5)
    for entry in archive.entries where !entry.name.hasSuffix(".png") && entry.name != "mimetype" {
      let content = try archive.bytes(of: entry, limit: 1 << 20)
      #expect(XMLParser(data: Data(content)).parse(), "\(entry.name)")
    }
  }

  @Test("An underlined word is bold in docx, and that word alone")
  func bold() throws {
    let bytes = try ExportFormat.docx.bytes(of: Self.document)
    let text = try Sample.entry("word/document.xml", of: bytes)
    #expect(text.components(separatedBy: "<w:b/>").count == 2)
    #expect(
      text.contains("<w:r><w:rPr><w:b/><w:bCs/></w:rPr><w:t xml:space=\"preserve\">under</w:t>"))
    #expect(text.contains("<w:strike/></w:rPr><w:t xml:space=\"preserve\">struck<"))
    #expect(text.contains("<w:highlight w:val=\"yellow\"/>"))
  }

  @Test("docx has headings, lists with numbers, tables and pictures")
  func word() throws {
    let bytes = try ExportFormat.docx.bytes(of: Self.document)
    let text = try Sample.entry("word/document.xml", of: bytes)
    #expect(text.contains("<w:pStyle w:val=\"Heading1\"/>"))
    #expect(text.contains("<w:ilvl w:val=\"1\"/><w:numId w:val=\"3\"/>"))
    #expect(text.components(separatedBy: "<w:tc>").count == 5)
    #expect(text.components(separatedBy: "<pic:pic>").count == 3)
    // Every relation leads to a file, and every reference to a relation.
    let relations = try Sample.entry("word/_rels/document.xml.rels", of: bytes)
    let archive = try ZipArchive(ByteSource(bytes))
    for part in relations.components(separatedBy: "Target=\"").dropFirst() {
      let target = part.prefix { $0 != "\"" }
      #expect(archive["word/\(target)"] != nil, "\(target)")
    }
    for part in text.components(separatedBy: "r:embed=\"").dropFirst() {
      #expect(relations.contains("Id=\"\(part.prefix { $0 != "\"" })\""))
    }
    #expect(try Sample.entry("docProps/core.xml", of: bytes).contains("Notes &amp; more"))
  }

  @Test("odt has its type first, headings, lists, tables and pictures")
  func openDocument() throws {
    let bytes = try ExportFormat.odt.bytes(of: Self.document)
    let start = String(decoding: bytes[30..<80], as: UTF8.self)
    #expect(start.hasPrefix("mimetypeapplication/vnd.oasis.opendocument.text"))
    let text = try Sample.entry("content.xml", of: bytes)
    #expect(
      text.contains("<text:h text:style-name=\"H1\" text:outline-level=\"1\">A title</text:h>"))
    #expect(text.contains("text:style-name=\"Numbers\""))
    #expect(text.components(separatedBy: "<table:table-cell ").count == 5)
    #expect(text.contains("style:text-underline-style=\"solid\""))
    #expect(text.contains("xlink:href=\"Pictures/2.svg\""))
    let manifest = try Sample.entry("META-INF/manifest.xml", of: bytes)
    #expect(manifest.contains("Pictures/2.svg"))
  }

  @Test("A formula is Office Math in docx, an object in odt, and text that a PDF can find")
  func formula() throws {
    let mathML = #"<math xmlns="http://www.w3.org/1998/Math/MathML"><mi>x</mi></math>"#
    var document = Sample.document(
      .formula(RecognizedFormula(text: "x²", latex: "x ^ { 2 }", mathML: mathML, symbols: [])))
    let word = try Sample.entry("word/document.xml", of: ExportFormat.docx.bytes(of: document))
    #expect(word.contains("</m:oMathParaPr><m:oMath><m:sSup>"))
    let odt = try ExportFormat.odt.bytes(of: document)
    #expect(try Sample.entry("Object 1/content.xml", of: odt).contains(mathML))
    #expect(try Sample.entry("content.xml", of: odt).contains("xlink:href=\"./Object 1\""))
    let manifest = try Sample.entry("META-INF/manifest.xml", of: odt)
    #expect(manifest.contains("full-path=\"Object 1/\""))
    document.pages[0].blocks[0].box = BoundingBox(minX: 5, minY: 5, maxX: 25, maxY: 15)
    #expect(document.pages[0].searchableLines.map(\.text) == ["x²"])
    for format in [ExportFormat.docx, .odt] {
      let archive = try ZipArchive(ByteSource(format.bytes(of: document)))
      for entry in archive.entries where entry.name.hasSuffix(".xml") {
        let content = try archive.bytes(of: entry, limit: 1 << 20)
        #expect(XMLParser(data: Data(content)).parse(), "\(entry.name)")
      }
    }
  }

  @Test("A formula inside of a line is Office Math and an object between its words")
  func inlineFormula() throws {
    let mathML = #"<math xmlns="http://www.w3.org/1998/Math/MathML"><mi>x</mi></math>"#
    var line = Sample.line("let", "x²", "be")
    line.words[1].formula = RecognizedFormula(
      text: "x²", latex: "x ^ { 2 }", mathML: mathML, symbols: [])
    let document = Sample.document(.paragraph([line]))
    let word = try Sample.entry("word/document.xml", of: ExportFormat.docx.bytes(of: document))
    #expect(word.contains("let </w:t></w:r><m:oMath><m:sSup>"))
    let odt = try ExportFormat.odt.bytes(of: document)
    let content = try Sample.entry("content.xml", of: odt)
    #expect(
      content.contains(">let <draw:frame draw:name=\"Formula 1\"")
        && content.contains(" be</text:p>"))
    #expect(try Sample.entry("Object 1/content.xml", of: odt).contains(mathML))
    for format in [ExportFormat.docx, .odt] {
      let archive = try ZipArchive(ByteSource(format.bytes(of: document)))
      for entry in archive.entries where entry.name.hasSuffix(".xml") {
        let content = try archive.bytes(of: entry, limit: 1 << 20)
        #expect(XMLParser(data: Data(content)).parse(), "\(entry.name)")
      }
    }
  }

  @Test("Text from right to left is marked", arguments: [ExportFormat.docx, .odt])
  func rightToLeft(format: ExportFormat) throws {
    let bytes = try format.bytes(of: Sample.document(.paragraph([Sample.line("سلام")])))
    let name = format == .docx ? "word/document.xml" : "content.xml"
    let text = try Sample.entry(name, of: bytes)
    #expect(text.contains(format == .docx ? "<w:bidi/>" : "text:style-name=\"RightToLeft\""))
    #expect(text.contains("سلام"))
  }

  @Test("Only letters from right to left are marked so in docx; tables begin at the right")
  func mixedRuns() throws {
    let line = Sample.line("גרסה", "2", "iPad", "Pro", "יצאה")
    let table = ExportBlock.Content.table([[[Sample.line("אב")], [Sample.line("b")]]])
    let document = Sample.document(.paragraph([line]), table)
    let text = try Sample.entry("word/document.xml", of: ExportFormat.docx.bytes(of: document))
    let marked = text.components(separatedBy: "<w:r>").dropFirst().filter {
      $0.contains("<w:rtl/>")
    }
    #expect(
      marked.contains { $0.contains(">גרסה 2 <") } && marked.contains { $0.contains(">יצאה<") })
    #expect(!marked.contains { $0.contains("iPad") })
    #expect(text.contains(">iPad Pro <") && text.contains("<w:bidi/>"))
    #expect(text.contains("<w:bidiVisual/><w:tblW"))
    let odt = try Sample.entry("content.xml", of: ExportFormat.odt.bytes(of: document))
    #expect(odt.contains("<table:table table:style-name=\"TableRL\">"))
    #expect(odt.contains("style:name=\"TableRL\" style:family=\"table\""))
    #expect(odt.contains("גרסה 2 iPad Pro יצאה"))
  }

  @Test("A table of numbers begins at the right on a page from right to left")
  func numbers() throws {
    let numbers = ExportBlock.Content.table([[[Sample.line("1")], [Sample.line("2")]]])
    for (text, isRightToLeft) in [("שלום", true), ("hello", false)] {
      let document = Sample.document(.paragraph([Sample.line(text)]), numbers)
      let docx = try Sample.entry("word/document.xml", of: ExportFormat.docx.bytes(of: document))
      #expect(docx.contains("<w:bidiVisual/>") == isRightToLeft)
      let odt = try Sample.entry("content.xml", of: ExportFormat.odt.bytes(of: document))
      #expect(odt.contains("<table:table table:style-name=\"TableRL\">") == isRightToLeft)
    }
  }

  @Test("Signs that XML lacks are left out", arguments: [ExportFormat.docx, .odt, .html])
  func controls(format: ExportFormat) throws {
    let line = Sample.line("a\u{1}\u{FFFE}b")
    let bytes = try format.bytes(of: Sample.document(.paragraph([line])))
    let name = format == .docx ? "word/document.xml" : "content.xml"
    let text =
      format == .html ? String(decoding: bytes, as: UTF8.self) : try Sample.entry(name, of: bytes)
    #expect(text.contains("ab"))
  }

  @Test("Pages begin on new pages", arguments: [ExportFormat.docx, .odt])
  func pages(format: ExportFormat) throws {
    var document = Self.document
    document.pages += document.pages
    let name = format == .docx ? "word/document.xml" : "content.xml"
    let text = try Sample.entry(name, of: try format.bytes(of: document))
    let sign = format == .docx ? "w:type=\"page\"" : "text:style-name=\"Page\"/>"
    #expect(text.components(separatedBy: sign).count == 2)
  }

  @Test("The same document gives the same bytes", arguments: ExportFormat.allCases)
  func same(format: ExportFormat) throws {
    if format.isPicture, !LibraryPainter.isAvailable(format) { return }
    if format == .jiix || format == .latex || format == .mathML {
      // An editor writes JIIX, and no formula was read.
      #expect(throws: ExportError.self) { try format.bytes(of: Self.document) }
      return
    }
    #expect(try format.bytes(of: Self.document) == format.bytes(of: Self.document))
  }
}
