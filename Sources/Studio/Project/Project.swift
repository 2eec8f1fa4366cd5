import Files
import Foundation
import InkDatasets
import WebServer

/// The folder of a project: the only place where the studio writes.
///
/// | Path | Holds |
/// |---|---|
/// | `collect/` | collected ink, one JSON Lines file per session |
/// | `decisions/` | decisions about labels, one file per data |
/// | `models/` | trained models |
/// | `reports/` | reports, one folder each |
/// | `pages/` | written pages |
/// | `.studio/` | the state of the studio: token, jobs |
package struct Project: Sendable {
  /// The folder, absolute and without links.
  package let root: URL

  /// Opens a folder as a project. It is made if it does not exist.
  ///
  /// - Throws: ``StudioError`` if it cannot be made or is no folder.
  package init(at folder: URL) throws(StudioError) {
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent(Self.stateName), withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw StudioError(
        .unusableFile, "\(folder.path): expected a folder that can be written; choose another")
    }
    guard let path = realpath(folder.path, nil) else {
      throw StudioError(.unusableFile, "\(folder.path): the folder cannot be opened")
    }
    defer { free(path) }
    root = URL(fileURLWithPath: String(cString: path), isDirectory: true)
  }

  /// The folder of the studio's own state.
  package var state: URL { root.appendingPathComponent(Self.stateName, isDirectory: true) }

  private static let stateName = ".studio"

  /// Returns a folder of the project, which is made if it does not exist.
  ///
  /// - Throws: ``StudioError``.
  package func folder(_ name: String) throws(StudioError) -> URL {
    let url = try url(of: name)
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    } catch {
      throw StudioError(.unusableFile, "\(name): the folder cannot be made in the project")
    }
    return url
  }

  /// Returns the file or folder at a path of the project. It need not exist.
  ///
  /// - Throws: ``StudioError`` of code `forbidden` for a path that is absolute, goes up, is hidden,
  ///   or leads out of the project over a link.
  package func url(of path: String) throws(StudioError) -> URL {
    let refusal = StudioError(
      .forbidden, "expected a path inside the project, found another; put the file there",
      field: "path")
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard !path.isEmpty, !path.hasPrefix("/"), !path.contains("\0"),
      parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") && !$0.hasPrefix("~") })
    else { throw refusal }
    let url = root.appendingPathComponent(path)
    guard contains(url) else { throw refusal }
    return url
  }

  /// Returns true if a file, or the nearest folder above it that exists, is in the project after
  /// all links are followed.
  private func contains(_ url: URL) -> Bool {
    var existing = url
    // A link to nothing exists too: what is written through it would be elsewhere.
    while (try? FileManager.default.attributesOfItem(atPath: existing.path)) == nil {
      guard existing.path.count > root.path.count else { return true }
      existing.deleteLastPathComponent()
    }
    guard let path = realpath(existing.path, nil) else { return false }
    defer { free(path) }
    let found = String(cString: path)
    return found == root.path || found.hasPrefix(root.path + "/")
  }

  /// Returns a name that a user chose as the name of a file.
  ///
  /// - Throws: ``StudioError`` if it is empty, too long, hidden, or has a slash or an invisible
  ///   character.
  package static func name(_ text: String, field: String = "name") throws(StudioError) -> String {
    let name = text.trimmingCharacters(in: .whitespaces)
    guard !name.isEmpty, name.utf8.count <= 100, !name.hasPrefix("."), !name.hasPrefix("-"),
      name.unicodeScalars.allSatisfy({
        $0 != "/" && $0 != "\\" && $0 != "?" && $0 != "&" && $0 != "%" && $0.value >= 0x20
          && $0.value != 0x7F && !$0.properties.isBidiControl
          && $0.properties.generalCategory != .control
      })
    else {
      throw StudioError(
        .invalidValue,
        "expected a name of 1 to 100 characters without slashes, ? & % and a leading dot",
        field: field)
    }
    return name
  }

  /// The token of the project. It is made once and readable only by its owner, so that open pages
  /// still work after the studio was restarted.
  ///
  /// - Throws: ``StudioError``.
  package func token() throws(StudioError) -> String {
    let file = state.appendingPathComponent("token")
    if let text = try? String(contentsOf: file, encoding: .utf8), text.utf8.count == 48 {
      return text
    }
    let token = AccessToken.random()
    unlink(file.path)
    do throws(FileError) {
      try AtomicFile.create(file.path, Data(token.utf8), mode: 0o600)
    } catch {
      throw StudioError(.unusableFile, "\(file.path): the token cannot be written")
    }
    return token
  }
}
