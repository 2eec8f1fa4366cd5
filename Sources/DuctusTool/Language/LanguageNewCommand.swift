import ArgumentParser
import Files
import Foundation
import InkDatasets
import LanguageModels
import Metrics
import ModelFormat
import Recognition
import Training

/// `ductus language new`.
package struct LanguageNewCommand: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Make the pack of a language from sentences.",
    discussion: """
      A pack is a model that shares the network of another one, and has its own letters, rules for \
      case, quotes and spaces, language model and word list. The letters come from CLDR, or from the \
      text if CLDR does not have the language. Every tenth sentence is held out: the decoder is tuned \
      and measured on lines that virtual writers write. The figures are those of synthesised ink; \
      real writing has more errors. Without --text the pack has letters and rules only.

      The text is UTF-8 with one sentence per line; 1,000 sentences are enough to begin with.

      With a glyph model as --from, as for Japanese, the result is a model of lines whose characters do \
      not touch. It is tuned on the val part of --ink and measured on the test part.

      Examples:
        ductus language new cs --text cs.txt
        ductus recognize --model cs.ductus page.xopp
        ductus language new ja --text ja.txt --ink ink:ja-lines.jsonl
      """)

  @Argument(help: ArgumentHelp("The tag of the language, such as cs or sr-Latn.", valueName: "tag"))
  var tag: String

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("Files of sentences, one per line.", valueName: "file"))
  var text: [String] = []

  @Option(
    help: ArgumentHelp(
      "The letters of the language, without capitals, instead of those of CLDR.",
      valueName: "letters"))
  var letters: String?

  @Option(
    help: ArgumentHelp(
      "The model whose network the pack shares; default: that of the script of the language, such as "
        + "latin-lines, hebrew-lines or japanese-characters.",
      valueName: "model"))
  var from: String?

  @Option(
    name: .customLong("max-bytes"),
    help: ArgumentHelp("The most bytes of the language model.", valueName: "n"))
  var maximumBytes = LanguagePackBuilder.Options().maximumBytes

  @Option(
    help: ArgumentHelp("The identifier of the pack; default: the tag.", valueName: "identifier"))
  var identifier: String?

  @Option(
    help: ArgumentHelp("The display name of the pack; default: the language's.", valueName: "text"))
  var name: String?

  @Option(
    name: .customLong("source"),
    help: ArgumentHelp(
      "The source of the text; repeatable.", valueName: "name;licence;attribution"))
  var sources: [String] = []

  @Option(
    help: ArgumentHelp(
      "Labelled lines to tune and measure on, instead of synthesised ones; repeatable.",
      valueName: "data"))
  var ink: [String] = []

  @Option(
    help: ArgumentHelp(
      "The most lines to tune on; 0 keeps the weights of the line model.", valueName: "n"))
  var tuningLines = LanguagePackBuilder.Options().tuningLines

  @Option(help: ArgumentHelp("The most lines to measure on.", valueName: "n"))
  var testLines = LanguagePackBuilder.Options().testLines

  @Option(help: ArgumentHelp("The version of the pack, from 1.", valueName: "n"))
  var modelVersion: Int?

  @Option(help: ArgumentHelp("The folder to write; default: TAG.ductus.", valueName: "folder"))
  var output: String?

  @OptionGroup var json: JSONOutput

  @OptionGroup var ranks: RankOptions

  package func validate() throws {
    guard maximumBytes >= 10_000 else {
      throw ValidationError("--max-bytes \(maximumBytes): expected 10000 or more")
    }
    if let modelVersion, modelVersion < 1 {
      throw ValidationError("--model-version \(modelVersion): expected 1 or more")
    }
    guard tuningLines >= 0, testLines >= 0 else {
      throw ValidationError("--tuning-lines, --test-lines: expected 0 or more")
    }
    for source in sources where ModelManifest.DataSource(parsing: source) == nil {
      throw ValidationError("--source \(source): expected name;licence;attribution, none empty")
    }
  }

  package func run() throws {
    try RankedRun.run(ranks) { try make($0) }
  }

  /// The model with the network of the script of a language, or the default one.
  private static func network(for tag: LanguageTag) throws -> String {
    let script = try tag.script ?? LanguageTable.cldr().row(for: tag)?.script
    return script.flatMap(ModelLibrary.network(ofScript:)) ?? ModelLibrary.usualModel
  }

  private func make(_ ranked: RankedRun) throws {
    let parsed = try LanguageTag(parsing: tag)
    let tag = parsed.description
    let from = try from ?? Self.network(for: parsed)
    let place = output ?? "\(tag).ductus"
    let url = URL(fileURLWithPath: place)
    if let problem = OutputPlace.problem(with: url.deletingLastPathComponent().path) {
      throw ToolError.unusableOutput(place, problem)
    }
    let started = ContinuousClock.now
    let base = try ModelLibrary.local.open(from)
    // The pack is opened once it is written, wherever the other model is.
    let folder = base.bundle.url.standardizedFileURL.deletingLastPathComponent()
    SharedParts.add { [folder] }
    let sentences = try text.flatMap { try Self.lines(of: $0) }
    let checksum = Array(sentences.joined(separator: "\n").utf8).withUnsafeBytes {
      Checksum.crc32($0)
    }
    try ranked.compare(
      model: base.bundle.manifest.parts.map(\.sha256).joined(separator: " "),
      data: String(checksum, radix: 16))
    var line = ProgressLine()
    func show(_ step: LanguagePackBuilder.Step) {
      let steps = LanguagePackBuilder.Step.allCases
      let done = steps.firstIndex(of: step) ?? 0
      guard ranked.isLeader else { return }
      line.show(Double(done) / Double(steps.count), step.rawValue)
    }
    let data = sources.compactMap { ModelManifest.DataSource(parsing: $0) }
    let command = ShellQuoting.command(Array(CommandLine.arguments.dropFirst()))
    var writer: ModelBundleWriter
    var summary: PackSummary
    if case .glyph = base.content {
      let pack = try CharacterPackBuilder(tag: tag, base: base, options: options())
        .build(lines: sentences, report: show)
      writer = try pack.bundle(sharing: base.bundle, data: data, command: command)
      summary = PackSummary(pack, output: place)
    } else {
      var builder = try LanguagePackBuilder(tag: tag, base: base, options: options())
      builder.ranks = ranked.ranks
      let pack = try builder.build(lines: sentences, report: show)
      writer = try pack.bundle(sharing: base.bundle, data: data, command: command)
      summary = PackSummary(pack, output: place)
    }
    line.clear()
    guard ranked.isLeader else { return }
    writer.change { manifest in
      manifest.identifier = identifier ?? manifest.identifier
      manifest.name = name ?? manifest.name
      manifest.version = modelVersion ?? manifest.version
    }
    _ = try writer.write(to: url)
    if url.standardizedFileURL.deletingLastPathComponent() != folder, !isKnown(base.bundle) {
      Outcome.writeToStandardError(
        "note: \(place) shares the network of \(from): keep both in one folder, or install one of "
          + "them with 'ductus models install'\n")
    }
    summary.bytes = writer.manifest.ownByteCount
    summary.seconds = (ContinuousClock.now - started) / .seconds(1)
    try json.write(summary, text: summary.text)
  }

  /// Returns whether packs find a model wherever they are: because it is installed or ships.
  private func isKnown(_ bundle: ModelBundle) -> Bool {
    let known = try? ModelLibrary.local.url(of: bundle.manifest.identifier)
    return known.flatMap { try? ModelBundle.manifest(of: $0).parts } == bundle.manifest.parts
  }

  private func options() throws -> LanguagePackBuilder.Options {
    var options = LanguagePackBuilder.Options()
    options.maximumBytes = maximumBytes
    options.letters = letters.map { $0.filter { !$0.isWhitespace }.map(String.init) }
    options.tuningLines = tuningLines
    options.testLines = testLines
    options.ink = try ink.map { try DataSpecification(parsing: $0) }
    return options
  }

  private static func lines(of path: String) throws -> [Substring] {
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw ToolError.badInput("\(path): expected a readable file of sentences, found none")
    }
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
  }
}

extension LanguagePackError: BadInputError {}

extension ModelManifest.DataSource {
  /// Parses `name;licence;attribution`; nil if one of them is empty.
  init?(parsing text: String) {
    let parts = text.split(separator: ";", omittingEmptySubsequences: false).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
    self.init(name: parts[0], licence: parts[1], attribution: parts[2])
  }
}
