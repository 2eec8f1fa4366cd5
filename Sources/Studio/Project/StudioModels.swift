import Foundation
import ModelFormat
import Recognition

/// The models of a project, which may appear at any time, before those of other sources.
///
/// A model of the project is named after its file: two trainings on the same data have different
/// names here.
package struct StudioModels: ModelProvider {
  private let folder: URL
  private let others: any ModelProvider

  /// Makes the models of a folder of bundles, with other models behind them.
  package init(folder: URL, others: any ModelProvider) {
    self.folder = folder
    self.others = others
  }

  /// Makes the library of a project: its models, then the others. Default and choice of language
  /// are those of the others.
  ///
  /// - Parameters:
  ///   - project: The folder of the project.
  ///   - others: The other models.
  package static func library(of project: URL, others: ModelLibrary) -> ModelLibrary {
    let models = StudioModels(
      folder: project.appendingPathComponent("models"), others: others)
    return ModelLibrary(
      [models], defaultModel: others.defaultModel, choosesLanguage: others.choosesLanguage)
  }

  /// The reason why the other models cannot be listed; nil if they can.
  package var fault: (any Error)? { others.fault }

  /// The models that are in the folder now, then the others.
  package var models: [ModelDescription] {
    let own = bundles.compactMap { url -> ModelDescription? in
      guard let manifest = try? ModelBundle.manifest(of: url) else { return nil }
      var description = ModelDescription(manifest)
      description.identifier = Self.identifier(of: url)
      return description
    }
    let names = Set(own.map(\.identifier))
    return own + others.models.filter { !names.contains($0.identifier) }
  }

  /// Returns the bundle of a model; nil if there is none.
  package func bundleURL(of identifier: String) -> URL? {
    bundles.first { Self.identifier(of: $0) == identifier } ?? others.bundleURL(of: identifier)
  }

  private var bundles: [URL] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".ductus") && !$0.hasPrefix(".") }.sorted()
      .map { folder.appendingPathComponent($0) }
  }

  private static func identifier(of url: URL) -> String {
    url.deletingPathExtension().lastPathComponent
  }
}
