import CKernels

/// One thread's use of the processor's instructions for matrix products in mixed precision: factors
/// are rounded to bfloat16 (nearest, ties to even), sums are in single precision (Micikevicius et
/// al. 2018).
///
/// It owns the memory that factors are packed in, 1 MB. Not thread-safe.
@usableFromInline package final class BFloat16Unit: @unchecked Sendable {
  // Unchecked because the pointer is constant; only the thread that uses the object uses the
  // memory.

  /// The instructions that compute products. They add in different orders, so that results differ
  /// in the last bits.
  @usableFromInline package enum Kind: String, CaseIterable, Sendable {
    /// AVX-512 BF16 (Intel Cooper Lake, AMD Zen 4, and later).
    case vectors
    /// Intel AMX.
    case tiles

    fileprivate var code: ck_bfloat16_unit { self == .tiles ? CK_TILES : CK_VECTORS }
  }

  /// The kinds that the processor has and the system lets this process use, the slower first.
  package static let available = Kind.allCases.filter { ck_bfloat16_available($0.code) != 0 }

  /// True if any kind is available.
  package static var isAvailable: Bool { !available.isEmpty }

  private let code: ck_bfloat16_unit
  private let scratch: UnsafeMutableRawPointer

  /// Allocates the memory; nil if the processor has no such instructions.
  ///
  /// - Parameter kind: the instructions to use; nil uses the fastest.
  @usableFromInline package init?(_ kind: Kind? = nil) {
    guard let kind = kind ?? Self.available.last, Self.available.contains(kind) else { return nil }
    code = kind.code
    scratch = .allocate(byteCount: ck_bfloat16_scratch(), alignment: 64)
  }

  deinit { scratch.deallocate() }

  /// c = a b, or c += a b.
  func multiply(
    _ a: Matrix, transposed transposedA: Bool, _ b: Matrix, transposed transposedB: Bool,
    inner: Int, into c: Matrix, accumulates: Bool
  ) {
    ck_bfloat16_multiply(
      code, a.pointer, a.stride, transposedA ? 1 : 0, b.pointer, b.stride, transposedB ? 1 : 0,
      c.pointer, c.stride, c.rows, c.columns, inner, accumulates ? 1 : 0, scratch)
  }

  /// c = a b with a packed b, or c += a b.
  func multiply(
    _ a: Matrix, packed b: UnsafeRawPointer, into c: Matrix, accumulates: Bool
  ) {
    ck_bfloat16_multiply_packed(
      code, a.pointer, a.stride, b, c.pointer, c.stride, c.rows, c.columns, a.columns,
      accumulates ? 1 : 0, scratch)
  }
}

extension Matrix {
  /// self = a b, or self += a b; on a unit if there is one.
  package func multiply(_ a: Matrix, _ b: Matrix, accumulates: Bool = false, on unit: BFloat16Unit?)
  {
    guard let unit else { return multiply(a, b, beta: accumulates ? 1 : 0) }
    assert(a.columns == b.rows && rows == a.rows && columns == b.columns)
    unit.multiply(
      a, transposed: false, b, transposed: false, inner: a.columns, into: self,
      accumulates: accumulates)
  }

  /// self = aᵀ b, or self += aᵀ b; on a unit if there is one.
  package func multiply(
    _ a: TransposedMatrix, _ b: Matrix, accumulates: Bool = false, on unit: BFloat16Unit?
  ) {
    guard let unit else { return multiply(a, b, beta: accumulates ? 1 : 0) }
    assert(a.matrix.rows == b.rows && rows == a.matrix.columns && columns == b.columns)
    unit.multiply(
      a.matrix, transposed: true, b, transposed: false, inner: b.rows, into: self,
      accumulates: accumulates)
  }
}
