import EventFiles
import Files
import Foundation
import Testing

@Suite("Files of events for TensorBoard")
struct EventFileTests {
  @Test("The checksum is that of RFC 3720, appendix B.4")
  func checksum() {
    #expect(CRC32C.checksum(of: [UInt8](repeating: 0, count: 32)) == 0x8A91_36AA)
    #expect(CRC32C.checksum(of: [UInt8](repeating: 0xFF, count: 32)) == 0x62A8_AB43)
    #expect(CRC32C.checksum(of: (0..<32).map { UInt8($0) }) == 0x46DD_794E)
    #expect(CRC32C.checksum(of: "123456789".utf8) == 0xE306_9283)
    #expect(CRC32C.checksum(of: []) == 0)
  }

  @Test("A record is its length, a checksum, its bytes and their checksum")
  func record() {
    let record = EventFile.record(Array("abc".utf8))
    #expect(record.count == 8 + 4 + 3 + 4)
    #expect(Array(record[..<8]) == [3, 0, 0, 0, 0, 0, 0, 0])
    #expect(Array(record[12..<15]) == Array("abc".utf8))
    func number(_ place: Int) -> UInt32 {
      (0..<4).reduce(0) { $0 | UInt32(record[place + $1]) << UInt32(8 * $1) }
    }
    #expect(number(8) == CRC32C.masked(of: record[..<8]))
    #expect(number(15) == CRC32C.masked(of: record[12..<15]))
  }

  @Test("Fields have the form of Protocol Buffers")
  func fields() {
    var writer = ProtobufWriter()
    writer.integer(1, 300)
    writer.integer(2, -1)
    writer.string(3, "é")
    writer.float(4, 1)
    writer.doubles(5, [])
    writer.message(16) { $0.integers(1, [1, 128]) }
    #expect(
      writer.bytes == [
        0x08, 0xAC, 0x02, 0x10, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01, 0x1A, 2,
        0xC3, 0xA9, 0x25, 0, 0, 0x80, 0x3F, 0x2A, 0, 0x82, 0x01, 5, 0x0A, 3, 1, 0x80, 0x01,
      ])
  }

  @Test("A histogram counts every finite value once")
  func histogram() {
    let values: [Float] = [1, 2, 3, 4, .nan, 4, -.infinity]
    let histogram = EventHistogram(values)
    #expect(histogram.count == 5 && histogram.counts.reduce(0, +) == 5)
    #expect(histogram.counts.last == 2 && histogram.limits.last == 4)
    #expect(EventHistogram([Float]()).counts.isEmpty)
    #expect(EventHistogram([Float](repeating: 2, count: 3)).counts == [3])
  }

  @Test("A picture is white with black lines, for any strokes")
  func picture() throws {
    let picture = GrayPicture(strokes: [(x: [0, 10], y: [0, 5])])
    #expect(picture.pixels.contains(255) && picture.pixels.contains(0))
    #expect(try #require(picture.png).starts(with: [0x89, 0x50, 0x4E, 0x47]))
    for strokes: [(x: [Float], y: [Float])] in [
      [], [(x: [], y: [])], [(x: [3], y: [3])], [(x: [.nan, .infinity], y: [0, 1])],
      [(x: [0, 1e30], y: [0, 0])], [(x: [5, 5], y: [0, 1e-30])],
    ] {
      let picture = GrayPicture(strokes: strokes)
      #expect(picture.pixels.count == picture.width * picture.height)
      #expect(picture.width >= 16 && picture.width <= 960 && picture.height <= 96)
    }
  }

  @Test("A file begins with its version; a second one in the same folder has another name")
  func file() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("events-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let time = Date(timeIntervalSince1970: 1_000_000_000)
    let first = try EventFile(inFolder: folder, time: time)
    let second = try EventFile(inFolder: folder, time: time)
    #expect(first.path != second.path)
    try first.write(.scalar("loss", 0.5), step: 3, time: time)
    try first.flush()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: first.path))
    #expect(bytes.range(of: Data("brain.Event:2".utf8)) != nil)
    #expect(bytes.range(of: Data("loss".utf8)) != nil)
    // A file where the folder should be is an error that names it.
    let error = #expect(throws: EventFileError.self) { try EventFile(inFolder: first.path) }
    #expect(error?.description.hasPrefix(first.path) == true)
  }
}
