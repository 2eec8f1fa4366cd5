/// The cyclic redundancy check with the polynomial of Castagnoli, as TFRecord files have it.
package enum CRC32C {
  /// The polynomial 0x1EDC6F41 with its bits reversed.
  private static let polynomial: UInt32 = 0x82F6_3B78

  /// The remainder of each byte.
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in
      value & 1 == 1 ? value >> 1 ^ polynomial : value >> 1
    }
  }

  /// The checksum of bytes (RFC 3720, appendix B.4). O(bytes).
  package static func checksum(of bytes: some Sequence<UInt8>) -> UInt32 {
    var value = ~UInt32(0)
    for byte in bytes { value = table[Int(UInt8(truncatingIfNeeded: value) ^ byte)] ^ value >> 8 }
    return ~value
  }

  /// The checksum in the form in which TFRecord files store it: rotated, and a constant added, so
  /// that the checksum of bytes that contain checksums is not trivial.
  package static func masked(of bytes: some Sequence<UInt8>) -> UInt32 {
    let value = checksum(of: bytes)
    return (value >> 15 | value << 17) &+ 0xA282_EAD8
  }
}
