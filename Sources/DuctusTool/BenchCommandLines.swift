import Foundation
import Histogram
import InkCore
import InkDatasets
import PretrainedModels
import Recognition
import Training

/// Training of line networks, and recognition with the line model that ships, on lines of about 30
/// characters by virtual writers.
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
  private let recognizer: LineRecognizer
  private var runs: [Run] = []
  private var latency = Histogram<UInt64>(
    highestTrackableValue: 60_000_000_000, numberOfSignificantValueDigits: .three)
  private var medians: [Double] = []

  /// - Throws: `PretrainedModelsError` where the models that ship are not there.
  init(_ plan: BenchPlan) throws {
    let data = try DataSpecification(parsing: "starter:words?length=5&split=all&limit=64")
    lines = try data.records().map { try $0.get().labeled }
    let shipped = try PretrainedModels().openRecognizer(identifier: ModelLocation.defaultModel)
    guard let recognizer = shipped as? LineRecognizer else {
      throw RecognitionError.modelNotDownloaded(ModelLocation.defaultModel)
    }
    self.recognizer = recognizer
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

  /// Reads every line once.
  func measureRecognition() throws {
    var times: [Double] = []
    for line in lines {
      let start = ContinuousClock.now
      _ = try recognizer.recognize(line.ink)
      let nanoseconds = (ContinuousClock.now - start) / .nanoseconds(1)
      times.append(nanoseconds / 1e6)
      _ = latency.record(UInt64(max(0, nanoseconds)))
    }
    medians.append(BenchSpread(times).median)
  }

  var report: BenchReport.Lines {
    let characters = lines.reduce(0) { $0 + $1.label.count }
    func milliseconds(_ percentile: Double) -> Double {
      Double(latency.valueAtPercentile(percentile)) / 1e6
    }
    return BenchReport.Lines(
      charactersPerLine: Double(characters) / Double(lines.count),
      training: runs.map { run in
        BenchReport.LineTraining(
          preset: run.preset.rawValue, precision: run.precision.rawValue,
          parameters: run.timer.network.parameters.reduce(0) { $0 + $1.count },
          classes: run.timer.network.architecture.classes, steps: run.timer.meanSteps,
          workers: run.workers, linesPerSecond: BenchSpread(run.rates),
          shareOfPeak: BenchSpread(run.shares))
      },
      milliseconds: BenchReport.Latency(
        p50: milliseconds(50), p95: milliseconds(95), p99: milliseconds(99)),
      roundMedians: BenchSpread(medians))
  }
}
