import Evaluation

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
