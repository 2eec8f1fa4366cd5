import ArgumentParser
import Foundation
import LinearAlgebra

/// `ductus bench`: how fast this machine trains and recognises.
struct BenchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measure the speed of training and recognition on this machine.",
    discussion: """
      Needs no data: the inks are made from a seed. Every figure is the median of rounds in which \
      all measurements take turns, with the lowest and the highest beside it. Takes about a \
      minute; run it on an idle machine.
      """)

  @OptionGroup var output: JSONOutput

  @Flag(name: .long, help: "Fewer and shorter rounds: about ten seconds.")
  var quick = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      """
      Measure only: training, wide (training of the wide network alone), recognition, lines, \
      store, editor.
      """,
      valueName: "part"))
  var only: BenchPart?

  @Option(
    name: .long, help: ArgumentHelp("Workers of the widest measurement.", valueName: "n"))
  var workers: Int?

  func validate() throws {
    if let workers, workers < 1 {
      throw ValidationError("--workers \(workers): expected at least 1")
    }
  }

  func run() async throws {
    let plan = BenchPlan(
      isQuick: quick, part: only, workers: workers ?? Processor.current.logicalCores)
    let report = try await BenchReport.measured(plan)
    try output.write(report, text: report.text())
  }
}

/// What a run of the benchmark is limited to.
enum BenchPart: String, ExpressibleByArgument, CaseIterable {
  case training
  case wide
  case recognition
  case lines
  case store
  case editor
}

/// How much is measured.
struct BenchPlan {
  var isQuick: Bool
  var part: BenchPart?
  /// Workers of the widest measurement; one worker is always measured as well.
  var workers: Int

  /// Rounds in which all measurements take turns.
  var rounds: Int { isQuick ? 3 : 9 }
  /// Seconds of one training measurement in a round.
  var trainingSeconds: Double { isQuick ? 0.25 : 0.5 }
  /// Inks that are recognised in each round.
  var inks: Int { isQuick ? 300 : 1000 }
  var workerCounts: [Int] { workers > 1 ? [1, workers] : [1] }
  /// Strokes that an editor takes in each round.
  var strokes: Int { isQuick ? 2000 : 10_000 }
  var measuresTraining: Bool { part == nil || part == .training || part == .wide }
  var measuresRecognition: Bool { part == nil || part == .recognition }
  var measuresLines: Bool { part == nil || part == .lines }
  var measuresStore: Bool { part == nil || part == .store }
  var measuresEditor: Bool { part == nil || part == .editor }
}
