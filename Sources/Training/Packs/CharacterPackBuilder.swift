import Files
import Foundation
import InkCore
import InkDatasets
import LanguageModels
import Metrics
import ModelFormat
import Recognition

/// Makes a model of lines of single characters from a glyph model and text: an n-gram model, and weights
/// that are tuned on lines of the language.
///
///     let builder = try CharacterPackBuilder(tag: "ja", base: try OpenModel.open(japaneseCharacters))
///     let pack = try builder.build(lines: text.split(separator: "\n"))
package struct CharacterPackBuilder {
  /// The occurrences from which a character is a symbol of the language model.
  private static let minimumCount = 2
  /// The length of the longest n-grams: texts of thousands of different characters have few longer ones
  /// twice.
  private static let order = 5
  /// The most trials of a search for the weights.
  private static let trials = 80
  /// The first steps of the search: language model, character bonus, slope of gaps, even gap, loss of
  /// extent, bonus of signs.
  private static let steps: [Float] = [0.1, 0.5, 4, 0.05, 3, 1]
  /// The temperatures that are tried.
  private static let temperatures: [Float] = (0...16).map { 0.4 * pow(1.2, Float($0)) }

  /// The tag of the language.
  package let tag: String
  private let base: OpenModel
  private let glyphs: GlyphModel
  private let options: LanguagePackBuilder.Options
  private let name: String

  /// Makes a builder.
  ///
  /// - Parameters:
  ///   - tag: A language tag.
  ///   - base: The glyph model.
  ///   - options: The settings. Letters and words are not used.
  /// - Throws: `RecognitionError.malformedLanguageTag(_:)`, or `ModelError` for another kind of model.
  package init(
    tag: String, base: OpenModel, options: LanguagePackBuilder.Options
  ) throws {
    self.tag = try LanguageTag(parsing: tag).description
    (self.base, self.options) = (base, options)
    glyphs = try base.glyph()
    name = try LanguageTable.cldr().row(for: LanguageTag(parsing: tag))?.name ?? tag
  }

  /// Makes the model.
  ///
  /// - Parameters:
  ///   - lines: Sentences, one per line.
  ///   - report: Called at the beginning of each step.
  /// - Throws: ``LanguagePackError``, or the errors of training, of data and of the models.
  package func build(
    lines: some Sequence<Substring>, report: (LanguagePackBuilder.Step) -> Void = { _ in }
  ) throws -> CharacterPack {
    report(.reading)
    let labels = Set(glyphs.labels)
    let sentences = Self.sentences(lines)
    guard sentences.count >= 20 else {
      throw LanguagePackError.tooLittleText(sentences: sentences.count)
    }
    var pack = CharacterPack(tag: tag, name: name, glyphs: glyphs, sentences: sentences.count)
    pack.missing = Self.missing(sentences, labels)
    report(.training)
    pack.languageModel = Data(try trained(sentences))
    let language = try LanguageModel(bytes: [UInt8](pack.languageModel))
    report(.synthesis)
    let plain = try CharacterLineRecognizer(model: CharacterLineModel(glyphs: glyphs))
    let tuning = try read(.val, options.tuningLines, plain)
    let testing = try read(.test, options.testLines, plain)
    if !tuning.isEmpty {
      report(.tuning)
      pack.configuration = try tuned(tuning, plain, language)
      pack.plainConfiguration = try tuned(tuning, plain, nil)
    }
    guard !testing.isEmpty else { return pack }
    report(.measuring)
    let without = try plain.changed(to: pack.plainConfiguration, languageModel: nil)
    let with = try plain.changed(to: pack.configuration, languageModel: language)
    pack.figures = CharacterPack.Figures(
      lines: testing.count, without: try errors(testing, without).characterErrorRate ?? 0,
      with: try errors(testing, with).characterErrorRate ?? 0)
    return pack
  }

  /// The sentences, each once, without white space.
  private static func sentences(_ lines: some Sequence<Substring>) -> [String] {
    var seen: Set<String> = []
    return lines.map { line in
      String(line.filter { !$0.isWhitespace }).precomposedStringWithCanonicalMapping
    }.filter { !$0.isEmpty && seen.insert($0).inserted }
  }

  /// The characters of a text that the model does not know, the most frequent first.
  private static func missing(_ sentences: [String], _ labels: Set<String>) -> [String] {
    var counts: [Character: Int] = [:]
    for sentence in sentences {
      for character in sentence { counts[character, default: 0] += 1 }
    }
    return counts.filter { !labels.contains(String($0.key)) }
      .sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { String($0.key) }
  }

  private func trained(_ sentences: [String]) throws -> [UInt8] {
    var text = NormalizedText(linesAreTexts: true)
    text.append(sentences.joined(separator: "\n"))
    var settings = LanguageModelTrainer.Options()
    settings.order = Self.order
    settings.minimumCount = Self.minimumCount
    settings.maximumBytes = options.maximumBytes
    settings.isPacked = true
    while true {
      do {
        return try LanguageModelTrainer.train(text, options: settings)
      } catch LanguageModelTrainingError.orderOutOfRange(_, let maximum, _)
        where (2..<settings.order).contains(maximum)
      {
        settings.order = maximum
      }
    }
  }

  /// A line whose groups are read.
  private struct Line: Sendable {
    var groups: CharacterGroups
    var reference: String
  }

  /// Reads the groups of the given lines of a part. Every second line is read without its writing area.
  private func read(
    _ part: DataSplit, _ limit: Int, _ recognizer: CharacterLineRecognizer
  ) throws -> [Line] {
    var inks: [LabeledInk] = []
    for specification in options.ink.map({ $0.withDefaultSplit(part) }) where inks.count < limit {
      for case .success(let record) in try specification.records() {
        if inks.count == limit { break }
        if !record.labeled.ink.isEmpty { inks.append(record.labeled) }
      }
    }
    let pool = WorkerPool(count: ProcessInfo.processInfo.activeProcessorCount)
    return try pool.map(inks.count) { [inks] index in
      let ink = inks[index]
      let area = index.isMultiple(of: 2) ? ink.writingArea : nil
      return Line(
        groups: try recognizer.groups(
          of: ink.ink, context: RecognitionContext(writingArea: area)),
        reference: TextErrorRate.reference(ink.label, without: []))
    }
  }

  private func errors(
    _ lines: [Line], _ recognizer: CharacterLineRecognizer
  ) throws -> TextErrorRate {
    let pool = WorkerPool(count: ProcessInfo.processInfo.activeProcessorCount)
    let texts = try pool.map(lines.count) {
      try recognizer.texts(of: lines[$0].groups).first?.text ?? ""
    }
    var errors = TextErrorRate()
    for (line, text) in zip(lines, texts) {
      errors.add(reference: line.reference, hypothesis: text)
    }
    return errors
  }

  /// The weights with the fewest errors, and the temperature with which the probabilities of right
  /// readings are largest.
  private func tuned(
    _ lines: [Line], _ plain: CharacterLineRecognizer, _ language: LanguageModel?
  ) throws -> CharacterLineConfiguration {
    func configuration(_ numbers: [Float]) -> CharacterLineConfiguration {
      var result = CharacterLineConfiguration()
      (result.languageModelWeight, result.characterBonus) = (numbers[0], numbers[1])
      (result.gapSlope, result.evenGap) = (numbers[2], numbers[3])
      (result.extentLoss, result.signBonus) = (numbers[4], numbers[5])
      return result
    }
    let start = CharacterLineConfiguration()
    var trials = 0
    let found = try PatternSearch.minimum(
      from: [
        [
          start.languageModelWeight, start.characterBonus, start.gapSlope, start.evenGap,
          start.extentLoss, start.signBonus,
        ]
      ], steps: Self.steps, halvings: 2
    ) { numbers in
      guard trials < Self.trials, numbers[0] >= 0, numbers[2] >= 0, numbers[4] >= 0 else {
        return .infinity
      }
      trials += 1
      let reader = try plain.changed(to: configuration(numbers), languageModel: language)
      return try errors(lines, reader).characterErrorRate ?? 0
    }
    var best = configuration(found.point)
    let reader = try plain.changed(to: best, languageModel: language)
    let readings = try lines.map { (try reader.texts(of: $0.groups), $0.reference) }
    func loss(_ temperature: Float) -> Double {
      readings.reduce(0) { sum, line in
        let scores = line.0.map { log(max($0.probability, 1e-300)) / Double(temperature) }
        let highest = scores.max() ?? 0
        let total = highest + log(scores.reduce(0) { $0 + exp($1 - highest) })
        let right = zip(line.0, scores).first { $0.0.text == line.1 }?.1
        return sum - max((right ?? -.infinity) - total, -20)
      }
    }
    best.temperature =
      Self.temperatures.min { loss($0) < loss($1) } ?? best.temperature
    return best
  }
}

/// A model of lines of single characters: the result of ``CharacterPackBuilder``.
package struct CharacterPack: Sendable {
  /// The figures on lines that nothing was tuned on.
  package struct Figures: Codable, Hashable, Sendable {
    /// The number of lines.
    package var lines: Int
    /// Character error rate without a language model.
    package var without: Double
    /// Character error rate with it.
    package var with: Double
  }

  /// The language tag, which is also the identifier.
  package var tag: String
  /// The English name of the language.
  package var name: String
  /// The glyph model.
  package var glyphs: GlyphModel
  /// The number of sentences that were trained on.
  package var sentences: Int
  /// The bytes of the n-gram model.
  package var languageModel = Data()
  /// The weights with the language model.
  package var configuration = CharacterLineConfiguration()
  /// The weights without it.
  package var plainConfiguration = CharacterLineConfiguration()
  /// The characters of the text that the model does not know, the most frequent first.
  package var missing: [String] = []
  /// The figures; nil without lines.
  package var figures: Figures?

  /// Makes the bundle, ready to be written. It shares the network of the glyph model.
  ///
  /// - Parameters:
  ///   - base: The bundle of the glyph model.
  ///   - data: The sources of the text.
  ///   - command: The command that measures the figures.
  /// - Throws: `ModelFormatError` or an encoding error.
  package func bundle(
    sharing base: ModelBundle, data: [ModelManifest.DataSource], command: String
  ) throws -> ModelBundleWriter {
    var manifest = base.manifest
    (manifest.identifier, manifest.name, manifest.version) = (tag, name, nil)
    manifest.kind = .line
    manifest.languages = [tag]
    manifest.data = LanguagePack.sources(ofNetworkOf: base.manifest) + data
    // The record is that of the network; it is in the manifest of the base.
    manifest.training = nil
    manifest.metrics = figures.map { metrics($0, command) } ?? []
    let model = CharacterLineModel(
      glyphs: glyphs,
      decoding: [
        ModelBundle.sha256(languageModel): configuration,
        DecoderConfiguration.withoutModel: plainConfiguration,
      ])
    try model.describe(in: &manifest)
    var writer = ModelBundleWriter(manifest: manifest)
    for part in base.manifest.parts where part.role == ModelManifest.Part.networkRole {
      try writer.share(part, with: base.manifest.identifier)
    }
    try writer.add(
      part: "language.ngram", role: ModelManifest.Part.languageRole, data: languageModel)
    writer.omitsSharedParts = true
    return writer
  }

  private func metrics(_ figures: Figures, _ command: String) -> [ModelManifest.Metric] {
    let data = "\(figures.lines) lines of single characters"
    return [("cer", figures.with), ("cerOfNetwork", figures.without)].map { name, value in
      ModelManifest.Metric(name: name, value: value, data: data, command: command)
    }
  }
}
