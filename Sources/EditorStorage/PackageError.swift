import Foundation

/// The reason why a package refuses a call. It contains facts, never ink or text.
public enum PackageError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
  /// There is no package at the path.
  case notFound(path: String)
  /// There is a file at the path already.
  case exists(path: String)
  /// Another editor, in this process or another one, has the package open.
  case inUse(path: String)
  /// The file is not a package.
  case foreign(path: String)
  /// The file is shorter than a package of its kind.
  case truncated(path: String)
  /// The file was written by a newer version of the program.
  case newer(path: String, version: Int, supported: Int)
  /// The file is damaged.
  case damaged(path: String, reason: String)
  /// The package or its unsaved work cannot be read or written.
  case unusable(path: String, reason: String)
  /// The package was opened for reading only.
  case readOnly(path: String)
  /// There is no part with this index.
  case noSuchPart(index: Int, count: Int)
  /// Parts of this type are not supported.
  case unsupportedType(found: String, supported: [String])
  /// The part belongs to another package, or was removed.
  case foreignPart
  /// An editor has the part.
  case partInUse
  /// There is no object with this name.
  case noSuchObject(name: String)
  /// An argument is invalid.
  case invalidArgument(String, expected: String, found: String)
  /// The package was closed.
  case closed

  /// The message: what happened, where, and what to do.
  public var description: String {
    switch self {
    case .notFound(let path): "\(path): there is no package; check the path, or create one"
    case .exists(let path): "\(path): there is a file already; choose another name, or open it"
    case .inUse(let path):
      "\(path): the package is open in another window or program; close it there, or open it for "
        + "reading only"
    case .foreign(let path): "\(path): the file is not a package; it was not changed"
    case .truncated(let path):
      "\(path): the end of the package is missing; copy it again, or save what is left with "
        + "'ductus doc check --repair'"
    case .newer(let path, let version, let supported):
      "\(path): the package has version \(version) of the format, and versions up to \(supported) "
        + "are known; use a newer version of the program"
    case .damaged(let path, let reason):
      "\(path): the package is damaged: \(reason); save what is left with "
        + "'ductus doc check --repair'"
    case .unusable(let path, let reason):
      "\(path): cannot be read or written: \(reason); check the folder, its permissions and the "
        + "free space"
    case .readOnly(let path): "\(path): the package was opened for reading only"
    case .noSuchPart(let index, let count):
      "part \(index): the package has \(count) parts; they count from 0"
    case .unsupportedType(let found, let supported):
      "type \"\(found)\" is not supported; supported: \(supported.joined(separator: ", "))"
    case .foreignPart: "the part is not in this package, or was removed from it"
    case .partInUse: "an editor has the part; set another part, or none, there first"
    case .noSuchObject(let name): "object \"\(name)\": there is none with this name"
    case .invalidArgument(let what, let expected, let found):
      "\(what): expected \(expected), found \(found)"
    case .closed: "the package was closed; open it again"
    }
  }

  /// The message, for users.
  public var errorDescription: String? { description }
}
