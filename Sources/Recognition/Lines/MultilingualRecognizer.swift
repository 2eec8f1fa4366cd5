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
/// improbable in the first language; only that of the chosen one takes more than its file.
///
///     let base = try OpenModel.open(latinLines)
///     let recognizer = try MultilingualRecognizer(base) { provider.packs(sharing: base.bundle) }
public final class MultilingualRecognizer: ScriptReader, Sendable {
  /// The recogniser of the preferred language.
  public let first: LineRecognizer
  private let packs: @Sendable () throws -> [URL]
  private let opened = Guarded<[LanguageOption]?>(nil)

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
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int, leastCharacters: Int
  ) throws -> ExplainedResult {
    try first.explained(
      ink, context: context, maximumCandidates: maximumCandidates,
      leastCharacters: leastCharacters, others: { try self.others() })
  }

  private func others() throws -> [LanguageOption] {
    if let opened = opened.withLock({ $0 }) { return opened }
    let urls = try packs()
    let workers = max(1, min(urls.count, ProcessInfo.processInfo.activeProcessorCount))
    // The bundles stay open until all are: so their shared parts are mapped and hashed once.
    let found = try WorkerPool(count: workers).map(urls.count) { index in
      let bundle = try ModelBundle.open(urls[index])
      return (bundle, try self.option(of: bundle))
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
  /// The language of a pack; nil if it has another network or no language model. Its language model
  /// is expanded when the language is chosen.
  private func option(of bundle: ModelBundle) throws -> LanguageOption? {
    guard try LineModel(bundle: bundle).sharesNetwork(with: first.model),
      let part = bundle.manifest.part(role: ModelManifest.Part.languageRole),
      let mapping = bundle.mapping(of: part.name)
    else { return nil }
    let first = first
    @Sendable func reader() throws -> LineRecognizer {
      let companions = try LineCompanions(languagesOf: bundle)
      return try first.changed(
        to: companions.language?.model, rules: companions.rules, tag: companions.tag,
        configuration: companions.configuration(of: LineModel(bundle: bundle)))
    }
    let packed = try PackedLanguageModel(
      sharing: mapping.bytes, of: mapping,
      path: bundle.url.appendingPathComponent(part.name).path)
    guard let packed else { return try LanguageOption(reader()) }
    let languages = bundle.manifest.languages
    return LanguageOption(
      languages.count == 1 ? languages[0] : nil, LineLikelihood(packed),
      try LanguageRules(of: bundle), reader: reader)
  }
}

extension ModelProvider {
  /// The bundles of line models of other languages that have the same network as a model.
  /// O(models); reads only the manifests of models that were described without them.
  public func packs(sharing base: ModelBundle) -> [URL] {
    let network = ModelDescription.SharedReading(base.manifest).network
    func isPack(_ reading: ModelDescription.SharedReading) -> Bool {
      reading.hasLanguage && reading.network == network
    }
    return models.filter { $0.kind == .line && $0.identifier != base.manifest.identifier }
      .compactMap { model -> URL? in
        if let known = model.sharedReading, !isPack(known) { return nil }
        guard let url = bundleURL(of: model.identifier) else { return nil }
        if model.sharedReading != nil { return url }
        let manifest = try? ModelBundle.manifest(of: url)
        return manifest.map { isPack(ModelDescription.SharedReading($0)) } == true ? url : nil
      }
  }
}
