import InkCore
import InkSynthesis
import Layout
import Testing

@Suite("Composed pages")
struct PageComposerTests {
  /// Small ink of one writer: rings and bars as letters.
  private static let material: PageMaterial = {
    func ring(_ width: Double, _ height: Double, _ x: Double = 0) -> Stroke {
      Stroke(
        points: (0...10).map { step in
          let part = Double(step) / 10
          return StrokePoint(x: x + width * part, y: height * 4 * part * (1 - part))
        })
    }
    func labeled(_ label: String, _ strokes: [Stroke]) -> LabeledInk {
      LabeledInk(ink: Ink(strokes: strokes), label: label, writer: "w")
    }
    let words = ["one", "three", "four", "seven", "ten"].map { word in
      labeled(word, word.indices.enumerated().map { ring(8, 12, 10 * Double($0.offset)) })
    }
    let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789=+-.,)(?:"
    return PageMaterial(
      words: words, characters: letters.map { labeled(String($0), [ring(8, 12)]) },
      symbols: ["alpha", "plus", "eq.not", "sum", "integral"].map { labeled($0, [ring(9, 9)]) },
      drawings: [labeled("tree", [ring(50, 40), ring(30, 60)])])
  }()

  @Test("A page depends on its seed and number alone, and no two are equal")
  func seeds() {
    let composer = PageComposer(Self.material, seed: 5)
    #expect(composer.page(3) == PageComposer(Self.material, seed: 5).page(3))
    let pages = (0..<40).map { composer.page($0) }
    #expect(Set(pages).count == pages.count)
    #expect(composer.page(3) != PageComposer(Self.material, seed: 6).page(3))
  }

  @Test("Every stroke has a kind and finite points, and only text and formulas have lines")
  func truth() {
    let composer = PageComposer(Self.material, seed: 1)
    for number in 0..<100 {
      let page = composer.page(number)
      #expect(!page.ink.isEmpty, "page \(number)")
      #expect(page.kinds.count == page.ink.strokes.count)
      #expect(page.lines.count == page.ink.strokes.count)
      #expect(throws: Never.self) { try page.ink.validate() }
      #expect(page.ink.strokes.allSatisfy { !$0.points.isEmpty })
      for (kind, line) in zip(page.kinds, page.lines) {
        guard let line else { continue }
        #expect(page.labels.indices.contains(line))
        #expect(kind == .text || kind == .formula)
      }
    }
  }

  @Test("All kinds occur")
  func kinds() {
    let composer = PageComposer(Self.material, seed: 2)
    var found: Set<StrokeKind> = []
    for number in 0..<200 { found.formUnion(composer.page(number).kinds) }
    #expect(found == Set(StrokeKind.allCases))
  }

  @Test("Pages are composed of material without words, letters, symbols or drawings")
  func missing() {
    let empty = PageMaterial(words: [], characters: [], symbols: [], drawings: [])
    for number in 0..<100 {
      let page = PageComposer(empty, seed: 3).page(number)
      #expect(page.kinds.count == page.ink.strokes.count)
    }
  }
}
