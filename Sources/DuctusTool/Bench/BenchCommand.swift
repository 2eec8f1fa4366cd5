import ArgumentParser
import Evaluation
import Foundation
import LinearAlgebra
import Recognition
import Training

/// `ductus bench`: how fast this machine trains and recognises.
package struct BenchCommand: AsyncParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measure the speed of training and recognition on this machine.",
    discussion: """
      It needs no data: the inks are made from a seed. Every figure is the median of several \
      rounds, with the lowest and the highest one. It takes about a minute; run it on an \
      idle machine.

      Line models that are named with --line-model read the same lines, interleaved.

      --scaling measures training steps and their messages, also of two processes under mpirun, and \
      predicts the speed of 2 to 256 machines with networks of 1, 10 and 100 Gbit/s. Under mpirun \
      it measures the processes that mpirun started.

      Examples:
        ductus bench --quick
        ductus bench --scaling --quick
        ductus bench --only reading --line-model latin-lines \\
          --line-model small.ductus \\
          --language-model english.ngram
      """)

  @OptionGroup var output: JSONOutput

  @Flag(name: .long, help: "Fewer and shorter rounds: about ten seconds.")
  var quick = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      """
      Measure one part: training, wide (the wide network alone), recognition, lines, reading \
      (lines, without training), or start (from process start to the first answer and the first \
      gradient).
      """,
      valueName: "part"))
  var only: BenchPart?

  @Flag(
    name: .long,
    help: "Instead: measure a training step, and predict its time on several machines.")
  var scaling = false

  @Option(
    name: .long, help: ArgumentHelp("The largest number of threads.", valueName: "n"))
  var workers: Int?

  @Option(
    help: ArgumentHelp(
      "A line model to time, NAME.ductus or the name of an installed or shipped one; "
        + "repeatable; default: \(ModelLibrary.usualModel).",
      valueName: "model"))
  var lineModel: [String] = []

  @Option(
    help: ArgumentHelp(
      "A language model, NAME.ngram, used instead of the bundles' own.",
      valueName: "file"))
  var languageModel: String?

  @Option(
    help: ArgumentHelp(
      "The precision of the network that reads lines; default: the fastest of this processor.",
      valueName: "precision"))
  var precision: ReadingPrecision?

  package func validate() throws {
    try precision?.validate()
    if let workers, workers < 1 {
      throw ValidationError("--workers \(workers): expected at least 1")
    }
    guard
      !scaling || (only == nil && lineModel.isEmpty && languageModel == nil && precision == nil)
    else {
      throw ValidationError(
        "--scaling measures training alone: leave out --only, --line-model, --language-model and "
          + "--precision")
    }
    guard
      plan.measuresReading || (lineModel.isEmpty && languageModel == nil && precision == nil)
    else {
      throw ValidationError(
        "--line-model, --language-model and --precision are for --only lines, --only reading, or "
          + "neither")
    }
  }

  /// The longest wait for another process: others wait while the first measures alone.
  private static let rankLimit = Duration.seconds(300)

  private var plan: BenchPlan {
    BenchPlan(
      isQuick: quick, part: only, workers: workers ?? Processor.current.logicalCores,
      lineModels: lineModel.isEmpty ? [ModelLibrary.usualModel] : lineModel,
      languageModel: languageModel, precision: precision)
  }

  package func run() async throws {
    if scaling {
      return try RankedRun.run(limit: Self.rankLimit, allowsMixed: true) { ranked in
        let report = try BenchScaling(plan, ranks: ranked.ranks).measured()
        if ranked.isLeader { try output.write(report, text: report.text()) }
      }
    }
    let report = try await BenchReport.measured(plan)
    try output.write(report, text: report.text())
  }
}

/// The part of the benchmark to run.
package enum BenchPart: String, ExpressibleByArgument, CaseIterable {
  case training
  case wide
  case recognition
  case lines
  case reading
  case start
}

/// The extent of a benchmark.
package struct BenchPlan {
  var isQuick: Bool
  var part: BenchPart?
  /// Workers of the widest measurement. One worker is always measured too.
  var workers: Int
  /// The models that read lines, by path or name.
  var lineModels: [String]
  /// The file of the language model for reading; nil for each bundle's own.
  var languageModel: String?
  /// The precision of reading; nil for the fastest.
  var precision: ReadingPrecision?

  /// The number of rounds. Each round includes every measurement once.
  var rounds: Int { isQuick ? 3 : 9 }
  /// Seconds of one training measurement in a round.
  var trainingSeconds: Double { isQuick ? 0.25 : 0.5 }
  /// Inks recognised in each round.
  var inks: Int { isQuick ? 300 : 1000 }
  var workerCounts: [Int] { workers > 1 ? [1, workers] : [1] }
  var measuresTraining: Bool { part == nil || part == .training || part == .wide }
  var measuresRecognition: Bool { part == nil || part == .recognition }
  var measuresLineTraining: Bool { part == nil || part == .lines }
  var measuresReading: Bool { measuresLineTraining || part == .reading }
  var measuresStart: Bool { part == nil || part == .start }
  /// Starts of the tool in each round.
  var starts: Int { isQuick ? 1 : 3 }
  /// Starts of training in all, because each may read a whole dataset.
  var trainingStarts: Int { isQuick ? 1 : 3 }
}

extension BenchReport {
  /// Runs the plan. Each round includes every measurement once, so that other work on the machine
  /// affects all of them alike.
  static func measured(_ plan: BenchPlan) async throws -> BenchReport {
    let processor = Processor.current
    var products = plan.workerCounts.map { BenchProducts(workers: $0) }
    let training = plan.measuresTraining ? try trainings(plan) : []
    let recognition =
      plan.measuresRecognition
      ? BenchRecognition(inks: try BenchInks(count: plan.inks, seed: 2)) : nil
    let lines = plan.measuresReading ? try BenchLines(plan) : nil
    let start = plan.measuresStart ? try BenchStart(model: ModelLibrary.usualModel) : nil
    for _ in 0..<plan.rounds {
      for _ in 0..<plan.starts { try start?.measure() }
      for index in products.indices {
        await products[index].measure()
        let peak = products[index].gigaflops.last ?? .nan
        lines?.measureTraining(workers: products[index].workers, peak: peak)
        for one in training where one.workers == products[index].workers {
          one.measure(seconds: plan.trainingSeconds, peak: peak)
        }
      }
      try recognition?.measure()
      try lines?.reading.measure()
    }
    return BenchReport(
      ductus: Ductus.configuration.version,
      processor: processor.modelName.isEmpty ? "unknown processor" : processor.modelName,
      cores: processor.logicalCores, blas: BLASLibrary.current, rounds: plan.rounds,
      products: products.map {
        Products(workers: $0.workers, gigaflops: Spread($0.gigaflops))
      }, training: training.map(\.report), recognition: recognition?.report, lines: lines?.report,
      load: try recognition?.measureLoad(times: 2 * plan.rounds + 1),
      start: try start.map { start in
        start.report(
          training: try (0..<plan.trainingStarts).map { _ in try start.firstGradient() })
      })
  }

  private static func trainings(_ plan: BenchPlan) throws -> [BenchTraining] {
    var set = GlyphTrainingSet(labels: BenchInks.labels)
    for record in try BenchInks(count: 2048, seed: 1).records { try set.append(record) }
    var result: [BenchTraining] = []
    for (name, configuration) in GlyphTrainingConfiguration.benched
    where plan.part != .wide || name == "wide" {
      for precision in TrainingPrecision.available {
        var configuration = configuration
        configuration.precision = precision
        for workers in plan.workerCounts {
          for includesInk in [true, false] {
            result.append(
              try BenchTraining(
                name, configuration, set, workers: workers, includesInk: includesInk))
          }
        }
      }
    }
    return result
  }
}
