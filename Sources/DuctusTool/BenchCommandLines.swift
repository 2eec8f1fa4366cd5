import InkCore
import InkDatasets
import Training

/// Training of line networks, and reading with line models, on lines of about 30 characters by
/// virtual writers.
final class BenchLines {
  /// Training of one preset with so many workers.
  private struct Run {
    let preset: LinePreset
    let precision: TrainingPrecision
    let workers: Int
    let timer: LineStepTimer
    var rates: [Double] = []
    var shares: [Double] = []
  }

  private let lines: [LabeledInk]
  let reading: BenchLineReading
  private var runs: [Run] = []

  /// - Throws: What opening the models throws.
  init(_ plan: BenchPlan) throws {
    let data = try DataSpecification(parsing: "starter:words?length=5&split=all&limit=64")
    lines = try data.records().map { try $0.get().labeled }
    reading = try BenchLineReading(
      lines.map(\.ink), models: plan.lineModels, languageModel: plan.languageModel)
    if plan.measuresLineTraining { try prepareTraining(plan) }
  }

  private func prepareTraining(_ plan: BenchPlan) throws {
    var set = LineTrainingSet(labels: Set(lines.flatMap { $0.label.map(String.init) }).sorted())
    for line in lines { set.append(try Trajectory(line.ink), text: line.label, for: .training) }
    for preset in LinePreset.allCases {
      for precision in TrainingPrecision.available {
        var configuration = preset.configuration
        configuration.precision = precision
        configuration.batchSize = 32
        for workers in plan.workerCounts {
          let timer = try LineStepTimer(
            configuration: configuration, training: set, workers: workers)
          runs.append(Run(preset: preset, precision: precision, workers: workers, timer: timer))
        }
      }
    }
  }

  /// Takes one pass over the lines with each network of so many workers; `peak` is the speed of
  /// matrix products around that moment.
  func measureTraining(workers: Int, peak: Double) {
    for index in runs.indices where runs[index].workers == workers {
      let timer = runs[index].timer
      let seconds = timer.timeOnePass() / .seconds(1)
      runs[index].rates.append(Double(timer.lineCount) / seconds)
      runs[index].shares.append(6 * timer.multiplyAdds / seconds / 1e9 / peak)
    }
  }

  var report: BenchReport.Lines {
    let characters = lines.reduce(0) { $0 + $1.label.count }
    return BenchReport.Lines(
      charactersPerLine: Double(characters) / Double(lines.count),
      training: runs.map { run in
        BenchReport.LineTraining(
          preset: run.preset.rawValue, precision: run.precision.rawValue,
          parameters: run.timer.network.parameters.reduce(0) { $0 + $1.count },
          classes: run.timer.network.architecture.classes, steps: run.timer.meanSteps,
          workers: run.workers, linesPerSecond: BenchSpread(run.rates),
          shareOfPeak: BenchSpread(run.shares))
      }, reading: reading.report)
  }
}
