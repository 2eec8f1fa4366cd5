import Foundation
import ModelFormat

/// The description of a configuration bundle: the file `NAME.bundle.json` in a folder of the key
/// `configuration-manager.search-path`.
///
///     {"configurations": {"digits": {"model": "latin-lines", "alphabet": "0123456789"}}}
///
/// Each configuration names a model, and may restrict what it reads to an alphabet and a lexicon.
/// Folders are searched in order, and the first file with the name is used. If there is none, the
/// models themselves define the bundles.
struct BundleDescription {
  private let configurations: [String: JSONValue]
  private let path: String

  /// Returns the description of a bundle, or nil if no folder has one.
  ///
  /// - Throws: ``EditorError/malformedBundle(path:reason:)``.
  static func find(_ name: String, in folders: [String]) throws(EditorError) -> BundleDescription? {
    guard !name.contains("/"), !name.contains("\0") else { return nil }
    for folder in folders {
      let path = folder + "/" + name + ".bundle.json"
      guard FileManager.default.fileExists(atPath: path) else { continue }
      guard let bytes = FileManager.default.contents(atPath: path) else {
        throw .malformedBundle(path: path, reason: "the file cannot be read")
      }
      return try BundleDescription(parsing: bytes, path: path)
    }
    return nil
  }

  init(parsing bytes: Data, path: String) throws(EditorError) {
    self.path = path
    guard let json = try? JSONValue(parsing: bytes), case .object(let members) = json else {
      throw .malformedBundle(path: path, reason: "expected a JSON object")
    }
    guard case .object(let configurations)? = members["configurations"] else {
      throw .malformedBundle(path: path, reason: "expected an object \"configurations\"")
    }
    self.configurations = configurations
  }

  /// Returns a configuration of the bundle, or nil if it has none with this name.
  ///
  /// - Throws: ``EditorError/malformedBundle(path:reason:)``.
  func configuration(
    _ name: String, bundle: String
  ) throws(EditorError) -> TextConfiguration? {
    guard let value = configurations[name] else { return nil }
    guard case .object(let members) = value, case .string(let model)? = members["model"],
      !model.isEmpty
    else {
      throw .malformedBundle(path: path, reason: "\(name): expected an object with a \"model\"")
    }
    var result = TextConfiguration(bundle: bundle, name: name, model: model)
    switch members["alphabet"] {
    case nil: break
    case .string(let text)?: result.alphabet = text
    default: throw .malformedBundle(path: path, reason: "\(name).alphabet: expected a string")
    }
    switch members["lexicon"] {
    case nil: break
    case .array(let values)?:
      for value in values {
        guard case .string(let word) = value else {
          throw .malformedBundle(path: path, reason: "\(name).lexicon: expected strings")
        }
        result.lexicon.append(word)
      }
    default: throw .malformedBundle(path: path, reason: "\(name).lexicon: expected strings")
    }
    return result
  }
}
