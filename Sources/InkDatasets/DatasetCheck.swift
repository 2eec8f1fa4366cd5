import Foundation
import InkFormats

/// What of a public dataset lies in a folder.
public struct DatasetCheck: Hashable, Sendable {
  /// How much of something is there.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// All of it.
    case present
    /// Some of it.
    case incomplete
    /// None of it.
    case missing
  }

  /// Files that belong to the dataset, and how many were found.
  public struct Finding: Hashable, Sendable {
    /// What was looked for.
    public let files: ExpectedFiles
    /// How many there are.
    public let found: Int

    /// How much is there.
    public var state: State {
      if found == 0 { return .missing }
      return found < files.count ?? 1 ? .incomplete : .present
    }
  }

  /// The dataset.
  public let dataset: PublicDataset
  /// Where it was looked for.
  public let folder: String
  /// What was found, in the order of the dataset's files.
  public let findings: [Finding]

  /// How much of the dataset is there.
  public var state: State {
    if findings.allSatisfy({ $0.state == .present }) { return .present }
    return findings.allSatisfy { $0.state == .missing } ? .missing : .incomplete
  }
}

extension DatasetCheck: CustomStringConvertible {
  /// A line for the dataset, and one for each of its files unless all of it is missing.
  public var description: String {
    let head = "\(dataset.name): \(state.rawValue) in \(folder)"
    guard state != .missing else { return head + "; get it from \(dataset.origin)" }
    let lines = findings.map { finding in
      let files = finding.files
      let wanted = files.count.map { " of \($0)" } ?? ""
      let place = files.path.isEmpty ? "." : files.path
      let kind = files.suffix.map { " *\($0)" } ?? ""
      return "  \(finding.state.rawValue)  \(place)\(kind): \(finding.found)\(wanted)"
    }
    return ([head] + lines).joined(separator: "\n")
  }
}

extension PublicDataset {
  /// Looks for the dataset's files, in `folder` below the given one. O(files).
  ///
  /// - Throws: ``DataError`` of code `invalidValue` where the given one is not a folder. What is
  ///   missing below it is no error.
  public func check(below root: String) throws(DataError) -> DatasetCheck {
    guard Self.isFolder(root) else {
      throw DataError(.invalidValue, in: root, expected: "a folder", found: "none there")
    }
    let place = root + "/" + folder
    let findings = files.map { files in
      let path = files.path.isEmpty ? place : place + "/" + files.path
      return DatasetCheck.Finding(files: files, found: Self.count(files.suffix, at: path))
    }
    return DatasetCheck(dataset: self, folder: place, findings: findings)
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }

  /// The files below a folder whose names end so; without a suffix, 1 where there is a file.
  private static func count(_ suffix: String?, at path: String) -> Int {
    guard let suffix else {
      return FileManager.default.fileExists(atPath: path) && !isFolder(path) ? 1 : 0
    }
    guard isFolder(path) else { return 0 }
    return FolderListing(of: path).files.count { $0.hasSuffix(suffix) }
  }
}

/// Files that belong to a dataset.
public struct ExpectedFiles: Hashable, Sendable, Codable {
  /// A file, or the folder that the files lie below, relative to the dataset's folder; empty is
  /// the dataset's folder itself.
  public let path: String
  /// How the names of the files end, or nil where the path is one file.
  public let suffix: String?
  /// How many there are, or nil where copies differ and one is enough.
  public let count: Int?

  /// Makes a description of files.
  public init(path: String, suffix: String? = nil, count: Int? = nil) {
    self.path = path
    self.suffix = suffix
    self.count = count
  }
}
