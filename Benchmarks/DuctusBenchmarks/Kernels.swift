import Benchmark
import LinearAlgebra

/// A buffer of small numbers that are not all equal.
func filled(_ count: Int) -> AlignedBuffer {
  AlignedBuffer((0..<count).map { Float($0 % 13) * 0.1 - 0.6 })
}

/// Matrix products: a large one that reaches the machine's peak, and those of the default network.
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
    Benchmark("kernel \(name)", configuration: .repeated) { benchmark in
      let (x, y, vectors) = (filled(rows * columns), filled(rows * columns), filled(8 * columns))
      benchmark.startMeasurement()
      for _ in benchmark.scaledIterations { body(x.pointer, y.pointer, vectors.pointer) }
      benchmark.stopMeasurement()
      blackHole(y)
    }
  }
  kernel("add bias, ReLU") { x, y, bias in
    Kernels.addBias(x, bias, y, rows: rows, columns: columns, relu: true)
  }
  kernel("column moments") { x, _, v in
    Kernels.columnMoments(x, mean: v, variance: v + columns, rows: rows, columns: columns)
  }
  kernel("scale, shift, ReLU") { x, y, v in
    Kernels.scaleShift(
      x, scale: v, shift: v + columns, floor: 0, y, rows: rows, columns: columns)
  }
  kernel("normalisation, backward sums") { x, y, v in
    Kernels.batchNormalizationSums(
      x, x, floor: 0, y, mean: v, inverse: v + columns, sumG: v + 2 * columns,
      sumGX: v + 3 * columns, rows: rows, columns: columns)
  }
  kernel("max pool") { x, y, _ in Kernels.maxPoolPairs(x, y, rows: rows / 2, columns: columns) }
  kernel("dropout") { x, y, _ in Kernels.dropout(x, y, count: rows * columns, rate: 0.3, seed: 1) }
  kernel("transpose") { x, y, _ in Kernels.transpose(x, into: y, rows: rows, columns: columns) }
  kernel("sum of squares") { x, _, _ in
    blackHole(Kernels.sumOfSquares(x, count: rows * columns))
  }
  let labels = (0..<rows).map { Int32($0 % columns) }
  kernel("softmax and cross-entropy") { x, _, _ in
    blackHole(
      Kernels.softmaxCrossEntropy(
        x, labels: labels, rows: rows, columns: columns, smoothing: 0.05, scale: 1))
  }
  Benchmark("kernel AdamW", configuration: .repeated) { benchmark in
    let count = rows * columns
    let buffers = (0..<5).map { _ in AlignedBuffer(count: count) }
    let step = Kernels.AdamWStep(
      gradientScale: 1, beta1: 0.9, beta2: 0.99, stepSize: 1e-3, epsilon: 1e-8, decay: 1,
      averageDecay: 0.998)
    benchmark.startMeasurement()
    for _ in benchmark.scaledIterations {
      Kernels.adamW(
        weights: buffers[0].pointer, gradients: buffers[1].pointer, first: buffers[2].pointer,
        second: buffers[3].pointer, average: buffers[4].pointer, count: count, step)
    }
    benchmark.stopMeasurement()
  }
}
