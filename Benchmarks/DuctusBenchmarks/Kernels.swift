import Benchmark
import CKernels
import LinearAlgebra

/// A buffer of small numbers that are not all the same.
func filled(_ count: Int) -> AlignedBuffer {
  AlignedBuffer((0..<count).map { Float($0 % 13) * 0.1 - 0.6 })
}

/// Matrix products: the large one that is the machine's peak, and those of the default network.
func productBenchmarks() {
  for (rows, inner, columns) in [(1024, 1024, 1024), (384, 336, 112), (32, 848, 160)] {
    Benchmark("gemm \(rows)x\(inner)x\(columns)") { benchmark in
      let (a, b) = (filled(rows * inner), filled(inner * columns))
      let c = AlignedBuffer(count: rows * columns)
      let left = Matrix(a.pointer, rows: rows, columns: inner)
      let right = Matrix(b.pointer, rows: inner, columns: columns)
      let product = Matrix(c.pointer, rows: rows, columns: columns)
      benchmark.startMeasurement()
      for _ in benchmark.scaledIterations { product.multiply(left, right) }
      benchmark.stopMeasurement()
      blackHole(c)
    }
  }
}

/// One vector kernel of each family on 768 rows of 112 columns: a shard of the default network.
func kernelBenchmarks() {
  let (rows, columns) = (768, 112)
  func kernel(
    _ name: String,
    _ body:
      @escaping @Sendable (
        _ x: UnsafeMutablePointer<Float>, _ y: UnsafeMutablePointer<Float>,
        _ vectors: UnsafeMutablePointer<Float>
      ) -> Void
  ) {
    Benchmark("kernel \(name)") { benchmark in
      let (x, y, vectors) = (filled(rows * columns), filled(rows * columns), filled(8 * columns))
      benchmark.startMeasurement()
      for _ in benchmark.scaledIterations { body(x.pointer, y.pointer, vectors.pointer) }
      benchmark.stopMeasurement()
      blackHole(y)
    }
  }
  kernel("add bias, ReLU") { x, y, b in ck_add_bias_relu(x, b, y, rows, columns) }
  kernel("column moments") { x, _, v in ck_column_moments(x, v, v + columns, rows, columns) }
  kernel("scale, shift, ReLU") { x, y, v in
    ck_scale_shift_floor(x, v, v + columns, 0, y, rows, columns)
  }
  kernel("max pool") { x, y, _ in ck_max_pool_pairs(x, y, rows / 2, columns) }
  kernel("dropout") { x, y, _ in ck_dropout(x, y, rows * columns, 1, 1 << 30, 4 / 3) }
  kernel("transpose") { x, y, _ in ck_transpose(x, y, rows, columns) }
  kernel("softmax") { x, _, _ in ck_softmax_rows(x, rows, columns) }
  kernel("sum of squares") { x, _, _ in blackHole(ck_sum_of_squares(x, rows * columns)) }
  Benchmark("kernel AdamW") { benchmark in
    let count = rows * columns
    let buffers = (0..<5).map { _ in AlignedBuffer(count: count) }
    benchmark.startMeasurement()
    for _ in benchmark.scaledIterations {
      ck_adamw(
        buffers[0].pointer, buffers[1].pointer, buffers[2].pointer, buffers[3].pointer,
        buffers[4].pointer, count, 1, 0.9, 0.99, 1e-3, 1e-8, 1, 0.998)
    }
    benchmark.stopMeasurement()
  }
}
