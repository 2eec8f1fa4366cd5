import CBLAS
import LinearAlgebra
import Recognition

/// The speed of one matrix product, C (M x N) = A (M x K) · B (K x N).
package struct GEMMMeasurement: Codable, Equatable {
  var rows: Int
  var inner: Int
  var columns: Int
  /// The threads that the library was set to use; nil if it does not report them.
  var threads: Int?
  /// The shortest time of one product, in microseconds.
  var microseconds: Double
  /// Floating-point operations (2·M·N·K) per second of the shortest time, in billions.
  var gigaflops: Double

  package init(
    rows: Int, inner: Int, columns: Int, threads: Int? = nil, microseconds: Double,
    gigaflops: Double
  ) {
    self.rows = rows
    self.inner = inner
    self.columns = columns
    self.threads = threads
    self.microseconds = microseconds
    self.gigaflops = gigaflops
  }
}

/// Measures `cblas_sgemm`, and products with factors in bfloat16, on row-major matrices.
enum GEMMBenchmark {
  /// The sides of the large square product, the largest first; slow libraries use the last.
  private static let sides = (usual: [2048, 1024], slow: 512)
  /// The longest acceptable time of one large product, in seconds.
  private static let longestProduct = 0.4
  /// The time in which the large product is repeated, in seconds.
  private static let largeSeconds = 0.6
  /// The time in which a smaller product is repeated, in seconds.
  private static let smallSeconds = 0.2
  /// The side of the square product in mixed precision and in 8 bits.
  private static let mixedSide = 1024

  /// Measures the important sizes: a large square product on one thread and on all threads, and the
  /// small product of a recurrent step with a batch of 32.
  ///
  /// Takes about two seconds; slow libraries get a smaller square to keep this time. The number of
  /// BLAS threads is one afterwards.
  static func run(cores: Int) -> [GEMMMeasurement] {
    BLASLibrary.setThreadCount(1)
    let probe = measure(square: sides.slow, threads: 1, seconds: 0.05)
    let large =
      sides.usual.first { side in
        2 * Double(side * side * side) / (probe.gigaflops * 1e9) < longestProduct
      } ?? sides.slow
    var results = [measure(square: large, threads: 1, seconds: largeSeconds)]
    if cores > 1, let threads = BLASLibrary.setThreadCount(cores), threads > 1 {
      results.append(measure(square: large, threads: threads, seconds: largeSeconds))
    }
    BLASLibrary.setThreadCount(1)
    results.append(
      measure(rows: 32, inner: 512, columns: 128, threads: 1, seconds: smallSeconds))
    return results
  }

  /// Measures a large product in mixed precision on one thread; nil if the processor does not
  /// support it.
  static func runInMixedPrecision(seconds: Double = smallSeconds) -> GEMMMeasurement? {
    guard let unit = BFloat16Unit() else { return nil }
    let side = mixedSide
    return measure(rows: side, inner: side, columns: side, threads: 1, seconds: seconds) {
      Matrix($2, rows: side, columns: side).multiply(
        Matrix(reading: $0, rows: side, columns: side),
        Matrix(reading: $1, rows: side, columns: side), on: unit)
    }
  }

  /// Measures a large product in 8 bits on one thread: 2·M·N·K operations on integers, and the
  /// rounding of the left factor; nil if the processor has no fast instructions for it.
  static func runInEightBits(seconds: Double = smallSeconds) -> GEMMMeasurement? {
    guard EightBitUnit.isAvailable else { return nil }
    let side = mixedSide
    let memory = AlignedBuffer(count: EightBitFactor.count(inner: side, columns: side))
    let scratch = AlignedBuffer(count: EightBitFactor.activationCount(rows: side, columns: side))
    var factor: EightBitFactor?
    return measure(rows: side, inner: side, columns: side, threads: 1, seconds: seconds) {
      // Packing belongs to the first run, which is not counted.
      let packed =
        factor
        ?? EightBitFactor(
          Matrix(reading: $1, rows: side, columns: side), bias: nil, in: memory.pointer)
      factor = packed
      packed.multiply(
        Matrix(reading: $0, rows: side, columns: side), into: $2, scratch: scratch.pointer,
        on: .fastest)
    }
  }

  /// Measures the product that is the peak of reading in a precision, on one thread.
  static func run(_ precision: ReadingPrecision, seconds: Double) -> GEMMMeasurement {
    let product: GEMMMeasurement? =
      switch precision {
      case .single: nil
      case .mixed: runInMixedPrecision(seconds: seconds)
      case .eightBits: runInEightBits(seconds: seconds)
      }
    return product ?? measure(square: mixedSide, threads: 1, seconds: seconds)
  }

  private static func measure(square side: Int, threads: Int, seconds: Double) -> GEMMMeasurement {
    measure(rows: side, inner: side, columns: side, threads: threads, seconds: seconds)
  }

  /// Repeats a BLAS product for a while and keeps the shortest time.
  static func measure(
    rows: Int, inner: Int, columns: Int, threads: Int?, seconds: Double
  ) -> GEMMMeasurement {
    measure(rows: rows, inner: inner, columns: columns, threads: threads, seconds: seconds) {
      cblas_sgemm(
        CblasRowMajor, CblasNoTrans, CblasNoTrans, Int32(rows), Int32(columns), Int32(inner), 1,
        $0, Int32(inner), $1, Int32(columns), 0, $2, Int32(columns))
    }
  }

  /// The first run is not counted, unless it is the only one.
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
