import InkCore
import Layout
import Testing

@Suite("Groups of the strokes of formulas")
struct FormulaGroupTests {
  /// A stroke along the diagonal of a box.
  private func stroke(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Stroke {
    Stroke(
      points: (0...4).map {
        StrokePoint(x: x + width * Double($0) / 4, y: y + height * Double($0) / 4)
      })
  }

  /// Lines of letters 10 high, which give the page its height.
  private var text: [Stroke] {
    (0..<40).map { stroke(Double($0 % 20) * 12, Double($0 / 20) * 30, 8, 10) }
  }

  /// The groups of formulas of a page, as indices into its other strokes.
  private func groups(_ strokes: [(Stroke, StrokeKind)]) -> [[Int]] {
    let ink = Ink(strokes: text + strokes.map(\.0))
    let kinds = text.map { _ in StrokeKind.text } + strokes.map(\.1)
    return MarkGroups.found(in: ink, kinds: kinds).filter { $0.kind == .formula }
      .map { $0.strokes.map { $0 - text.count } }
  }

  @Test("Symbols of a row are one formula, also where they are far apart; rows are several")
  func rows() {
    let row = [0, 40, 85, 120].map { (stroke(Double($0), 100, 22, 30), StrokeKind.formula) }
    let below = [0, 40].map { (stroke(Double($0), 170, 22, 30), StrokeKind.formula) }
    let beside = [(stroke(300, 100, 22, 30), StrokeKind.formula)]
    #expect(groups(row + below + beside) == [[0, 1, 2, 3], [4, 5], [6]])
  }

  @Test("The bars of an equal sign are in the row")
  func equalSign() {
    let strokes = [
      stroke(0, 100, 22, 30), stroke(40, 108, 20, 1), stroke(40, 122, 20, 1),
      stroke(80, 100, 22, 30),
    ].map { ($0, StrokeKind.formula) }
    #expect(groups(strokes) == [[0, 1, 2, 3]])
  }

  @Test(
    "A bar binds what is over and under it, whatever it was taken for",
    arguments: [StrokeKind.formula, .underline, .divider])
  func fraction(kind: StrokeKind) {
    let strokes = [
      (stroke(60, 80, 22, 25), StrokeKind.formula), (stroke(110, 80, 22, 25), .formula),
      (stroke(50, 116, 100, 2), kind), (stroke(90, 130, 20, 25), .formula),
      (stroke(0, 105, 30, 22), .formula),
    ]
    #expect(groups(strokes) == [[0, 1, 2, 3, 4]])
  }

  @Test("An underline under a formula stays an underline")
  func underline() {
    let strokes = [
      (stroke(60, 80, 22, 25), StrokeKind.formula), (stroke(50, 116, 100, 2), .underline),
    ]
    #expect(groups(strokes) == [[0]])
  }

  @Test("Hundreds of symbols are grouped, and none is lost")
  func many() {
    let strokes = (0..<900).map {
      (stroke(Double($0 % 30) * 150, 100 + Double($0 / 30) * 150, 20, 20), StrokeKind.formula)
    }
    #expect(groups(strokes).flatMap(\.self).sorted() == Array(0..<900))
  }
}
