import Foundation
import IntensityText
import Testing

/// Sizes that are easy to reckon with: every character is half as wide as its font is high.
struct HalfSizes: GlyphSizes {
  func widths(of text: String, font: TextFont) -> [Double] { text.map { _ in font.size / 2 } }
  func extent(of font: TextFont) -> (ascent: Double, descent: Double) {
    (font.size * 0.75, font.size * 0.25)
  }
}

@Suite("Layout")
struct LayoutTests {
  private func layout(_ text: IntensityString, _ width: Double) -> TextLayout {
    let rendered = text.rendered(scheme: WeightScheme(), smoothing: .message, animates: false)
    return TextLayout(rendered, width: width, sizes: HalfSizes())
  }

  @Test("Lines break behind spaces, at breaks of the text, and within long words")
  func breaks() {
    let text = IntensityString("aa bb cccccccc\nd\n")
    let lines = layout(text, 50).lines
    #expect(lines.map(\.range) == [0..<6, 6..<11, 11..<15, 15..<17, 17..<17])
    #expect(lines.map(\.box.y) == [0, 20, 40, 60, 80])
    #expect(lines.map(\.baseline) == [15, 35, 55, 75, 95])
    #expect(layout(IntensityString(), 50).lines.map(\.range) == [0..<0])
    #expect(layout(text, .nan).lines.count > 8)
  }

  @Test("A text is higher in a smaller width, for three widths")
  func heights() {
    let text = IntensityString("one two three four five six seven eight nine ten")
    #expect([1000, 200, 100].map { layout(text, $0).height } == [20, 60, 120])
  }

  @Test("Every unit is in one line and one piece")
  func cover() throws {
    var generator = Seeded(5)
    for _ in 0..<50 {
      var text = IntensityString()
      for _ in 0..<Int.random(in: 0...30, using: &generator) {
        let piece = ["a", " ", "\n", "word", "😀", "漢字", "-", "\r\n", "é"].randomElement(
          using: &generator)
        text.append(
          IntensityString(
            piece ?? "", intensity: Int.random(in: 0...100, using: &generator),
            attributes: BaseAttributes(size: Int.random(in: 5...40, using: &generator))))
      }
      let rendered = text.rendered(scheme: SizeScheme(), smoothing: .character, animates: false)
      let made = TextLayout(rendered, width: 90, sizes: DefaultGlyphSizes())
      #expect(made.lines.flatMap { Array($0.range) } == Array(0..<text.count))
      #expect(made.pieces.flatMap { Array($0.range) } == Array(0..<text.count))
      #expect(abs(made.height - made.lines.map(\.box.height).reduce(0, +)) < 1e-9)
    }
  }

  @Test("Carets and places belong together, and a selection has a box on each line")
  func places() {
    let text = IntensityString("aa bb cc\nd")
    let made = layout(text, 60)
    #expect(made.lines.map(\.range) == [0..<6, 6..<9, 9..<10])
    for index in 0...text.count {
      let caret = made.caret(at: index)
      #expect(made.index(atX: caret.x, y: caret.y + 1) == index || index == 8)
    }
    #expect(made.caret(at: 10) == TextBox(x: 10, y: 40, width: 0, height: 20))
    #expect(made.index(atX: -50, y: -50) == 0)
    #expect(made.index(atX: 500, y: 500) == 10)
    #expect(
      made.boxes(of: 3..<7) == [
        TextBox(x: 30, y: 0, width: 30, height: 20), TextBox(x: 0, y: 20, width: 10, height: 20),
      ])
    #expect(made.boxes(of: 3..<3).isEmpty)
  }

  @Test("An attachment raises its line and keeps its proportions")
  func attachment() throws {
    var text = IntensityString("ab")
    try text.attach(Attachment(image: .reference("x"), width: 200, height: 100), at: 1)
    let made = layout(text, 100)
    let box = try #require(made.attachments[1])
    #expect(box.width == 100 && box.height == 50)
    #expect(made.lines.count == 3)
    #expect(made.lines[1].baseline == box.y + box.height)
  }
}
