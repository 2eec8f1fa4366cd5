/// What can go wrong with the log of training runs.
public enum RunLogError: Error, Equatable, CustomStringConvertible {
  /// The file cannot be opened, read or written.
  case unusable(path: String, reason: String)
  /// A newer version of the program has written it.
  case newer(path: String)
  /// No run goes by this number or name.
  case noSuchRun(String, path: String)

  /// What happened, where, and what to do.
  public var description: String {
    switch self {
    case .unusable(let path, let reason):
      "\(path): the log of training runs cannot be used: \(reason); "
        + "move it away or name another file with DUCTUS_RUNS"
    case .newer(let path):
      "\(path): a newer version of ductus has written this log of training runs; "
        + "use that version, or name another file with DUCTUS_RUNS"
    case .noSuchRun(let name, let path):
      "\(name): no such run in \(path); expected a number of 'ductus runs list', the path of a "
        + "model or 'last'"
    }
  }
}
