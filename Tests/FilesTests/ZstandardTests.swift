import Files
import Testing

@Suite("Data compressed by Zstandard")
struct ZstandardTests {
  /// A frame of one block of `size` zeros, which takes four bytes: its window is of 128 MB.
  private static func zeros(_ size: Int, window: UInt8 = 0x88) -> [UInt8] {
    // The last block, of one repeated byte.
    let head = UInt32(size) << 3 | 1 << 1 | 1
    return [0x28, 0xB5, 0x2F, 0xFD, 0x00, window]
      + (0..<3).map { UInt8(head >> (8 * $0) & 0xFF) } + [0]
  }

  @Test("Frames are unpacked, one after the other")
  func frames() throws {
    let frame = Self.zeros(1000)
    #expect(Zstandard.isCompressed(frame))
    #expect(try Zstandard.unpack(frame, limit: 1000) == Array(repeating: 0, count: 1000))
    #expect(try Zstandard.unpack(frame + frame, limit: 5000).count == 2000)
  }

  @Test("Data that is too large, cut off or other is an error")
  func faults() {
    let frame = Self.zeros(1000)
    #expect(throws: Zstandard.Fault.tooLarge(limit: 999)) {
      try Zstandard.unpack(frame, limit: 999)
    }
    for count in 0..<frame.count {
      #expect(throws: Zstandard.Fault.truncated) {
        try Zstandard.unpack(Array(frame[..<count]), limit: 1000)
      }
    }
    #expect(throws: Zstandard.Fault.malformed) {
      try Zstandard.unpack([1, 2, 3, 4, 5, 6, 7, 8, 9], limit: 1000)
    }
  }

  @Test("A frame that needs more memory than a note may is refused")
  func window() {
    // 2 ** 31 bytes.
    #expect(throws: Zstandard.Fault.malformed) {
      try Zstandard.unpack(Self.zeros(10, window: 0xA8), limit: 1000)
    }
  }

  @Test("Without the library the error says how to install it")
  func missing() {
    let error = #expect(throws: Zstandard.Fault.missingLibrary) {
      try Zstandard.unpack(Self.zeros(10), limit: 100, names: ["libno-such-library.so.1"])
    }
    #expect(error?.description.contains("libzstd1") == true)
  }
}
