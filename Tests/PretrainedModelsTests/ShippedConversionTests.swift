import Foundation
import InkCore
import InkDatasets
import InkEditor
import PretrainedModels
import Recognition
import Testing

/// Real handwriting, read with the models that ship and converted. Drawings are written to the folder
/// $DUCTUS_PICTURES if it is set.
@Suite("Conversion with the models that ship")
struct ShippedConversionTests {
  private static let cases = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Cases")

  /// An editor with the ink of a case, letters about 4 mm high.
  private static func editor(_ name: String, part: String, item: Int = 0) throws -> Editor {
    let data = try DataSpecification(
      parsing: "ink:\(cases.appending(path: name).path)?split=all")
    let ink = try Array(data.records(unlabelled: true))[item].get().labeled.ink
    let heights = ink.strokes.compactMap { Ink(strokes: [$0]).boundingBox }
      .map { max($0.height, $0.width / 4) }.sorted()
    let scale = 4 / heights[Int(0.7 * Double(heights.count))]
    let box = try #require(ink.boundingBox)
    let editor = Engine(models: ProvidedModels(try PretrainedModels())).makeEditor()
    editor.viewTransform = .millimetres
    try editor.setViewSize(width: box.width * scale + 60, height: box.height * scale + 60)
    try editor.configuration.set("text.guides.enable", to: false)
    try editor.configuration.set(
      "raw-content.classification.types", to: ["text", "shape", "drawing"])
    try editor.configuration.set("raw-content.recognition.types", to: ["text"])
    try editor.setPart(editor.engine.makePart(type: part))
    try editor.importInk(
      Ink(
        strokes: ink.strokes.map { stroke in
          Stroke(
            points: stroke.points.map {
              StrokePoint(
                x: ($0.x - box.minX) * scale + 20, y: ($0.y - box.minY) * scale + 20, t: $0.t)
            })
        }))
    try editor.waitUntilIdle()
    return editor
  }

  private static func texts(_ block: ContentBlock) -> [ContentBlock] {
    (block.type == .text ? [block] : []) + block.children.flatMap(texts)
  }

  private static func draw(_ editor: Editor, _ name: String) throws {
    guard let folder = ProcessInfo.processInfo.environment["DUCTUS_PICTURES"] else { return }
    let url = URL(fileURLWithPath: folder).appendingPathComponent(name + ".svg")
    try Data(try editor.svg(options: SVGOptions(margin: 5)).utf8).write(to: url)
  }

  @Test(
    "typed words are where their ink was, and the text is the same",
    arguments: ["pages/welcome.jsonl", "pages/heading-and-underline.jsonl"],
    ["Text", "Raw Content"]
  )
  func words(name: String, part: String) throws {
    let editor = try Self.editor(name, part: part)
    let file = name.split(separator: "/")[1].split(separator: ".")[0]
    try Self.draw(editor, "\(file)-\(part)-ink")
    let texts = Self.texts(try #require(editor.rootBlock))
    let words = texts.flatMap(\.words)
    let text = try editor.export(as: .text)
    #expect(words.count > 5)
    let lines = texts.flatMap(\.lines).map(\.box)
    try editor.convert()
    try Self.draw(editor, "\(file)-\(part)-typed")
    try editor.waitUntilIdle()
    #expect(try editor.export(as: .text) == text)
    let typed = Self.texts(try #require(editor.rootBlock))
    #expect(typed.flatMap(\.words).map(\.label) == words.map(\.label))
    #expect(typed.flatMap(\.words).map(\.id) == words.map(\.id))
    // Lines stay where they were, and are about as high.
    for (before, after) in zip(lines, typed.flatMap(\.lines).map(\.box)) where before.height > 1 {
      #expect(abs(before.midY - after.midY) < before.height)
      #expect(after.height < 2 * before.height + 2)
      #expect(abs(before.minX - after.minX) < 3)
    }
    try editor.undo()
    try editor.waitUntilIdle()
    #expect(try editor.export(as: .text) == text)
  }

  @Test("a drawn diagram becomes a tidy one")
  func diagram() throws {
    let editor = try Self.editor("pages/diagram.jsonl", part: "Diagram")
    try Self.draw(editor, "diagram-ink")
    let before = try #require(editor.rootBlock).children.map(\.type)
    try editor.convert()
    try Self.draw(editor, "diagram-typed")
    let root = try #require(editor.rootBlock)
    #expect(root.children.map(\.type).filter { $0 == .node } == before.filter { $0 == .node })
    for edge in root.children where edge.type == .edge {
      guard case .line(let from, let to, _, _)? = edge.shape?.form else { continue }
      for (end, point) in zip(edge.ends, [from, to]) {
        guard let node = end.flatMap({ editor.block(id: $0) }), let box = node.box else { continue }
        #expect(box.grown(by: 0.2).contains(x: point.x, y: point.y, within: 0))
      }
    }
  }
}

/// How well exact forms cover the ink of shapes that people drew: run with $INK_DATASETS.
@Suite(
  "Figures of exact shapes",
  .enabled(if: ProcessInfo.processInfo.environment["DUCTUS_FIGURES"] != nil))
struct ExactShapeFigures {
  @Test("the exact form covers the ink of flowcharts within 3 % of its size")
  func flowcharts() throws {
    let data = try DataSpecification(parsing: "flowchart:flowchart?split=val&unit=group")
    let labels = [
      "process": "rectangle", "connection": "circle", "arrow": "line", "data": "parallelogram",
      "decision": "diamond",
    ]
    var distances: [String: [Double]] = [:]
    for record in try data.records(unlabelled: true) {
      let labeled = try record.get().labeled
      guard let kind = labels[labeled.label], let fit = ShapeFit(labeled.ink),
        let whole = labeled.ink.boundingBox, whole.width + whole.height > 0
      else { continue }
      var strokes = labeled.ink.strokes.enumerated().map {
        InkStroke(id: $0 + 1, pointer: .pen, points: $1.points)
      }
      if kind == "line" {
        // The shaft, if it is straight.
        let ends = strokes.map { stroke in
          hypot(
            stroke.points[0].x - (stroke.points.last?.x ?? 0),
            stroke.points[0].y - (stroke.points.last?.y ?? 0))
        }
        guard let shaft = strokes.indices.max(by: { ends[$0] < ends[$1] }),
          ends[shaft] > 0.97 * Self.length(strokes[shaft].points)
        else { continue }
        strokes = [strokes[shaft]]
      }
      guard let box = BoundingBox(holding: strokes.map(\.box)),
        let own = kind == "line" ? ShapeFit(Ink(strokes: [Stroke(points: strokes[0].points)])) : fit
      else { continue }
      let path = own.form(of: kind).form.fitted(toInk: strokes).tidied.outlines(width: 0.5)[0]
      let points = strokes.flatMap(\.points)
      let sum = points.reduce(0.0) { $0 + Self.distance($1, path) }
      distances[kind, default: []].append(sum / Double(points.count) / max(box.width, box.height))
    }
    for (kind, values) in distances.sorted(by: { $0.key < $1.key }) {
      let share = Double(values.count { $0 <= 0.03 }) / Double(values.count)
      let sorted = values.sorted()
      print(
        kind, values.count, "within 3 %:", share, "p50", sorted[values.count / 2], "p95",
        sorted[values.count * 95 / 100])
    }
    #expect(!distances.isEmpty)
  }

  private static func length(_ points: [StrokePoint]) -> Double {
    zip(points, points.dropFirst()).reduce(0) { $0 + hypot($1.1.x - $1.0.x, $1.1.y - $1.0.y) }
  }

  private static func distance(_ point: StrokePoint, _ path: [StrokePoint]) -> Double {
    zip(path, path.dropFirst()).reduce(.infinity) { least, side in
      let (dx, dy) = (side.1.x - side.0.x, side.1.y - side.0.y)
      let square = dx * dx + dy * dy
      let t = ((point.x - side.0.x) * dx + (point.y - side.0.y) * dy) / max(square, 1e-12)
      let share = min(1, max(0, t))
      return min(
        least,
        hypot(point.x - side.0.x - share * dx, point.y - side.0.y - share * dy))
    }
  }
}
