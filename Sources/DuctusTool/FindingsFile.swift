import Evaluation
import Foundation

/// What `ductus data doctor --json` found in data.
struct FindingsFile {
  private let path: String
  private let findings: DataFindings
  /// The records that are not to be learned from.
  let leftOut: Set<Int>

  /// - Throws: ``UnusableFindings``.
  init(path: String) throws(UnusableFindings) {
    self.path = path
    guard let data = FileManager.default.contents(atPath: path) else {
      throw UnusableFindings(path: path, found: "no file that can be read")
    }
    guard let findings = try? JSONDecoder().decode(DataFindings.self, from: data) else {
      throw UnusableFindings(path: path, found: "\(data.count) bytes of something else")
    }
    self.findings = findings
    leftOut = Set(findings.suspectLabels.map(\.index) + findings.duplicates.map(\.index))
  }

  /// Refuses data that is not what was examined: its records have other indices.
  func check(dataHash: String) throws(UnusableFindings) {
    guard dataHash == findings.dataHash else {
      throw UnusableFindings(
        path: path, found: "those of other data, \(findings.data.joined(separator: ", "))")
    }
  }
}

/// `--without` names no findings, or those of other data.
struct UnusableFindings: BadInputError, CustomStringConvertible {
  let path: String
  let found: String

  var description: String {
    "\(path): expected what 'ductus data doctor --json' found in the same data, found \(found)"
  }
}
