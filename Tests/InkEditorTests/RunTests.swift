import Foundation
import InkCore
import InkEditor
import PenInput
import Recognition
import Testing

/// Tests ink that is added, moved or removed while its run has words of an earlier reading.
@Suite("Splitting runs of text")
struct RunTests {
  private static let trigger = "recognition.trigger"

  /// A bar over letters, which the reader reads as an x; not small.
  private static func bar(_ x: ClosedRange<Double>) -> [StrokePoint] {
    (0..<26).map { index in
      let part = Double(index) / 25
      return StrokePoint(x: x.lowerBound + part * (x.upperBound - x.lowerBound), y: 14)
    }
  }

  /// An editor that has read a text and waits for a demand.
  private func desk(reading text: String) throws -> Desk {
    let desk = try Desk()
    try desk.write(text)
    _ = try desk.text()
    try desk.editor.configuration.set(Self.trigger, to: "demand")
    return desk
  }

  private func read(_ desk: Desk) throws -> String {
    try desk.editor.recognize()
    return try desk.text()
  }

  @Test("unread ink is read when words are written between, and disappears when removed")
  func insertedBesideUnread() throws {
    let desk = try desk(reading: "aa      bb")
    try desk.write("cc", x: 54)
    try desk.write("d", x: 33)
    #expect(try read(desk) == "aa d bb cc")
    try desk.editor.undo()
    try desk.editor.redo()
    try desk.editor.clear()
    #expect(try desk.text() == "")
    #expect(try desk.root.lines.isEmpty)
  }

  @Test("unread marks stay at their words when others are written between")
  func marksStay() throws {
    let desk = try desk(reading: "aa      bb")
    try desk.draw([Self.bar(19.5...23)])
    try desk.write("cc", x: 54)
    try desk.write("d", x: 33)
    #expect(try read(desk) == "aax d bb cc")
    let other = try self.desk(reading: "aa      bb")
    try other.draw([Self.bar(43.5...47)])
    try other.write("d", x: 33)
    #expect(try read(other) == "aa d bbx")
  }

  @Test("a bar over unread letters is read with them")
  func barOverUnread() throws {
    let desk = try desk(reading: "aa")
    try desk.write("ccc", x: 29)
    try desk.draw([Self.bar(28.5...31.5)])
    #expect(try read(desk) == "aa cccx")
  }

  @Test("ink that waits for a model is read when words before it are removed or chosen")
  func waiting() throws {
    for isChoice in [false, true] {
      let desk = try Desk(type: "Raw Content")
      let types = "raw-content.recognition.types"
      try desk.write("abcd efgh")
      _ = try desk.text()
      let block = try #require(desk.root.children.first)
      try desk.editor.configuration.set(types, to: [String]())
      try desk.write("ijkl", x: 53)
      try desk.editor.waitUntilIdle()
      if isChoice {
        try desk.editor.choose("ABCD", forWord: 0, in: block)
      } else {
        try desk.editor.removeItems(block.words[0].items)
      }
      try desk.editor.configuration.set(types, to: ["text"])
      #expect(try read(desk) == (isChoice ? "ABCD efgh ijkl" : "efgh ijkl"))
    }
  }

  @Test("unread letters next to a chosen word are not part of it")
  func lettersOfChosen() throws {
    let desk = try Desk(type: "Raw Content")
    let types = "raw-content.recognition.types"
    try desk.write("ab", x: 30)
    _ = try desk.text()
    try desk.editor.configuration.set(types, to: [String]())
    try desk.write("c", x: 25.6)
    try desk.write("de", x: 36.5)
    try desk.editor.waitUntilIdle()
    try desk.editor.choose("AB", forWord: 0, in: try #require(desk.root.children.first))
    try desk.editor.configuration.set(types, to: ["text"])
    #expect(try read(desk) == "c AB de")
  }

  @Test("a letter that is written again belongs to its word")
  func letterAnew() throws {
    let desk = try Desk()
    let items = try desk.write("abc de")
    _ = try desk.text()
    try desk.editor.removeItems([items[2]])
    #expect(try desk.text() == "ab de")
    try desk.write("c", x: 26)
    #expect(try desk.text() == "abc de")
  }

  @Test("a mark that existed when its word was chosen keeps the choice")
  func markOfChosen() throws {
    let desk = try Desk(type: "Raw Content")
    let types = "raw-content.recognition.types"
    try desk.write("abcd efgh")
    _ = try desk.text()
    try desk.editor.configuration.set(types, to: [String]())
    let mark = try desk.write("z", x: 24)
    try desk.editor.waitUntilIdle()
    let block = try #require(desk.root.children.first)
    #expect(block.items.count == 9)
    try desk.editor.choose("ABCD", forWord: 0, in: block)
    try desk.editor.configuration.set(types, to: ["text"])
    #expect(try read(desk) == "ABCD efgh")
    #expect(block.lines.flatMap(\.items).count == 9)
    try desk.editor.removeItems(mark)
    #expect(try desk.text() == "ABCD efgh")
    #expect(block.lines.flatMap(\.items).count == 8)
  }

  /// Reads each stroke as two words.
  private struct TwoWordReader: Recognizer {
    var labels: [String]? { nil }

    func recognize(
      _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
    ) throws -> RecognitionResult {
      var characters: [CharacterInk] = []
      for (index, stroke) in ink.strokes.enumerated() {
        let (middle, count) = (stroke.points.count / 2, stroke.points.count)
        if index > 0 { characters.append(CharacterInk(parts: [])) }
        characters += [
          CharacterInk(parts: [.init(stroke: index, points: 0..<middle)]), CharacterInk(parts: []),
          CharacterInk(parts: [.init(stroke: index, points: middle..<count)]),
        ]
      }
      let text = ink.strokes.map { _ in "x y" }.joined(separator: " ")
      let candidates = [text, text.uppercased()].map {
        RecognitionCandidate(text: $0, score: -1, characters: characters)
      }
      return RecognitionResult(candidates: candidates)
    }
  }

  /// In a p the first word has the most points, in a q the second.
  @Test("words that share a stroke go with it, and are kept together", arguments: ["ppp", "qqq"])
  func wordsOfOneStroke(_ text: String) throws {
    let desk = try Desk()
    desk.models.setText(TwoWordReader(), bundle: "en_US")
    let items = try desk.write(text)
    #expect(try desk.text() == "x y x y x y")
    try desk.editor.choose("Y", forWord: 3, in: desk.root)
    #expect(try desk.text() == "x y x Y x y")
    try desk.editor.removeItems([items[0]])
    #expect(try desk.text() == "x Y x y")
    try desk.editor.removeItems([items[1]])
    #expect(try desk.text() == "x y")
  }

  /// Reads a text whose characters have given strokes.
  private struct PlacedReader: Recognizer {
    let texts: [String]
    let strokes: [[Int]]
    var labels: [String]? { nil }

    func recognize(
      _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
    ) throws -> RecognitionResult {
      guard ink.strokes.count == strokes.flatMap({ $0 }).count else {
        return RecognitionResult(candidates: [])
      }
      let characters = strokes.map { strokes in
        CharacterInk(
          parts: strokes.map { .init(stroke: $0, points: 0..<ink.strokes[$0].points.count) })
      }
      return RecognitionResult(
        candidates: zip(texts, [0.6, 0.3]).map {
          RecognitionCandidate(text: $0, score: log($1), characters: characters)
        })
    }
  }

  @Test("marks that are drawn after the next word belong to their own word, for all candidates")
  func lateMarks() throws {
    // The dot of an i, and a full stop.
    for (texts, strokes, labels) in [
      (["i ab", "l ab"], [[0, 3], [], [1], [2]], [["i", "l"], ["ab"]]),
      (["a. bc", "o. bc"], [[0], [3], [], [1], [2]], [["a.", "o."], ["bc"]]),
    ] {
      let desk = try Desk()
      desk.models.setText(PlacedReader(texts: texts, strokes: strokes), bundle: "en_US")
      let items = try desk.write("h  rr") + desk.write("a", x: 20, y: 12)
      _ = try desk.text()
      let words = try desk.root.words
      #expect(words.map(\.items) == [[items[0], items[3]], [items[1], items[2]]])
      #expect(words.map { $0.candidates.map(\.text) } == labels)
      #expect(words.allSatisfy { $0.candidates[0].probability > 0.5 })
    }
  }

  /// Writes the last letter with a pen whose positions are corrected later; the key of that sample.
  private func writePending(_ x: Double, on desk: Desk) throws -> Int {
    func sample(_ index: Int) -> PenSample {
      PenSample(
        point: StrokePoint(x: x + Double(index), y: 13 + 2 * Double(index), t: Double(index)),
        estimated: .location, expectingUpdates: .location, updateIndex: index)
    }
    try desk.editor.handle(.began(sample(0)))
    try desk.editor.handle(.moved(coalesced: [sample(1), sample(2)], predicted: []))
    try desk.editor.handle(.ended(nil))
    return 2
  }

  @Test("ink that moves while it is undone has its new boxes after redo")
  func movedWhileUndone() throws {
    for type in ["Text", "Drawing", "Raw Content"] {
      let desk = try Desk(type: type)
      let key = try writePending(20, on: desk)
      try desk.editor.waitUntilIdle()
      try desk.editor.undo()
      try desk.editor.handle(.updated(PenUpdate(index: key, location: .init(x: 60, y: 17))))
      try desk.editor.redo()
      try desk.editor.waitUntilIdle()
      let root = try desk.root
      #expect(root.box?.maxX == 60)
      #expect(([root] + root.children).flatMap(\.lines).allSatisfy { $0.box.maxX == 60 })
      #expect(root.children.allSatisfy { $0.box?.maxX == 60 })
    }
  }

  @Test("requested ink is read, even if it moves in the meantime")
  func movedOnDemand() throws {
    let desk = try Desk(delay: 0.1)
    try desk.editor.configuration.set(Self.trigger, to: "demand")
    let key = try writePending(20, on: desk)
    try desk.editor.recognize()
    try desk.editor.handle(.updated(PenUpdate(index: key, location: .init(x: 21.5, y: 17))))
    #expect(try desk.text() == "a")
  }

  @Test("ink that has moved is read again when its run is split", arguments: [0, 1, 2])
  func moved(_ way: Int) throws {
    let desk = try Desk()
    try desk.write("aa      b")
    let key = try writePending(47, on: desk)
    #expect(try desk.text() == "aa ba")
    try desk.editor.configuration.set(Self.trigger, to: "demand")
    try desk.editor.handle(.updated(PenUpdate(index: key, location: .init(x: 48.5, y: 17))))
    desk.reader.forget()
    switch way {
    case 0: try desk.write("d", x: 33)
    case 1: try desk.editor.choose("AA", forWord: 0, in: desk.root)
    default:
      // After undo and redo, the ink has its current positions.
      try desk.write("e", y: 30)
      try desk.editor.undo()
      try desk.editor.choose("AA", forWord: 0, in: desk.root)
    }
    #expect(try read(desk) == (way == 0 ? "aa d ba" : "AA ba"))
    #expect(desk.reader.calls.contains { $0.strokes == 2 })
    #expect(try desk.root.words.last?.box.maxX == 48.5)
    #expect(try desk.root.box?.maxX == 48.5)
  }

  @Test("the rest of a letter after precise erasing is read in its place")
  func erasedInPlace() throws {
    let desk = try Desk()
    try desk.write("abc")
    _ = try desk.text()
    try desk.editor.configuration.set("text.eraser.erase-precisely", to: true)
    try desk.editor.configuration.set("text.eraser.radius", to: 0.3)
    try desk.editor.pointerDown(x: 20, y: 13, type: .eraser)
    try desk.editor.pointerUp(x: 20.05, y: 13.05, type: .eraser)
    _ = try desk.text()
    let root = try desk.root
    #expect(root.items.count == 3)
    #expect(root.lines.flatMap(\.items) == root.items)
    #expect(root.words.flatMap(\.items) == root.items)
  }
}
