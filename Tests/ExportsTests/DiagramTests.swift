import Exports
import Foundation
import InkCore
import InkEditor
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("Diagrams")
struct DiagramTests {
  private static var document: ExportDocument {
    func block(_ id: Int, _ text: String, x: Double) -> ExportBlock {
      ExportBlock(
        id: id, .paragraph([Sample.line(text)]),
        box: BoundingBox(minX: x, minY: 10, maxX: x + 20, maxY: 20))
    }
    return ExportDocument(pages: [
      ExportPage(
        box: Sample.sheet,
        blocks: [
          block(0, "start \"now\"", x: 0), block(1, "a < b", x: 40),
          ExportBlock(id: 2, .figure([])), ExportBlock(id: 3, .figure([])),
        ],
        edges: [
          ExportEdge(from: 0, to: 1, endArrow: true), ExportEdge(from: 1, to: 2),
          ExportEdge(from: 2, to: 0, startArrow: true, endArrow: true),
          ExportEdge(from: 1, to: nil, endArrow: true), ExportEdge(from: 0, to: 9),
        ])
    ])
  }

  @Test("Mermaid has the nodes with text or edges, and the edges with both ends")
  func mermaid() throws {
    let text = String(decoding: try ExportFormat.mermaid.bytes(of: Self.document), as: UTF8.self)
    #expect(
      text == """
        flowchart LR
          n0["start #34;now#34;"]
          n1["a #60; b"]
          n2[" "]
          n0 --> n1
          n1 --- n2
          n2 <--> n0

        """)
  }

  @Test("GraphML is XML with the same nodes and edges")
  func graphML() throws {
    let text = String(decoding: try ExportFormat.graphML.bytes(of: Self.document), as: UTF8.self)
    #expect(XMLParser(data: Data(text.utf8)).parse())
    #expect(text.components(separatedBy: "<node ").count == 4)
    #expect(text.contains("<edge source=\"n0\" target=\"n1\" directed=\"true\">"))
    #expect(text.contains("<edge source=\"n1\" target=\"n2\" directed=\"false\">"))
    #expect(text.contains("<data key=\"label\">a &lt; b</data>"))
    #expect(text.contains("<data key=\"width\">20.0</data>"))
  }

  @Test("An arrow at the start alone is an edge the other way")
  func backward() throws {
    var document = Self.document
    document.pages[0].edges = [ExportEdge(from: 0, to: 1, startArrow: true)]
    let text = String(decoding: try ExportFormat.mermaid.bytes(of: document), as: UTF8.self)
    #expect(text.contains("  n1 --> n0\n"))
  }

  @Test("Pages have names of their own for nodes")
  func pages() throws {
    var document = Self.document
    document.pages += document.pages
    let text = String(decoding: try ExportFormat.mermaid.bytes(of: document), as: UTF8.self)
    #expect(text.contains("p1n0 --> p1n1") && text.contains("p2n0 --> p2n1"))
  }

  @Test("Blocks that edges join are one diagram in Markdown and one figure in HTML")
  func markdown() throws {
    let text = String(decoding: try ExportFormat.markdown.bytes(of: Self.document), as: UTF8.self)
    #expect(text.hasPrefix("```mermaid\nflowchart LR\n"))
    #expect(text.hasSuffix("  n2 <--> n0\n```\n"))
    var document = Self.document
    for index in 0..<3 { document.pages[0].blocks[index].drawing = [Sample.stroke(0, 0)] }
    document.pages[0].edges[0].drawing = [Sample.stroke(20, 0)]
    let html = String(decoding: try ExportFormat.html.bytes(of: document), as: UTF8.self)
    #expect(html.components(separatedBy: "<svg").count == 2)
    #expect(html.components(separatedBy: "<path").count == 5)
    #expect(html.contains("<figcaption>start &quot;now&quot;<br/>\na &lt; b</figcaption>"))
    let plain = String(decoding: try ExportFormat.text.bytes(of: document), as: UTF8.self)
    #expect(plain == "start \"now\"\na < b\n")
  }

  @Test("Nothing is no diagram", arguments: [ExportFormat.graphML, .mermaid])
  func nothing(format: ExportFormat) {
    #expect(throws: ExportError.self) { try format.bytes(of: ExportDocument()) }
  }
}
