import Evaluation
import InkCore
import InkDatasets
import InkEditor
import TestSamples
import Testing

@Suite("Editor with trained models")
struct EditorEndToEndTests {
  @Test("the documented batch of 23 events, two strokes of pointers 0 and 1, reads T")
  func letterT() throws {
    let classifier = try SmallModels.glyphs(
      "starter:characters?labels=[THLOVXZC]&count=1600", epochs: 8)
    let models = LoadedModels()
    models.setText(classifier, bundle: "en_US")
    let engine = Engine(models: models)
    let editor = engine.makeEditor()
    try editor.setViewSize(width: 800, height: 600)
    try editor.setPart(engine.makePart(type: "Text"))
    // Stroke 1: x 184 to 183, y 124 to 184. Stroke 2: x 150 to 209, y 126 to 128.
    let down: [Double] = [124, 125, 128, 133, 140, 148, 156, 164, 171, 177, 181, 184]
    let across: [Double] = [150, 153, 158, 165, 173, 181, 188, 195, 201, 206, 209]
    func kind(_ index: Int, of count: Int) -> PointerEvent.Kind {
      index == 0 ? .down : index == count - 1 ? .up : .move
    }
    let events =
      down.enumerated().map { index, y in
        PointerEvent(
          kind(index, of: down.count), x: 184 - Double(index) / Double(down.count - 1), y: y, id: 0)
      }
      + across.enumerated().map { index, x in
        PointerEvent(
          kind(index, of: across.count), x: x,
          y: 126 + 2 * Double(index) / Double(across.count - 1),
          id: 1)
      }
    #expect(events.count == 23)
    #expect(try editor.pointerEvents(events, processGestures: false).count == 2)
    try editor.waitUntilIdle()
    #expect(try editor.export(as: .text) == "T")
    let word = try #require(editor.rootBlock?.words.first)
    #expect(word.candidates.count > 1 && word.items.count == 2)
  }

  @Test("Raw content with a trained model of shapes separates shapes from writing")
  func mixed() throws {
    let shapes = try SmallModels.glyphs(
      "starter:shapes?labels=rectangle|ellipse|triangle|line|arrow&count=1500", epochs: 8)
    var options = EditorEvaluation.Options()
    options.scenario = .mixed
    options.feeding = .batch
    let figures = try EditorEvaluation.figures(
      line: try SmallModels.untrainedLines(), shapes: shapes, options: options,
      data: [DataSpecification(parsing: "starter:words?seed=5&length=2-4&style=printed&limit=8")],
      shapeData: [
        DataSpecification(
          parsing: "starter:shapes?labels=rectangle|ellipse|triangle&seed=6&limit=30")
      ])
    #expect(figures.lostStrokes == 0)
    let kinds = try #require(figures.kinds)
    #expect((kinds["shape"] ?? [:]).values.reduce(0, +) > 5)
    #expect(try #require(figures.strokesOfRightKind) > 0.9, "\(kinds)")
  }
}

@Suite("Evaluation through the editor")
struct EditorEvaluationTests {
  private func figures(
    _ scenario: EditorScenario, _ feeding: EditorFeeding = .batch, guides: EditorGuides = .right
  ) throws -> EditorFigures {
    var options = EditorEvaluation.Options()
    options.scenario = scenario
    options.feeding = feeding
    options.guides = guides
    return try EditorEvaluation.figures(
      line: try SmallModels.untrainedLines(), shapes: nil, options: options,
      data: [DataSpecification(parsing: "starter:words?seed=4&length=3&limit=4")])
  }

  @Test("lines are scored, no stroke is lost, and there are latencies for points")
  func lines() throws {
    let batch = try figures(.lines)
    #expect(batch.pages == 4 && batch.lostStrokes == 0 && batch.strokes > 4)
    #expect(batch.cer != nil && batch.recognizerCER != nil && batch.penUpToIdleMs == nil)
    let points = try figures(.lines, .points, guides: .off)
    #expect(points.strokes == batch.strokes && points.lostStrokes == 0)
    let latency = try #require(points.penUpToIdleMs)
    #expect(latency.p50 <= latency.p95 && latency.p50 > 0)
  }

  @Test("a word that is written again loses no ink")
  func replace() throws {
    let figures = try figures(.replace)
    #expect(figures.lostStrokes == 0)
  }

  @Test("a page scales its lines to the guides and keeps their places")
  func pages() throws {
    func wave(y: Double) -> Ink {
      Ink(
        strokes: (0..<4).map { stroke in
          Stroke(
            points: (0..<20).map {
              StrokePoint(x: Double(stroke) * 300 + Double($0) * 10, y: y + ($0 % 2 == 0 ? 0 : 200))
            })
        })
    }
    let page = try #require(
      EditorPage.placed([
        .init(ink: wave(y: 1000), label: "one two"), .init(ink: wave(y: 1700), label: "three"),
      ]))
    #expect(page.text == "one two\nthree" && page.wordCount == 3)
    #expect(page.strokes.map(\.line) == [0, 0, 0, 0, 1, 1, 1, 1])
    let boxes = [0, 1].map { line in
      Ink(strokes: page.strokes.filter { $0.line == line }.map { Stroke(points: $0.points) })
        .boundingBox
    }
    let (first, second) = (try #require(boxes[0]), try #require(boxes[1]))
    #expect(abs(first.minX - EditorPage.left) < 1e-6)
    #expect(abs(first.midY - EditorPage.firstMiddle) < 0.5)
    // 700 units at 5 mm for four deviations of a wave of 200.
    #expect(second.midY - first.midY > 10)
    #expect(EditorPage.placed([]) == nil)
  }
}
