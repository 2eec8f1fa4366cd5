import Files
import Foundation
import InkCore
import InkFormats
import Testing

/// Notes of Xournal++ that are packaged, or larger than what is read whole.
@Suite("Xournal, packaged and large")
struct XournalStreamTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static func notes(_ body: String) -> [UInt8] {
    Array("<?xml version=\"1.0\"?>\n<xournal>\n\(body)</xournal>\n".utf8)
  }

  private static let page =
    #"<page height="9"><layer><stroke tool="pen" width="2">1 2 3 4</stroke></layer></page>"#

  private static func package(_ content: [UInt8]) throws -> [UInt8] {
    var writer = ZipWriter()
    try writer.add("mimetype", Array("application/xournal++".utf8), isPacked: false)
    try writer.add("META-INF/version", Array("current=4\n".utf8))
    try writer.add("content.xml", content)
    return writer.finish()
  }

  private func read(_ bytes: [UInt8]) throws -> Outcome {
    Outcome(try InkReader(path: try folder.write(bytes, to: "a.xopp")))
  }

  @Test("A packaged note reads like a plain one")
  func packaged() throws {
    let content = Self.notes(Self.page + Self.page)
    let outcome = try read(try Self.package(content))
    #expect(outcome.pattern == [true, true])
    #expect(outcome.records.map(\.labeled) == (try read(content)).records.map(\.labeled))
    #expect(outcome.records.map(\.penWidth) == [2, 2])
  }

  @Test("A note that was packaged by hand, without its type, is told by its content")
  func packagedByHand() throws {
    var writer = ZipWriter()
    try writer.add("content.xml", Self.notes(Self.page))
    #expect(try read(writer.finish()).pattern == [true])
    var other = ZipWriter()
    try other.add("content.xml", Array("<office/>".utf8))
    #expect(throws: InkFormatError.self) { try read(other.finish()) }
  }

  @Test("A packaged note that is damaged anywhere is a typed error, or reads the same")
  func damaged() throws {
    let bytes = try Self.package(Self.notes(Self.page))
    let right = Outcome(InkReader(.xournal, bytes: bytes, name: "a")).records.map(\.labeled)
    for place in stride(from: 0, to: bytes.count, by: 3) {
      var changed = bytes
      changed[place] ^= 0x55
      let outcome = Outcome(InkReader(.xournal, bytes: changed, name: "a"))
      #expect(outcome.records.isEmpty || outcome.records.map(\.labeled) == right)
      let short = Outcome(InkReader(.xournal, bytes: Array(bytes[..<place]), name: "a"))
      #expect(short.records.isEmpty && short.failures.count == 1)
    }
  }

  @Test("Pictures are skipped and counted, whatever their size")
  func pictures() throws {
    let picture = "<image left=\"0\">" + String(repeating: "AAAA", count: 3 << 20) + "</image>\n"
    let body =
      "<page><layer>\(picture)<stroke width=\"1\">1 2 3 4</stroke></layer>"
      + "<layer><teximage text=\"x\">AAAA</teximage></layer></page>\(Self.page)"
    let outcome = try read(Self.notes(body))
    #expect(outcome.pattern == [true, true])
    #expect(outcome.records.map(\.warnings.count) == [1, 0])
    #expect(outcome.records.first?.warnings.first?.found.contains("2 pictures") == true)
    // Compressed, it is a thousandth.
    var writer = ZipWriter()
    try writer.add("content.xml", Self.notes(body))
    let packed = writer.finish()
    #expect(packed.count < 40_000)
    #expect(try read(packed).records.map(\.labeled) == outcome.records.map(\.labeled))
  }

  @Test("Errors behind a large picture name their line")
  func lines() throws {
    let picture = "<image>" + String(repeating: "AAA\n", count: 100_000) + "</image>\n"
    let outcome = try read(Self.notes(picture + "<page>\n<stroke>1 2 x</stroke></page>"))
    #expect(outcome.codes == [.malformed])
    #expect(outcome.failures.first?.location.line == 100_005)
  }

  @Test("A bomb of blanks is a typed error, in gzip and in a package")
  func bombs() throws {
    let blanks = Self.notes(String(repeating: " ", count: 20 << 20))
    #expect(try read(try Self.package(blanks)).codes == [.tooLarge])
    let gzip = try folder.write(GzipFile.bomb(repeats: 80_000), to: "b.xopp")
    #expect(Outcome(try InkReader(.xournal, path: gzip)).codes == [.tooLarge])
  }

  @Test("Strokes, tags and comments may lie across the pieces that are read")
  func pieces() throws {
    for padding in (1 << 16) - 60..<(1 << 16) + 4 {
      let body =
        String(repeating: " ", count: padding) + "<!-- a <stroke> b --><page a='>' b=\">\">"
        + "<stroke width='1'>1 2 <!-- < -->3<![CDATA[ 4]]></stroke></page>"
      let outcome = Outcome(InkReader(.xournal, bytes: Self.notes(body), name: "a"))
      #expect(
        outcome.records.first?.labeled.ink.strokes.first?.points
          == [StrokePoint(x: 1, y: 2), StrokePoint(x: 3, y: 4)])
    }
  }

  @Test("Files in another encoding are converted")
  func encodings() throws {
    let text =
      "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><xournal><!-- \u{E9} -->\(Self.page)</xournal>"
    let bytes = text.unicodeScalars.map { UInt8($0.value) }
    #expect(try read(bytes).pattern == [true])
    let units = [0xFEFF] + Array("<xournal>\(Self.page)</xournal>".utf16)
    #expect(try read(units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }).pattern == [true])
  }
}
