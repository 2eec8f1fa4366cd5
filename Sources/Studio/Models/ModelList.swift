import Foundation
import InkDatasets
import ModelFormat
import ModelStore
import Recognition

/// The models of the studio with what their manifests say.
package struct ModelList: Sendable {
  /// The place of a model.
  package enum Place: String, Encodable, Sendable {
    /// In `models/` of the project.
    case project
    /// In the user's store of installed models.
    case installed
    /// Part of Ductus, or named on the command line.
    case shipped
  }

  /// A model.
  package struct Model: Encodable, Sendable {
    package var identifier: String
    var name: String
    package var kind: ModelManifest.Kind
    var version: Int
    var languages: [String]
    package var place: Place
    var bytes: Int
    var labels: [String]
    var labelCount: Int
    package var metrics: [ModelManifest.Metric]
    package var sources: [ModelManifest.DataSource]
    var training: Training?
    /// Data that was held out of training and has not chosen the model, so that its figures are
    /// honest; nil if the manifest does not tell.
    package var testData: [String]?
    /// The fingerprint of the signer; nil without a signature.
    package var signer: String?
    /// The reason why the model cannot be used.
    package var problem: String?
    /// True for an installed model that a model of the project with the same name hides.
    var isHidden = false
  }

  /// The part of the training record that people ask for.
  struct Training: Encodable, Sendable {
    var epochs: Int
    var samples: Int
    var writers: Int?
    var seconds: Double
    var date: String
  }

  private let context: StudioContext

  package init(_ context: StudioContext) { self.context = context }

  /// The most labels that are listed.
  private static let mostLabels = 200

  /// All models: those of the project first. An installed model that one of the project hides is
  /// listed too, so that it can be deleted.
  package func models() -> [Model] {
    let models = context.configuration.library.models.compactMap { description -> Model? in
      guard let url = context.configuration.library.bundleURL(of: description.identifier) else {
        return nil
      }
      return model(description, url)
    }
    let shown = Set(models.filter { $0.place == .installed }.map(\.identifier))
    let hidden = installed.filter { !shown.contains($0.identifier) }.compactMap { each in
      var model = model(each.description, each.url)
      model?.isHidden = true
      return model
    }
    return models + hidden
  }

  /// The models in the user's store. A manager creates its folder, so none is made without one.
  private var installed: [InstalledModel] {
    let store = ModelManager.defaultStorage
    guard FileManager.default.fileExists(atPath: store.path) else { return [] }
    return (try? ModelManager(storage: store))?.downloadedModels ?? []
  }

  private func model(_ description: ModelDescription, _ url: URL) -> Model? {
    guard let manifest = try? ModelBundle.manifest(of: url) else { return nil }
    let place = place(of: url)
    var model = Model(
      identifier: description.identifier, name: manifest.name, kind: manifest.kind,
      version: manifest.modelVersion, languages: manifest.languages, place: place,
      bytes: manifest.parts.reduce(0) { $0 + max(0, $1.length) },
      labels: Array(manifest.labels.prefix(Self.mostLabels)), labelCount: manifest.labels.count,
      metrics: manifest.metrics, sources: manifest.data,
      training: manifest.training.map {
        Training(
          epochs: $0.epochs, samples: $0.samples, writers: $0.writers,
          seconds: $0.durationSeconds, date: $0.date)
      })
    if place == .project { model.testData = testData(manifest) }
    do {
      model.signer = try ModelBundle.signature(of: url)?.key.fingerprint
    } catch {
      model.problem = "\(error)"
    }
    return model
  }

  private func place(of url: URL) -> Place {
    func isIn(_ folder: URL) -> Bool {
      url.resolvingSymlinksInPath().path.hasPrefix(folder.resolvingSymlinksInPath().path + "/")
    }
    if isIn(context.project.root.appendingPathComponent("models")) { return .project }
    return isIn(ModelManager.defaultStorage) ? .installed : .shipped
  }

  /// The test part of the data whose validation part the figures of the manifest are of.
  private func testData(_ manifest: ModelManifest) -> [String]? {
    guard let named = manifest.metrics.first?.data else { return nil }
    let parts = named.components(separatedBy: ", ").map { text -> String? in
      guard let data = try? context.data.specification(text), data.split == .val else { return nil }
      return text.replacingOccurrences(of: "split=val", with: "split=test")
    }
    let found = parts.compactMap { $0 }
    return found.count == parts.count ? found : nil
  }
}
