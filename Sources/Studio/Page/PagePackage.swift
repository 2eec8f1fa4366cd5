import EditorStorage
import Foundation
import InkEditor

/// A page as a content package with one part.
///
/// Each command is stored in the working copy of the package before it is acknowledged, together
/// with the ids of the last commands. The file itself is saved when the page is closed. It is used
/// by one thread at a time.
package final class PagePackage {
  /// The suffix of the files of pages.
  package static let suffix = ".ductusdoc"
  /// The key of the ids of commands in the metadata of the part.
  private static let idsKey = "commands"
  /// The key of the language in the metadata of the part; it is missing for the best one.
  private static let languageKey = "language"
  /// The most ids that are kept, so that a command that is sent again after a restart is known.
  private static let mostIDs = 1000

  private let name: String
  private let package: ContentPackage
  /// The part with the content of the page.
  package let part: ContentPart
  /// The ids of the last commands that the part contains.
  package private(set) var ids: [String] = []
  /// The language that was chosen for the page; nil for the best one.
  private(set) var language: String?
  /// True if the editor has a command that could not be kept.
  private var isBroken = false

  /// Makes a new page without strokes.
  ///
  /// - Throws: ``StudioError`` of code `conflict` if the file exists.
  package static func create(_ file: URL, engine: Engine) throws(StudioError) {
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
  package init(opening file: URL, name: String, engine: Engine) throws(StudioError) {
    self.name = name
    do throws(PackageError) {
      package = try engine.openPackage(at: file)
      part = try package.part(at: 0)
      let metadata = try package.metadata(of: part)
      if case .string(let tag)? = metadata[Self.languageKey] { language = tag }
      if case .array(let values)? = metadata[Self.idsKey] {
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

  /// Keeps the effect of a command, and returns once it survives the end of the process and of the
  /// machine.
  ///
  /// - Throws: ``StudioError``; the command is then not kept.
  package func append(_ command: PageCommand) throws(StudioError) {
    var next = self.ids
    next.append(command.id)
    next.removeFirst(max(0, next.count - Self.mostIDs))
    var language = language
    if case .language(let tag) = command.action { language = tag }
    do throws(PackageError) {
      var values: [String: MetadataValue] = [Self.idsKey: .array(next.map { .string($0) })]
      values[Self.languageKey] = language.map { .string($0) }
      try package.flush(metadata: Metadata(values), of: part)
    } catch {
      isBroken = true
      throw Self.error(error, name)
    }
    (ids, self.language) = (next, language)
  }

  /// Keeps what was read in the meantime.
  func settle() {
    guard !isBroken else { return }
    // What was read can be read again: a failure is told by the next command.
    try? package.flush()
  }

  /// Ends the use of the package.
  ///
  /// - Throws: ``StudioError`` if the page cannot be saved; it is kept nevertheless.
  package func close() throws(StudioError) {
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
