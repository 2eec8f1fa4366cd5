import Files
import Foundation

/// The folder of a report, with one self-contained page, `index.html`.
package struct ReportFolder: Hashable, Sendable {
  /// The folder, as given.
  package let path: String

  /// Creates the folder if it does not exist. Call it before long work, so that an unusable folder
  /// is found first.
  ///
  /// - Throws: ``ReportError/unwritableFolder(path:reason:)``.
  package init(preparing path: String) throws(ReportError) {
    self.path = path
    let manager = FileManager.default
    var isFolder: ObjCBool = false
    if manager.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue {
      throw .unwritableFolder(path: path, reason: "a file")
    }
    do {
      try manager.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw .unwritableFolder(path: path, reason: "a place where no folder can be created")
    }
    guard manager.isWritableFile(atPath: path) else {
      throw .unwritableFolder(path: path, reason: "a folder without write permission")
    }
  }

  /// The path of the page, relative to the given folder.
  package var page: String { path.hasSuffix("/") ? path + "index.html" : path + "/index.html" }

  /// Writes the page. An existing page is replaced by rename.
  ///
  /// - Returns: The number of bytes written.
  /// - Throws: ``ReportError/unwritableFolder(path:reason:)``.
  @discardableResult
  package func write(_ html: String) throws(ReportError) -> Int {
    let data = Data(html.utf8)
    do {
      try AtomicFile.write(data, to: page)
    } catch {
      throw .unwritableFolder(path: path, reason: "a folder where index.html cannot be written")
    }
    return data.count
  }
}

/// A reason why a report cannot be written.
package enum ReportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The folder cannot be created or written to.
  case unwritableFolder(path: String, reason: String)
  /// A built-in template is invalid, which is a bug of the program.
  case unusableTemplate(name: String, reason: String)

  /// The message: what happened, where, and what to do.
  package var description: String {
    switch self {
    case .unwritableFolder(let path, let reason):
      "\(path): expected a folder that a report can be written to, found \(reason); choose "
        + "another path"
    case .unusableTemplate(let name, let reason):
      "report template \(name): \(reason); please report this bug"
    }
  }
}

extension ReportError: LocalizedError {
  /// The text of `localizedDescription`: ``description``.
  package var errorDescription: String? { description }
}
