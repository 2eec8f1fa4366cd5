import Foundation
import InkFormats

/// The files of a public dataset in a folder.
package struct DatasetCheck: Hashable, Sendable {
  /// The completeness of files.
  package enum State: String, Hashable, Sendable, CaseIterable {
    /// All of it.
    case present
    /// Some of it.
    case incomplete
    /// None of it.
    case missing
  }

  /// Files that belong to the dataset, and how many were found.
  package struct Finding: Hashable, Sendable {
    /// The expected files.
    package let files: ExpectedFiles
    /// The number of files found.
    package let found: Int

    /// The completeness.
    package var state: State {
      if found == 0 { return .missing }
      return found < files.count ?? 1 ? .incomplete : .present
    }
  }

  /// The dataset.
  package let dataset: PublicDataset
  /// The searched folder.
  package let folder: String
  /// The findings, in the order of the dataset's files.
  package let findings: [Finding]

  /// The completeness of the dataset.
  package var state: State {
    if findings.allSatisfy({ $0.state == .present }) { return .present }
    return findings.allSatisfy { $0.state == .missing } ? .missing : .incomplete
  }
}

extension DatasetCheck: CustomStringConvertible {
  /// A line for the dataset, and one for each of its files, unless all are missing.
  package var description: String {
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
  /// Searches for the dataset's files, in `folder` below the given folder. O(files).
  ///
  /// - Throws: ``DataError`` of code `invalidValue` if the given path is not a folder. Missing
  ///   files are not an error.
  package func check(below root: String) throws(DataError) -> DatasetCheck {
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

  /// The number of files below a folder with this suffix; without a suffix, 1 if there is a file.
  private static func count(_ suffix: String?, at path: String) -> Int {
    guard let suffix else {
      return FileManager.default.fileExists(atPath: path) && !isFolder(path) ? 1 : 0
    }
    guard isFolder(path) else { return 0 }
    return FolderListing(of: path).files.count { $0.hasSuffix(suffix) }
  }
}

/// Files that belong to a dataset.
package struct ExpectedFiles: Hashable, Sendable, Codable {
  /// A file, or the folder with the files, relative to the dataset's folder; empty for the
  /// dataset's folder itself.
  package let path: String
  /// The suffix of the files' names, or nil if the path is one file.
  package let suffix: String?
  /// The number of files, or nil if copies differ and one is enough.
  package let count: Int?

  /// Makes a description of files.
  package init(path: String, suffix: String? = nil, count: Int? = nil) {
    self.path = path
    self.suffix = suffix
    self.count = count
  }
}
