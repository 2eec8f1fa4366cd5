import Files
import Foundation

/// An error in a language-model file, with the path of the file.
public struct LanguageModelError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problem. Offsets and lengths are in bytes.
  public enum Reason: Error, Hashable, Sendable {
    /// The path is a folder, a device or another path that is not a regular file.
    case notARegularFile
    /// The file is shorter than its header.
    case tooShort(bytes: Int, expected: Int)
    /// The file does not begin with the magic of a language model.
    case wrongMagic
    /// The file was not written to its end.
    case unfinished
    /// The version of the file is not known to this program.
    case unknownVersion(found: Int, expected: Int)
    /// A number of the header is out of range.
    case headerField(name: String, found: Int, minimum: Int, maximum: Int)
    /// The parts of the file take more or fewer bytes than it holds.
    case length(expected: Int, found: Int)
    /// An element of a part is malformed; `index` counts the part's elements.
    case malformed(part: String, index: Int, expected: String)
    /// The operating system refused an operation, with its `errno`.
    case system(operation: String, code: Int32)
  }

  /// The problem.
  package let reason: Reason
  /// The path of the file, or nil if the bytes came from memory.
  public let file: String?

  /// Makes an error of its facts.
  public init(_ reason: Reason, file: String? = nil) {
    self.reason = reason
    self.file = file
  }

  /// The message: what happened, where, and what to do.
  public var description: String {
    "\(file ?? "language model"): \(reason)"
  }
}

extension LanguageModelError.Reason: CustomStringConvertible {
  private static let rewrite = "train it again with ductus train language"
  private static let fetch = "the file is damaged or cut: fetch or train it again"

  /// The message without the file: what was expected, what was found, and what to do.
  public var description: String {
    switch self {
    case .notARegularFile:
      "expected a file, found a folder or a device; check the path"
    case .tooShort(let bytes, let expected):
      "expected at least \(expected) bytes, found \(bytes); \(Self.fetch)"
    case .wrongMagic:
      "expected a language model, found a file of another kind; \(Self.rewrite)"
    case .unfinished:
      "the file is incomplete, because the program that wrote it stopped early; \(Self.rewrite)"
    case .unknownVersion(let found, let expected):
      "expected version \(expected), found \(found); "
        + (found > expected ? "update ductus" : Self.rewrite)
    case .headerField(let name, let found, let minimum, let maximum):
      "header, \(name): expected \(minimum) to \(maximum), found \(found); \(Self.fetch)"
    case .length(let expected, let found):
      "the parts take \(expected) bytes, the file holds \(found); \(Self.fetch)"
    case .malformed(let part, let index, let expected):
      "\(part), element \(index): expected \(expected); \(Self.fetch)"
    case .system(let operation, let code):
      "\(operation) failed: \(String(cString: strerror(code)))"
    }
  }
}

/// A reason why a language model cannot be trained.
public enum LanguageModelTrainingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No scalar is frequent enough.
  case noText(scalars: Int, minimumCount: Int)
  /// The order is out of range for the number of symbols.
  case orderOutOfRange(order: Int, maximum: Int, symbols: Int)
  /// There are more n-grams than 32-bit indices can address.
  case tooManyNGrams(found: Int, maximum: Int)
  /// No useful model fits the requested length.
  case lengthTooSmall(maximumBytes: Int, smallest: Int)

  /// The message: what was expected, what was found, and what to do.
  public var description: String {
    switch self {
    case .noText(let scalars, let minimumCount):
      "expected text in which some character occurs \(minimumCount) times, found "
        + "\(scalars) characters; give more text or a smaller --minimum-count"
    case .orderOutOfRange(let order, let maximum, let symbols):
      "expected an order of 2 to \(maximum) for \(symbols) symbols, found \(order); "
        + "give a smaller --order or a greater --minimum-count"
    case .tooManyNGrams(let found, let maximum):
      "expected at most \(maximum) n-grams, found \(found); give a smaller --order"
    case .lengthTooSmall(let maximumBytes, let smallest):
      "expected room for at least \(smallest) bytes, found --max-bytes \(maximumBytes)"
    }
  }
}

extension MappedBytes {
  /// Maps a regular file.
  ///
  /// - Throws: ``LanguageModelError`` if it cannot be mapped.
  static func mapping(_ path: String) throws(LanguageModelError) -> MappedBytes {
    do throws(FileError) {
      return try MappedBytes(path: path)
    } catch {
      throw LanguageModelError(
        error.operation == .checking
          ? .notARegularFile : .system(operation: error.operation.rawValue, code: error.code),
        file: path)
    }
  }
}

extension LanguageModelError: LocalizedError {
  /// The text of `localizedDescription`: ``description``.
  public var errorDescription: String? { description }
}

extension LanguageModelError.Reason: LocalizedError {
  /// The text of `localizedDescription`: ``description``.
  public var errorDescription: String? { description }
}

extension LanguageModelTrainingError: LocalizedError {
  /// The text of `localizedDescription`: ``description``.
  public var errorDescription: String? { description }
}
