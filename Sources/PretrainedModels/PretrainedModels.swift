import Files
import Foundation
import ModelFormat
import Recognition

/// The models that ship with this package, in the resources of this module: they work with no
/// download.
///
/// - `latin-lines`: English words and lines, with a language model.
/// - `latin-characters`: digits, letters and symbols, one at a time.
/// - `shapes`: the shapes of diagrams, and `other` for writing and drawings.
/// - `gestures`: editing gestures, and `writing`.
///
/// Each bundle has a model card with data, licence, attribution and figures.
///
///     let recognizer = DigitalInkRecognizer(model: "en", provider: try PretrainedModels())
public struct PretrainedModels: ModelProvider {
  /// The folder of the bundles.
  public let folder: URL
  /// The models, sorted by identifier.
  public let models: [ModelDescription]
  private let urls: [String: URL]

  /// Finds the resources of this module: beside the executable, in the app or framework that it is
  /// in, or in the folder that the tests were built into.
  ///
  /// - Throws: ``PretrainedModelsError`` where they are not there, as after moving an executable
  ///   without its resources; `ModelFormatError` where they were damaged.
  public init() throws {
    try self.init(folder: Self.resources())
  }

  /// The bundle of a model that ships, or nil where none of that name does. Reads nothing but the
  /// names of files: each bundle of this module has the name of its model.
  ///
  /// - Throws: ``PretrainedModelsError`` where the resources of this module are not there.
  public static func shippedBundle(of identifier: String) throws(PretrainedModelsError) -> URL? {
    guard ModelManifest.isPortableName(identifier) else { return nil }
    let bundle = try resources().appendingPathComponent("\(identifier).ductus")
    return FileManager.default.fileExists(atPath: bundle.path) ? bundle : nil
  }

  private static func resources() throws(PretrainedModelsError) -> URL {
    let places = ResourceFolder.places(
      of: "Models", in: "PretrainedModels", marker: Marker.self)
    guard let folder = ResourceFolder.first(of: places) else {
      throw PretrainedModelsError(places: places.map(\.path))
    }
    return folder
  }

  /// Takes the bundles of a folder. Reads their manifests alone: the parts of a model are checked when
  /// it is opened.
  ///
  /// - Throws: `ModelFormatError` where a manifest cannot be read, or Foundation's error where the
  ///   folder cannot be read.
  public init(folder: URL) throws {
    self.folder = folder
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let found = try names.filter { $0.hasSuffix(".ductus") }.sorted().map { name in
      let url = folder.appendingPathComponent(name)
      return (ModelDescription(try ModelBundle.manifest(of: url)), url)
    }
    models = found.map(\.0).sorted { $0.identifier < $1.identifier }
    urls = Dictionary(found.map { ($0.0.identifier, $0.1) }) { first, _ in first }
  }

  /// The bundle of a model, or nil where none of that name ships.
  public func bundleURL(of identifier: String) -> URL? {
    urls[identifier]
  }
}

/// Something of this module, by which its bundle is found.
private final class Marker {}

/// The resources with the models are not there.
public struct PretrainedModelsError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where they were looked for.
  public let places: [String]

  /// Makes an error.
  public init(places: [String]) { self.places = places }

  /// What was looked for, where, and what to do.
  public var description: String {
    "the models that ship: expected the resources of PretrainedModels in one of "
      + "\(places.joined(separator: ", ")), found none; keep them beside the executable"
  }
}
