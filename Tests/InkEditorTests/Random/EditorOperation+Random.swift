import InkCore
import InkEditor
import PenInput

extension EditorOperation {
  /// Returns random operations: the same for the same seed.
  static func sequence(seed: UInt64, count: Int) -> [EditorOperation] {
    var generator = SeededGenerator(seed: seed, 0xED17)
    return (0..<count).map { _ in random(using: &generator) }
  }

  /// Returns a random operation.
  static func random(using generator: inout SeededGenerator) -> EditorOperation {
    switch generator.index(below: 1000) {
    case 0..<360: pointer(using: &generator)
    case 360..<450: text(using: &generator)
    case 450..<480: gesture(using: &generator)
    case 480..<650: pen(using: &generator)
    case 650..<790: history(using: &generator)
    case 790..<920: edit(using: &generator)
    case 920..<965: setting(using: &generator)
    default: reading(using: &generator)
    }
  }

  // MARK: - Values

  private static func number(_ generator: inout SeededGenerator) -> Double {
    switch generator.index(below: 400) {
    case 0: .nan
    case 1: -.infinity
    case 2: 1e300
    case 3: 9e8
    default: Double(generator.uniform(0...180))
    }
  }

  private static func place(_ generator: inout SeededGenerator) -> Place {
    Place(x: number(&generator), y: number(&generator))
  }

  /// A place with finite numbers.
  private static func sound(_ generator: inout SeededGenerator) -> Place {
    Place(x: Double(generator.uniform(0...150)), y: Double(generator.uniform(0...150)))
  }

  private static func path(_ generator: inout SeededGenerator) -> [Place] {
    let from = sound(&generator)
    let (dx, dy) = (Double(generator.uniform(-20...20)), Double(generator.uniform(-20...20)))
    return (0...(1 + generator.index(below: 8))).map { step in
      Place(x: from.x + dx * Double(step) / 4, y: from.y + dy * Double(step) / 4)
    }
  }

  private static func pick<Value>(_ values: [Value], _ generator: inout SeededGenerator) -> Value {
    values[generator.index(below: values.count)]
  }

  private static func small(_ generator: inout SeededGenerator) -> Int {
    generator.index(below: 1000)
  }

  private static func smalls(_ generator: inout SeededGenerator) -> [Int] {
    (0...generator.index(below: 5)).map { _ in small(&generator) }
  }

  // MARK: - Kinds

  private static func pointer(using generator: inout SeededGenerator) -> EditorOperation {
    let id = pick([-1, 0, 1], &generator)
    let type: PointerType = pick([.pen, .pen, .pen, .pen, .touch, .eraser, .mouse], &generator)
    switch generator.index(below: 100) {
    case 0..<25: return .down(id, type, place(&generator))
    case 25..<60: return .move(id, type, place(&generator))
    case 60..<92: return .up(id, type, place(&generator))
    default: return .cancel(id)
    }
  }

  private static func text(using generator: inout SeededGenerator) -> EditorOperation {
    switch generator.index(below: 10) {
    case 0..<6:
      return .write(
        pick(["ab", "cat dog", "x", "hello", "i l"], &generator), sound(&generator),
        gestures: generator.index(below: 2) == 0)
    case 6..<8:
      let corner = sound(&generator)
      let size = Double(generator.uniform(8...40))
      let steps = [(0.0, 0.0), (0.5, 0), (1, 0), (1, 0.5), (1, 1), (0.5, 1), (0, 1), (0, 0.5)]
      return .stroke(
        (steps + [(0, 0)]).map { Place(x: corner.x + size * $0.0, y: corner.y + size * $0.1) },
        .pen)
    case 8:
      return .batch(
        (0...generator.index(below: 4)).map { _ in path(&generator) },
        pick([.pen, .custom1], &generator), interleaved: generator.index(below: 2) == 0)
    default: return .stroke(path(&generator), pick([.eraser, .eraser, .mouse], &generator))
    }
  }

  private static func gesture(using generator: inout SeededGenerator) -> EditorOperation {
    .draw(
      pick(GestureForm.allCases, &generator), block: small(&generator), word: small(&generator),
      part: Double(generator.uniform()))
  }

  private static func sample(_ generator: inout SeededGenerator) -> Sample {
    Sample(
      place: place(&generator),
      force: generator.index(below: 2) == 0 ? Double(generator.uniform()) : nil,
      isEstimate: generator.index(below: 2) == 0)
  }

  private static func samples(_ generator: inout SeededGenerator) -> [Sample] {
    (0..<generator.index(below: 4)).map { _ in sample(&generator) }
  }

  private static func pen(using generator: inout SeededGenerator) -> EditorOperation {
    let pen = generator.index(below: 5) == 0 ? 1 : 0
    switch generator.index(below: 100) {
    case 0..<24:
      let type: PointerType = pick([.pen, .pen, .pen, .pen, .eraser, .touch], &generator)
      return .penBegan(pen, type, sample(&generator))
    case 24..<46:
      return .penMoved(pen, samples(&generator), predicted: samples(&generator))
    case 46..<70:
      return .penEnded(pen, generator.index(below: 2) == 0 ? sample(&generator) : nil)
    case 70..<73: return .penCancelled(pen)
    case 73..<91: return .penUpdated(age: generator.index(below: 12), place(&generator))
    case 91..<93: return .penClock
    case 93..<95:
      return .hover(place(&generator), pick(HoverEvent.Phase.allCases, &generator))
    case 95:
      return .gesture(
        pick([.doubleTap, .squeezeBegan, .squeezeEnded, .squeezeCancelled], &generator))
    case 96:
      return pick(
        [
          .tool(pick([.pen, .hand, .selector], &generator), .touch),
          .tool(pick([.pen, .hand, .eraser, .highlighter], &generator), .mouse),
          .tool(pick([.pen, .eraser, .selector], &generator), .custom1),
        ], &generator)
    case 97: return .tool(.pen, .pen)
    default: return .view(scale: pick([1, 0.5, 2, 3.7795], &generator))
    }
  }

  private static func history(using generator: inout SeededGenerator) -> EditorOperation {
    switch generator.index(below: 100) {
    case 0..<45: .undo
    case 45..<85: .redo
    case 85..<98: .back(1 + generator.index(below: 4))
    default: .unwind
    }
  }

  private static func edit(using generator: inout SeededGenerator) -> EditorOperation {
    switch generator.index(below: 150) {
    case 125..<128: return .lasso((0...6).map { _ in place(&generator) })
    case 128..<134:
      return .moveSelection(
        smalls(&generator), dx: Double(generator.uniform(-60...60)),
        dy: Double(generator.uniform(-60...60)))
    case 134..<138:
      return .scaleSelection(
        smalls(&generator), Double(generator.uniform(0.5...2)),
        pick(SelectionHandle.allCases, &generator))
    case 138..<144: return .eraseSelection(smalls(&generator), half: generator.index(below: 2) == 0)
    case 144..<150: return .cutSelection(smalls(&generator), half: generator.index(below: 2) == 0)
    case 100..<118:
      return .decorate(
        block: small(&generator), first: small(&generator), count: generator.index(below: 12),
        pick(DecorationKind.allCases, &generator), styled: generator.index(below: 3) == 0)
    case 118..<125:
      return .undecorate(
        block: small(&generator), first: small(&generator), count: generator.index(below: 12),
        pick(DecorationKind.allCases, &generator))
    case 0..<16:
      return .removeItems((0...generator.index(below: 4)).map { _ in small(&generator) })
    case 16..<24: return .removeBlock(small(&generator))
    case 24..<30:
      return .moveBlock(
        small(&generator), dx: Double(generator.uniform(-60...60)),
        dy: Double(generator.uniform(-60...60)))
    case 30..<40: return .copy(small(&generator))
    case 40..<52: return .paste(place(&generator))
    case 52..<64:
      return .force(
        pick(SelectionType.allCases, &generator),
        (0...generator.index(below: 5)).map { _ in small(&generator) },
        asOneBlock: generator.index(below: 2) == 0)
    case 64..<74:
      return .choose(word: small(&generator), candidate: generator.index(below: 3))
    case 74..<79:
      return .importChoice(word: small(&generator), candidate: generator.index(below: 3))
    case 79..<81:
      return .importText(
        pick(["", "{}", #"{"type":"Text","words":[{"label":"a"}]}"#, "[1,"], &generator))
    case 81..<87:
      return .addInk(
        pick(["Text", "Drawing", "Node"], &generator), text: pick(["ab", "x"], &generator),
        place(&generator))
    case 87..<94:
      return .addFrame(
        pick(["Text", "Drawing", "Diagram", "Math", "Container"], &generator), place(&generator),
        width: number(&generator), height: number(&generator))
    case 94..<96: return .clear
    case 96..<98: return .newPart(pick(PartType.allCases, &generator))
    case 98: return .setPart(generator.index(below: 4))
    default: return .setPart(nil)
    }
  }

  private static func setting(using generator: inout SeededGenerator) -> EditorOperation {
    let flag = ConfigurationValue.boolean(generator.index(below: 2) == 0)
    switch generator.index(below: 20) {
    case 0..<4:
      return .models(
        text: pick([.works, .works] + ModelState.allCases, &generator),
        shapes: pick([.works, .works] + ModelState.allCases, &generator),
        told: generator.index(below: 4) != 0)
    case 4..<7:
      return .configure(
        "recognition.trigger", .string(pick(["stroke", "idle", "demand", "${no}"], &generator)))
    case 7: return .configure("max-recognition-thread-count", .number(pick([1, 2, 4], &generator)))
    case 8:
      return .configure(
        "raw-content.classification.types",
        .strings(
          pick(
            [
              ["text", "shape", "drawing"], ["text", "shape"], ["drawing"], ["shape"], ["text"], [],
            ],
            &generator)))
    case 9: return .configure("raw-content.recognition.types", .strings(["text"]))
    case 10: return .configure("text.guides.enable", flag)
    case 11: return .configure("text.guides.spacing", .number(pick([0.5, 10, 30], &generator)))
    case 12: return .configure("recognition.alphabet", .string(pick(["", "abc "], &generator)))
    case 13: return .configure("recognition.candidates", .number(pick([1, 2, 10], &generator)))
    case 14:
      return .configure(
        "recognition.writing-area", .string(pick(["auto", "estimate", "none"], &generator)))
    case 15: return .configure("text.eraser.erase-precisely", flag)
    case 16: return .configure("text.eraser.radius", .number(pick([1, 3, 8], &generator)))
    case 17: return .configure("touch.palm-rejection", flag)
    case 18: return .configure("raw-content.session-time", .number(pick([0, 20], &generator)))
    default: return .resetConfiguration
    }
  }

  private static func reading(using generator: inout SeededGenerator) -> EditorOperation {
    switch generator.index(below: 10) {
    case 0: .recognize(again: true)
    case 1...2: .recognize(again: false)
    case 3: .export(overrides: nil)
    case 4:
      .export(
        overrides: pick(
          [
            #"{"export":{"jiix":{"strokes":false}}}"#, "{",
            #"{"export":{"jiix":{"ranges":true,"text":{"chars":true,"lines":true}}}}"#,
          ], &generator))
    case 5...8: .look(place(&generator))
    default: .settle
    }
  }
}
