import LinearAlgebra

extension [Parameter] {
  /// Fills a flat buffer with starting values.
  func initialize(_ buffer: AlignedBuffer, using generator: inout some RandomNumberGenerator) {
    buffer.clear()
    for parameter in self {
      let target = UnsafeMutableBufferPointer(
        start: buffer.pointer + parameter.offset, count: parameter.count)
      switch parameter.initialization {
      case .constant(let value):
        target.update(repeating: value)
      case .gates(let hidden):
        for index in target.indices where index / hidden % 4 == 1 { target[index] = 1 }
      case .normal(let fanIn):
        let deviation = (2 / Float(Swift.max(fanIn, 1))).squareRoot()
        for index in target.indices { target[index] = deviation * normal(using: &generator) }
      }
    }
  }
}

/// A standard normal number as the sum of twelve uniform ones, bounded by ±6.
private func normal(using generator: inout some RandomNumberGenerator) -> Float {
  var sum: Float = -6
  for _ in 0..<12 { sum += Float(generator.next() >> 40) * 0x1p-24 }
  return sum
}
