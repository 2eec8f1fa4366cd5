import CBLAS
import LinearAlgebra

/// The speed of one matrix product, C (M x N) = A (M x K) · B (K x N).
struct GEMMMeasurement: Codable, Equatable {
  var rows: Int
  var inner: Int
  var columns: Int
  /// Threads the library was told to use; nil where it does not tell.
  var threads: Int?
  /// The shortest time of one product, in microseconds.
  var microseconds: Double
  /// Floating-point operations (2·M·N·K) per second of the shortest time, in billions.
  var gigaflops: Double
}

/// Measures `cblas_sgemm`, and products with factors in bfloat16, on row-major matrices.
enum GEMMBenchmark {
  /// Measures the sizes that matter: a large square product on one thread and on all of them, and
  /// the small one of a recurrent step, a batch of 32.
  ///
  /// Takes about two seconds; slow libraries get a smaller square so that it stays so. The number
  /// of BLAS threads is one afterwards.
  static func run(cores: Int) -> [GEMMMeasurement] {
    BLASLibrary.setThreadCount(1)
    let probe = measure(rows: 512, inner: 512, columns: 512, threads: 1, seconds: 0.05)
    let side = [2048, 1024].first { side in
      2 * Double(side * side * side) / (probe.gigaflops * 1e9) < 0.4
    }
    let large = side ?? 512
    var results = [
      measure(rows: large, inner: large, columns: large, threads: 1, seconds: 0.6)
    ]
    if cores > 1, let threads = BLASLibrary.setThreadCount(cores), threads > 1 {
      results.append(
        measure(rows: large, inner: large, columns: large, threads: threads, seconds: 0.6))
    }
    BLASLibrary.setThreadCount(1)
    results.append(measure(rows: 32, inner: 512, columns: 128, threads: 1, seconds: 0.2))
    return results
  }

  /// Measures a large product in mixed precision on one thread; nil where the processor cannot.
  static func runInMixedPrecision() -> GEMMMeasurement? {
    guard let unit = BFloat16Unit() else { return nil }
    return measure(rows: 1024, inner: 1024, columns: 1024, threads: 1, seconds: 0.2) { a, b, c in
      Matrix(c, rows: 1024, columns: 1024).multiply(
        Matrix(reading: a, rows: 1024, columns: 1024),
        Matrix(reading: b, rows: 1024, columns: 1024), on: unit)
    }
  }

  /// Repeats a product of BLAS for a while and keeps the shortest time.
  static func measure(
    rows: Int, inner: Int, columns: Int, threads: Int?, seconds: Double
  ) -> GEMMMeasurement {
    measure(rows: rows, inner: inner, columns: columns, threads: threads, seconds: seconds) {
      cblas_sgemm(
        CblasRowMajor, CblasNoTrans, CblasNoTrans, Int32(rows), Int32(columns), Int32(inner), 1,
        $0, Int32(inner), $1, Int32(columns), 0, $2, Int32(columns))
    }
  }

  /// The first run is not counted unless it is the only one.
  private static func measure(
    rows: Int, inner: Int, columns: Int, threads: Int?, seconds: Double,
    product: (UnsafePointer<Float>, UnsafePointer<Float>, UnsafeMutablePointer<Float>) -> Void
  ) -> GEMMMeasurement {
    let a = (0..<rows * inner).map { Float($0 % 7) * 0.25 - 0.75 }
    let b = (0..<inner * columns).map { Float($0 % 5) * 0.5 - 1 }
    var c = [Float](repeating: 0, count: rows * columns)
    let clock = ContinuousClock()
    let end = clock.now.advanced(by: .seconds(seconds))
    var best = Double.infinity
    var runs = 0
    repeat {
      let took = clock.measure { product(a, b, &c) }
      runs += 1
      let time = took / .seconds(1)
      best = runs == 2 ? time : min(best, time)
    } while clock.now < end
    return GEMMMeasurement(
      rows: rows, inner: inner, columns: columns, threads: threads, microseconds: best * 1e6,
      gigaflops: 2 * Double(rows) * Double(inner) * Double(columns) / best / 1e9)
  }
}
