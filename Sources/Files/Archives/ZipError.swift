/// An error in a ZIP archive. It names an entry by its number, never by its name.
package struct ZipError: Error, Hashable, Sendable {
  /// The kind of defect.
  package enum Code: String, Hashable, Sendable, CaseIterable {
    /// The bytes are no ZIP archive.
    case notArchive
    /// A part of the archive does not follow the format.
    case malformed
    /// The archive ends before its parts do.
    case truncated
    /// A construct that is not supported: encryption, several disks, another method.
    case unsupported
    /// A name leads out of the folder that the archive is unpacked to.
    case unsafeName
    /// Two entries have one name.
    case repeatedName
    /// Two entries share bytes of the archive.
    case overlap
    /// The archive or an entry is larger than its reader accepts.
    case tooLarge
    /// An entry unpacks to more or fewer bytes than the archive says, or to others.
    case damaged
    /// An entry that its reader needs is not there.
    case missing
    /// The file cannot be read.
    case unreadable
  }

  /// The kind of defect.
  package let code: Code
  /// The entry in the order of the directory, from 0; nil for the whole archive.
  package let entry: Int?
  /// The requirement.
  package let expected: String
  /// The content found.
  package let found: String

  package init(_ code: Code, entry: Int? = nil, expected: String, found: String) {
    self.code = code
    self.entry = entry
    self.expected = expected
    self.found = found
  }
}

extension ZipError: CustomStringConvertible {
  /// `entry N of the archive: expected …, found …`.
  package var description: String {
    let place = entry.map { "entry \($0) of the archive" } ?? "archive"
    return "\(place): expected \(expected), found \(found)"
  }
}
