/// Floats on the heap, aligned to 64 bytes as BLAS and the vector kernels prefer.
///
/// The memory lives as long as the object. The caller synchronises access from several threads.
public final class AlignedBuffer: @unchecked Sendable {
  // Unchecked because the pointer is constant. The floats are shared memory; the fork and join
  // around every step order its use by workers.

  /// The first float.
  package let pointer: UnsafeMutablePointer<Float>
  /// The number of floats.
  package let count: Int

  /// Allocates `count` floats, all 0.
  @usableFromInline package init(count: Int) {
    let raw = UnsafeMutableRawPointer.allocate(
      byteCount: max(count, 1) * MemoryLayout<Float>.stride, alignment: 64)
    pointer = raw.bindMemory(to: Float.self, capacity: max(count, 1))
    pointer.initialize(repeating: 0, count: max(count, 1))
    self.count = count
  }

  /// Allocates a copy of `values`.
  package convenience init(_ values: [Float]) {
    self.init(count: values.count)
    values.withUnsafeBufferPointer { source in
      if let base = source.baseAddress { pointer.update(from: base, count: source.count) }
    }
  }

  deinit {
    pointer.deallocate()
  }

  /// The floats as a buffer.
  package var buffer: UnsafeMutableBufferPointer<Float> {
    UnsafeMutableBufferPointer(start: pointer, count: count)
  }

  /// A copy of the floats. O(count).
  package var values: [Float] { Array(buffer) }

  /// Copies the floats of another buffer of the same count.
  package func copy(from other: AlignedBuffer) {
    precondition(count == other.count, "buffers of \(count) and \(other.count) floats")
    pointer.update(from: other.pointer, count: count)
  }

  /// Sets every float to 0.
  @usableFromInline package func clear() {
    pointer.update(repeating: 0, count: count)
  }
}
