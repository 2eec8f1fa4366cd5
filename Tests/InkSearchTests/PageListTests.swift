import Foundation
import InkCore
import InkFormats
import InkSearch
import Testing

@Suite("The pages of an index")
struct PageListTests {
  let folder: NotesFolder

  init() throws {
    folder = try NotesFolder()
  }

  private func pages(
    _ filter: String = "", from offset: Int = 0, limit: Int = 50
  ) throws -> [String] {
    try InkIndex(at: folder.indexFile).pages(PageFilter(filter), from: offset, limit: limit).map {
      "\($0.path.dropFirst(folder.path.count + 1)) \($0.page)"
    }
  }

  private func setDay(_ name: String, _ seconds: Double) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: seconds)],
      ofItemAtPath: folder.path + "/" + name)
  }

  @Test("The pages of the files that changed last come first, in parts, and by conditions alone")
  func wall() throws {
    folder.say(1, "one")
    folder.say(2, "two")
    try folder.write("old.xopp", pages: [1, 2])
    try folder.write("deep/new.xopp", pages: [3])
    try folder.write(
      "drawn.svg",
      """
      <svg xmlns="http://www.w3.org/2000/svg"><path d="M4 1 L50 5" stroke="black" fill="none"/></svg>
      """)
    try setDay("old.xopp", 1_000_000_000)
    try setDay("deep/new.xopp", 1_700_000_000)
    try setDay("drawn.svg", 1_600_000_000)
    try folder.update()
    #expect(
      try pages() == ["deep/new.xopp 1", "drawn.svg 1", "old.xopp 1", "old.xopp 2"])
    #expect(try pages(from: 1, limit: 2) == ["drawn.svg 1", "old.xopp 1"])
    #expect(try pages("after:9999") == [] && pages("before:9999").count == 4)
    #expect(try pages("date:1900") == [])
    #expect(try pages("program:svg") == ["drawn.svg 1"])
    #expect(try pages("in:deep") == ["deep/new.xopp 1"])
    #expect(try pages("after:2020 before:2022") == ["drawn.svg 1"])
    #expect(try pages("lang:de program:xopp words that are left alone") == ["old.xopp 2"])
    #expect(try folder.search("two program:xopp") == ["old.xopp 2"])
    #expect(try folder.search("two program:rm") == [])
    #expect(throws: InkSearchError.self) { try PageFilter("after:yesterday") }
    let formats = try InkIndex(at: folder.indexFile).formats()
    #expect(formats.map(\.format) == ["xopp", "svg"] && formats.map(\.pages) == [3, 1])
  }

  @Test("The text of a page is its best reading, and only pages of the index have one")
  func text() throws {
    folder.say(1, [[.init("good", probability: 0.9), .init("gold", probability: 0.1)]])
    try folder.write("a.xopp", pages: [1], typed: "typed below")
    try folder.update()
    let index = try InkIndex(at: folder.indexFile)
    let path = folder.path + "/a.xopp"
    #expect(try index.text(of: path, page: 1) == "good\ntyped below")
    #expect(try index.text(of: path, page: 2) == nil)
    #expect(try index.text(of: "/etc/passwd", page: 1) == nil)
    #expect(try index.text(of: folder.path + "/../notes/a.xopp", page: 1) == nil)
    #expect(try index.has(path, page: 1))
  }

  @Test("The picture of a page has its ink, its typed text without markup, and the marks")
  func picture() throws {
    try folder.write("a.xopp", pages: [1], typed: "a &lt;b&gt; &#x1;c")
    let record = try #require(PagePicture.pages(of: folder.path + "/a.xopp")[0])
    let page = try #require(PagePicture.page(record, marks: [[1, 2, 30, 4]], title: "a & b"))
    #expect(page.contains("<polyline") && page.contains("<title>a &amp; b</title>"))
    #expect(page.contains("&lt;b&gt;") && !page.contains("\u{1}"))
    #expect(page.contains("<rect x=\"1.00\" y=\"2.00\" width=\"30.00\" height=\"4.00\""))
    let part = try #require(PagePicture.around([[1, 2, 30, 4]], of: record, title: "a"))
    #expect(part.contains("<polyline") && part.contains("<rect"))
    #expect(PagePicture.around([], of: record, title: "a") == nil)
  }
}
