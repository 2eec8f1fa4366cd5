import Files
import Testing

@Suite("UTF-8")
struct UTF8CheckTests {
  /// The verdict of the standard library.
  private func isValid(_ bytes: [UInt8]) -> Bool {
    var iterator = bytes.makeIterator()
    var decoder = UTF8()
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue: continue
      case .emptyInput: return true
      case .error: return false
      }
    }
  }

  @Test("Every sequence of two bytes has the verdict of the standard library")
  func pairs() {
    for first in UInt8.min...UInt8.max {
      for second in UInt8.min...UInt8.max {
        let bytes = [first, second]
        #expect(UTF8Check.isValid(bytes) == isValid(bytes), "\(bytes)")
      }
    }
  }

  @Test("Sequences of three and four bytes at the edges have the verdict of the standard library")
  func edges() {
    let leads: [UInt8] = [
      0x41, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5,
      0xFF,
    ]
    let others: [UInt8] = [0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xF0, 0xFF]
    for first in leads {
      for second in others {
        for third in others {
          for fourth in others {
            for bytes in [[first, second, third], [first, second, third, fourth]] {
              #expect(UTF8Check.isValid(bytes) == isValid(bytes), "\(bytes)")
            }
          }
        }
      }
    }
  }

  @Test("Text that is not in one piece of memory is checked too")
  func sequences() {
    #expect(UTF8Check.isValid(Array("é汉😀".utf8).lazy.map { $0 }))
    #expect(!UTF8Check.isValid(Array("é汉😀".utf8).dropLast().lazy.map { $0 }))
    #expect(UTF8Check.isValid([UInt8]()))
  }
}
