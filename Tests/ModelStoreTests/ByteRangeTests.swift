import ModelServer
import Testing

@Suite("ByteRange")
struct ByteRangeTests {
  @Test(
    "Single ranges are parsed by RFC 9110, others are ignored",
    arguments: [
      (nil, ByteRange.whole), ("bytes=0-", .part(0..<100)), ("bytes=10-", .part(10..<100)),
      ("bytes=10-19", .part(10..<20)), ("bytes=90-500", .part(90..<100)),
      ("bytes=-10", .part(90..<100)), ("bytes=-500", .part(0..<100)),
      ("bytes=100-", .unsatisfiable), ("bytes=-0", .unsatisfiable), ("bytes=5-4", .whole),
      ("bytes=-", .whole), ("bytes=0-1,3-4", .whole), ("lines=1-2", .whole),
      ("bytes=99999999999999999999-", .whole), ("bytes=a-b", .whole),
    ] as [(String?, ByteRange)])
  func parse(field: String?, expected: ByteRange) {
    #expect(ByteRange.parse(field, length: 100) == expected)
  }
}
