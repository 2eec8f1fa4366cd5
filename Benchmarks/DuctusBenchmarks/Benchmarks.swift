import Benchmark
import LinearAlgebra

/// Every benchmark runs on one BLAS thread, like the workers of training.
let benchmarks: @Sendable () -> Void = {
  CoreTypeRestart.restartOnceIfNeeded()
  BLASLibrary.setThreadCount(1)
  Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock, .throughput], warmupIterations: 1, maxDuration: .seconds(1),
    maxIterations: 100_000)
  productBenchmarks()
  kernelBenchmarks()
  glyphBenchmarks()
  lineBenchmarks()
  languageBenchmarks()
  fileBenchmarks()
  starterBenchmarks()
}

extension Benchmark.Configuration {
  /// For work of microseconds: a thousand repetitions per set-up.
  static var repeated: Self {
    var result = Benchmark.defaultConfiguration
    result.scalingFactor = .kilo
    return result
  }
}
