import Evaluation
import FormulaTraining
import Formulas
import Foundation
import InkCore
import Metrics
import Recognition
import Reports

/// `ductus evaluate` on data of formulas.
struct FormulaScoring {
  let model: String
  let data: [String]

  /// Scores the model and writes its figures.
  ///
  /// - Parameter folder: The folder of a report; nil for none.
  func run(_ output: JSONOutput, report folder: ReportFolder?) throws {
    let names = try data.map { try FormulaData(parsing: $0) }
    let opened = try ModelLibrary.local.open(model)
    guard case .formula(let formulas) = opened.content else {
      throw ToolError.notOfFormulas(model)
    }
    let reader = try FormulaReader(formulas)
    var records: [LabeledFormula] = []
    for name in names {
      let (found, errors) = try name.records()
      for error in errors { Outcome.writeToStandardError("left out: \(error)\n") }
      records += found
    }
    guard !records.isEmpty else { throw ToolError.noLabelledInk(data) }
    let evaluation = FormulaEvaluation(reader, on: records, workers: 1)
    // The rates with the truth of the earlier steps tell which step makes the errors.
    let labelled = records.filter { !$0.symbols.isEmpty }
    let parts = [FormulaEvaluation.Given.groups, .symbols].map {
      FormulaEvaluation(reader, on: labelled, given: $0, workers: 1).figures.expressionRate
    }
    let summary = FormulaSummary(
      evaluation, records, given: parts, model: model, data: data, bytes: opened.bundle.byteCount)
    try output.write(summary, text: summary.text)
    guard let folder else { return }
    try folder.write(report(summary, evaluation, records).html())
    Outcome.writeToStandardError("report: \(folder.page)\n")
  }

  private func report(
    _ summary: FormulaSummary, _ evaluation: FormulaEvaluation, _ records: [LabeledFormula]
  ) -> FormulaReport {
    func text(_ latex: String) -> FormulaReport.Text {
      FormulaReport.Text(latex: latex, mathML: (try? Formula(latex: latex))?.mathML)
    }
    let wrong = evaluation.answers.filter { !$0.comparison.isSame }
      .sorted { ($1.comparison.wrongSymbols, $0.index) < ($0.comparison.wrongSymbols, $1.index) }
    return FormulaReport(
      model: model, data: data, figures: summary.figures,
      tables: [
        summary.table("By the number of symbols", "Symbols", summary.byLength),
        summary.table("By source", "Source", summary.bySource),
      ],
      worst: wrong.map { answer in
        let record = records[answer.index]
        return FormulaReport.Misreading(
          ink: LabeledInk(ink: record.ink, label: record.latex, writer: record.writer),
          name: record.name, truth: text(record.latex),
          reading: text(answer.latex),
          wrongSymbols: answer.comparison.wrongSymbols)
      })
  }
}

/// The figures of a formula model, as JSON and as text.
struct FormulaSummary: Encodable {
  /// The figures of some of the formulas.
  struct Part: Encodable {
    var formulas: Int
    var expressionsRight: Double
    var rightButForOne: Double
    var rightButForTwo: Double
    var symbolsFound: Double
    var symbolsRead: Double
    var symbolPrecision: Double
    var relationsRight: Double
    var relationPrecision: Double

    init(_ figures: FormulaFigures) {
      formulas = figures.formulas
      expressionsRight = figures.expressionRate
      rightButForOne = figures.withinOne
      rightButForTwo = figures.withinTwo
      symbolsFound = figures.symbolsFound
      symbolsRead = figures.symbolsRead
      symbolPrecision = figures.symbolPrecision
      relationsRight = figures.relationsRight
      relationPrecision = figures.relationPrecision
    }
  }

  var model: String
  var data: [String]
  var samples: Int
  var all: Part
  var tokenErrors: Double
  /// By the number of symbols.
  var lengths: [String: Part]
  /// By the first folder of the files; empty if there is only one.
  var sources: [String: Part]
  /// The share of expressions of which one of the candidates is right.
  var rightAmongCandidates: Double
  /// The calibration error of the probability of the best candidate.
  var ece: Double
  /// The share of expressions that are right if the groups of strokes are given, and if the symbols are.
  var rightGivenGroups: Double
  var rightGivenSymbols: Double
  var latencyMs: Percentiles?
  var modelBytes: Int

  /// The largest numbers of symbols of the classes of length.
  private static let limits = [5, 10, 15, 20]

  init(
    _ evaluation: FormulaEvaluation, _ records: [LabeledFormula], given: [Double], model: String,
    data: [String], bytes: Int
  ) {
    (rightGivenGroups, rightGivenSymbols) = (given[0], given[1])
    self.model = model
    self.data = data
    samples = records.count
    all = Part(evaluation.figures)
    modelBytes = bytes
    var classes: [String: FormulaFigures] = [:]
    var folders: [String: FormulaFigures] = [:]
    var calibration = ExpectedCalibrationError()
    var errors = 0
    var tokens = 0
    for answer in evaluation.answers {
      let record = records[answer.index]
      classes[Self.length(of: record), default: FormulaFigures()].add(answer.comparison)
      folders[record.source ?? "", default: FormulaFigures()].add(answer.comparison)
      calibration.add(confidence: answer.probability ?? 0, isCorrect: answer.comparison.isSame)
      errors += NormalForm.tokenErrors(answer.latex, truth: record.latex)
      tokens += LatexTokens.tokens(of: record.latex).count
    }
    tokenErrors = Double(errors) / Double(max(1, tokens))
    lengths = classes.mapValues { Part($0) }
    sources = folders.count > 1 ? folders.mapValues { Part($0) } : [:]
    rightAmongCandidates =
      Double(evaluation.answers.count(where: \.isAmongCandidates)) / Double(max(1, records.count))
    ece = calibration.value ?? 0
    latencyMs = Percentiles(evaluation.answers.map { 1000 * $0.seconds })
  }

  private static func length(of record: LabeledFormula) -> String {
    let count = record.symbols.count
    guard let limit = limits.first(where: { count <= $0 }) else { return "more than 20" }
    return "up to \(limit)"
  }

  /// The parts by length, shortest first.
  var byLength: [(name: String, part: Part)] {
    lengths.sorted {
      $0.key.count == $1.key.count ? $0.key < $1.key : $0.key.count < $1.key.count
    }.map { ($0.key, $0.value) }
  }

  /// The parts by source, sorted.
  var bySource: [(name: String, part: Part)] {
    sources.sorted { $0.key < $1.key }.map {
      ($0.key.isEmpty ? "outside of folders" : $0.key, $0.value)
    }
  }

  /// The headline figures of a report.
  var figures: [(name: String, value: String)] {
    [
      ("Formulas right", ReportText.percent(all.expressionsRight)),
      ("Right but for one symbol", ReportText.percent(all.rightButForOne)),
      ("Right but for two", ReportText.percent(all.rightButForTwo)),
      ("Right among the candidates", ReportText.percent(rightAmongCandidates)),
      ("Symbols found", ReportText.percent(all.symbolsFound)),
      ("Symbols found and read", ReportText.percent(all.symbolsRead)),
      ("Relations right", ReportText.percent(all.relationsRight)),
      ("Right, groups given", ReportText.percent(rightGivenGroups)),
      ("Right, symbols given", ReportText.percent(rightGivenSymbols)),
      ("Calibration error", ReportText.percent(ece)), ("Formulas", "\(samples)"),
      ("Latency p50", ReportText.latency(latencyMs?.p50)),
      ("Latency p95", ReportText.latency(latencyMs?.p95)),
    ]
  }

  /// A table of a report.
  func table(
    _ title: String, _ unit: String, _ parts: [(name: String, part: Part)]
  ) -> FormulaReport.Table {
    FormulaReport.Table(
      title: title,
      columns: [
        unit, "Formulas", "Right", "But for one", "But for two", "Symbols found", "Symbols read",
        "Relations right",
      ],
      rows: parts.map { name, part in
        [name, "\(part.formulas)"]
          + [
            part.expressionsRight, part.rightButForOne, part.rightButForTwo, part.symbolsFound,
            part.symbolsRead, part.relationsRight,
          ].map { ReportText.percent($0) }
      })
  }

  var text: String {
    var rows = [
      ["formulas", "\(samples)"],
      ["right", RateText.percent(all.expressionsRight)],
      ["right but for one symbol", RateText.percent(all.rightButForOne)],
      ["right but for two symbols", RateText.percent(all.rightButForTwo)],
      ["right among the candidates", RateText.percent(rightAmongCandidates)],
      ["calibration error", RateText.percent(ece)],
      ["symbols found", RateText.percent(all.symbolsFound)],
      ["symbols found and read", RateText.percent(all.symbolsRead)],
      ["symbols of the reading right", RateText.percent(all.symbolPrecision)],
      ["relations right", RateText.percent(all.relationsRight)],
      ["right, groups given", RateText.percent(rightGivenGroups)],
      ["right, symbols given", RateText.percent(rightGivenSymbols)],
      ["token errors", RateText.percent(tokenErrors)],
    ]
    for (name, part) in byLength {
      rows.append([
        "right, \(name) symbols",
        "\(RateText.percent(part.expressionsRight)) of \(part.formulas)",
      ])
    }
    for (name, part) in bySource {
      rows.append([
        "right, \(name)",
        "\(RateText.percent(part.expressionsRight)) of \(part.formulas)",
      ])
    }
    if let latencyMs {
      rows.append([
        "time of a formula",
        String(
          format: "p50 %.1f, p95 %.1f, p99 %.1f ms", latencyMs.p50, latencyMs.p95, latencyMs.p99),
      ])
    }
    rows.append(["size of the model", "\(modelBytes / 1000) kB"])
    return TextTable.lines(rows).joined(separator: "\n")
  }
}

extension ToolError {
  /// The error for a model of formulas with other data.
  static func needsFormulas(_ model: String) -> ToolError {
    .badInput(
      "\(model): expected data of formulas, inkml:PATH?unit=formula, for a model of formulas; found "
        + "other data")
  }

  /// The error for a model that reads no formulas.
  static func notOfFormulas(_ model: String) -> ToolError {
    .badInput(
      "\(model): expected a model of formulas for data with unit=formula, found another; train one "
        + "with 'ductus train formulas'")
  }
}
