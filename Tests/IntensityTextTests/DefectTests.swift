import Foundation
import IntensityText
import Testing

/// Each test fails if a known defect of earlier kits returns.
@Suite("Known defects")
struct DefectTests {
  private let file = Attachment(file: .reference("f"), mimeType: "text/plain")

  @Test("Inserting text moves attachments by its length")
  func attachmentsMove() throws {
    var text = IntensityString("ab")
    try text.attach(file, at: 1)
    try text.insert(IntensityString("12345"), at: 0)
    #expect(text.attachments.map(\.index) == [6])
    #expect(text.string.utf16.dropFirst(6).first == 0xFFFC)
  }

  @Test("An attachment behind the last one is the last")
  func attachmentsInOrder() throws {
    var text = IntensityString("abcdef")
    for index in [1, 4, 8] { try text.attach(file, at: index) }
    #expect(text.attachments.map(\.index) == [1, 4, 8])
  }

  @Test("Removing the second run merges its neighbours")
  func runsMerge() throws {
    var text = IntensityString("abc")
    try text.setAttributes(BaseAttributes(isBold: true), in: 1..<2)
    #expect(text.attributes.count == 3)
    try text.remove(1..<2)
    #expect(text.attributes.map(\.range) == [0..<2])
    #expect(text.isConsistent)
  }

  @Test("No runs can be gone through, edited and written")
  func emptyRuns() throws {
    var text = IntensityString()
    #expect(text.attributes.isEmpty)
    for _ in text.attributes { Issue.record("a run of no text") }
    try text.changeAttributes(in: 0..<0) { $0.isBold = true }
    #expect(text.rendered().runs.isEmpty)
    #expect(try IntensityString(json: text.json()) == text)
  }

  @Test("Bold text of the last bin is black and no more")
  func boldBin() {
    let text = IntensityString("a", intensity: 100, attributes: BaseAttributes(isBold: true))
    let run = text.rendered(scheme: WeightScheme(), smoothing: .character, animates: false).runs
    #expect(run.map(\.style.font.weight) == [.black])
  }

  @Test("Links move with the text before them")
  func linksMove() throws {
    var text = IntensityString("here")
    try text.setLink(URL(string: "https://example.org"), in: 0..<4)
    try text.insert(IntensityString("see "), at: 0)
    #expect(text.links.map(\.range) == [4..<8])
    try text.remove(0..<2)
    #expect(text.links.map(\.range) == [2..<6])
    #expect(try text.substring(4..<6).links.map(\.range) == [0..<2])
  }
}
