import Benchmark
import Foundation
import LinearAlgebra

/// Every benchmark runs on one BLAS thread, as workers do.
let benchmarks: @Sendable () -> Void = {
  CoreType.restartOnceIfNeeded()
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
  /// For work of microseconds: a thousand repetitions for each time a benchmark is set up.
  static var repeated: Self {
    var result = Benchmark.defaultConfiguration
    result.scalingFactor = .kilo
    return result
  }
}

/// OpenBLAS reads its core type while it loads: the process replaces itself once with the variable
/// set where the loaded version is known to choose badly.
enum CoreType {
  private static let guardVariable = "DUCTUS_RESTARTED"

  static func restartOnceIfNeeded() {
    #if os(Linux) && arch(x86_64)
      let environment = ProcessInfo.processInfo.environment
      guard environment[guardVariable] == nil,
        let core = OpenBLASCoreType.recommended(
          processor: .current, library: .current, environment: environment)
      else { return }
      setenv(OpenBLASCoreType.variable, core, 1)
      setenv(guardVariable, "1", 1)
      execv("/proc/self/exe", CommandLine.unsafeArgv)
    #endif
  }
}
