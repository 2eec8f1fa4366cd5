import EditorStorage
import Foundation
import GRDB
import InkEditor
import TestSamples
import Testing

@Suite("Unsaved work")
struct RecoveryTests {
  /// Copies a package with its unsaved work to another folder, as a crash leaves them.
  private func crashed(_ shelf: Shelf, _ name: String, to other: Shelf) throws {
    for file in shelf.files where file.contains(name) && !file.hasSuffix(".lock") {
      try FileManager.default.copyItem(
        at: shelf.folder.appendingPathComponent(file),
        to: other.folder.appendingPathComponent(file))
    }
  }

  @Test("Unsaved work is offered again after a crash")
  func crash() throws {
    let shelf = try Shelf()
    let package = try shelf.engine.createPackage(at: shelf.url("notes"))
    let editor = try edit(try package.makePart(type: "Text"))
    try editor.write(Pen.strokes("abc", x: 20, y: 20))
    try package.save()
    try editor.write(Pen.strokes("de", x: 40, y: 20))
    try package.flush()
    let later = try Shelf()
    try crashed(shelf, "notes", to: later)
    var again = try later.engine.openPackage(at: later.url("notes"))
    #expect(again.isRecovered)
    #expect(again.hasUnsavedChanges)
    var other = try edit(try again.part(at: 0))
    #expect(try other.export(as: .text) == "abc de")
    #expect(later.reader.calls.count == 0)
    // It can be dropped.
    #expect(throws: PackageError.partInUse) { try again.discardUnsavedChanges() }
    try other.setPart(nil)
    try again.discardUnsavedChanges()
    #expect(!again.hasUnsavedChanges)
    other = try edit(try again.part(at: 0))
    #expect(try other.export(as: .text) == "abc")
    try other.setPart(nil)
    try again.close()
    #expect(later.files == ["notes.ductusdoc"])

    let third = try Shelf()
    try crashed(shelf, "notes", to: third)
    again = try third.engine.openPackage(at: third.url("notes"), unsaved: .discard)
    #expect(!again.isRecovered)
    #expect(try edit(try again.part(at: 0)).export(as: .text) == "abc")
  }

  @Test("A package that was never saved is recovered")
  func neverSaved() throws {
    let shelf = try Shelf()
    let package = try shelf.engine.createPackage(at: shelf.url("notes"))
    let editor = try edit(try package.makePart(type: "Text"))
    try editor.write(Pen.strokes("abc", x: 20, y: 20))
    try package.flush()
    let later = try Shelf()
    try crashed(shelf, "notes", to: later)
    let again = try later.engine.openPackage(at: later.url("notes"))
    #expect(again.isRecovered)
    #expect(try edit(try again.part(at: 0)).export(as: .text) == "abc")
  }

  @Test("Making a package does not destroy the unsaved work of another")
  func createOver() throws {
    let shelf = try Shelf()
    let package = try shelf.engine.createPackage(at: shelf.url("notes"))
    let editor = try edit(try package.makePart(type: "Text"))
    try editor.write(Pen.strokes("abc", x: 20, y: 20))
    try package.flush()
    let later = try Shelf()
    try crashed(shelf, "notes", to: later)
    let fresh = try later.engine.createPackage(at: later.url("notes"))
    #expect(fresh.partCount == 0)
    let aside = try #require(fresh.unsavedWorkSetAside)
    let found = try later.engine.openPackage(at: aside)
    #expect(try edit(try found.part(at: 0)).export(as: .text) == "abc")
  }

  @Test("Unsaved work of a package that was replaced meanwhile is kept beside it")
  func conflict() throws {
    let shelf = try Shelf()
    let package = try shelf.engine.createPackage(at: shelf.url("notes"))
    let editor = try edit(try package.makePart(type: "Text"))
    try editor.write(Pen.strokes("abc", x: 20, y: 20))
    try package.save()
    try editor.write(Pen.strokes("de", x: 40, y: 20))
    try package.flush()
    let later = try Shelf()
    try crashed(shelf, "notes", to: later)
    // Another program replaces the package.
    let other = try later.engine.createPackage(at: later.url("other"))
    _ = try other.makePart(type: "Drawing")
    try other.save()
    try other.close()
    try FileManager.default.removeItem(at: later.url("notes"))
    try FileManager.default.moveItem(at: later.url("other"), to: later.url("notes"))
    let again = try later.engine.openPackage(at: later.url("notes"))
    #expect(!again.isRecovered)
    #expect(try again.part(at: 0).type == .drawing)
    let aside = try later.engine.openPackage(at: try #require(again.unsavedWorkSetAside))
    #expect(try edit(try aside.part(at: 0)).export(as: .text) == "abc de")
  }

  @Test("A damaged working copy is moved aside, and the package opens")
  func damagedWork() throws {
    let shelf = try Shelf()
    let package = try shelf.engine.createPackage(at: shelf.url("notes"))
    _ = try package.makePart(type: "Text")
    try package.save()
    try package.close()
    try Data("nonsense".utf8).write(
      to: shelf.folder.appendingPathComponent(".notes.ductusdoc.unsaved"))
    let again = try shelf.engine.openPackage(at: shelf.url("notes"))
    #expect(again.partCount == 1)
    let aside = try #require(again.unsavedWorkSetAside)
    #expect(try Data(contentsOf: aside) == Data("nonsense".utf8))
  }

  @Test("Unsaved work lies in the folder of the configuration")
  func temporaryFolder() throws {
    let shelf = try Shelf()
    let folder = shelf.folder.appendingPathComponent("temporary")
    try shelf.engine.configuration.set("content-package.temp-folder", to: folder.path)
    let package = try shelf.engine.createPackage(at: shelf.url("notes"))
    let editor = try edit(try package.makePart(type: "Text"))
    try editor.write(Pen.strokes("abc", x: 20, y: 20))
    try package.flush()
    #expect(shelf.files == [".notes.ductusdoc.lock", "temporary"])
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.contains { $0.hasPrefix("notes.ductusdoc-") && $0.hasSuffix(".unsaved") })
    #expect(shelf.engine.hasUnsavedWork(ofPackageAt: shelf.url("notes")))
    try editor.setPart(nil)
    try package.save()
    try package.close()
    #expect(shelf.files == ["notes.ductusdoc", "temporary"])
    #expect(!shelf.engine.hasUnsavedWork(ofPackageAt: shelf.url("notes")))
  }

  @Test("Changes are stored without a call, and the app may drop the package")
  func autosave() throws {
    let shelf = try Shelf()
    var package: ContentPackage? = try shelf.engine.createPackage(at: shelf.url("notes"))
    let part = try #require(try package?.makePart(type: "Text"))
    package = nil
    let editor = try edit(part)
    try editor.write(Pen.strokes("abc", x: 20, y: 20))
    let later = try Shelf()
    // Autosave needs no call; the limit only ends a test that fails.
    for _ in 0..<200 {
      Thread.sleep(forTimeInterval: 0.05)
      let work = shelf.folder.appendingPathComponent(".notes.ductusdoc.unsaved")
      var configuration = GRDB.Configuration()
      configuration.readonly = true
      let queue = try DatabaseQueue(path: work.path, configuration: configuration)
      let count = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM stroke") }
      try queue.close()
      if count == 3 { break }
    }
    try crashed(shelf, "notes", to: later)
    let again = try later.engine.openPackage(at: later.url("notes"))
    let other = try edit(try again.part(at: 0))
    #expect(try other.everything() == editor.everything())
  }

  @Test("A full disk is an error, the file stays as it was, and nothing is lost")
  func fullDisk() throws {
    let shelf = try Shelf()
    let url = shelf.url("notes")
    let package = try shelf.engine.createPackage(at: url)
    let editor = try edit(try package.makePart(type: "Text"))
    try editor.write(Pen.strokes("abc", x: 20, y: 20))
    try package.save()
    let saved = try shelf.bytes(url)
    let pages = try package.storage.setPageLimit(nil)
    _ = try package.storage.setPageLimit(pages)
    for line in 0..<40 {
      try editor.write(Pen.strokes("abcdefgh", x: 20, y: 40 + 10 * Double(line)))
    }
    #expect(throws: PackageError.self) { try package.flush() }
    #expect(throws: PackageError.self) { try package.save() }
    #expect(package.autosaveFailure != nil)
    #expect(try shelf.bytes(url) == saved)
    // There is room again.
    _ = try package.storage.setPageLimit(1 << 30)
    try package.save()
    #expect(package.autosaveFailure == nil)
    let export = try editor.everything()
    try editor.setPart(nil)
    try package.close()
    let again = try shelf.engine.openPackage(at: url)
    #expect(try edit(try again.part(at: 0)).everything() == export)
  }

  @Test("A folder that cannot be written is an error when saving")
  func unwritableTarget() throws {
    let shelf = try Shelf()
    let package = try shelf.engine.createPackage(at: shelf.url("notes"))
    _ = try package.makePart(type: "Text")
    let missing = shelf.folder.appendingPathComponent("missing/notes.ductusdoc")
    #expect(throws: PackageError.self) { try package.save(as: missing) }
    #expect(package.url == shelf.url("notes"))
    try package.save()
  }
}
