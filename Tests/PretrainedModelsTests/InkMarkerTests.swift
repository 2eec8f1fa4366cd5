import Foundation
import InkCore
import InkDatasets
import PretrainedModels
import Recognition
import Testing
import Training

@Suite("Drawing marks on real ink") struct InkMarkerTests {
  private let recognizer: LineRecognizer
  private let lines: [LabeledInk]

  init() throws {
    let models = try PretrainedModels()
    let url = try #require(models.bundleURL(of: "latin-lines"))
    guard case .line(let model) = try OpenModel.open(url).content else {
      throw CancellationError()
    }
    recognizer = try LineRecognizer(model: model)
    lines = try DataSpecification(parsing: "starter:words?style=printed&limit=12&length=2-3")
      .records().map { try $0.get().labeled }
  }

  private func marker(
    _ letters: String? = nil, share: Double = 1, _ templates: InkMarker.Templates = .all
  ) -> InkMarker {
    InkMarker(recognizer: recognizer, letters: letters, share: share, templates: templates)
  }

  @Test("The label gets the marks, the strokes of the letters stay as they are")
  func strokes() throws {
    var marked = 0
    for (index, line) in lines.enumerated() {
      guard let result = try marker("éáñ").mark(line, seed: UInt64(index)) else { continue }
      let expected = String(
        line.label.map { ["e": "é", "a": "á", "n": "ñ"][$0] ?? $0 })
      // A letter whose ink is not found keeps its form.
      let plain = result.label.folding(options: .diacriticInsensitive, locale: nil)
      #expect(plain == line.label.folding(options: .diacriticInsensitive, locale: nil))
      let marks = zip(result.label, line.label).count { $0 != $1 }
      #expect(marks <= zip(expected, line.label).count { $0 != $1 })
      marked += marks
      // Each of these marks is one stroke.
      #expect(result.ink.strokes.count == line.ink.strokes.count + marks)
      let positions = Set(result.ink.strokes.map { $0.points.map { [$0.x, $0.y] } })
      for stroke in line.ink.strokes {
        #expect(positions.contains(stroke.points.map { [$0.x, $0.y] }))
      }
    }
    #expect(marked > 10)
  }

  @Test("A mark lies above its letter, and times do not run backward")
  func places() throws {
    for (index, line) in lines.enumerated() {
      guard let result = try marker("é").mark(line, seed: UInt64(index)), result.label != line.label
      else { continue }
      let own = Set(line.ink.strokes.map { $0.points.map { [$0.x, $0.y] } })
      let box = try #require(line.ink.boundingBox)
      for stroke in result.ink.strokes where !own.contains(stroke.points.map { [$0.x, $0.y] }) {
        let mark = try #require(Ink(strokes: [stroke]).boundingBox)
        #expect(mark.maxY < box.maxY - 0.2 * box.height, "seed \(index)")
        #expect(mark.height < 0.6 * box.height, "seed \(index)")
      }
      let times = result.ink.strokes.flatMap { $0.points.compactMap(\.t) }
      #expect(times == times.sorted(), "seed \(index)")
    }
  }

  @Test("A mark above takes the place of the dot of an i")
  func dots() throws {
    var removed = 0
    for (index, line) in lines.enumerated() where line.label.contains("i") {
      guard let result = try marker("ı").mark(line, seed: UInt64(index)), result.label != line.label
      else { continue }
      removed += line.ink.strokes.count - result.ink.strokes.count
      #expect(result.ink.strokes.count <= line.ink.strokes.count)
    }
    #expect(removed > 0)
  }

  @Test("The same seed gives the same ink; other templates give another")
  func seeds() throws {
    let line = try #require(lines.first { $0.label.contains("e") })
    let first = try marker("é").mark(line, seed: 4)
    #expect(try marker("é").mark(line, seed: 4) == first)
    #expect(try marker("é").mark(line, seed: 5) != first)
    #expect(
      try marker("é", share: 1, .even).mark(line, seed: 4)
        != marker("é", share: 1, .odd).mark(line, seed: 4))
  }

  @Test("Ink without times stays without; nothing is marked with a share of 0")
  func withoutTimes() throws {
    var line = try #require(lines.first { $0.label.contains("e") })
    #expect(try marker(share: 0).mark(line, seed: 1)?.ink == line.ink)
    for stroke in line.ink.strokes.indices {
      for point in line.ink.strokes[stroke].points.indices {
        line.ink.strokes[stroke].points[point].t = nil
      }
    }
    let result = try #require(try marker("é").mark(line, seed: 1))
    #expect(result.ink.strokes.allSatisfy { $0.points.allSatisfy { $0.t == nil } })
    #expect(result.ink.strokes.count > line.ink.strokes.count)
  }

  @Test("A label that the model cannot have read is left out")
  func refused() throws {
    let dot = LabeledInk(
      ink: Ink(strokes: [Stroke(points: [StrokePoint(x: 0, y: 0)])]),
      label: String(repeating: "long ", count: 40))
    #expect(try marker().mark(dot, seed: 1) == nil)
    #expect(try marker().mark(LabeledInk(ink: Ink(), label: "a"), seed: 1) == nil)
  }
}
