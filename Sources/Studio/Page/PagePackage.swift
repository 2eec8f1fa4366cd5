import EditorStorage
import Foundation
import InkEditor

/// A page as a content package with one part.
///
/// Each command is stored in the working copy of the package before it is acknowledged, together
/// with the ids of the last commands. The file itself is saved when the page is closed.
final class PagePackage: PageLog {
  /// The suffix of the files of pages.
  static let suffix = ".ductusdoc"
  /// The key of the ids of commands in the metadata of the part.
  private static let idsKey = "commands"
  /// The most ids that are kept, so that a command that is sent again after a restart is known.
  private static let mostIDs = 1000

  private let name: String
  private let package: ContentPackage
  let part: ContentPart?
  private(set) var ids: [String] = []
  /// True if the editor has a command that could not be kept.
  private var isBroken = false

  /// Makes a new page without strokes.
  ///
  /// - Throws: ``StudioError`` of code `conflict` if the file exists.
  static func create(_ file: URL, engine: Engine) throws(StudioError) {
    do throws(PackageError) {
      let package = try engine.createPackage(at: file)
      _ = try package.makePart(type: PageDocument.partType)
      try package.save()
      try package.close()
    } catch {
      if case .exists = error {
        throw StudioError(
          .conflict, "expected the name of no page, found a page; choose another name",
          field: "name")
      }
      throw StudioError(.unusableFile, "the page cannot be written; check the folder of the pages")
    }
  }

  /// Opens a page. Unsaved work of a studio that was killed is continued.
  ///
  /// - Throws: ``StudioError`` if the file is missing, in use by another process, or damaged. A file
  ///   that is refused is not changed.
  init(opening file: URL, name: String, engine: Engine) throws(StudioError) {
    self.name = name
    do throws(PackageError) {
      package = try engine.openPackage(at: file)
      let part = try package.part(at: 0)
      self.part = part
      if case .array(let values)? = try package.metadata(of: part)[Self.idsKey] {
        ids = values.compactMap { if case .string(let id) = $0 { id } else { nil } }
      }
    } catch {
      throw Self.error(error, name)
    }
    // A command and its id are stored together, by `append`.
    package.holdsAutosave = true
  }

  deinit {
    if isBroken {
      package.abandon()
    } else {
      // Unsaved work is continued when the page is opened again.
      try? package.save()
    }
  }

  func commands() throws(StudioError) -> [PageCommand] { [] }

  func append(_ command: PageCommand) throws(StudioError) {
    guard let part else { return }
    let next = (ids + [command.id]).suffix(Self.mostIDs)
    do throws(PackageError) {
      let metadata = Metadata([Self.idsKey: .array(next.map { .string($0) })])
      try package.flush(metadata: metadata, of: part)
    } catch {
      isBroken = true
      throw Self.error(error, name)
    }
    ids = Array(next)
  }

  func settle() {
    guard !isBroken else { return }
    // What was read can be read again: a failure is told by the next command.
    try? package.flush()
  }

  func close() throws(StudioError) {
    do throws(PackageError) {
      try package.save()
      try package.close()
    } catch {
      throw Self.error(error, name)
    }
  }

  private static func error(_ error: PackageError, _ name: String) -> StudioError {
    switch error {
    case .notFound:
      StudioError(.notFound, "expected the name of a page, found another", field: "name")
    case .inUse:
      StudioError(.conflict, "\(name): another studio has the page open; close it there first")
    case .newer:
      StudioError(.unusableFile, "\(name): the page has another format; use a newer studio")
    case .unusable:
      StudioError(
        .unusableFile, "\(name): the page cannot be saved; make room on the disk, then write on")
    default:
      StudioError(
        .unusableFile,
        "\(name): the file of the page is damaged; save what is left with 'ductus doc check'")
    }
  }
}

extension PagePackage {
  /// Makes a package of a page that an earlier version kept as a journal, and removes the journal.
  ///
  /// - Throws: ``StudioError``; the journal stays then.
  static func convert(
    _ journal: URL, name: String, to file: URL, engine: Engine
  ) throws(StudioError) {
    let log = try PageJournal(opening: journal, name: name)
    let commands = try log.commands()
    let draft = file.appendingPathExtension("draft")
    try? FileManager.default.removeItem(at: draft)
    do {
      let package = try engine.openPackage(at: draft, mode: .create, unsaved: .discard)
      let part = try package.makePart(type: PageDocument.partType)
      let document = try PageDocument(engine: engine, commands: commands, part: part)
      try document.editor.waitUntilIdle(timeout: 120)
      try document.editor.setPart(nil)
      let ids = commands.map(\.id).suffix(mostIDs)
      try package.setMetadata(Metadata([idsKey: .array(ids.map { .string($0) })]), of: part)
      try package.save()
      try package.close()
    } catch {
      try? FileManager.default.removeItem(at: draft)
      if let error = error as? StudioError { throw error }
      throw StudioError(.unusableFile, "\(name): the page cannot be converted; check the folder")
    }
    // A link fails if there is a page meanwhile.
    guard link(draft.path, file.path) == 0, unlink(draft.path) == 0 else {
      throw StudioError(.unusableFile, "\(name): the page cannot be converted; check the folder")
    }
    unlink(journal.path)
  }
}
