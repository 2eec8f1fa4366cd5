import Files
import Foundation
import ModelFormat
import Recognition

/// The models that ship with this package, as resources of this module. They need no download.
///
/// - `latin-lines`: English words and lines, with a language model.
/// - `cyrillic-lines`, `greek-lines`, `georgian-lines`, `hebrew-lines`, `armenian-lines`: words and
///   lines of these scripts; `und-Cyrl`, `und-Grek`, `und-Geor`, `und-Hebr`, `und-Armn`. Packs of languages
///   share their networks.
/// - `latin-characters`: digits, letters and symbols, one at a time.
/// - `japanese-characters`: kana, kanji, digits and punctuation of Japanese, one at a time; `ja`.
/// - `formulas`: mathematical formulas, as LaTeX and MathML; `zxx-Zmth`.
/// - `shapes`: the shapes of diagrams, and `other` for writing and drawings.
/// - `gestures`: editing gestures, and `writing`; `en-x-gesture`, for any language.
/// - `sketches`: the names of drawings; `zxx-Zsym-x-autodraw`.
/// - `emoji`: drawings that have an emoji, which is the answer; `zxx-Zsye-x-emoji`.
///
/// Each bundle has a model card with data, licence, attribution and figures.
///
///     let recognizer = DigitalInkRecognizer(model: "en", provider: try PretrainedModels())
public struct PretrainedModels: ModelProvider {
  /// The folder with the bundles.
  public let folder: URL
  /// The models, sorted by identifier.
  public let models: [ModelDescription]
  private let urls: [String: URL]

  /// Finds the resources of this module: beside the executable, in the app or framework that
  /// contains it, or in the build folder of the tests.
  ///
  /// - Throws: ``PretrainedModelsError`` if they are missing, for example after moving an
  ///   executable without its resources; `ModelFormatError` if they are damaged.
  public init() throws {
    try self.init(folder: Self.resources())
  }

  /// Returns the bundle of a shipped model, or nil if no shipped model has that name. Only looks up
  /// file names: each bundle of this module has the name of its model.
  ///
  /// - Throws: ``PretrainedModelsError`` if the resources of this module are missing.
  public static func shippedBundle(of identifier: String) throws(PretrainedModelsError) -> URL? {
    guard ModelManifest.isPortableName(identifier) else { return nil }
    let bundle = try resources().appendingPathComponent("\(identifier).ductus")
    return FileManager.default.fileExists(atPath: bundle.path) ? bundle : nil
  }

  /// The folder with the bundles of this module, without reading any of them.
  ///
  /// - Throws: ``PretrainedModelsError`` if the resources of this module are missing.
  public static func shippedFolder() throws(PretrainedModelsError) -> URL { try resources() }

  /// Returns the bundle of a shipped model by its name or one of its language tags, such as
  /// `zxx-Zsym-x-autodraw` or `en-x-gesture`; nil if there is none.
  ///
  /// - Throws: ``PretrainedModelsError`` if the resources of this module are missing;
  ///   `ModelFormatError` if a manifest is damaged.
  public static func shippedBundle(for name: String) throws -> URL? {
    if let url = try shippedBundle(of: name) { return url }
    guard let tag = try? LanguageTag(parsing: name) else { return nil }
    let models = try PretrainedModels()
    return try models.model(for: tag.description).flatMap { models.bundleURL(of: $0.identifier) }
  }

  /// The folder that was found last: searching all places takes a millisecond.
  private static let lastFolder = Guarded<URL?>(nil)

  private static func resources() throws(PretrainedModelsError) -> URL {
    if let known = lastFolder.withLock({ $0 }), ResourceFolder.first(of: [known]) != nil {
      return known
    }
    let places = ResourceFolder.places(
      of: "Models", in: "PretrainedModels", marker: Marker.self)
    guard let folder = ResourceFolder.first(of: places) else {
      throw .missingResources(places: places.map(\.path))
    }
    lastFolder.withLock { $0 = folder }
    return folder
  }

  /// Lists the bundles of a folder. Reads only their manifests; the parts of a model are checked
  /// when it is opened.
  ///
  /// - Throws: ``PretrainedModelsError`` if the folder cannot be read or holds no model;
  ///   `ModelFormatError` if a manifest cannot be read.
  public init(folder: URL) throws {
    self.folder = folder
    let names = try Self.names(in: folder).filter { $0.hasSuffix(".ductus") }.sorted()
    guard !names.isEmpty else { throw PretrainedModelsError.noModels(path: folder.path) }
    let found = try names.map { name in
      let url = folder.appendingPathComponent(name)
      return (ModelDescription(try ModelBundle.manifest(of: url)), url)
    }
    models = found.map(\.0).sorted { $0.identifier < $1.identifier }
    urls = Dictionary(found.map { ($0.0.identifier, $0.1) }) { first, _ in first }
  }

  private static func names(in folder: URL) throws(PretrainedModelsError) -> [String] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder) else {
      throw .unreadableFolder(path: folder.path, found: "nothing there")
    }
    guard isFolder.boolValue else { throw .unreadableFolder(path: folder.path, found: "a file") }
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder.path)
    } catch {
      throw .unreadableFolder(path: folder.path, found: "a folder that may not be read")
    }
  }

  /// Returns the bundle of a model, or nil if no shipped model has that name.
  public func bundleURL(of identifier: String) -> URL? {
    urls[identifier]
  }
}

/// A class of this module, used to find its bundle.
private final class Marker {}

/// A reason why shipped models cannot be used.
public enum PretrainedModelsError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The resources of this module are in none of the places that were searched.
  case missingResources(places: [String])
  /// The folder does not exist, is no folder, or cannot be read.
  case unreadableFolder(path: String, found: String)
  /// The folder holds no model.
  case noModels(path: String)

  /// The message: what was expected, where, and what to do.
  public var description: String {
    switch self {
    case .missingResources(let places):
      "shipped models not found: expected the resources of PretrainedModels in one of "
        + "\(places.joined(separator: ", ")); keep them beside the executable"
    case .unreadableFolder(let path, let found):
      "\(path): expected a readable folder of models, found \(found); check the path, or use "
        + "PretrainedModels() for the models that ship"
    case .noModels(let path):
      "\(path): expected model folders named NAME.ductus, found none; name the folder that holds "
        + "them, or use PretrainedModels() for the models that ship"
    }
  }
}

extension PretrainedModelsError: LocalizedError {
  /// The text of `localizedDescription`: ``description``.
  public var errorDescription: String? { description }
}
