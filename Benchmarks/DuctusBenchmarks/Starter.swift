import Benchmark
import InkDatasets

/// Synthesis of ink by virtual writers: 1,000 inks each.
func starterBenchmarks() {
  for name in ["characters", "shapes", "gestures", "words"] {
    Benchmark("starter:\(name), 1,000 inks") { benchmark in
      let records = try DataSpecification(parsing: "starter:\(name)?limit=1000").records()
      benchmark.startMeasurement()
      for _ in benchmark.scaledIterations {
        for record in records { blackHole(record) }
      }
    }
  }
}
