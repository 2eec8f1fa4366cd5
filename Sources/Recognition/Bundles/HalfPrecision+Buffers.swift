import LinearAlgebra
import SafeTensors

extension HalfPrecision {
  /// A copy of a buffer with every value rounded to half precision. O(count).
  package static func rounded(_ buffer: AlignedBuffer) -> AlignedBuffer {
    let result = AlignedBuffer(count: buffer.count)
    for index in 0..<buffer.count {
      result.pointer[index] = value(of: bits(of: buffer.pointer[index]))
    }
    return result
  }
}
