import Foundation
import LanguageModels
import ModelFormat

/// A language model with the hash of its file, by which a line model knows how to decode with it.
public struct LanguageModelFile: Sendable {
  /// The model, mapped from the file.
  public let model: LanguageModel
  /// The SHA-256 of the file, 64 lowercase hexadecimal digits.
  public let sha256: String

  /// Opens and checks a file. O(bytes).
  ///
  /// - Throws: `LanguageModelError`, or Foundation's error where the file cannot be read.
  public init(contentsOf path: String) throws {
    model = try LanguageModel(contentsOf: path)
    sha256 = ModelBundle.sha256(
      try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe))
  }
}
