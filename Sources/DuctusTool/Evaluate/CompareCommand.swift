import ArgumentParser
import Evaluation
import Foundation
import InkDatasets
import ModelFormat
import Recognition
import Reports

/// `ductus compare`.
package struct Compare: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    abstract: "Compare two models on the same labelled ink.",
    discussion: """
      Both models read each ink before the next one, on one thread. Differences are the second \
      model minus the first, with 95 % intervals over writers. Data with splits= or fold= and no \
      split= is scored on its test part.

      exec:COMMAND is a program that speaks the protocol of 'ductus recognize -'; 'ductus evaluate \
      --help' has more.

      A rule of --fail-if ends the command with exit code 1 when it holds, so that a script can \
      refuse a model that is worse.

      Example:
        ductus compare shipped.ductus new.ductus --data 'ink:mine.jsonl?split=test' \\
          --fail-if 'cer > 0.2%' --fail-if 'latencyMs.p95 > 1'
      """)

  @Argument(
    help: """
      The reference: NAME.ductus, the name of an installed or shipped model, or exec:COMMAND.
      """)
  var first: String

  @Argument(help: "The model to compare with it.")
  var second: String

  @OptionGroup var labeled: LabeledDataOptions

  @OptionGroup var output: JSONOutput

  @Option(
    help: ArgumentHelp(
      "Write figures, writers and the inks that differ to DIR/index.html.",
      valueName: "dir"))
  var report: String?

  @Option(
    help: ArgumentHelp(
      "Fail if second minus first satisfies METRIC OP DIFFERENCE; repeatable.",
      valueName: "rule"))
  var failIf: [String] = []

  @OptionGroup var reading: LineReadingOptions

  @OptionGroup var program: ProgramOptions

  @Flag(help: "Line models: the networks alone, the best symbol of each time step.")
  var greedy = false

  package func validate() throws {
    try reading.validate(greedy: greedy)
    try program.check(models: [first, second])
  }

  package func run() throws {
    let specifications = try labeled.specifications(defaultSplit: .test)
    let rules = try failIf.map { try ComparisonRule(parsing: $0) }
    let models = try scoredModels(specifications)
    let subject = try subject(of: models)
    for rule in rules { try rule.check(for: subject) }
    let folder = try report.map { try ReportFolder(preparing: $0) }
    var (summary, report) =
      subject == .glyphs
      ? try compareGlyphs(models, specifications) : try compareLines(models, specifications)
    // Print the figures before reporting an invalid rule.
    let verdicts = rules.map { [summary] rule in
      (rule, Result { try rule.isBroken(by: summary) })
    }
    summary.broken = verdicts.filter { (try? $0.1.get()) == true }.map(\.0.description)
    for (model, known) in [(first, summary.first.knownInk), (second, summary.second.knownInk)] {
      KnownInk.warn(of: known, model: model)
    }
    try output.write(summary, text: ComparisonText(summary).text)
    if let folder {
      try folder.write(report.html())
      Outcome.writeToStandardError("report: \(folder.page)\n")
    }
    guard summary.broken.isEmpty else { throw ToolError.rulesBroken(summary.broken) }
    for (_, verdict) in verdicts { _ = try verdict.get() }
  }

  /// Opens both models. A program that is compared with a bundle is of the bundle's kind.
  private func scoredModels(_ specifications: [DataSpecification]) throws -> [ScoredModel] {
    let names = [first, second]
    guard let place = names.firstIndex(where: { !ProgramOptions.isProgram($0) }) else {
      return try names.map { try ScoredModel($0, on: specifications, program) }
    }
    let bundle = try ScoredModel(names[place], on: specifications, program)
    let other = try ScoredModel(
      names[1 - place], on: specifications, program, kind: bundle.kind)
    return place == 0 ? [bundle, other] : [other, bundle]
  }

  private func subject(of models: [ScoredModel]) throws -> ComparedFigure.Subject {
    if let program = models.first(where: { $0.program != nil }), greedy {
      throw ToolError.needsBundle(program.name, "--greedy")
    }
    switch (models[0].kind, models[1].kind) {
    case (.glyphs, .glyphs):
      guard !greedy, !reading.replacesModels else { throw ToolError.lineOptions(first) }
      return .glyphs
    case (.lines, .lines): return greedy ? .greedyLines : .lines
    default: throw ToolError.modelsOfDifferentKinds([first, second])
    }
  }

  private func compareGlyphs(
    _ models: [ScoredModel], _ specifications: [DataSpecification]
  ) throws -> (ComparisonSummary, ComparisonReport) {
    // Separate recognisers, so that a model compared with itself is measured twice.
    let (alphabet, vocabulary) = try (reading.allowedCharacters(), reading.vocabulary())
    let classifiers = try models.map {
      try $0.glyphs().confined(to: alphabet, vocabulary: vocabulary)
    }
    var progress = EvaluationProgress(unit: "inks")
    let comparison = try ModelComparison(
      classifiers[0], classifiers[1], on: specifications, keptInks: keptInks
    ) { progress.show($0) }
    progress.clear()
    guard comparison.first.samples > 0 else { throw ToolError.noLabelledInk(labeled.data) }
    func summary(_ evaluation: GlyphEvaluation, _ model: ScoredModel) throws -> EvaluationSummary {
      var summary = EvaluationSummary(
        evaluation, model: model.name, data: labeled.data, modelBytes: model.bytes,
        peakResidentBytes: nil)
      try model.end(&summary)
      summary.knownInk = model.knownInk(on: specifications, hash: evaluation.dataHash)
      return summary
    }
    let result = ComparisonSummary(
      comparison, first: try summary(comparison.first, models[0]),
      second: try summary(comparison.second, models[1]))
    return (result, ComparisonReport(comparison, summary: result))
  }

  private func compareLines(
    _ models: [ScoredModel], _ specifications: [DataSpecification]
  ) throws -> (ComparisonSummary, ComparisonReport) {
    let opened = try models.map { model in
      try model.opened.map { try reading.reader($0, named: model.name, greedy: greedy) }
    }
    let readers = try zip(models, opened).map { model, opened in
      if let opened { return opened.reader }
      guard let program = model.program else { throw ToolError.needsBundle(model.name, "this") }
      return LineReader(program: program)
    }
    var progress = EvaluationProgress(unit: "lines")
    let comparison = try ModelComparison(
      readers[0], readers[1], on: specifications,
      reading: greedy ? .greedy : .beam,
      keptInks: keptInks
    ) { progress.show($0) }
    progress.clear()
    guard comparison.first.samples > 0 else { throw ToolError.noLabelledInk(labeled.data) }
    func summary(_ evaluation: LineEvaluation, _ index: Int) throws -> EvaluationSummary {
      var summary = EvaluationSummary(
        evaluation, model: models[index].name, data: labeled.data,
        modelBytes: models[index].bytes,
        languageBytes: opened[index]?.companions.languageBytes, peakResidentBytes: nil)
      try models[index].end(&summary)
      summary.knownInk = models[index].knownInk(on: specifications, hash: evaluation.dataHash)
      return summary
    }
    let result = ComparisonSummary(
      comparison, first: try summary(comparison.first, 0),
      second: try summary(comparison.second, 1))
    return (result, ComparisonReport(comparison, summary: result))
  }

  private var keptInks: Int { report == nil ? 0 : ComparisonReport.mostInks }
}

extension ToolError {
  /// The error for a glyph model and a line model.
  fileprivate static func modelsOfDifferentKinds(_ models: [String]) -> ToolError {
    .badInput(
      "\(models.joined(separator: ", ")): expected two models of the same kind, found one of "
        + "each; their figures are not comparable")
  }

  /// The error if the result of the comparison is forbidden by `--fail-if`.
  fileprivate static func rulesBroken(_ rules: [String]) -> ToolError {
    .failed("the second model breaks " + rules.map { "'\($0)'" }.joined(separator: ", "))
  }
}

/// A comparison as an aligned table.
struct ComparisonText {
  let summary: ComparisonSummary

  init(_ summary: ComparisonSummary) {
    self.summary = summary
  }

  var text: String {
    (names + [""] + table + [""] + [answers, verdict].compactMap { $0 }
      + summary.knownTexts + summary.unknownTexts { TerminalText.label($0) } + broken)
      .joined(separator: "\n")
  }

  private var names: [String] {
    ["A  \(summary.first.model)", "B  \(summary.second.model)"]
  }

  private var table: [String] {
    let rows = summary.figures.map { figure in
      [
        figure.title, text(figure.first, of: figure), text(figure.second, of: figure),
        text(figure.difference, of: figure, isSigned: true), interval(figure),
      ]
    }
    return TextTable.lines([["", "A", "B", "B - A", ""]] + rows, right: [1, 2, 3])
  }

  private var answers: String {
    let answers = summary.answers
    var text =
      "\(summary.first.samples) inks: both right on \(answers.both), only A on "
      + "\(answers.onlyFirst), only B on \(answers.onlySecond), neither on \(answers.neither)"
    if summary.first.malformed > 0 {
      text += "; \(MalformedText.text(summary.first.malformed))"
    }
    return text
  }

  private var verdict: String? {
    summary.main.flatMap { main in
      let text = summary.verdict.map {
        "\($0.text), by the 95 % interval over \(summary.clusterText)"
      }
      return (text ?? summary.missingVerdict).map { "\(main.title): \($0)" }
    }
  }

  private var broken: [String] { summary.broken.map { "broken: \($0)" } }

  private func interval(_ figure: ComparedFigure) -> String {
    guard let interval = figure.interval else { return "" }
    return String(format: "(%+.2f to %+.2f)", 100 * interval.lower, 100 * interval.upper)
  }

  /// Formats the value of a figure; times in a unit for both models.
  private func text(
    _ value: Double?, of figure: ComparedFigure, isSigned: Bool = false
  ) -> String {
    guard let value else { return "–" }
    let sign = isSigned ? "+" : ""
    switch figure.unit {
    case .rate: return String(format: isSigned ? "%+.2f points" : "%.2f %%", 100 * value)
    case .milliseconds:
      return max(figure.first ?? 0, figure.second ?? 0) < 1
        ? String(format: "%\(sign).0f µs", 1000 * value) : String(format: "%\(sign).1f ms", value)
    case .perSecond, .count:
      // No minus sign before zero.
      return String(format: "%\(sign).0f", value.rounded() == 0 ? 0 : value)
    case .bytes: return String(format: "%\(sign).0f kB", value / 1000)
    }
  }
}
