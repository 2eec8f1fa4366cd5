import CKernels

/// The processor's instructions for products of factors in 8 bits, whose sums are exact in 32 bits.
///
/// All of them give the same bits as ``plain``.
package enum EightBitUnit: String, CaseIterable, Sendable {
  /// C for any processor. Slower than products in single precision: for comparison.
  case plain
  /// Vectors of 256 bits (Intel Haswell, AMD Zen, and later).
  case avx2
  /// AVX-512 VNNI (Intel Cascade Lake, AMD Zen 4, and later).
  case vnni
  /// ARM vectors of 128 bits.
  case neon
  /// The same with products of bytes (ARMv8.4, many of ARMv8.2).
  case neonDot

  fileprivate var code: ck_eight_bit_unit {
    switch self {
    case .plain: CK_PLAIN
    case .avx2: CK_AVX2
    case .vnni: CK_VNNI
    case .neon: CK_NEON
    case .neonDot: CK_NEON_DOT
    }
  }

  /// The units that the processor has and the system lets this process use, the slower first.
  package static let available = allCases.filter { ck_eight_bit_available($0.code) != 0 }

  /// The fastest unit.
  package static let fastest = available.last ?? .plain

  /// True if products in 8 bits are faster than those in single precision.
  package static var isAvailable: Bool { fastest != .plain }

  /// c [rows, columns] = a b + bias in single precision, for a layer that keeps it. A row of the
  /// result does not depend on the other rows of a.
  ///
  /// - Parameters:
  ///   - a: [rows, inner]
  ///   - b: [inner, columns], dense.
  ///   - bias: A value for each column.
  ///   - c: Dense rows.
  ///   - relu: True if negative results become 0.
  package func multiply(
    _ a: Matrix, _ b: Matrix, bias: UnsafePointer<Float>, into c: UnsafeMutablePointer<Float>,
    relu: Bool
  ) {
    assert(a.columns == b.rows && b.stride == b.columns)
    ck_eight_bit_multiply_single(
      code, a.pointer, a.stride, b.pointer, bias, c, a.rows, b.columns, a.columns, relu ? 1 : 0)
  }
}

/// The right factor [inner, columns] of many products in 8 bits, with a scale for each column, in
/// memory of its owner.
package struct EightBitFactor: @unchecked Sendable {
  // Unchecked because the memory behind the pointer is only read after packing.

  /// The rows.
  package let inner: Int
  /// The columns before packing.
  package let columns: Int
  /// The units of LSTM layers whose gates are the columns; 0 for other factors.
  package let hidden: Int
  private let memory: UnsafePointer<Float>

  /// The columns of packed results: those of gates are reordered, and rounded up.
  package var packedColumns: Int { Self.packedColumns(columns, hidden) }
  private var bias: UnsafePointer<Float> { memory + Self.weightCount(inner, columns, hidden) }

  /// True if a factor can be packed: its sums do not exceed 32 bits.
  package static func canPack(inner: Int) -> Bool { inner <= ck_eight_bit_longest() }

  /// Floats of memory, aligned to 64 bytes, for a factor; a multiple of 16.
  package static func count(inner: Int, columns: Int, hidden: Int = 0) -> Int {
    weightCount(inner, columns, hidden) + packedColumns(columns, hidden)
  }

  /// Floats of memory for rows of activations; a multiple of 16.
  package static func activationCount(rows: Int, columns: Int) -> Int {
    (rows * ck_eight_bit_row(columns) / MemoryLayout<Float>.stride + 15) / 16 * 16
      + (rows + 15) / 16 * 16
  }

  private static func packedColumns(_ columns: Int, _ hidden: Int) -> Int {
    ck_eight_bit_columns(columns, hidden)
  }

  private static func weightCount(_ inner: Int, _ columns: Int, _ hidden: Int) -> Int {
    let bytes = ck_eight_bit_factor(inner, packedColumns(columns, hidden))
    return (bytes / MemoryLayout<Float>.stride + 15) / 16 * 16
  }

  /// Packs a matrix in `memory`, of ``count(inner:columns:hidden:)`` floats. O(inner · columns).
  ///
  /// - Parameters:
  ///   - matrix: [inner, columns], of at most as many rows as ``canPack(inner:)`` permits.
  ///   - bias: A value for each column; nil for zeros.
  ///   - hidden: The units of LSTM layers whose gates are the columns, 4 x hidden for each
  ///     direction; 0 for other matrices.
  ///   - isRecurrent: True if the left factor are the hidden states of ``EightBitLayer``.
  package init(
    _ matrix: Matrix, bias: UnsafePointer<Float>?, hidden: Int = 0, isRecurrent: Bool = false,
    in memory: UnsafeMutablePointer<Float>
  ) {
    inner = matrix.rows
    columns = matrix.columns
    self.hidden = hidden
    self.memory = UnsafePointer(memory)
    ck_eight_bit_pack(
      matrix.pointer, matrix.stride, inner, columns, hidden, isRecurrent ? 1 / 127 : 1, memory)
    if let bias {
      let target = memory + Self.weightCount(inner, columns, hidden)
      ck_eight_bit_pack_bias(bias, columns, hidden, target)
    }
  }

  /// c [rows, columns] = a b + bias: a is rounded to 8 bits, with a scale for each row. For gates, c
  /// has ``packedColumns``.
  ///
  /// - Parameters:
  ///   - a: [rows, inner]
  ///   - c: Dense rows.
  ///   - relu: True if negative results become 0.
  ///   - scratch: ``activationCount(rows:columns:)`` floats, aligned to 64 bytes.
  ///   - unit: An available unit.
  package func multiply(
    _ a: Matrix, into c: UnsafeMutablePointer<Float>, relu: Bool = false,
    scratch: UnsafeMutablePointer<Float>, on unit: EightBitUnit
  ) {
    assert(a.columns == inner)
    let scales = scratch
    let rounded = UnsafeMutableRawPointer(scratch + (a.rows + 15) / 16 * 16)
      .assumingMemoryBound(to: Int8.self)
    let columns = hidden > 0 ? packedColumns : columns
    ck_eight_bit_round(unit.code, a.pointer, a.stride, rounded, scales, a.rows, inner)
    ck_eight_bit_multiply(
      unit.code, rounded, scales, memory, packedColumns, bias, c, columns, a.rows, columns, inner,
      relu ? 1 : 0)
  }

  fileprivate var weights: UnsafeRawPointer { UnsafeRawPointer(memory) }
}

/// The recurrent part of an LSTM layer in 8 bits, over packed sequences, in one or two directions.
package struct EightBitLayer {
  private let recurrent: [EightBitFactor]
  private let hidden: Int

  /// Makes a layer.
  ///
  /// - Parameter recurrent: The recurrent weights [H, 4H] of each direction, forward first; one or
  ///   two.
  package init(_ recurrent: [EightBitFactor]) {
    precondition((1...2).contains(recurrent.count))
    self.recurrent = recurrent
    hidden = recurrent[0].inner
  }

  /// Floats of scratch memory for a batch of B sequences; a multiple of 16.
  package static func scratchCount(hidden: Int, directions: Int, batch: Int) -> Int {
    let row = ck_eight_bit_row(hidden)
    // States of 8 bits for two steps, and cells.
    return (directions * batch * (2 * row / MemoryLayout<Float>.stride + row) + 15) / 16 * 16
  }

  /// Computes the hidden states of all steps.
  ///
  /// - Parameters:
  ///   - gates: [N, packed columns]: the pre-activations, without the recurrent part. Overwritten.
  ///   - output: [N, DH]
  ///   - starts: The first row of each time step, and the number of rows. The rows of a step are the
  ///     sequences that are longer than it, the longest first.
  ///   - batch: B.
  ///   - scratch: ``scratchCount(hidden:directions:batch:)`` floats, aligned to 64 bytes.
  ///   - unit: An available unit.
  package func run(
    _ gates: UnsafeMutablePointer<Float>, into output: UnsafeMutablePointer<Float>, starts: [Int32],
    batch: Int, scratch: UnsafeMutablePointer<Float>, on unit: EightBitUnit
  ) {
    let cells = recurrent.count * batch * ck_eight_bit_row(hidden)
    starts.withUnsafeBufferPointer { starts in
      var layer = ck_eight_bit_layer(
        hidden: hidden, directions: recurrent.count, batch: batch, steps: starts.count - 1,
        starts: starts.baseAddress, gates: gates,
        recurrent: (recurrent[0].weights, recurrent[recurrent.count - 1].weights),
        states: UnsafeMutableRawPointer(scratch + cells).assumingMemoryBound(to: Int8.self),
        cells: scratch, output: output)
      ck_eight_bit_lstm(unit.code, &layer)
    }
  }
}
