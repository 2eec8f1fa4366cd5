import Foundation
import InkCore
import InkEditor
import InkFormats
import PenInput
import Recognition
import TestSamples
import Testing

/// Faults that random events and commands found; each is a short list of calls.
@Suite("Faults that random calls found")
struct FoundFaultTests {
  /// A text document with an empty block at the right.
  private func document() throws -> Desk {
    let desk = try Desk(type: "Text Document")
    try desk.editor.addBlock(type: "Math", x: 100, y: 10, width: 40, height: 20)
    return desk
  }

  /// The types of the root's children and of the children of each, sorted by name.
  private func tree(_ desk: Desk) throws -> [[BlockType]] {
    try desk.editor.waitUntilIdle()
    return try desk.root.children.sorted { $0.type.rawValue < $1.type.rawValue }
      .map { [$0.type] + $0.children.map(\.type) }
  }

  @Test("Blocks beside each other are still in a container after all ink is sorted again")
  func arrangedAgain() throws {
    let desk = try document()
    try desk.write("ab", x: 20, y: 20)
    #expect(try tree(desk) == [[.container, .math, .text]])
    try desk.editor.recognize(again: true)
    #expect(try tree(desk) == [[.container, .math, .text]])
    desk.engine.modelsDidChange()
    #expect(try tree(desk) == [[.container, .math, .text]])
  }

  @Test("A late correction that moves ink arranges the blocks, in earlier states too")
  func arrangedByCorrection() throws {
    let desk = try document()
    func sample(_ step: Int) -> PenSample {
      PenSample(
        point: StrokePoint(x: 20 + Double(step), y: 18 + Double(step), t: Double(step)),
        estimated: .location, expectingUpdates: .location, updateIndex: step)
    }
    try desk.editor.handle(.began(sample(0)))
    try desk.editor.handle(.moved(coalesced: [sample(1), sample(2)], predicted: []))
    try desk.editor.handle(.ended(nil))
    #expect(try tree(desk) == [[.container, .math, .text]])
    try desk.write("x", x: 20, y: 600)
    for step in 0..<3 {
      try desk.editor.handle(
        .updated(PenUpdate(index: step, location: .init(x: 20 + Double(step), y: 300))))
    }
    #expect(try tree(desk) == [[.math], [.text], [.text]])
    try desk.editor.undo()
    #expect(try tree(desk) == [[.math], [.text]])
  }

  @Test("A moved block keeps its id: it is updated, and not added a second time")
  func movedIsTold() throws {
    let desk = try Desk(type: "Raw Content") {
      try $0.configuration.set("touch.palm-rejection", to: false)
    }
    try desk.draw([Pen.rectangle(x: 20, y: 20, width: 40, height: 30)])
    try desk.editor.waitUntilIdle()
    let mirror = BlockMirror()
    desk.editor.delegate = mirror
    let part = try #require(desk.editor.part)
    try desk.editor.setPart(nil)
    try desk.editor.setPart(part)
    for (x, y) in [(40.0, 35.0), (90.0, 75.0)] {
      try desk.editor.pointerDown(x: 40, y: 35, type: .touch)
      try desk.editor.pointerUp(x: x, y: y, type: .touch)
    }
    try desk.editor.waitUntilIdle()
    #expect(try desk.root.children[0].box?.minX == 70)
    #expect(mirror.fault == nil)
    #expect(mirror.blocks == Set(try [desk.root.id] + desk.root.children.map(\.id)))
  }

  @Test("Removing a container removes the empty blocks in it")
  func removedContainer() throws {
    let desk = try document()
    try desk.write("ab", x: 20, y: 20)
    try desk.editor.waitUntilIdle()
    try desk.editor.removeBlock(desk.root.children[0])
    #expect(try tree(desk) == [])
    try desk.editor.undo()
    #expect(try tree(desk) == [[.container, .math, .text]])
  }

  @Test(
    "Ink over a block that holds none is forced to a type beside it, and is exported",
    arguments: ["Drawing", "Math", "Text"])
  func forcedOverBlock(_ type: String) throws {
    let desk = try Desk(type: "Text Document")
    let items = try desk.write("ab", x: 20, y: 20)
    try desk.editor.waitUntilIdle()
    try desk.editor.addBlock(type: type, x: 10, y: 10, width: 60, height: 30)
    for forced in [SelectionType.drawing, .text] {
      try desk.editor.set(type: forced, for: items, asOneBlock: true)
      try desk.editor.waitUntilIdle()
      #expect(desk.editor.block(ofItem: items[0])?.parent?.type != BlockType(rawValue: type))
      #expect(InkEditorTests.items(inJIIX: try desk.editor.exportDocument()).count == 2)
    }
  }

  @Test("Empty readings and scores that are no probabilities make no empty words")
  func emptyReadings() throws {
    let texts = ["", "x", " x", "\t"]
    let scores: [Double] = [.infinity, .nan, -.infinity, 1e9]
    for first in texts {
      let models = LoadedModels()
      models.setText(
        ScriptedReader { ink in
          RecognitionResult(
            candidates: ([first] + texts).enumerated().map { index, text in
              RecognitionCandidate(
                text: text, score: scores[index % 4],
                characters: index == 0
                  ? text.map { _ in
                    CharacterInk(parts: [.init(stroke: 0, points: 0..<2)])
                  } : [])
            })
        }, bundle: "en_US")
      let desk = try Desk(models: models)
      try desk.write("a")
      try desk.editor.waitUntilIdle()
      for word in try desk.root.words {
        let readings = [word.label] + word.candidates.map(\.text)
        #expect(!readings.contains { $0.allSatisfy(\.isWhitespace) }, "\(first.debugDescription)")
        #expect(word.candidates.allSatisfy { (0...1).contains($0.probability) })
      }
      let json = try desk.editor.export(as: .jiix)
      #expect(try JSONSchema.jiix().faults(json).isEmpty)
    }
  }

  @Test("A pointer that leaves the view without a part can come down again", arguments: [0, 1])
  func upWithoutPart(_ way: Int) throws {
    let desk = try Desk()
    try desk.editor.pointerDown(x: 20, y: 20, type: .touch, id: 3)
    let part = try #require(desk.editor.part)
    try desk.editor.setPart(nil)
    #expect(throws: EditorError.noPart) {
      if way == 0 {
        try desk.editor.pointerUp(x: 20, y: 20, type: .touch, id: 3)
      } else {
        try desk.editor.pointerCancel(id: 3)
      }
    }
    try desk.editor.setPart(part)
    try desk.editor.pointerDown(x: 20, y: 20, type: .touch, id: 3)
    try desk.editor.pointerUp(x: 20, y: 20, type: .touch, id: 3)
  }

  @Test("Parts that a precise eraser left in two steps are each in one block")
  func erasedTwice() throws {
    let desk = try Desk(type: "Diagram") {
      try $0.configuration.set("text.eraser.erase-precisely", to: true)
    }
    let (x, y, size) = (107.51199340820312, 135.36338806152344, 28.780642986297607)
    let corners = [(0.0, 0.0), (0.5, 0), (1, 0), (1, 0.5), (1, 1), (0.5, 1), (0, 1), (0, 0.5)]
    try desk.draw([
      (corners + [(0, 0)]).map { StrokePoint(x: x + size * $0.0, y: y + size * $0.1) }
    ])
    try desk.editor.waitUntilIdle()
    for (x, y) in [
      (110.05735778808594, 160.4155731201172), (132.64483642578125, 164.63853454589844),
    ] {
      try desk.editor.pointerDown(x: x, y: y, type: .eraser)
      try desk.editor.pointerUp(x: x, y: y, type: .eraser)
      try desk.editor.waitUntilIdle()
      let faults = desk.editor.read { $0.document?.faults }
      #expect(faults == [])
    }
  }

  @Test("A precise eraser adds points near its path only, however often it passes")
  func erasedManyTimes() throws {
    let desk = try Desk(type: "Drawing") {
      try $0.configuration.set("text.eraser.erase-precisely", to: true)
    }
    try desk.draw([[StrokePoint(x: 0, y: 50), StrokePoint(x: 9e8, y: 50)]])
    for x in [100.0, 200, 300] {
      try desk.editor.pointerDown(x: x, y: 40, type: .eraser)
      try desk.editor.pointerUp(x: x, y: 60, type: .eraser)
    }
    let pieces = try desk.root.items.map { try #require(try desk.editor.stroke(of: $0)).points }
    #expect(pieces.count == 4)
    #expect(pieces.allSatisfy { $0.count < 200 })
    #expect(pieces.first?.first?.x == 0 && pieces.last?.last?.x == 9e8)
    // Along all of the stroke, and back, on the other side of it.
    for _ in 0..<2 {
      try desk.editor.pointerDown(x: 0, y: 56, type: .eraser)
      try desk.editor.pointerMove(x: 9e8, y: 56, type: .eraser)
      try desk.editor.pointerUp(x: 0, y: 56, type: .eraser)
    }
    #expect(try desk.root.items.count == 4)
  }

  @Test("An undone step reports only blocks that were there, wherever corrected ink is now")
  func undoneContainerIsTold() throws {
    let desk = try document()
    let mirror = BlockMirror()
    desk.editor.delegate = mirror
    let part = try #require(desk.editor.part)
    try desk.editor.setPart(nil)
    try desk.editor.setPart(part)
    let sample = PenSample(
      point: StrokePoint(x: 20, y: 20, t: 0), estimated: .location, expectingUpdates: .location,
      updateIndex: 1)
    try desk.editor.handle(.began(sample))
    try desk.editor.handle(.ended(PenSample(point: StrokePoint(x: 22, y: 24, t: 1))))
    let item = try desk.root.items[0]
    try desk.editor.waitUntilIdle()
    try desk.editor.set(type: .text, for: [item], asOneBlock: true)
    try desk.editor.handle(.updated(PenUpdate(index: 1, location: .init(x: 20, y: 300))))
    while try desk.editor.undo() {
      try desk.editor.waitUntilIdle()
      #expect(mirror.blocks == Set(try [desk.root].flatMap(all).map(\.id)))
    }
    while try desk.editor.redo() {}
    try desk.editor.waitUntilIdle()
    #expect(mirror.blocks == Set(try [desk.root].flatMap(all).map(\.id)))
    #expect(mirror.fault == nil)
  }

  private func all(_ block: ContentBlock) -> [ContentBlock] {
    [block] + block.children.flatMap(all)
  }

  @Test("Each of many runs is read once, and again when models change")
  func manyRuns() {
    let document = Document(type: .text)
    for row in 0..<300 {
      let item = document.makeItemID()
      let y = 20 * Double(row)
      document.append(
        InkStroke(
          id: item, pointer: .pen,
          points: [StrokePoint(x: 0, y: y), StrokePoint(x: 2, y: y + 4)]))
    }
    document.askForAll()
    var count = 0
    while let (run, _) = document.takeDirtyRun(onlyAsked: true) {
      count += 1
      run.wait()
    }
    #expect(count == 300 && document.runs.count == 300)
    document.retryWaiting()
    #expect(document.unreadCount == count)
  }

  @Test("An empty block is moved, and stays one block", arguments: ["Text", "Diagram", "Math"])
  func movedEmptyBlock(_ type: String) throws {
    let desk = try Desk(type: "Text Document")
    let block = try desk.editor.addBlock(type: type, x: 20, y: 20, width: 40, height: 30)
    for (x, y) in [(40.0, 35.0), (90.0, 75.0)] {
      try desk.editor.pointerDown(x: 40, y: 35, type: .touch)
      try desk.editor.pointerUp(x: x, y: y, type: .touch)
    }
    #expect(try desk.root.children == [block])
    #expect(block.box?.minX == 70 && block.box?.minY == 60)
    #expect(desk.editor.read { $0.document?.faults } == [])
    try desk.editor.undo()
    #expect(block.box?.minX == 20)
    #expect(desk.editor.read { $0.document?.faults } == [])
  }

  @Test(
    "Ink of a diagram goes into the block that has come to its place before it is sorted",
    arguments: ["Drawing", "Math", "Text"])
  func otherBlockAtPlace(_ type: String) throws {
    let desk = try Desk(type: "Text Document") {
      try $0.configuration.set("recognition.trigger", to: "demand")
    }
    try desk.editor.addBlock(type: "Diagram", x: 10, y: 10, width: 80, height: 60)
    let items = try desk.draw([Pen.rectangle(x: 20, y: 20, width: 40, height: 30)])
    let block = try desk.editor.addBlock(type: type, x: 10, y: 10, width: 80, height: 60)
    try desk.editor.recognize()
    try desk.editor.waitUntilIdle()
    #expect(desk.editor.block(ofItem: items[0]) == block)
    #expect(block.children.isEmpty)
    #expect(InkEditorTests.items(inJIIX: try desk.editor.exportDocument()).count == 1)
  }
}
