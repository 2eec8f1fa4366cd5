import Files
import Foundation
import InkCore
import LanguageModels
import ModelFormat

/// Reads ink in the best of several languages that share a network.
///
/// The network runs once per line. The language of the text before the ink is used if that is clear;
/// otherwise the language is that in which the text of the network alone is most probable.
/// ``RecognitionResult/language`` says which one it was. Thread-safe. Packs are opened when a text is
/// improbable in the first language.
///
///     let base = try OpenModel.open(latinLines)
///     let recognizer = try MultilingualRecognizer(base) { provider.packs(sharing: base.bundle) }
public final class MultilingualRecognizer: ScriptReader, Sendable {
  /// The recogniser of the preferred language.
  public let first: LineRecognizer
  private let packs: @Sendable () throws -> [URL]
  private let opened = Guarded<[LineRecognizer]?>(nil)

  /// Makes a recogniser.
  ///
  /// - Parameters:
  ///   - base: The line model of the preferred language.
  ///   - packs: Returns the bundles of the other languages. Those with another network or without a
  ///     language model are not used.
  /// - Throws: ``ModelError`` if the model is not one of lines, and the errors of opening its parts.
  @usableFromInline package init(_ base: OpenModel, packs: @escaping @Sendable () throws -> [URL])
    throws
  {
    guard let first = try base.recognizer() as? LineRecognizer else {
      throw ModelError.unsupportedKind(
        path: base.bundle.url.path, expected: "line", found: base.bundle.manifest.kind.rawValue)
    }
    self.first = first
    self.packs = packs
  }

  /// Nil, because there is no list of all texts.
  public var labels: [String]? { nil }

  /// The direction of the network that all languages share.
  public var direction: WritingDirection { first.direction }

  /// Reads one ink; see ``LineRecognizer/recognize(_:context:maximumCandidates:)``.
  ///
  /// - Throws: The errors of that method, and those of opening a pack.
  public func recognize(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
  ) throws -> RecognitionResult {
    try explained(ink, context: context, maximumCandidates: maximumCandidates).result
  }

  package func explained(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
  ) throws -> ExplainedResult {
    try first.explained(
      ink, context: context, maximumCandidates: maximumCandidates, others: { try self.others() })
  }

  private func others() throws -> [LineRecognizer] {
    if let opened = opened.withLock({ $0 }) { return opened }
    let urls = try packs()
    let workers = max(1, min(urls.count, ProcessInfo.processInfo.activeProcessorCount))
    // The bundles stay open until all are: so their shared parts are mapped and hashed once.
    let found = try WorkerPool(count: workers).map(urls.count) { index in
      let bundle = try ModelBundle.open(urls[index])
      return (bundle, try self.recognizer(of: bundle))
    }
    let made = found.compactMap(\.1)
    return opened.withLock { opened in
      if let opened { return opened }
      opened = made
      return made
    }
  }
}

extension MultilingualRecognizer {
  /// The recogniser of a pack; nil if it has another network or no language model.
  private func recognizer(of bundle: ModelBundle) throws -> LineRecognizer? {
    let model = try LineModel(bundle: bundle)
    guard model.sharesNetwork(with: first.model) else { return nil }
    let companions = try LineCompanions(languagesOf: bundle)
    guard let language = companions.language else { return nil }
    return try first.changed(
      to: language.model, rules: companions.rules, tag: companions.tag,
      configuration: companions.configuration(of: model))
  }
}

extension ModelProvider {
  /// The bundles of line models of other languages that have the same network as a model.
  /// O(models); reads manifests only.
  public func packs(sharing base: ModelBundle) -> [URL] {
    let role = ModelManifest.Part.networkRole
    let network = base.manifest.part(role: role)?.sha256
    return models.filter { $0.kind == .line && $0.identifier != base.manifest.identifier }
      .compactMap { model -> URL? in
        guard let url = bundleURL(of: model.identifier),
          let manifest = try? ModelBundle.manifest(of: url),
          manifest.part(role: role)?.sha256 == network,
          manifest.part(role: ModelManifest.Part.languageRole) != nil
        else { return nil }
        return url
      }
  }
}
