import Foundation
import LanguageModels
import Metrics
import ModelFormat
import Recognition

/// The parts of a language that share the network of a line model: the result of
/// ``LanguagePackBuilder``.
package struct LanguagePack: Sendable {
  /// The figures of a pack on synthesised ink of virtual writers that nothing was tuned on.
  package struct Figures: Codable, Hashable, Sendable {
    /// The number of lines.
    package var lines: Int
    /// Character error rate of the network alone.
    package var greedy: Double
    /// Character error rate with the language of the line model that the pack shares the network
    /// with.
    package var without: Double
    /// Character error rate with the pack.
    package var with: Double
    /// The readings of letters beyond a to z without the pack.
    package var lettersWithout: LetterScores.Count
    /// The readings of letters beyond a to z with the pack.
    package var lettersWith: LetterScores.Count
    /// The letters that are read worst with the pack, with their share of right readings.
    package var worst: [String: LetterScores.Count]
  }

  /// The language tag, which is also the identifier of the pack.
  package var tag: String
  /// The English name of the language.
  package var name: String
  /// The letters and rules.
  package var rules: LanguageRules
  /// The bytes of the n-gram model; nil without text.
  package var languageModel: Data?
  /// The words with their frequencies, one per line; nil without text.
  package var words: String?
  /// The decoder configuration; nil for that of the line model.
  package var configuration: DecoderConfiguration?
  /// The letters that the network cannot read.
  package var missingLetters: [String]
  /// The number of sentences that were trained on.
  package var sentences: Int
  /// The figures; nil without text, or if no line could be written.
  package var figures: Figures?

  /// Makes the bundle of the pack, ready to be written.
  ///
  /// - Parameters:
  ///   - base: The line model whose network the pack shares.
  ///   - data: The sources of the text.
  ///   - command: The command that measures the figures.
  /// - Throws: `ModelFormatError`, `LanguageRulesError` or an encoding error.
  package func bundle(
    sharing base: ModelBundle, data: [ModelManifest.DataSource], command: String
  ) throws -> ModelBundleWriter {
    var manifest = base.manifest
    (manifest.identifier, manifest.name, manifest.version) = (tag, name, nil)
    manifest.languages = [tag]
    manifest.data = Self.sources(ofNetworkOf: base.manifest) + data
    // The record is that of the network; it is in the manifest of the base.
    manifest.training = nil
    manifest.metrics = figures.map { metrics($0, command) } ?? []
    let key = languageModel.map { ModelBundle.sha256($0) } ?? DecoderConfiguration.withoutModel
    let known = configuration.map { try? JSONValue(encoding: $0) }
    manifest.decoding =
      (known ?? manifest.decoding?[DecoderConfiguration.withoutModel]).map { [key: $0] }
    var writer = ModelBundleWriter(manifest: manifest)
    let shared = [ModelManifest.Part.networkRole, ModelManifest.Part.characterRole]
    for part in base.manifest.parts where shared.contains(part.role) {
      try writer.share(part, with: base.manifest.identifier)
    }
    if let languageModel {
      try writer.add(
        part: "language.ngram", role: ModelManifest.Part.languageRole, data: languageModel)
    }
    try writer.add(
      part: "language.json", role: ModelManifest.Part.rulesRole, data: rules.serialized())
    if let words {
      try writer.add(
        part: "words.txt", role: ModelManifest.Part.wordsRole, data: Data(words.utf8))
    }
    writer.omitsSharedParts = true
    return writer
  }

  /// The data of a network in short: each dataset with its licence and attribution once. The manifest
  /// of the network's own model names the parts of the datasets.
  static func sources(
    ofNetworkOf base: ModelManifest
  ) -> [ModelManifest.DataSource] {
    var sources: [ModelManifest.DataSource] = []
    // The language model of the base is not in the pack.
    for source in base.data where !source.name.hasPrefix("Language model") {
      var short = source
      let dataset = source.name.prefix { $0 != "(" }.trimmingCharacters(in: .whitespaces)
      short.name = "Network of \(base.identifier): \(dataset)"
      if !sources.contains(short) { sources.append(short) }
    }
    return sources
  }

  private func metrics(_ figures: Figures, _ command: String) -> [ModelManifest.Metric] {
    let data = "\(figures.lines) synthesised lines of held-out sentences and virtual writers"
    let values: [(String, Double?)] = [
      ("cer", figures.with), ("cerWithoutPack", figures.without), ("cerOfNetwork", figures.greedy),
      ("recallBeyondASCII", figures.lettersWith.rate),
      ("recallBeyondASCIIWithoutPack", figures.lettersWithout.rate),
    ]
    return values.compactMap { name, value in
      value.map { ModelManifest.Metric(name: name, value: $0, data: data, command: command) }
    }
  }
}
