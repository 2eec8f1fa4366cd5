import EditorStorage
import Foundation
import InkEditor
import TestSamples
import Testing

@Suite("Packages")
struct PackageTests {
  @Test("A created package has no parts, and a file after the first save")
  func create() throws {
    let shelf = try Shelf()
    let package = try shelf.engine.createPackage(at: shelf.url("notes"))
    #expect(package.partCount == 0)
    #expect(!FileManager.default.fileExists(atPath: shelf.url("notes").path))
    try package.save()
    #expect(FileManager.default.fileExists(atPath: shelf.url("notes").path))
    try package.close()
    #expect(shelf.files == ["notes.ductusdoc"])
    let again = try shelf.engine.openPackage(at: shelf.url("notes"))
    #expect(again.partCount == 0)
    try again.close()
    #expect(throws: PackageError.exists(path: shelf.url("notes").path)) {
      try shelf.engine.createPackage(at: shelf.url("notes"))
    }
  }

  @Test("The modes of opening differ where there is a file and where there is none")
  func modes() throws {
    let shelf = try Shelf()
    let url = shelf.url("notes")
    #expect(throws: PackageError.notFound(path: url.path)) {
      try shelf.engine.openPackage(at: url, mode: .existing)
    }
    #expect(throws: PackageError.notFound(path: url.path)) {
      try shelf.engine.openPackage(at: url, mode: .readOnly)
    }
    #expect(shelf.files.isEmpty)
    var package = try shelf.engine.openPackage(at: url, mode: .create)
    _ = try package.makePart(type: "Text")
    try package.save()
    try package.close()
    package = try shelf.engine.openPackage(at: url, mode: .create)
    #expect(package.partCount == 1)
    try package.close()
    #expect(throws: PackageError.exists(path: url.path)) {
      try shelf.engine.openPackage(at: url, mode: .createNew)
    }
    let before = try shelf.bytes(url)
    package = try shelf.engine.openPackage(at: url, mode: .truncate)
    #expect(package.partCount == 0)
    #expect(try shelf.bytes(url) == before)
    try package.save()
    try package.close()
    package = try shelf.engine.openPackage(at: url, mode: .existing)
    #expect(package.partCount == 0)
    try package.close()
    package = try shelf.engine.openPackage(at: shelf.url("other"), mode: .createNew)
    try package.save()
    try package.close()
    #expect(shelf.files == ["notes.ductusdoc", "other.ductusdoc"])
  }

  @Test("Saving replaces the file as a whole, and saving elsewhere keeps the old file")
  func saving() throws {
    let shelf = try Shelf()
    let url = shelf.url("notes")
    let package = try shelf.engine.createPackage(at: url)
    let editor = try edit(try package.makePart(type: "Text"))
    try editor.write(Pen.strokes("abc", x: 20, y: 20))
    #expect(package.hasUnsavedChanges)
    try package.save()
    #expect(!package.hasUnsavedChanges)
    let first = try shelf.bytes(url)
    try editor.write(Pen.strokes("de", x: 20, y: 40))
    #expect(package.hasUnsavedChanges)
    try package.flush()
    #expect(try shelf.bytes(url) == first)
    try package.save(as: shelf.url("copy"))
    #expect(package.url == shelf.url("copy"))
    #expect(!package.hasUnsavedChanges)
    #expect(try shelf.bytes(url) == first)
    // The undo history lasts.
    #expect(editor.possibleUndoCount == 5)
    try editor.undo()
    try editor.waitUntilIdle()
    try package.save()
    try editor.setPart(nil)
    try package.close()
    #expect(shelf.files == ["copy.ductusdoc", "notes.ductusdoc"])
    let copy = try shelf.engine.openPackage(at: shelf.url("copy"))
    let other = try edit(try copy.part(at: 0))
    #expect(try other.export(as: .text) == "abc\nd")
    #expect(!other.canUndo)
    #expect(throws: PackageError.partInUse) { try copy.close() }
  }

  @Test("Parts are found by index, and errors name what is there")
  func parts() throws {
    let shelf = try Shelf()
    let package = try shelf.engine.createPackage(at: shelf.url("notes"))
    #expect(throws: PackageError.noSuchPart(index: 0, count: 0)) { try package.part(at: 0) }
    let text = try package.makePart(type: "Text")
    let drawing = try package.makePart(type: "Drawing")
    #expect(package.partCount == 2)
    #expect(try package.part(at: 1) == drawing)
    #expect(package.index(of: text) == 0)
    #expect(package.index(of: try shelf.engine.makePart(type: "Text")) == nil)
    #expect(throws: PackageError.noSuchPart(index: 2, count: 2)) { try package.part(at: 2) }
    #expect(throws: PackageError.noSuchPart(index: -1, count: 2)) { try package.part(at: -1) }
    #expect(
      throws: PackageError.unsupportedType(
        found: "text",
        supported: ["Text", "Text Document", "Raw Content", "Diagram", "Drawing", "Math"])
    ) { try package.makePart(type: "text") }
    #expect(package.partCount == 2)
  }

  @Test("Parts are removed, moved and cloned, also between packages, but not while edited")
  func clones() throws {
    let shelf = try Shelf()
    let package = try shelf.engine.createPackage(at: shelf.url("notes"))
    let part = try package.makePart(type: "Text")
    let editor = try edit(part)
    try editor.write(Pen.strokes("abc de", x: 20, y: 20))
    let export = try editor.everything()
    #expect(throws: PackageError.partInUse) { try package.remove(part) }
    #expect(part.isValid)
    let clone = try package.clone(part, at: 0)
    #expect(clone.id != part.id)
    #expect(package.index(of: clone) == 0)
    let second = try edit(clone)
    #expect(try second.everything() == export)
    #expect(!second.canUndo)
    // Ink of the clone is not in the original.
    try second.write(Pen.strokes("f", x: 20, y: 40))
    #expect(try editor.everything() == export)
    try second.setPart(nil)

    try package.move(clone, to: 1)
    #expect(package.allParts == [part, clone])
    #expect(throws: PackageError.noSuchPart(index: 2, count: 2)) { try package.move(clone, to: 2) }

    let other = try shelf.engine.createPackage(at: shelf.url("other"))
    let foreign = try other.clone(part)
    #expect(throws: PackageError.foreignPart) { try package.remove(foreign) }
    #expect(throws: PackageError.partInUse) { try other.take(part, from: package) }
    try editor.setPart(nil)
    let taken = try other.take(part, from: package)
    #expect(!part.isValid)
    #expect(package.allParts == [clone])
    #expect(throws: EditorError.invalidPart) { try editor.setPart(part) }
    try other.save()
    try other.close()
    let again = try shelf.otherEngine().openPackage(at: shelf.url("other"))
    #expect(again.partCount == 2)
    #expect(again.allParts.map(\.id) == [foreign.id, taken.id])
    let calls = shelf.reader.calls.count
    #expect(try edit(try again.part(at: 0)).everything() == export)
    #expect(try edit(try again.part(at: 1)).everything() == export)
    #expect(shelf.reader.calls.count == calls)
  }

  @Test("Metadata of every kind comes back, of the package and of parts")
  func metadata() throws {
    let shelf = try Shelf()
    let package = try shelf.engine.createPackage(at: shelf.url("notes"))
    let part = try package.makePart(type: "Text")
    var metadata = Metadata()
    metadata["author.name"] = "Ada \u{1F58A} \"quoted\""
    metadata["author.age"] = 36.5
    metadata["author.isHere"] = true
    metadata["tags"] = .array(["a", 2, .object(["deep": .array([false])])])
    metadata["gone"] = "x"
    metadata["gone"] = nil
    #expect(metadata["author.nothing"] == nil)
    try package.setMetadata(metadata)
    try package.setMetadata(Metadata(["page": 3]), of: part)
    #expect(throws: PackageError.self) {
      try package.setMetadata(Metadata(["bad": .number(.infinity)]))
    }
    try package.save()
    try package.close()
    let again = try shelf.engine.openPackage(at: shelf.url("notes"))
    #expect(try again.metadata() == metadata)
    #expect(try again.metadata()["author.age"]?.double == 36.5)
    #expect(try again.metadata()["tags"] == .array(["a", 2.0, .object(["deep": .array([false])])]))
    #expect(try again.metadata(of: try again.part(at: 0)) == Metadata(["page": 3]))
    let clone = try again.clone(try again.part(at: 0))
    #expect(try again.metadata(of: clone)["page"]?.double == 3)
  }

  @Test("A part knows its package and its blocks, without an editor")
  func outline() throws {
    let shelf = try Shelf()
    let package = try shelf.engine.createPackage(at: shelf.url("notes"))
    let part = try package.makePart(type: "Raw Content")
    #expect(part.rootBlock?.children.isEmpty == true)
    let editor = try edit(part)
    try editor.write([Pen.rectangle(x: 20, y: 20, width: 40, height: 30)])
    try editor.write(Pen.strokes("abc", x: 20, y: 80))
    let root = try #require(part.rootBlock)
    #expect(root.type == .rawContent)
    #expect(root.children.map(\.type).sorted { $0.rawValue < $1.rawValue } == [.node, .text])
    #expect(root.box == editor.rootBlock?.box)
    try editor.setPart(nil)
    #expect(part.rootBlock == root)
    #expect(part.isValid)
    #expect(part.package === package)
    try package.save()
    try package.close()
    #expect(!part.isValid)
    let again = try shelf.engine.openPackage(at: shelf.url("notes"))
    let reopened = try again.part(at: 0)
    #expect(reopened.id == part.id)
    #expect(reopened.rootBlock == root)
    #expect(try again.strokeCount(of: reopened) == 4)
    #expect(try shelf.engine.makePart(type: "Text").package == nil)
  }

  @Test("A package is open once, and others may read it meanwhile")
  func openOnce() throws {
    let shelf = try Shelf()
    let url = shelf.url("notes")
    let package = try shelf.engine.createPackage(at: url)
    let editor = try edit(try package.makePart(type: "Text"))
    try editor.write(Pen.strokes("ab", x: 20, y: 20))
    try package.save()
    for engine in [shelf.engine, shelf.otherEngine()] {
      #expect(throws: PackageError.inUse(path: url.path)) { try engine.openPackage(at: url) }
    }
    // Another path of the same file.
    let link = shelf.url("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
    #expect(throws: PackageError.inUse(path: url.path)) {
      try shelf.engine.openPackage(at: link)
    }
    #expect(throws: PackageError.inUse(path: url.path)) {
      try shelf.engine.createPackage(at: shelf.url("third")).save(as: url)
    }
    let view = try shelf.otherEngine().openPackage(at: url, mode: .readOnly)
    #expect(view.isReadOnly)
    try editor.write(Pen.strokes("c", x: 26, y: 20))
    try package.save()
    let reader = try edit(try view.part(at: 0))
    #expect(try reader.export(as: .text) == "ab")
    try reader.write(Pen.strokes("z", x: 20, y: 60))
    #expect(throws: PackageError.readOnly(path: url.path)) { try view.save() }
    #expect(throws: PackageError.readOnly(path: url.path)) {
      try view.setMetadata(Metadata(["a": 1]))
    }
    #expect(throws: PackageError.readOnly(path: url.path)) { try view.makePart(type: "Text") }
    try reader.setPart(nil)
    try editor.setPart(nil)
    try package.close()
    let next = try shelf.otherEngine().openPackage(at: url)
    #expect(try edit(try next.part(at: 0)).export(as: .text) == "abc")
  }

  @Test("Objects survive saving, and the clone of their part")
  func objects() throws {
    let shelf = try Shelf()
    let package = try shelf.engine.createPackage(at: shelf.url("notes"))
    let part = try package.makePart(type: "Drawing")
    let image = PackageObject(
      name: "map.png", type: "image/png", data: Data((0..<100_000).map { UInt8($0 % 251) }))
    try package.put(image, into: part)
    try package.put(PackageObject(name: "cover", type: "text/plain", data: Data()))
    #expect(throws: PackageError.noSuchObject(name: "map.png")) {
      try package.object(named: "map.png")
    }
    #expect(throws: PackageError.self) {
      try package.put(PackageObject(name: "", type: "a/b", data: Data()))
    }
    try package.save()
    try package.close()
    let again = try shelf.engine.openPackage(at: shelf.url("notes"))
    let reopened = try again.part(at: 0)
    #expect(try again.object(named: "map.png", of: reopened) == image)
    #expect(try again.objectNames() == ["cover"])
    let clone = try again.clone(reopened)
    #expect(try again.object(named: "map.png", of: clone) == image)
    try again.removeObject(named: "map.png", of: reopened)
    #expect(try again.objectNames(of: reopened).isEmpty)
    #expect(try again.objectNames(of: clone) == ["map.png"])
    #expect(throws: PackageError.noSuchObject(name: "map.png")) {
      try again.removeObject(named: "map.png", of: reopened)
    }
  }

  @Test("A thumbnail is a drawing of the part without an editor")
  func thumbnail() throws {
    let shelf = try Shelf()
    let package = try shelf.engine.createPackage(at: shelf.url("notes"))
    let part = try package.makePart(type: "Text")
    #expect(try package.thumbnail(of: part).contains("<svg"))
    let editor = try edit(part)
    try editor.write(Pen.strokes("abc", x: 20, y: 20))
    try editor.setPart(nil)
    try package.save()
    try package.close()
    let again = try shelf.engine.openPackage(at: shelf.url("notes"), mode: .readOnly)
    let svg = try again.thumbnail(of: try again.part(at: 0))
    #expect(svg.contains("<path"))
    #expect(svg.count < 20_000)
  }
}
