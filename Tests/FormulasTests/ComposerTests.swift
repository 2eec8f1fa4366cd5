import FormulaTraining
import Formulas
import Foundation
import InkCore
import Testing

@Suite("Composed formulas")
struct ComposerTests {
  private static let seed: UInt64 = 5

  /// A composer of virtual writers.
  private func composer() throws -> FormulaComposer {
    try FormulaComposer(letters: [LabeledInk]())
  }

  @Test("The laws can be read and written, and the ink has their structure")
  func laws() throws {
    let composer = try composer()
    for (index, law) in try FormulaGrammar.laws().enumerated() {
      let record = try #require(
        composer.formula(law, name: "law-\(index)", hand: index, seed: Self.seed), "\(law)")
      let layout = try #require(record.layout)
      #expect(NormalForm.of(try Formula(layout)) == NormalForm.of(latex: law), "\(law)")
      let strokes = layout.symbols.flatMap(\.strokes).sorted()
      #expect(strokes == Array(record.ink.strokes.indices), "\(law)")
      #expect(
        record.ink.strokes.allSatisfy { stroke in
          stroke.points.allSatisfy { abs($0.x) < 1e5 && abs($0.y) < 1e5 }
        }, "\(law)")
    }
  }

  @Test("Every symbol of the library can be written")
  func symbols() throws {
    let composer = try composer()
    let labels = try SymbolLibrary.shared.get().labels
    #expect(labels.count > 170)
    for label in labels {
      let latex = label == #"\sqrt"# ? #"\sqrt{x}"# : label == "'" ? "x'" : label
      let record = composer.formula(latex, name: label, hand: 1, seed: Self.seed)
      #expect(record?.symbols.contains { $0.label == label } == true, "\(label)")
    }
  }

  @Test("The same seed gives the same ink, another seed or hand another one")
  func deterministic() throws {
    let latex = #"\frac{a + b}{\sqrt{2}} = \sum_{i = 1}^{n} x_{i}^{2}"#
    let first = try composer().formula(latex, name: "f", hand: 3, seed: Self.seed)
    let again = try composer().formula(latex, name: "f", hand: 3, seed: Self.seed)
    #expect(first?.ink == again?.ink && first?.layout == again?.layout)
    #expect(try composer().formula(latex, name: "f", hand: 4, seed: Self.seed)?.ink != first?.ink)
    #expect(try composer().formula(latex, name: "f", hand: 3, seed: 6)?.ink != first?.ink)
    var one = try FormulaGrammar(laws: FormulaGrammar.laws(), seed: Self.seed)
    var other = try FormulaGrammar(laws: FormulaGrammar.laws(), seed: Self.seed)
    #expect((0..<50).map { _ in one.next() } == (0..<50).map { _ in other.next() })
  }

  @Test("What the grammar writes is LaTeX, and nearly all of it can be composed")
  func grammar() throws {
    var grammar = try FormulaGrammar(laws: FormulaGrammar.laws(), seed: Self.seed)
    let composer = try composer()
    var composed = 0
    for index in 0..<300 {
      let latex = grammar.next()
      #expect(throws: Never.self, "seed \(Self.seed): \(latex)") { try Formula(latex: latex) }
      if composer.formula(latex, name: "\(index)", hand: index, seed: Self.seed) != nil {
        composed += 1
      }
    }
    #expect(composed >= 290, "seed \(Self.seed)")
  }

  @Test("Files that are written are read back")
  func files() throws {
    let composer = try composer()
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("composed-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let sources = [
      #"x_{1}^{2} < \frac{a}{b}"#, #"\sqrt[3]{x + 1} \geq 0"#,
      #"\lim_{n \rightarrow \infty} a_{n}"#,
      #"\int_{0}^{1} \{ x \} d x"#, "f'(x) = 2",
      #"\overline{A B} + \vec{v}_{1} = \hat{x}^{2}"#, #"\dot{q} - \tilde{y}"#,
    ]
    for (index, latex) in sources.enumerated() {
      for hand in 0..<4 {
        let record = try #require(
          composer.formula(latex, name: "\(index)", hand: hand, seed: Self.seed))
        let url = folder.appendingPathComponent("\(index).inkml")
        try Data(try #require(FormulaFileWriter.text(of: record)).utf8).write(to: url)
        let read = try FormulaFile.record(at: url.path)
        #expect(read.layout == record.layout, "\(latex)")
        #expect(read.writer == record.writer && !read.isContradictory)
        #expect(read.ink.strokes.map(\.points.count) == record.ink.strokes.map(\.points.count))
      }
    }
  }

  @Test(
    "What nobody can write is nothing", arguments: ["", "x_{", #"\unknown"#, #"\ddot{x}"#, "中"])
  func impossible(latex: String) throws {
    #expect(try composer().formula(latex, name: "f", hand: 0, seed: Self.seed) == nil)
  }
}
