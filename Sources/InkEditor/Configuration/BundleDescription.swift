import Foundation
import ModelFormat

/// The description of a configuration bundle: the file `NAME.bundle.json` in a folder of the key
/// `configuration-manager.search-path`.
///
///     {"configurations": {"digits": {"model": "latin-lines", "alphabet": "0123456789"}}}
///
/// Each configuration names a model, and may confine what it reads to characters and words. Folders are
/// searched in order; the first file of the name counts. Without one, the models themselves say which
/// bundles there are.
struct BundleDescription {
  private let configurations: [String: JSONValue]
  private let path: String

  /// The description of a bundle, or nil where no folder has one.
  ///
  /// - Throws: ``EditorError/malformedBundle(path:reason:)``.
  static func find(_ name: String, in folders: [String]) throws(EditorError) -> BundleDescription? {
    guard !name.contains("/"), !name.contains("\0") else { return nil }
    for folder in folders {
      let path = folder + "/" + name + ".bundle.json"
      guard FileManager.default.fileExists(atPath: path) else { continue }
      guard let bytes = FileManager.default.contents(atPath: path) else {
        throw .malformedBundle(path: path, reason: "it cannot be read")
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

  /// A configuration of the bundle, or nil where it has none of the name.
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
    default: throw .malformedBundle(path: path, reason: "\(name).alphabet: expected a text")
    }
    switch members["lexicon"] {
    case nil: break
    case .array(let values)?:
      for value in values {
        guard case .string(let word) = value else {
          throw .malformedBundle(path: path, reason: "\(name).lexicon: expected texts")
        }
        result.lexicon.append(word)
      }
    default: throw .malformedBundle(path: path, reason: "\(name).lexicon: expected texts")
    }
    return result
  }
}
