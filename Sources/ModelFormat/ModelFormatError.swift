import Foundation

/// An error in a model bundle, with its path.
public struct ModelFormatError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problem.
  public enum Reason: Error, Hashable, Sendable {
    /// There is nothing at the path.
    case missing
    /// The path is not a folder.
    case notAFolder
    /// A replacement was interrupted: the complete bundle is at another path.
    case movedAside(to: String)
    /// A file of the bundle is a link, a folder or a device.
    case notARegularFile
    /// The manifest is longer than ``ModelManifest/maximumLength``.
    case manifestTooLong(bytes: Int, maximum: Int)
    /// The manifest is not JSON; the offset is in bytes.
    case malformedJSON(offset: Int, expected: String)
    /// A key occurs twice in one object of the manifest.
    case duplicateKey(String)
    /// The manifest has a key that is not in the format, by its path.
    case unknownKey(String)
    /// The bundle was written by a newer version of the format.
    case newerFormatVersion(found: Int, supported: Int)
    /// A field of the manifest is missing or not of the expected form.
    case invalidField(String, expected: String)
    /// A part's name could lead out of the bundle, or is not portable.
    case invalidPartName(String)
    /// Two parts have one name; upper and lower case count as one.
    case duplicatePart(String)
    /// There is no part of the name.
    case unknownPart(String)
    /// A part that is shared with another model is neither in the bundle nor in a known place. It is
    /// indirect because typed errors of more than four words crash in Swift 6.3 when tests observe
    /// them.
    indirect case missingSharedPart(String, sha256: String, model: String)
    /// A part's length differs from the manifest's.
    case partLength(expected: Int, found: Int)
    /// A part's SHA-256 differs from the manifest's.
    case partHash(expected: String, found: String)
    /// The destination is not a model bundle, and is not replaced.
    case destinationNotABundle
    /// A key file or signature does not have the form that this module writes.
    case malformedKey(expected: String)
    /// The signature does not match these bytes and the key that it names.
    case signatureMismatch
    /// The signature is valid, but its key is not trusted.
    case untrustedSigner(fingerprint: String)
    /// There is a file at the path that must not be replaced.
    case exists
    /// The operating system refused an operation, with its `errno`.
    case system(operation: String, code: Int32)
  }

  /// The problem.
  package let reason: Reason
  /// The path of the bundle, or of the file within it.
  public let path: String

  /// Makes an error of its facts.
  public init(_ reason: Reason, path: String) {
    self.reason = reason
    self.path = path
  }

  /// The message: where, what was expected, what was found, and what to do.
  public var description: String {
    "\(path): \(reason)"
  }
}

extension ModelFormatError.Reason: CustomStringConvertible {
  private static let fetch = "fetch or write the bundle again"

  /// The message without the path: what was expected, what was found, and what to do.
  public var description: String {
    switch self {
    case .missing: "expected a model bundle, found nothing; check the path"
    case .notAFolder: "expected a folder NAME.ductus, found a file; check the path"
    case .movedAside(let other):
      "replacing the bundle was interrupted; the old bundle is at \(other): rename it back"
    case .notARegularFile:
      "expected a regular file, found a link, folder or device; \(Self.fetch)"
    case .destinationNotABundle:
      "the path exists and is not a model bundle, so it was not replaced; "
        + "choose another path"
    case .system(let operation, let code):
      "\(operation) failed: \(String(cString: strerror(code)))"
    case .malformedKey(let expected): "expected \(expected), found something else; \(Self.fetch)"
    case .signatureMismatch:
      "the signature does not match this file; \(Self.fetch)"
    case .untrustedSigner(let fingerprint):
      "signed by \(fingerprint), which is not trusted; get the model from its publisher, or trust "
        + "the key"
    case .exists: "file already exists; choose another path"
    case .invalidPartName(let name):
      "expected a part name of 1 to 128 ASCII letters, digits, '-', '_' and '.', not beginning "
        + "with '.' and not reserved, found \(name.debugDescription); \(Self.fetch)"
    case .duplicatePart(let name): "duplicate part \(name); \(Self.fetch)"
    case .unknownPart(let name):
      "there is no part \(name); check that this is the right kind of model"
    case .missingSharedPart(let name, let hash, let model):
      "expected the part \(name) of model \(model) with SHA-256 \(hash.prefix(16))…, found none; "
        + "install that model first: ductus models install \(model)"
    case .partLength(let expected, let found):
      "expected \(expected) bytes, found \(found); the part is damaged: \(Self.fetch)"
    case .partHash(let expected, let found):
      "expected SHA-256 \(expected), found \(found); the part is damaged: \(Self.fetch)"
    case .manifestTooLong(let bytes, let maximum):
      "expected at most \(maximum) bytes, found \(bytes); this is not a manifest"
    case .malformedJSON(let offset, let expected):
      "byte \(offset): expected \(expected); \(Self.fetch)"
    case .duplicateKey(let key): "duplicate key \(key); \(Self.fetch)"
    case .unknownKey(let key): "unknown key \(key); \(Self.fetch)"
    case .newerFormatVersion(let found, let supported):
      "format version \(found); this program reads up to \(supported): update the program"
    case .invalidField(let field, let expected):
      "field \(field): expected \(expected); \(Self.fetch)"
    }
  }
}

extension ModelFormatError: LocalizedError {
  /// The text of `localizedDescription`: ``description``.
  public var errorDescription: String? { description }
}

extension ModelFormatError.Reason: LocalizedError {
  /// The text of `localizedDescription`: ``description``.
  public var errorDescription: String? { description }
}
