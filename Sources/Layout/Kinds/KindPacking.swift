import Foundation

/// The parameters of a ``KindNetwork`` in one byte each.
///
/// For each matrix in the order of ``KindNetwork/blocks`` and each of its rows (one input): the upper
/// half of the bits of a Float, the scale, low byte first, and a signed byte for each output.
package enum KindPacking {
  /// Packs parameters. The values change by up to 1/254 of the largest of their row.
  package static func pack(_ parameters: [Float]) -> [UInt8] {
    var bytes: [UInt8] = []
    for block in KindNetwork.blocks {
      for input in 0..<block.inputs {
        let start = block.start + input * block.outputs
        let row = parameters[start..<(start + block.outputs)]
        let largest = row.reduce(0) { max($0, abs($1)) }
        // Rounded up, so that no value exceeds 127 scales.
        let bits = UInt16(truncatingIfNeeded: (largest / 127).bitPattern >> 16) &+ 1
        let scale = Float(bitPattern: UInt32(bits) << 16)
        bytes += [UInt8(truncatingIfNeeded: bits), UInt8(truncatingIfNeeded: bits >> 8)]
        for value in row {
          bytes.append(UInt8(bitPattern: Int8(max(-127, min(127, (value / scale).rounded())))))
        }
      }
    }
    return bytes
  }

  /// Unpacks parameters; zeros where bytes are missing.
  package static func unpack(_ bytes: [UInt8]) -> [Float] {
    var parameters = [Float](repeating: 0, count: KindNetwork.parameterCount)
    var place = 0
    for block in KindNetwork.blocks {
      for input in 0..<block.inputs {
        guard place + 2 + block.outputs <= bytes.count else { return parameters }
        let bits = UInt32(bytes[place]) | UInt32(bytes[place + 1]) << 8
        let scale = Float(bitPattern: bits << 16)
        place += 2
        for output in 0..<block.outputs {
          parameters[block.start + input * block.outputs + output] =
            scale * Float(Int8(bitPattern: bytes[place]))
          place += 1
        }
      }
    }
    return parameters
  }

  /// Unpacks parameters from Base64.
  package static func unpack(base64 text: String) -> [Float] {
    unpack(Data(base64Encoded: text).map(Array.init) ?? [])
  }
}
