import Foundation
import InkCore
import InkEditor
import TestSamples
import Testing

@Suite("Selections")
struct SelectionTests {
  private func desk(_ type: String = "Raw Content", text: String = "hello big world") throws -> Desk
  {
    let desk = try Desk(type: type) {
      $0.tools.setTool(.selector, for: .custom1)
      try $0.configuration.set("touch.palm-rejection", to: false)
    }
    try desk.write(text)
    try desk.editor.waitUntilIdle()
    return desk
  }

  private func text(_ desk: Desk) throws -> ContentBlock {
    let root = try desk.root
    return root.type == .text ? root : try #require(root.children.first { $0.type == .text })
  }

  /// A path around a rectangle, with points between its corners.
  private func lasso(_ x: ClosedRange<Double>, _ y: ClosedRange<Double>) -> [PlanePoint] {
    let corners = [
      PlanePoint(x: x.lowerBound, y: y.lowerBound), PlanePoint(x: x.upperBound, y: y.lowerBound),
      PlanePoint(x: x.upperBound, y: y.upperBound), PlanePoint(x: x.lowerBound, y: y.upperBound),
    ]
    return zip(corners, corners.dropFirst() + corners.prefix(1)).flatMap { from, to in
      (0..<10).map { step in
        let share = Double(step) / 10
        return PlanePoint(
          x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y))
      }
    }
  }

  private func draw(_ desk: Desk, _ path: [PlanePoint], type: PointerType = .custom1) throws {
    let item = try desk.editor.pointerDown(x: path[0].x, y: path[0].y, type: type)
    #expect(item == nil)
    for point in path.dropFirst() {
      try desk.editor.pointerMove(x: point.x, y: point.y, type: type)
    }
    let last = path[path.count - 1]
    try desk.editor.pointerUp(x: last.x, y: last.y, type: type)
    try desk.editor.waitUntilIdle()
  }

  private func words(_ selection: Selection?, _ desk: Desk) throws -> [String] {
    guard let selection else { return [] }
    let all = try text(desk).words
    return all.filter { Set($0.items).isSubset(of: selection.items) }.map(\.label)
  }

  @Test("A lasso selects the words inside by most of their ink, and is neither ink nor a step")
  func lassoTool() throws {
    let desk = try desk()
    let listener = Listener()
    desk.editor.delegate = listener
    let (items, count) = (try desk.root.items, desk.editor.possibleUndoCount)
    // "big" is from 38 to 46, "world" from 50 to 64.
    try draw(desk, lasso(37...58, 12...18))
    let selection = try #require(desk.editor.selection)
    #expect(try words(selection, desk) == ["big", "world"])
    #expect(selection.isValid && !selection.isEmpty)
    #expect(try selection.box == BoundingBox(holding: text(desk).words[1...].map(\.box)))
    try draw(desk, lasso(37...56, 12...18))
    #expect(try words(desk.editor.selection, desk) == ["big"])
    // Nothing inside: nothing is selected.
    try draw(desk, lasso(37...58, 62...78))
    #expect(desk.editor.selection == nil)
    // A tap selects its word, and one beside the words nothing.
    try draw(desk, [PlanePoint(x: 26, y: 15), PlanePoint(x: 26, y: 15)])
    #expect(try words(desk.editor.selection, desk) == ["hello"])
    try draw(desk, [PlanePoint(x: 26, y: 60), PlanePoint(x: 26, y: 60)])
    #expect(desk.editor.selection == nil)
    #expect(try desk.root.items == items && desk.editor.possibleUndoCount == count)
    let told = listener.events.compactMap { event -> Bool? in
      if case .selectionChanged(let new) = event { new != nil } else { nil }
    }
    #expect(told == [true, true, false, true, false])
  }

  @Test("Lasso, rectangle, block, words, characters and items give the same value for the same ink")
  func values() throws {
    let desk = try desk()
    let block = try text(desk)
    let whole = try desk.editor.selection(of: block)
    #expect(try desk.editor.selection(inLasso: lasso(15...70, 10...20)) == whole)
    #expect(
      try desk.editor.selection(inRectangleAtX: 15, y: 10, width: 60, height: 10) == whole)
    #expect(try desk.editor.selection(ofWords: 0..<3, of: block) == whole)
    #expect(try desk.editor.selection(ofCharacters: 0..<15, of: block) == whole)
    #expect(try desk.editor.selection(ofItems: block.items.reversed()) == whole)
    #expect(try desk.editor.selection(of: desk.root) == whole)
    #expect(whole.items == block.items.sorted() && whole.box == block.box)
    let word = try #require(try desk.editor.selection(ofWordAtX: 40, y: 15))
    #expect(try desk.editor.selection(ofWords: 1..<2, of: block) == word && word != whole)
    #expect(try desk.editor.selection(ofWordAtX: 40, y: 90) == nil)
    let letter = try desk.editor.selection(ofCharacters: 1..<2, of: block)
    #expect(letter.items == [block.words[0].items[1]])
    // Backward, twice around, and crossing itself: the inside is the same.
    let path = lasso(15...70, 10...20)
    #expect(try desk.editor.selection(inLasso: path.reversed()) == whole)
    #expect(try desk.editor.selection(inLasso: path + path) == whole)
    for path in [[], [path[0]], [path[0], path[1]]] {
      #expect(try desk.editor.selection(inLasso: path).isEmpty)
    }
    // A level lasso holds nothing.
    let level = [15.0, 70, 40].map { PlanePoint(x: $0, y: 15) }
    #expect(try desk.editor.selection(inLasso: level).isEmpty)
  }

  @Test("A selection is valid while its ink is there and its part is set")
  func validity() throws {
    let desk = try desk()
    let listener = Listener()
    desk.editor.delegate = listener
    let word = try desk.editor.selection(ofWords: 1..<2, of: text(desk))
    try desk.editor.setSelection(word)
    #expect(desk.editor.selection == word)
    // Other ink and reading again do not matter.
    try desk.editor.removeItems(text(desk).words[0].items)
    try desk.editor.recognize(again: true)
    try desk.editor.waitUntilIdle()
    #expect(word.isValid && desk.editor.selection == word)
    try desk.editor.removeItems([word.items[0]])
    #expect(!word.isValid && word.box == nil && desk.editor.selection == nil)
    try desk.editor.undo()
    #expect(word.isValid && word.box != nil && desk.editor.selection == nil)
    try desk.editor.setSelection(word)
    let part = desk.editor.part
    try desk.editor.setPart(nil)
    #expect(!word.isValid && desk.editor.selection == nil)
    try desk.editor.setPart(part)
    #expect(!word.isValid)
    try desk.editor.waitUntilIdle()
    let told = listener.events.compactMap { event -> Bool? in
      if case .selectionChanged(let new) = event { new != nil } else { nil }
    }
    #expect(told == [true, false, true, false])
    // Undo of what made the ink takes the selection away.
    let all = try desk.editor.selection(of: desk.root)
    try desk.editor.setSelection(all)
    try desk.write("x", y: 60)
    try desk.editor.waitUntilIdle()
    let new = try desk.editor.selection(ofItems: [try #require(desk.root.items.last)])
    try desk.editor.setSelection(new)
    try desk.editor.undo()
    #expect(desk.editor.selection == nil)
  }

  @Test("Selected ink that is gone, and numbers that are none, are typed errors; nothing changes")
  func badInput() throws {
    let desk = try desk()
    let block = try text(desk)
    let other = try self.desk()
    let word = try desk.editor.selection(ofWords: 1..<2, of: block)
    let foreign = try other.editor.selection(of: other.root)
    let nan = Double.nan
    #expect(throws: EditorError.self) {
      try desk.editor.selection(inLasso: [
        PlanePoint(x: nan, y: 0), PlanePoint(x: 1, y: 0), PlanePoint(x: 1, y: 1),
      ])
    }
    #expect(throws: EditorError.self) {
      try desk.editor.selection(inRectangleAtX: 0, y: 0, width: .infinity, height: 1)
    }
    #expect(throws: EditorError.self) {
      try desk.editor.selection(inRectangleAtX: 0, y: 0, width: -1, height: 1)
    }
    #expect(throws: EditorError.self) { try desk.editor.selection(ofItems: [999]) }
    #expect(throws: EditorError.self) { try desk.editor.selection(ofWords: 2..<4, of: block) }
    #expect(throws: EditorError.self) { try desk.editor.selection(ofWordAtX: nan, y: 0) }
    #expect(throws: EditorError.self) { try desk.editor.hit(word, x: nan, y: 0) }
    try desk.editor.removeItems([word.items[0]])
    try desk.editor.waitUntilIdle()
    let (json, count) = (try desk.editor.export(as: .jiix), desk.editor.possibleUndoCount)
    for gone in [word, foreign] {
      #expect(throws: EditorError.self) { try desk.editor.setSelection(gone) }
      #expect(throws: EditorError.self) { try desk.editor.erase(gone) }
      #expect(throws: EditorError.self) { try desk.editor.move(gone, dx: 1, dy: 1) }
      #expect(throws: EditorError.self) { try desk.editor.scale(gone, x: 2, y: 2) }
      #expect(throws: EditorError.self) { try desk.editor.copy(gone) }
      #expect(throws: EditorError.self) { try desk.editor.cut(gone) }
      #expect(throws: EditorError.self) { try desk.editor.setStyle(nil, of: gone) }
      #expect(throws: EditorError.self) { try desk.editor.decorate(gone, with: .underline) }
      #expect(throws: EditorError.self) { try desk.editor.availableSelectionTypes(gone) }
      #expect(throws: EditorError.self) { try desk.editor.export(gone, as: .svg) }
      #expect(throws: EditorError.self) { try desk.editor.handles(of: gone) }
      #expect(throws: EditorError.self) {
        try desk.editor.setSelectionType(.drawing, gone, asOneBlock: true)
      }
    }
    let left = try desk.editor.selection(of: desk.root)
    for (dx, dy) in [(nan, 0.0), (0, .infinity), (1e12, 0)] {
      #expect(throws: EditorError.self) { try desk.editor.move(left, dx: dx, dy: dy) }
    }
    for (x, y) in [(nan, 1.0), (0, 1), (1, -1), (1, 101), (.infinity, 1)] {
      #expect(throws: EditorError.self) { try desk.editor.scale(left, x: x, y: y) }
    }
    let empty = try desk.editor.selection(ofItems: [])
    #expect(throws: EditorError.self) { try desk.editor.copy(empty) }
    #expect(throws: EditorError.self) { try desk.editor.export(empty, as: .text) }
    try desk.editor.waitUntilIdle()
    #expect(try desk.editor.export(as: .jiix) == json)
    #expect(desk.editor.possibleUndoCount == count)
    // A pen that is down.
    try desk.editor.pointerDown(x: 100, y: 100)
    #expect(throws: EditorError.pointerIsDown) { try desk.editor.erase(left) }
    try desk.editor.pointerCancel()
  }

  @Test(
    "Types depend on the part and the selection, and an unknown one is an error that lists them")
  func types() throws {
    for (type, expected) in [
      ("Text", [SelectionType.text]), ("Drawing", [.drawing]), ("Math", []),
      ("Raw Content", [.text, .shape, .drawing, .math]), ("Diagram", [.text, .shape, .drawing]),
      ("Text Document", [.text, .drawing, .math]),
    ] {
      let desk = try desk(type)
      let all = try desk.editor.selection(of: desk.root)
      #expect(try desk.editor.availableSelectionTypes(all) == expected, "\(type)")
      let none = try desk.editor.selection(ofItems: [])
      #expect(try desk.editor.availableSelectionTypes(none) == [], "\(type)")
      #expect(
        throws: EditorError.unsupportedType(found: "Song", supported: expected.map(\.rawValue))
      ) { try desk.editor.setSelectionType("Song", all, asOneBlock: true) }
    }
    let desk = try desk()
    let word = try desk.editor.selection(ofWords: 1..<2, of: text(desk))
    let count = desk.editor.possibleUndoCount
    try desk.editor.setSelectionType("Drawing", word, asOneBlock: true)
    try desk.editor.waitUntilIdle()
    #expect(desk.editor.possibleUndoCount == count + 1)
    #expect(try desk.text() == "hello world")
    #expect(try desk.root.children.contains { $0.type == .drawing && $0.items == word.items })
    #expect(word.isValid)
  }

  @Test("Handles are on the frame, and a hit is a handle, the inside or nothing")
  func handles() throws {
    let desk = try desk()
    desk.editor.viewTransform = try ViewTransform(dpiX: 50.8, dpiY: 50.8)
    let word = try desk.editor.selection(ofWords: 0..<1, of: text(desk))
    let box = try #require(word.box)
    let handles = try desk.editor.handles(of: word)
    #expect(handles.count == 8)
    let corner = try #require(handles[.bottomRight])
    #expect(abs(corner.x - 2 * box.maxX) < 1e-9 && abs(corner.y - 2 * box.maxY) < 1e-9)
    for (handle, place) in handles {
      #expect(
        try desk.editor.hit(word, x: place.x + 1, y: place.y - 1, radius: 2) == .handle(handle))
      #expect(handle.opposite.opposite == handle && handle.opposite != handle)
    }
    #expect(
      try desk.editor.hit(word, x: 2 * box.midX - 6, y: 2 * box.midY, radius: 1) == .inside)
    #expect(try desk.editor.hit(word, x: 0, y: 0) == nil)
    // The layer of the selection draws its frame.
    #expect(desk.editor.drawCommands(of: .selection).isEmpty)
    _ = desk.editor.takeInvalidations()
    try desk.editor.setSelection(word)
    #expect(desk.editor.drawCommands(of: .selection).count == 1)
    #expect(
      desk.editor.takeInvalidations().contains { $0.layer == .selection && $0.box.overlaps(box) })
  }
}
