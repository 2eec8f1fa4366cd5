import Evaluation
import Foundation
import InkCore
import Reports
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("Drawing ink as SVG")
struct InkDrawingTests {
  private func ink(_ strokes: [[(Double, Double)]]) -> Ink {
    Ink(strokes: strokes.map { Stroke(points: $0.map { StrokePoint(x: $0.0, y: $0.1) }) })
  }

  /// The values of an attribute, in the order of the text.
  private func values(of attribute: String, in svg: String) throws -> [String] {
    try svg.matches(of: Regex("\(attribute)=\"([^\"]*)\"")).compactMap {
      $0.output[1].substring.map(String.init)
    }
  }

  /// Parses as XML, so that every element is closed and every attribute quoted.
  private func isWellFormed(_ svg: String) -> Bool {
    XMLParser(data: Data(svg.utf8)).parse()
  }

  @Test("A stroke is a path with round caps, in one scale for both axes")
  func path() throws {
    let svg = InkDrawing(ink([[(0, 0), (10, 0), (10, 5)]])).svg
    #expect(isWellFormed(svg))
    // 960 units less the margins of 110 on either side are 740 for ten units of ink.
    #expect(svg.contains(#"<path class="s0" d="M110 295l740 0 0 370"/>"#))
    #expect(InkDrawing.styleSheet.contains("stroke-linecap:round"))
  }

  @Test("A stroke without length is a visible dot")
  func dot() {
    let still = InkDrawing(ink([[(3, 4), (3, 4)]])).svg
    #expect(still.contains(#"<circle class="d0" cx="480" cy="480" r="22"/>"#))
    let beside = InkDrawing(ink([[(0, 0), (0, 100)], [(50, 50)]])).svg
    #expect(beside.contains(#"<circle class="d1""#))
    #expect(isWellFormed(beside))
  }

  @Test("Strokes have numbers and colours in the order written, one stroke has no number")
  func order() throws {
    let three = InkDrawing(
      ink([[(0, 0), (0, 10)], [(5, 0), (5, 10)], [(10, 0), (10, 10)]])
    ).svg
    let numbers = try three.matches(of: Regex(">([0-9]+)</text>")).compactMap {
      $0.output[1].substring.map(String.init)
    }
    #expect(numbers == ["1", "2", "3"])
    #expect(try values(of: "class", in: three) == ["ink", "s0", "s1", "s2", "n0", "n1", "n2"])
    #expect(!InkDrawing(ink([[(0, 0), (0, 10)]])).svg.contains("<text"))
    var plain = InkDrawing(ink([[(0, 0), (0, 10)], [(5, 0), (5, 10)]]))
    plain.style.showsOrder = false
    #expect(!plain.svg.contains("<text"))
  }

  @Test("Colours begin again, and only the first strokes carry numbers")
  func manyStrokes() throws {
    let svg = InkDrawing(ink((0..<30).map { [(Double($0), 0), (Double($0), 9)] })).svg
    #expect(svg.matches(of: /<\/text>/).count == InkDrawing.mostNumbers)
    #expect(svg.contains(#"class="s5""#) && !svg.contains(#"class="s6""#))
  }

  @Test("A writing area is two lines, and the drawing spans it")
  func area() throws {
    let area = try WritingArea(x: -500, y: 0, width: 5000, height: 100)
    let svg = InkDrawing(ink([[(0, 50), (10, 50)]]), area: area).svg
    #expect(svg.contains(#"<path class="area" d="M0 110H960"/>"#))
    #expect(svg.contains(#"<path class="area" d="M0 850H960"/>"#))
    // A tenth of the area's height, half-way between its edges.
    #expect(svg.contains("M443 480l74 0"))
  }

  @Test("An ink without points is a drawing of its area only")
  func empty() throws {
    #expect(isWellFormed(InkDrawing(Ink()).svg))
    #expect(!InkDrawing(Ink()).svg.contains("<path"))
    let area = try WritingArea(width: 10, height: 10)
    #expect(InkDrawing(Ink(), area: area).svg.matches(of: /class="area"/).count == 2)
  }

  @Test("A caption cannot leave its attribute")
  func caption() throws {
    for caption in ["\"><script>alert(1)</script>", "\"\u{301} onload=x", "a'b&<>", "\u{0}"] {
      let svg = InkDrawing(Ink(), caption: caption).svg
      #expect(isWellFormed(svg), "\(caption.debugDescription)")
      #expect(!svg.contains("<script") && !svg.contains("\"\u{301}"))
    }
  }

  @Test("Points that are not finite are left out, and huge or tiny ones stay in the drawing")
  func extremes() throws {
    let inks = [
      ink([[(.nan, 0), (0, .infinity)]]), ink([[(0, 0), (.nan, 1), (5, 5)]]),
      ink([[(-.greatestFiniteMagnitude, 0), (.greatestFiniteMagnitude, 0)]]),
      ink([[(0, 0), (.leastNonzeroMagnitude, 0)]]), ink([[(1e300, 1e300), (-1e300, -1e300)]]),
    ]
    for (index, ink) in inks.enumerated() {
      let svg = InkDrawing(ink).svg
      #expect(isWellFormed(svg), "ink \(index)")
      #expect(!svg.contains("nan") && !svg.contains("inf"), "ink \(index)")
      let numbers = try values(of: "d", in: svg).flatMap { $0.matches(of: /-?\d+/) }
      #expect(numbers.allSatisfy { abs(Int($0.output) ?? .max) <= 960 }, "ink \(index)")
    }
  }

  @Test("The length of a drawing does not grow with the points or strokes of its ink")
  func bounded() {
    var generator = SeededGenerator(seed: 3)
    func scribble(_ count: Int) -> [(Double, Double)] {
      (0..<count).map { _ in
        (.random(in: 0...100, using: &generator), .random(in: 0...100, using: &generator))
      }
    }
    let long = InkDrawing(ink([scribble(100_000)])).svg
    let many = InkDrawing(ink((0..<20_000).map { _ in scribble(3) })).svg
    // A point takes ten characters, an element fifty.
    #expect(long.utf8.count < 12_000)
    #expect(many.utf8.count < 60_000)
  }

  @Test("A line of text keeps its height and has the width of its ink, up to a limit")
  func line() throws {
    let style = InkDrawing.Style(maximumWidth: 600, height: 60)
    func width(_ length: Double) throws -> Double {
      let svg = InkDrawing(ink([[(0, 0), (length, 10)]]), style: style).svg
      #expect(try values(of: "height", in: svg).first == "60")
      return try #require(Double(try values(of: "width", in: svg).first ?? ""))
    }
    #expect(try width(10) == 60)
    #expect(try width(60) > 200)
    #expect(try width(10_000) == 600)
  }
}
