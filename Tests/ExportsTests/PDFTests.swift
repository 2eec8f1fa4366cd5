import Exports
import Files
import Foundation
import InkCore
import InkEditor
import Testing

@Suite("PDF")
struct PDFTests {
  /// A PDF, its objects found by the table at its end.
  private struct File {
    let bytes: [UInt8]
    private(set) var offsets: [Int] = []

    init(_ bytes: [UInt8]) throws {
      self.bytes = bytes
      let text = String(decoding: bytes.suffix(64), as: UTF8.self)
      let lines = text.split(separator: "\n")
      #expect(lines.last == "%%EOF")
      let start = try #require(lines.dropLast().last.flatMap { Int($0) })
      let table = String(decoding: bytes[start...], as: UTF8.self)
        .split(separator: "\n", omittingEmptySubsequences: false)
      #expect(table[0] == "xref")
      let count = try #require(Int(table[1].split(separator: " ")[1]))
      for line in table[3..<(2 + count)] {
        #expect(line.utf8.count == 19)
        offsets.append(try #require(Int(line.prefix(10))))
      }
    }

    /// The dictionary of an object, from 1.
    func object(_ number: Int) -> String {
      let rest = bytes[offsets[number - 1]...]
      let end = rest.firstRange(of: Array("endobj".utf8))?.lowerBound ?? rest.endIndex
      let own = rest[..<end]
      let stream = own.firstRange(of: Array("stream\n".utf8))?.lowerBound ?? end
      return String(decoding: own[..<stream], as: UTF8.self)
    }

    /// The unpacked content of a stream.
    func stream(_ number: Int) throws -> String {
      let rest = bytes[offsets[number - 1]...]
      let start = try #require(rest.firstRange(of: Array("stream\n".utf8))).upperBound
      let length = try #require(
        object(number).split(separator: " ").drop { $0 != "/Length" }.dropFirst().first
          .flatMap { Int($0) })
      let packed = Array(bytes[start..<start + length])
      let stream = UnpackingStream(ByteSource(packed), packing: .gzip)
      var result: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = try buffer.withUnsafeMutableBytes { try stream.read(into: $0) }
        guard count > 0 else { break }
        result += buffer[..<count]
      }
      return String(decoding: result, as: UTF8.self)
    }

    var numbers: Range<Int> { 1..<offsets.count + 1 }

    /// The objects that hold a text.
    func objects(with text: String) -> [Int] { numbers.filter { object($0).contains(text) } }
  }

  private func file(_ pages: [ExportPage], title: String = "") throws -> File {
    try File(PDFWriter.bytes(of: ExportDocument(title: title, language: "de", pages: pages)))
  }

  private func content(_ page: ExportPage) throws -> String {
    let file = try file([page])
    let number = try #require(file.objects(with: "/Type /Page ").first)
    return try file.stream(number + 1)
  }

  @Test("Every object is where the table says")
  func objects() throws {
    let page = ExportPage(
      box: Sample.sheet, drawing: [Sample.stroke(0, 0)],
      blocks: [ExportBlock(id: 0, .paragraph([ExportLine([Sample.word("wort", x: 10)])]))])
    let file = try file([page, page], title: "Größe (1)")
    for number in file.numbers { #expect(file.object(number).hasPrefix("\(number) 0 obj")) }
    #expect(file.objects(with: "/Type /Page ").count == 2)
    #expect(file.objects(with: "/Count 2").count == 1)
    // 100 x 50 mm.
    #expect(file.objects(with: "/MediaBox [0 0 283.465 141.732]").count == 2)
    #expect(file.objects(with: "/Lang <FEFF00640065>").count == 1)
    #expect(file.objects(with: "/Title <FEFF004700720").count == 1)
  }

  @Test("A word is invisible, at its place and as wide as its ink")
  func word() throws {
    let line = ExportLine([Sample.word("abcd", x: 25.4, y: 10, width: 25.4, height: 12.7)])
    let text = try content(
      ExportPage(box: Sample.sheet, blocks: [ExportBlock(id: 0, .paragraph([line]))]))
    #expect(text.contains("3 Tr"))
    // 36 points high, which is 0.7 of the size; four signs fill 72 points.
    #expect(text.contains("/F14x0 50.4 Tf 71.43 Tz 1 0 0 1 72 77.386 Tm <0001000200030004> Tj"))
  }

  @Test("A space lies between two words and is as wide as the gap")
  func space() throws {
    let line = ExportLine([
      Sample.word("a", x: 0, width: 12.7), Sample.word("a", x: 25.4, width: 12.7),
    ])
    let text = try content(
      ExportPage(box: Sample.sheet, blocks: [ExportBlock(id: 0, .paragraph([line]))]))
    #expect(text.contains("1 0 0 1 36 99.213 Tm <0002> Tj"))
    #expect(text.components(separatedBy: "Tj").count == 4)
  }

  @Test("Words of a line have one baseline and one size, and reach as far as their ink")
  func reach() throws {
    // Low letters, letters up and down, letters down.
    let line = ExportLine([
      Sample.word("an", x: 0, y: 20, width: 20, height: 10),
      Sample.word("lap", x: 30, y: 10, width: 20, height: 24),
      Sample.word("x", x: 60, y: 20, width: 20, height: 10),
      Sample.word("-", x: 90, y: 25, width: 5, height: 1),
    ])
    let text = try content(
      ExportPage(box: Sample.sheet, blocks: [ExportBlock(id: 0, .paragraph([line]))]))
    let size = "79.37 Tf"
    for font in ["/F7x0", "/F14x3"] { #expect(text.contains("\(font) \(size)"), "\(font)") }
    // 20 mm above the lower edge.
    #expect(text.components(separatedBy: " 56.693 Tm").count == 7)
    #expect(text.contains("/F1x0 \(size)") && text.contains(" 255.118 68.031 Tm"))
  }

  @Test("Words that touch have no space between them if none was read")
  func joined() throws {
    var second = Sample.word("界", x: 30)
    second.followsSpace = false
    let text = try content(
      ExportPage(
        box: Sample.sheet,
        blocks: [ExportBlock(id: 0, .paragraph([ExportLine([Sample.word("世", x: 0), second])]))]))
    #expect(text.components(separatedBy: "Tj").count == 3)
  }

  @Test("A turned line has turned text")
  func turned() throws {
    let place = ExportPlace(BoundingBox(minX: 10, minY: -30, maxX: 30, maxY: -25), angle: 90)
    let line = ExportLine([ExportWord("down", place: place)])
    let text = try content(
      ExportPage(box: Sample.sheet, blocks: [ExportBlock(id: 0, .paragraph([line]))]))
    // The line runs down: x along it is -y of PDF.
    #expect(text.contains("Tz 0 -1 1 0 70.866 113.386 Tm"))
  }

  @Test(
    "Each grapheme of any script has one sign that says it",
    arguments: ["Grüße", "नमस्ते", "你好", "สวัสดี", "👩‍👩‍👧", "e\u{301}", "𐐀𐐨"])
  func unicode(text: String) throws {
    let line = ExportLine([Sample.word(text, x: 0)])
    let file = try file([
      ExportPage(box: Sample.sheet, blocks: [ExportBlock(id: 0, .paragraph([line]))])
    ])
    let font = try #require(file.objects(with: "/Subtype /Type0").first)
    let words = file.object(font).split(separator: " ")
    let number = try #require(
      words.drop { $0 != "/ToUnicode" }.dropFirst().first.flatMap { Int($0) })
    let map = try file.stream(number)
    for sign in Set(text) {
      let digits = String(sign).utf16.map { String(format: "%04X", $0) }.joined()
      #expect(map.contains("> <\(digits)>\n"))
    }
  }

  @Test("Words from right to left are stored from left to right; their numbers are not turned")
  func rightToLeft() throws {
    // Signs are numbered as they come: 1 is the one at the left.
    let line = ExportLine([Sample.word("אב12", x: 0)])
    let file = try file([
      ExportPage(box: Sample.sheet, blocks: [ExportBlock(id: 0, .paragraph([line]))])
    ])
    let font = try #require(file.objects(with: "/Subtype /Type0").first)
    let words = file.object(font).split(separator: " ")
    let number = try #require(
      words.drop { $0 != "/ToUnicode" }.dropFirst().first.flatMap { Int($0) })
    let map = try file.stream(number)
    #expect(
      map.contains("<0001> <0031>\n<0002> <0032>\n<0003> <05D1>\n<0004> <05D0>\n"))
  }

  @Test("Lines, curves, colours, widths and opacity are drawn")
  func drawing() throws {
    let text = try content(
      ExportPage(
        box: Sample.sheet,
        drawing: [
          Sample.stroke(1, 2, color: "#FF000080"), Sample.stroke(1, 2, color: "#0000FF"),
          .fill(DrawPath(ellipse: PlanePoint(x: 5, y: 5), radiusX: 1, radiusY: 1), .black),
          .group(
            DrawGroup(transform: .translation(x: 3, y: 4), [Sample.stroke(0, 0, color: "#FF0000")])),
          .clip(DrawPath(Sample.sheet), [Sample.stroke(0, 0)]),
        ]))
    #expect(text.contains("/A128 gs"))
    #expect(text.contains("/A255 gs"))
    #expect(text.contains("1 0 0 RG"))
    #expect(text.contains("0.5 w 1 J 1 j [] 0 d\n1 2 m 11 7 l S"))
    #expect(text.contains(" c h f"))
    #expect(text.contains("1 0 0 1 3 4 cm"))
    #expect(text.contains("W n"))
    #expect(text.components(separatedBy: "q\n").count - 1 == 3)
  }

  @Test("The file can be taken away page by page, and is the same")
  func pieces() throws {
    let page = Sample.everything.pages[0]
    var writer = PDFWriter(title: "a")
    var bytes: [UInt8] = []
    for _ in 0..<3 {
      writer.add(page)
      let own = writer.takeBytes()
      #expect(!own.isEmpty)
      bytes += own
    }
    writer.finish()
    bytes += writer.takeBytes()
    #expect(
      bytes == PDFWriter.bytes(of: ExportDocument(title: "a", pages: [page, page, page])))
  }

  @Test("Numbers that are none, and sheets of any size, make no broken file")
  func wild() throws {
    let box = BoundingBox(minX: 0, minY: 0, maxX: 1e9, maxY: 0)
    let word = ExportWord(
      "x", place: ExportPlace(BoundingBox(minX: .nan, minY: 0, maxX: .infinity, maxY: 1)))
    let file = try file([
      ExportPage(
        box: box, drawing: [Sample.stroke(.nan, .infinity)],
        blocks: [ExportBlock(id: 0, .paragraph([ExportLine([word])]))])
    ])
    #expect(file.objects(with: "/MediaBox [0 0 14400 3]").count == 1)
    let number = try #require(file.objects(with: "/Type /Page ").first)
    let text = try file.stream(number + 1)
    #expect(!text.contains("nan") && !text.contains("inf"))
  }

  @Test("A document without pages is a file")
  func empty() throws {
    let file = try file([])
    #expect(file.objects(with: "/Count 0").count == 1)
  }
}
