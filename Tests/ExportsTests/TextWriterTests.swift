import Exports
import Foundation
import InkCore
import InkEditor
import Recognition
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("Plain text, Markdown and HTML")
struct TextWriterTests {
  private func text(
    _ format: ExportFormat, _ document: ExportDocument, _ options: ExportOptions = ExportOptions()
  ) throws -> String {
    String(decoding: try format.bytes(of: document, options), as: UTF8.self)
  }

  /// The content of the section of HTML.
  private func body(_ document: ExportDocument) throws -> String {
    let html = try text(.html, document)
    let start = try #require(html.range(of: "<section>\n")).upperBound
    let end = try #require(html.range(of: "</section>")).lowerBound
    return String(html[start..<end])
  }

  @Test("Plain text has lines, blank lines between blocks, and tabs in tables")
  func plain() throws {
    #expect(
      try text(.text, Sample.everything) == """
        A title

        plain under struck bright

        - first
          1. inner
          2. next
        ☐ second

        a|b\tc
        1\t2 3

        <b> & "x"

        label

        """)
  }

  @Test("Markdown has headings, lists, tables, looks and escaped signs")
  func markdown() throws {
    #expect(
      try text(.markdown, Sample.everything) == """
        # A title

        plain **under** ~~struck~~ <mark>bright</mark>

        - first
          1. inner
          2. next
        - [ ] second

        | a\\|b | c |
        | --- | --- |
        | 1 | 2 3 |

        \\<b\\> \\& "x"

        label

        """)
  }

  @Test(
    "A paragraph that begins like a block of Markdown stays a paragraph",
    arguments: [
      ("# no heading", "\\# no heading"), ("- no item", "\\- no item"),
      ("12. no item", "12\\. no item"), ("3) no item", "3\\) no item"), ("+1", "\\+1"),
      ("*a* _b_ `c`", "\\*a\\* \\_b\\_ \\`c\\`"), ("a # b", "a # b"), ("=====", "\\====="),
    ])
  func escapes(input: String, expected: String) throws {
    #expect(
      try text(.markdown, Sample.document(.paragraph([Sample.line(input)]))) == expected + "\n")
  }

  @Test("A look that touches other words is written as HTML")
  func touching() throws {
    var second = ExportWord("界", decorations: [.underline])
    second.followsSpace = false
    let line = ExportLine([ExportWord("世"), second])
    #expect(
      try text(.markdown, Sample.document(.paragraph([line]))) == "世<strong>界</strong>\n")
  }

  @Test("HTML has headings, nested lists, tables and looks")
  func html() throws {
    let body = try body(Sample.everything)
    #expect(body.contains("<h1>A title</h1>\n"))
    #expect(
      body.contains("<p>plain <u>under</u> <s>struck</s> <mark>bright</mark></p>\n"))
    #expect(
      body.contains(
        "<ul>\n<li>first\n<ol>\n<li>inner</li>\n<li>next</li>\n</ol>\n</li>\n<li class=\"box\">second</li>\n</ul>\n"
      ))
    #expect(body.contains("<tr><td>1</td><td>2 3</td></tr>"))
    #expect(body.contains("&lt;b&gt; &amp; &quot;x&quot;"))
    #expect(body.contains("aria-label=\"label\"") && body.contains("aria-label=\"formula\""))
  }

  @Test("The ink of a page is drawn in HTML on request")
  func ink() throws {
    let options = ExportOptions(drawsInk: true)
    let with = try text(.html, Sample.everything, options)
    let without = try text(.html, Sample.everything)
    #expect(
      with.components(separatedBy: "<svg").count == without.components(separatedBy: "<svg").count
        + 1)
    #expect(with.contains("stroke-opacity"))
  }

  @Test("A formula that was read is text, LaTeX in Markdown and MathML in HTML")
  func formula() throws {
    let mathML = #"<math xmlns="http://www.w3.org/1998/Math/MathML"><mi>x</mi></math>"#
    let document = Sample.document(
      .formula(RecognizedFormula(text: "x²", latex: "x ^ { 2 }", mathML: mathML, symbols: [])))
    #expect(try text(.text, document) == "x²\n")
    #expect(try text(.markdown, document) == "$$\nx ^ { 2 }\n$$\n")
    #expect(try text(.latex, document) == "x ^ { 2 }\n")
    #expect(try text(.mathML, document) == mathML + "\n")
    #expect(throws: ExportError.nothing(format: "LaTeX", needs: "formulas that were read")) {
      try text(.latex, Sample.everything)
    }
    #expect(try body(document).contains("<figcaption>\(mathML)</figcaption>"))
  }

  @Test("A formula inside of a line is inline mathematics, with the words around it")
  func inlineFormula() throws {
    let mathML = #"<math xmlns="http://www.w3.org/1998/Math/MathML"><mi>x</mi></math>"#
    let formula = RecognizedFormula(text: "x²", latex: "x ^ { 2 }", mathML: mathML, symbols: [])
    var line = Sample.line("let", "x²", "be")
    line.words[1].formula = formula
    let document = Sample.document(.paragraph([line]))
    #expect(try text(.text, document) == "let x² be\n")
    #expect(try text(.markdown, document) == "let $x ^ { 2 }$ be\n")
    #expect(try body(document) == "<p>let \(mathML) be</p>\n")
    #expect(try text(.latex, document) == "x ^ { 2 }\n")
    #expect(try text(.mathML, document) == mathML + "\n")
    line.words[1].formula?.latex = #"| a \| b"#
    let bars = Sample.document(.table([[[line], [line]]]))
    #expect(try text(.markdown, bars).contains(#"$\vert  a \Vert  b$"#))
  }

  @Test("HTML is XML", arguments: [true, false])
  func isXML(drawsInk: Bool) throws {
    let html = try text(.html, Sample.everything, ExportOptions(drawsInk: drawsInk))
    let parser = XMLParser(data: Data(html.utf8))
    #expect(parser.parse(), "\(String(describing: parser.parserError))")
  }

  @Test("Text from right to left says so")
  func rightToLeft() throws {
    let body = try body(Sample.document(.paragraph([Sample.line("שלום", "עולם")])))
    #expect(body == "<p dir=\"rtl\">שלום עולם</p>\n")
  }

  @Test("Text of both directions is in logical order, in the direction of most of its letters")
  func bothDirections() throws {
    let mixed = Sample.line("גרסה", "2", "של", "iPad", "Pro", "יצאה", "ב־٢٠٢٤")
    let text = "גרסה 2 של iPad Pro יצאה ב־٢٠٢٤"
    #expect(try body(Sample.document(.paragraph([mixed]))) == "<p dir=\"rtl\">\(text)</p>\n")
    #expect(try self.text(.markdown, Sample.document(.paragraph([mixed]))) == text + "\n")
    #expect(try self.text(.text, Sample.document(.paragraph([mixed]))) == text + "\n")
    let latin = Sample.line("The", "word", "שלום", "means", "peace")
    #expect(
      try body(Sample.document(.paragraph([latin]))) == "<p>The word שלום means peace</p>\n")
    let table = Sample.document(.table([[[Sample.line("א")], [Sample.line("bc")]]]))
    #expect(
      try body(table)
        == "<table>\n<tbody>\n<tr><td dir=\"rtl\">א</td><td>bc</td></tr>\n</tbody>\n</table>\n")
    let hebrew = Sample.document(.table([[[Sample.line("אב")], [Sample.line("b")]]]))
    #expect(try body(hebrew).hasPrefix("<table dir=\"rtl\">"))
    // A table of numbers has the direction of its page.
    let numbers = ExportBlock.Content.table([[[Sample.line("1")], [Sample.line("2")]]])
    let page = Sample.document(.paragraph([Sample.line("שלום")]), numbers)
    #expect(try body(page).contains("<table dir=\"rtl\">"))
    #expect(try body(Sample.document(numbers)).hasPrefix("<table>"))
  }

  @Test("Lines from right to left flow as mirrored ones do, also those with Latin words alone")
  func mirroredFlow() throws {
    func line(_ words: [String], _ widths: [Double], y: Double) -> ExportLine {
      var x = 100.0
      return ExportLine(
        zip(words, widths).map { word, width in
          x -= width
          defer { x -= 5 }
          return Sample.word(word, x: x, y: y, width: width)
        })
    }
    let lines = [
      line(["אחת", "שתיים"], [40, 40], y: 0), line(["three"], [20], y: 10),
      line(["ארבע", "חמש"], [30, 40], y: 20),
    ]
    #expect(
      try text(.markdown, Sample.document(.paragraph(lines))) == "אחת שתיים three\\\nארבע חמש\n")
  }

  @Test(
    "Numbers of lists may have the digits of any script", arguments: ["3.", "٣.", "۳."])
  func digits(label: String) throws {
    let document = Sample.document(.item(level: 1, mark: .number(label), [Sample.line("תפוח")]))
    #expect(
      try body(document)
        == "<ol dir=\"rtl\" start=\"3\">\n<li dir=\"rtl\">תפוח</li>\n</ol>\n")
    #expect(try text(.markdown, document) == "3. תפוח\n")
  }

  @Test("Lists begin with the numbers that were written")
  func numbers() throws {
    let document = Sample.document(
      .item(level: 1, mark: .number("3."), [Sample.line("c")]),
      .item(level: 1, mark: .number("4."), [Sample.line("d")]))
    #expect(try body(document) == "<ol start=\"3\">\n<li>c</li>\n<li>d</li>\n</ol>\n")
    #expect(try text(.markdown, document) == "3. c\n4. d\n")
    let letters = Sample.document(.item(level: 1, mark: .number("b)"), [Sample.line("x")]))
    #expect(try body(letters) == "<ol type=\"a\" start=\"2\">\n<li>x</li>\n</ol>\n")
    #expect(try text(.markdown, letters) == "2) x\n")
  }

  @Test("Lines that end at the margin flow, short ones break")
  func flow() throws {
    func line(_ words: [String], _ widths: [Double], y: Double) -> ExportLine {
      var x = 0.0
      return ExportLine(
        zip(words, widths).map { word, width in
          defer { x += width + 5 }
          return Sample.word(word, x: x, y: y, width: width)
        })
    }
    let lines = [
      line(["one", "two"], [40, 40], y: 0), line(["three"], [20], y: 10),
      line(["four", "five"], [30, 40], y: 20),
    ]
    #expect(
      try body(Sample.document(.paragraph(lines))) == "<p>one two three<br/>\nfour five</p>\n")
    #expect(
      try text(.markdown, Sample.document(.paragraph(lines))) == "one two three\\\nfour five\n")
    #expect(try text(.text, Sample.document(.paragraph(lines))) == "one two\nthree\nfour five\n")
  }

  @Test("Lines of scripts without spaces join without one, and so does a divided word")
  func joins() throws {
    func joined(_ first: String, _ second: String) throws -> String {
      try text(
        .markdown, Sample.document(.paragraph([Sample.line(first), Sample.line(second)])))
    }
    #expect(try joined("你好", "世界") == "你好世界\n")
    #expect(try joined("hand-", "writing") == "hand-writing\n")
    #expect(try joined("a", "b") == "a b\n")
    #expect(try joined("안녕", "세계") == "안녕 세계\n")
  }

  @Test("Struck words are left out on request, and lines that are empty then")
  func struck() throws {
    let line = ExportLine([
      ExportWord("keep"), ExportWord("drop", decorations: [.strikeThrough]),
    ])
    let other = ExportLine([ExportWord("gone", decorations: [.strikeThrough])])
    let document = Sample.document(.paragraph([line, other]), .paragraph([other]))
    let options = ExportOptions(withoutStruckWords: true)
    #expect(try text(.text, document, options) == "keep\n")
    #expect(try text(.text, document) == "keep drop\ngone\n\ngone\n")
  }

  @Test("Nothing gives an empty text", arguments: [ExportFormat.text, .markdown])
  func nothing(format: ExportFormat) throws {
    #expect(try text(format, ExportDocument()).isEmpty)
    #expect(try text(format, Sample.document()).isEmpty)
  }
}
