import Evaluation
import Foundation
import InkCore
import InkDatasets
import Training

/// Measures training of line networks and reading with line models, on lines of about 30 characters
/// by virtual writers.
final class BenchLines {
  /// Training of one preset with a number of workers.
  private struct Run {
    let preset: LinePreset
    let precision: TrainingPrecision
    let workers: Int
    let trainer: LineTrainer
    var rates: [Double] = []
    var shares: [Double] = []
  }

  private let lines: [LabeledInk]
  let reading: BenchLineReading
  private var runs: [Run] = []

  /// - Throws: The errors of opening the models.
  init(_ plan: BenchPlan) throws {
    let data = try DataSpecification(parsing: "starter:words?length=5&split=all&limit=64")
    lines = try data.records().map { try $0.get().labeled }
    reading = try BenchLineReading(
      lines.map(\.ink), models: plan.lineModels, languageModel: plan.languageModel,
      precision: plan.precision)
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
        configuration.cutsLines = false
        for workers in plan.workerCounts {
          let trainer = try LineTrainer(
            configuration: configuration, training: set, validation: set, workers: workers)
          // Allocate all memory.
          trainer.time(steps: trainer.stepsPerEpoch)
          runs.append(
            Run(preset: preset, precision: precision, workers: workers, trainer: trainer))
        }
      }
    }
  }

  /// Makes one pass over the lines with each network for this number of workers. `peak` is the
  /// speed of matrix products measured around that time.
  func measureTraining(workers: Int, peak: Double) {
    for index in runs.indices where runs[index].workers == workers {
      let trainer = runs[index].trainer
      let (time, lines) = trainer.time(steps: trainer.stepsPerEpoch)
      let seconds = time / .seconds(1)
      runs[index].rates.append(Double(lines) / seconds)
      runs[index].shares.append(6 * trainer.task.multiplyAdds / seconds / 1e9 / peak)
    }
  }

  var report: BenchReport.Lines {
    let characters = lines.reduce(0) { $0 + $1.label.count }
    return BenchReport.Lines(
      charactersPerLine: Double(characters) / Double(lines.count),
      training: runs.map { run in
        BenchReport.LineTraining(
          preset: run.preset.rawValue, precision: run.precision.rawValue,
          parameters: run.trainer.task.network.parameters.reduce(0) { $0 + $1.count },
          classes: run.trainer.task.network.architecture.classes, steps: run.trainer.task.meanSteps,
          workers: run.workers, linesPerSecond: Spread(run.rates),
          shareOfPeak: Spread(run.shares))
      }, reading: reading.report)
  }
}

/// Synthetic inks that resemble handwriting in the properties that determine speed: 20 to 150
/// points in one to four strokes, slower at the ends of a stroke, with a little noise, half of them
/// with a writing area. Each label has its own shape.
struct BenchInks {
  /// The labels: digits and Latin letters.
  static let labels = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".map {
    String($0)
  }

  let records: [LabeledInk]

  /// Makes `count` inks with rotating labels.
  ///
  /// - Throws: `InkError`, but never in practice, because all numbers are finite.
  init(count: Int, seed: UInt64) throws {
    records = try (0..<count).map { index in
      let label = index % Self.labels.count
      var generator = SeededGenerator(seed: seed, UInt64(index))
      let ink = Self.ink(label: label, using: &generator)
      let area = try generator.uniform() < 0.5 ? WritingArea(width: 1200, height: 260) : nil
      return LabeledInk(ink: ink, label: Self.labels[label], writingArea: area)
    }
  }

  /// Mean number of points.
  var pointsPerInk: Double {
    Double(records.reduce(0) { $0 + $1.ink.pointCount }) / Double(max(1, records.count))
  }

  private static func ink(label: Int, using generator: inout SeededGenerator) -> Ink {
    // The shape depends only on the label; size, position, noise and speed vary.
    var shape = SeededGenerator(seed: 7, UInt64(label))
    let strokes = 1 + shape.index(below: 4)
    let points = 20 + generator.index(below: 131)
    let size = Double(generator.uniform(60...220))
    let (left, top) = (Double(generator.uniform(0...900)), Double(generator.uniform(0...40)))
    var time = 0.0
    return Ink(
      strokes: (0..<strokes).map { stroke in
        let curve = Curve(&shape, &generator)
        let count = max(2, points * (stroke + 1) / strokes - points * stroke / strokes)
        time += 120
        return Stroke(
          points: (0..<count).map { point in
            time += 8
            let place = curve.place(Double(point) / Double(count - 1))
            return StrokePoint(
              x: left + size * (place.x + 0.004 * Double(generator.normal())),
              y: top + size * (place.y + 0.004 * Double(generator.normal())), t: time)
          })
      })
  }

  /// A cubic Bézier curve drawn with the speed of a pen: zero at its ends, highest in its middle.
  private struct Curve {
    private let x: [Double]
    private let y: [Double]

    init(_ shape: inout SeededGenerator, _ generator: inout SeededGenerator) {
      var corners: [(Double, Double)] = []
      for _ in 0..<4 {
        corners.append(
          (
            Double(shape.uniform() + 0.05 * generator.normal()),
            Double(shape.uniform() + 0.05 * generator.normal())
          ))
      }
      x = corners.map(\.0)
      y = corners.map(\.1)
    }

    func place(_ share: Double) -> (x: Double, y: Double) {
      let t = share * share * (3 - 2 * share)
      let u = 1 - t
      let weights = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t]
      return (
        zip(weights, x).reduce(0) { $0 + $1.0 * $1.1 },
        zip(weights, y).reduce(0) { $0 + $1.0 * $1.1 }
      )
    }
  }
}
