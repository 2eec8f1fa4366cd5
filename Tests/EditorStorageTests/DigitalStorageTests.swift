import EditorStorage
import Foundation
import GRDB
import InkCore
import InkEditor
import TestSamples
import Testing

@Suite("Typed text, exact shapes and pictures in a package")
struct DigitalStorageTests {
  private static let png =
    Data(
      base64Encoded:
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5E"
        + "rkJggg==") ?? Data()

  /// A page with typed text in two styles, an exact shape, a picture, and ink.
  private func page(_ package: ContentPackage) throws -> Editor {
    let editor = try edit(try package.makePart(type: "Raw Content"))
    try editor.write([Pen.rectangle(x: 20, y: 20, width: 40, height: 30)])
    try editor.write(Pen.strokes("abc de", x: 20, y: 80))
    try editor.waitUntilIdle()
    try editor.convert()
    try editor.addText(
      [StyledText("pla"), StyledText("in", isItalic: true)], x: 20, y: 100)
    try editor.addImage(Self.png, x: 100, y: 20, width: 30)
    try editor.write(Pen.strokes("ink", x: 20, y: 140))
    try editor.waitUntilIdle()
    return editor
  }

  @Test("all of it is there when the package is opened again")
  func roundTrip() throws {
    let shelf = try Shelf()
    let url = shelf.folder.appendingPathComponent("a.ductusdoc")
    let package = try shelf.engine.createPackage(at: url)
    let editor = try page(package)
    let jiix = try editor.export(as: .jiix)
    let svg = try editor.svg()
    try editor.setPart(nil)
    try package.save()
    try package.close()
    #expect(try PackageCheck(of: url).report().problems == [])
    let again = try edit(try shelf.otherEngine().openPackage(at: url).part(at: 0))
    try again.waitUntilIdle()
    #expect(try again.export(as: .jiix) == jiix)
    #expect(try again.svg() == svg)
  }

  @Test("a picture that is removed leaves no bytes, and a missing one is found")
  func pictures() throws {
    let shelf = try Shelf()
    let url = shelf.folder.appendingPathComponent("a.ductusdoc")
    let package = try shelf.engine.createPackage(at: url)
    let editor = try page(package)
    let drawing = try #require(
      editor.rootBlock?.children.first { $0.type == .drawing && $0.items.count == 1 })
    let item = try #require(drawing.items.first)
    try editor.setPart(nil)
    try package.save()
    try package.close()
    let queue = try DatabaseQueue(path: url.path)
    try queue.write { try $0.execute(sql: "DELETE FROM picture") }
    try queue.close()
    #expect(
      try PackageCheck(of: url).report().problems.contains { $0.contains("damaged") })
    #expect(item > 0)
  }

  @Test("a file of version 2 opens, and takes pictures when it is changed")
  func versionTwo() throws {
    let shelf = try Shelf()
    let url = try shelf.copy(ofVersion: 2)
    let package = try shelf.engine.openPackage(at: url)
    let editor = try edit(try package.part(at: 0))
    try editor.addImage(Self.png, x: 100, y: 20, width: 30)
    let svg = try editor.svg()
    try editor.setPart(nil)
    try package.save()
    try package.close()
    let again = try edit(try shelf.otherEngine().openPackage(at: url).part(at: 0))
    #expect(try again.svg() == svg)
  }
}

@Suite("Parts that are unloaded")
struct UnloadingTests {
  @Test("a part is loaded again with all its content, and stays while an editor has it")
  func unload() throws {
    let shelf = try Shelf()
    let url = shelf.folder.appendingPathComponent("a.ductusdoc")
    let package = try shelf.engine.createPackage(at: url)
    let writer = try edit(try package.makePart(type: "Raw Content"))
    try writer.write(Pen.strokes("abc de", x: 20, y: 80))
    try writer.waitUntilIdle()
    let jiix = try writer.export(as: .jiix)
    try writer.setPart(nil)
    try package.save()
    try package.close()
    let reading = try shelf.otherEngine().openPackage(at: url, mode: .readOnly)
    let part = try reading.part(at: 0)
    let editor = try edit(part)
    part.unload()
    #expect(try editor.export(as: .jiix) == jiix)
    try editor.setPart(nil)
    part.unload()
    #expect(part.document.order.isEmpty)
    #expect(part.rootBlock?.withDescendants.count ?? 0 > 1)
    let again = try edit(part)
    try again.waitUntilIdle()
    #expect(try again.export(as: .jiix) == jiix)
  }
}
