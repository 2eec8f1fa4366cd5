import Evaluation
import LinearAlgebra
import Training

extension BenchReport {
  /// Runs the plan: in every round each measurement once, so that what else the machine does falls
  /// on all of them alike.
  static func measured(_ plan: BenchPlan) async throws -> BenchReport {
    let processor = Processor.current
    var products = plan.workerCounts.map { BenchProducts(workers: $0) }
    let training = plan.measuresTraining ? try trainings(plan) : []
    let recognition =
      plan.measuresRecognition
      ? BenchRecognition(inks: try BenchInks(count: plan.inks, seed: 2)) : nil
    let lines = plan.measuresReading ? try BenchLines(plan) : nil
    var editor: [EditorThroughput] = []
    for _ in 0..<plan.rounds {
      if plan.measuresEditor { editor.append(try .measured(strokes: plan.strokes)) }
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
        Products(workers: $0.workers, gigaflops: BenchSpread($0.gigaflops))
      }, training: training.map(\.report), recognition: recognition?.report, lines: lines?.report,
      load: try recognition?.measureLoad(times: 2 * plan.rounds + 1),
      store: plan.measuresStore ? try await BenchStore.measured(rounds: plan.rounds) : nil,
      editor: editor.isEmpty
        ? nil
        : PointerEvents(
          singleCalls: BenchSpread(editor.map(\.singleCalls)),
          batches: BenchSpread(editor.map(\.batches))))
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
