import Foundation

/// The folder of a report: one page, `index.html`, that needs nothing else.
public struct ReportFolder: Hashable, Sendable {
  /// The folder, as it was named.
  public let path: String

  /// Makes the folder where there is none, so that work whose report could not be written does not
  /// begin.
  ///
  /// - Throws: ``ReportError/unwritableFolder(path:reason:)``.
  public init(preparing path: String) throws(ReportError) {
    self.path = path
    let manager = FileManager.default
    var isFolder: ObjCBool = false
    if manager.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue {
      throw .unwritableFolder(path: path, reason: "a file")
    }
    do {
      try manager.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw .unwritableFolder(path: path, reason: "a place where no folder can be made")
    }
    guard manager.isWritableFile(atPath: path) else {
      throw .unwritableFolder(path: path, reason: "a folder without write permission")
    }
  }

  /// The page's path, as the folder was named.
  public var page: String { path.hasSuffix("/") ? path + "index.html" : path + "/index.html" }

  /// Writes the page; an older one is replaced by rename.
  ///
  /// - Returns: The bytes written.
  /// - Throws: ``ReportError/unwritableFolder(path:reason:)``.
  @discardableResult
  public func write(_ html: String) throws(ReportError) -> Int {
    let data = Data(html.utf8)
    do {
      try data.write(to: URL(fileURLWithPath: page), options: .atomic)
    } catch {
      throw .unwritableFolder(path: path, reason: "a folder where index.html cannot be written")
    }
    return data.count
  }
}

/// Why a report cannot be written.
public enum ReportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The folder cannot be made or written to.
  case unwritableFolder(path: String, reason: String)
  /// A template compiled into the program is not sound: a defect of the program.
  case unusableTemplate(name: String, reason: String)

  /// What happened, where, and what to do.
  public var description: String {
    switch self {
    case .unwritableFolder(let path, let reason):
      "\(path): expected a folder that a report can be written to, found \(reason); choose "
        + "another path"
    case .unusableTemplate(let name, let reason):
      "report template \(name): \(reason); please report this defect"
    }
  }
}
