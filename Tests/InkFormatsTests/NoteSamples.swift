import Files
import Foundation
import InkFormats

/// Small files of note programs, written by hand from the descriptions of their formats.
enum NoteSamples {
  /// A small file of each format that is no text. Each has two strokes of two points or more.
  static let all: [(format: InkFileFormat, bytes: [UInt8])] = [
    (.remarkable, remarkable6()), (.rnote, Array(rnote().utf8)), (.uim, uim31()), (.will, will()),
    (.saber, saber()), (.butterfly, Array(butterflyJSON.utf8)), (.supernote, supernote()),
    (.isf, isf()), (.pdf, Array(pdf().utf8)), (.penTable, Array(penTable.utf8)),
  ]

  // MARK: - reMarkable

  static func remarkableHeader(_ version: String) -> [UInt8] {
    let text = "reMarkable .lines file, version=\(version)"
    return Array(text.utf8) + Array(repeating: 0x20, count: 43 - text.utf8.count)
  }

  /// A page of version 3 or 5: two layers; a stroke of the pen `tool` each.
  static func remarkableLines(_ version: Int, tools: [UInt32] = [2, 17]) -> [UInt8] {
    var bytes = ByteWriter(remarkableHeader("\(version)"))
    bytes.long(UInt32(tools.count))
    for (layer, tool) in tools.enumerated() {
      bytes.long(1)
      for value: UInt32 in [tool, UInt32(layer), 0] { bytes.long(value) }
      bytes.float(2)
      if version == 5 { bytes.long(0) }
      bytes.long(2)
      for point in 0..<2 {
        let values = [10 * Float(layer) + Float(point), 20, 0, 0, 3, 0.5]
        for value in values { bytes.float(value) }
      }
    }
    return bytes.bytes
  }

  /// A block of version 6.
  static func block(_ kind: UInt8, version: UInt8 = 2, _ body: [UInt8]) -> [UInt8] {
    var bytes = ByteWriter([])
    bytes.long(UInt32(body.count))
    return bytes.bytes + [0, 1, version, kind] + body
  }

  static func id(_ tag: UInt8, _ author: UInt8, _ value: UInt8) -> [UInt8] {
    [tag << 4 | 0xF, author, value]
  }

  static func long(_ tag: UInt8, _ value: UInt32) -> [UInt8] {
    var bytes = ByteWriter([tag << 4 | 4])
    bytes.long(value)
    return bytes.bytes
  }

  static func part(_ tag: UInt8, _ body: [UInt8]) -> [UInt8] {
    let number = Int(tag) << 4 | 0xC
    var bytes = ByteWriter(
      number < 0x80 ? [UInt8(number)] : [UInt8(number & 0x7F) | 0x80, UInt8(number >> 7)])
    bytes.long(UInt32(body.count))
    return bytes.bytes + body
  }

  static func floats(_ values: [Float]) -> [UInt8] {
    var bytes = ByteWriter([])
    for value in values { bytes.float(value) }
    return bytes.bytes
  }

  /// A group with a label, and an anchor in the typed text if there is one.
  static func group(
    _ value: UInt8, _ label: String, isVisible: Bool = true, anchor: UInt8? = nil
  ) -> [UInt8] {
    let text = [UInt8(label.utf8.count), 1] + Array(label.utf8)
    var body = id(1, 0, value) + part(2, id(1, 0, 1) + part(2, text))
    body += part(3, id(1, 0, 1) + [0x21, isVisible ? 1 : 0])
    if let anchor {
      body += part(7, id(1, 0, 1) + id(2, 1, anchor))
      body += part(8, id(1, 0, 1) + [0x21, 1]) + part(9, id(1, 0, 1) + [0x24] + floats([0]))
      body += part(10, id(1, 0, 1) + [0x24] + floats([5]))
    }
    return block(2, version: 1, body)
  }

  static func groupItem(_ parent: UInt8, _ item: UInt8, left: UInt8, node: UInt8) -> [UInt8] {
    block(
      4, version: 1,
      id(1, 0, parent) + id(2, 1, item) + id(3, left == 0 ? 0 : 1, left) + id(4, 0, 0)
        + long(5, 0) + part(6, [2] + id(2, 0, node)))
  }

  /// A stroke of two points, or what is left of a deleted one.
  static func line(
    _ parent: UInt8, _ item: UInt8, left: UInt8, x: Float, tool: UInt32 = 17,
    isDeleted: Bool = false
  ) -> [UInt8] {
    var points: [UInt8] = []
    for step in 0..<2 {
      points += floats([x + Float(step), 100]) + [0, 0, 8, 0, 0, 128]
    }
    var double = ByteWriter([3 << 4 | 8])
    double.longLong(Double(2).bitPattern)
    let value =
      long(1, tool) + long(2, 6) + double.bytes + [0x44] + floats([0]) + part(5, points)
      + id(6, 0, 1)
    let head =
      id(1, 0, parent) + id(2, 1, item) + id(3, left == 0 ? 0 : 1, left) + id(4, 0, 0)
    return block(
      5, head + long(5, isDeleted ? 1 : 0) + (isDeleted ? [] : part(6, [3] + value)))
  }

  /// Typed text: pieces of characters with their identifiers, the left neighbours, and what was
  /// deleted.
  static func text(_ pieces: [(id: UInt8, left: UInt8, text: String, deleted: UInt32)]) -> [UInt8] {
    var items: [UInt8] = [UInt8(pieces.count)]
    for piece in pieces {
      let value = [UInt8(piece.text.utf8.count), 1] + Array(piece.text.utf8)
      items += part(
        0,
        id(2, 1, piece.id) + id(3, piece.left == 0 ? 0 : 1, piece.left) + id(4, 0, 0)
          + long(5, piece.deleted) + (piece.deleted > 0 ? [] : part(6, value)))
    }
    let place = ByteWriter.doubles([-468, 234])
    return block(
      7, version: 1,
      id(1, 0, 0) + part(2, part(1, part(1, items)) + part(2, part(1, [0]))) + part(3, place)
        + [0x44] + floats([936]))
  }

  /// A page of version 6 with a layer, two strokes, and an unknown block.
  static func remarkable6() -> [UInt8] {
    remarkableHeader("6") + block(0x2A, [1, 2, 3]) + group(11, "Layer 1")
      + groupItem(1, 20, left: 0, node: 11) + line(11, 30, left: 0, x: 1)
      + line(11, 31, left: 30, x: 10)
  }

  // MARK: - Rnote

  static func rnote(_ version: String = "0.9.0", layout: String = "infinite", extra: String = "")
    -> String
  {
    func stroke(_ x: Int, _ y: Int) -> String {
      #"{"value":{"brushstroke":{"path":{"start":{"pos":[\#(x),\#(y)],"pressure":0.5},"segments":["#
        + #"{"lineto":{"end":{"pos":[3,4],"pressure":1}}},{"quadbezto":{"cp":[4,4],"end":"#
        + #"{"pos":[5,6],"pressure":1}}}]},"style":{"smooth":{"stroke_width":2,"#
        + #""stroke_color":{"r":0,"g":0,"b":1,"a":1}}}}},"version":1}"#
    }
    return
      #"{"version":"\#(version)","data":{"engine_snapshot":{"document":{"layout":"\#(layout)","#
      + #""format":{"width":100,"height":200}},"stroke_components":["#
      + #"{"value":null,"version":0},\#(stroke(9, 2)),\#(stroke(1, 250))\#(extra)],"#
      + #""chrono_components":[{"value":null},{"value":{"t":2}},{"value":{"t":1}}]}}}"#
  }

  /// The chunks of a later version.
  static func rnoteChunks(method: String = #""none""#, fileVersion: UInt16 = 1) -> [UInt8] {
    let core = Array(#"{"document":{"layout":"infinite"}}"#.utf8)
    let chunk = Array(
      #"[[{"brushstroke":{"path":{"start":{"pos":[1,2]},"segments":[]}}},{"t":1}]]"#.utf8)
    let text =
      #"{"compression_method":\#(method),"core_info":{"c_size":\#(core.count),"uc_size":0},"#
      + #""chunk_info_vec":[{"c_size":\#(chunk.count),"uc_size":0}]}"#
    let header = Array(text.utf8)
    var bytes = ByteWriter([0x52, 0x4E, 0x4F, 0x54, 0x45, 0x2D, 0xCE, 0xA6, 0xCE, 0x9B])
    bytes.short(fileVersion)
    for value: UInt64 in [0, 14, 0] { bytes.longLong(value) }
    bytes.short(0)
    bytes.short(0)
    bytes.long(UInt32(header.count))
    return bytes.bytes + header + core + chunk
  }

  // MARK: - Wacom

  private static func riff(_ form: String, _ chunks: [(String, [UInt8])]) -> [UInt8] {
    var body = ByteWriter(Array(form.utf8))
    for (id, data) in chunks {
      body.bytes += Array(id.utf8)
      body.long(UInt32(data.count))
      body.bytes += data + (data.count.isMultiple(of: 2) ? [] : [0])
    }
    var bytes = ByteWriter(Array("RIFF".utf8))
    bytes.long(UInt32(body.bytes.count))
    return bytes.bytes + body.bytes
  }

  /// A field with bytes.
  static func field(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] {
    [number << 3 | 2, UInt8(bytes.count)] + bytes
  }

  private static func zigzag(_ values: [Int]) -> [UInt8] {
    values.flatMap { value -> [UInt8] in
      var rest = UInt64(bitPattern: Int64(value << 1 ^ value >> 63))
      var bytes: [UInt8] = []
      repeat {
        bytes.append(UInt8(rest & 0x7F) | (rest > 0x7F ? 0x80 : 0))
        rest >>= 7
      } while rest > 0
      return bytes
    }
  }

  /// Two strokes of five points; places have two digits behind the point.
  static func willPaths() -> [UInt8] {
    let path =
      [0x0D] + floats([0]) + [0x15] + floats([1]) + [0x18, 2]
      + field(4, zigzag([100, 200, 100, 0, 100, 0, 100, 100, 100, 0])) + field(5, zigzag([150]))
    return ([UInt8(path.count)] + path) + ([UInt8(path.count)] + path)
  }

  static func will(version: UInt8 = 1) -> [UInt8] {
    riff("WILL", [("HEAD", [version, 0, 0]), ("INK ", willPaths())])
  }

  static func uim31(minor: UInt8 = 1, packing: UInt8 = 0) -> [UInt8] {
    let spline = field(1, zigzag([100, 100, 100, 100])) + field(2, zigzag([5, 0, 0, 0]))
    let stroke =
      [0x10] + zigzag([2]) + [0x1D] + floats([0]) + [0x25] + floats([1]) + field(6, spline)
      + [0x38, 1] + field(15, [7])
    let pen = [0x08] + zigzag([0x0000_00FF]) + [0x15] + floats([2])
    let channel = { (id: UInt8, name: String, last: [UInt8]) -> [UInt8] in
      field(1, [id]) + field(2, Array(name.utf8)) + last
    }
    var resolution = ByteWriter([0x21])
    resolution.longLong(Double(1000).bitPattern)
    let channels =
      field(2, channel(1, "will://input/3.0/channel/Timestamp", resolution.bytes))
      + field(
        2,
        channel(2, "will://input/3.0/channel/Pressure", [0x2D] + floats([0]) + [0x35] + floats([2]))
      )
    let samples =
      field(1, [7]) + [0x20, 100]
      + field(5, field(1, [1]) + field(2, zigzag([0, 8, 8, 8])))
      + field(5, field(1, [2]) + field(2, zigzag([1, 0, 0, 0])))
    let input = field(1, field(5, field(2, channels))) + field(2, samples)
    let chunk: [UInt8] = [3, minor, 0, 1, packing, 0, 0, 0]
    return riff(
      "UINK",
      [
        ("HEAD", [3, minor, 0, 0] + chunk + chunk), ("INPT", input),
        ("INKD", field(1, stroke) + field(1, stroke) + field(6, pen)),
      ])
  }

  static func uim30() -> [UInt8] {
    let stroke = field(4, floats([1, 2, 3, 4, 5])) + field(5, floats([1, 1, 1, 1, 1]))
    return riff("UINK", [("HEAD", [3, 0, 0]), ("DATA", field(2, field(1, stroke)))])
  }

  // MARK: - Saber and Butterfly

  /// A document of BSON.
  static func bson(_ members: [(type: UInt8, name: String, value: [UInt8])]) -> [UInt8] {
    var body: [UInt8] = []
    for member in members {
      body.append(member.type)
      body += Array(member.name.utf8) + [0]
      body += member.value
    }
    body.append(0)
    var bytes = ByteWriter([])
    bytes.long(UInt32(body.count + 4))
    return bytes.bytes + body
  }

  static func bsonWhole(_ value: UInt32) -> [UInt8] {
    var bytes = ByteWriter([])
    bytes.long(value)
    return bytes.bytes
  }

  static func bsonText(_ text: String) -> [UInt8] {
    bsonWhole(UInt32(text.utf8.count + 1)) + Array(text.utf8) + [0]
  }

  static func saberStroke(_ tool: String = "Pen", x: Float = 1) -> [UInt8] {
    let points = (0..<2).map { index in
      let bytes = floats([x + Float(index), 2, 0.5])
      return (type: UInt8(5), name: "\(index)", value: bsonWhole(12) + [0] + bytes)
    }
    return bson([
      (4, "p", bson(points)), (2, "ty", bsonText(tool)), (1, "s", ByteWriter.doubles([3])),
      (16, "c", bsonWhole(0xFF00_00FF)), (1, "ox", ByteWriter.doubles([10])),
    ])
  }

  static func saber(version: UInt32 = 19) -> [UInt8] {
    let quill = bson([(3, "0", bson([(2, "insert", bsonText("Typed\n"))]))])
    let page = bson([
      (1, "w", ByteWriter.doubles([500])), (1, "h", ByteWriter.doubles([700])),
      (4, "s", bson([(3, "0", saberStroke()), (3, "1", saberStroke(x: 5))])), (4, "q", quill),
    ])
    return bson([(16, "v", bsonWhole(version)), (4, "z", bson([(3, "0", page)]))])
  }

  static let butterflyJSON =
    #"{"fileVersion":9,"content":[{"type":"pen","points":[{"x":1,"y":2,"pressure":0.5},"#
    + #"{"x":3,"y":4,"pressure":1}],"property":{"strokeWidth":2,"color":4278190335}},"#
    + #"{"type":"pen","points":[{"x":5,"y":6},{"x":7,"y":8}]},"#
    + #"{"type":"text","position":{"x":9,"y":9},"area":{"paragraph":{"textSpans":[{"text":"Typed"}]}}}]}"#

  // MARK: - Supernote

  /// A note of one page with a stroke of ink of three points, one of the eraser, and another of ink.
  static func supernote(hasPath: Bool = true) -> [UInt8] {
    func block(_ text: String) -> [UInt8] {
      bsonWhole(UInt32(text.utf8.count)) + Array(text.utf8)
    }
    func record(kind: Int32, gray: UInt32) -> [UInt8] {
      var bytes = ByteWriter([])
      for value: UInt32 in [10, gray, 300] { bytes.long(value) }
      bytes.bytes += [UInt8](repeating: 0, count: 28)
      bytes.long(UInt32(bitPattern: kind))
      bytes.long(0)
      bytes.bytes += Array("others".utf8) + [UInt8](repeating: 0, count: 46 + 28)
      bytes.long(18720)
      bytes.bytes += [UInt8](repeating: 0, count: 208 - 132)
      bytes.long(0)
      bytes.long(3)
      for point: UInt32 in 0..<3 {
        bytes.long(100 + 10 * point)
        bytes.long(40)
      }
      bytes.long(3)
      for _ in 0..<3 { bytes.short(4095) }
      return bsonWhole(UInt32(bytes.bytes.count)) + bytes.bytes
    }
    var file = Array("noteSN_FILE_VER_20230015".utf8)
    let header = file.count
    file += block("<FILE_TYPE:NOTE><APPLY_EQUIPMENT:N6>")
    let path = file.count
    let records =
      record(kind: 5000, gray: 0) + record(kind: -1, gray: 255)
      + record(kind: 5000, gray: 157)
    file += bsonWhole(UInt32(records.count + 4)) + bsonWhole(3) + records
    let page = file.count
    file += block("<PAGEID:P1><ORIENTATION:1000>" + (hasPath ? "<TOTALPATH:\(path)>" : ""))
    let footer = file.count
    file += block("<FILE_FEATURE:\(header)><PAGE1:\(page)>")
    return file + bsonWhole(UInt32(footer))
  }

  // MARK: - ISF

  /// A stream with pressure, a pen, a matrix and two strokes: x in Huffman codes, y in plain bits.
  static func isf(version: UInt8 = 0, rasterOperation: UInt8 = 13) -> [UInt8] {
    func sized(_ tag: UInt8, _ body: [UInt8]) -> [UInt8] { [tag, UInt8(body.count)] + body }
    // The width 53, red, the operation.
    let pen = sized(3, [69, 53, 68, 0xFF, 0x01, 87, rasterOperation, 0, 0, 0])
    let columns = sized(5, [56])
    // From 0 to 100; the sign is the lowest bit, so that 100 is 200, in two groups.
    let range = sized(25, [56, 3, 0, 0xC8, 0x01])
    let matrix = [17] + floats([2])
    // Second differences of 10, 12, 14 in table 7: 10, -8, 0. The least value of one 1 is 1, so that 10 is
    // 9 of 6 bits and its sign, and -8 is 7.
    // 10 001001 0 | 10 000111 1 | 0
    let x: [UInt8] = [0x87, 0b1000_1001, 0b0100_0011, 0b1100_0000]
    // 5, -3, 7 in 4 bits: 0101 1101 0111.
    let y: [UInt8] = [0x04, 0b0101_1101, 0b0111_0000]
    // 100, 50, 0: raw numbers of 32 bits, the highest first.
    let force: [UInt8] = [0, 0, 0, 0, 100, 0, 0, 0, 50, 0, 0, 0, 0]
    let stroke = sized(10, [3] + x + y + force)
    let body = range + pen + columns + matrix + stroke + stroke
    return [version, UInt8(body.count)] + body
  }

  // MARK: - PDF and tables

  static func pdf(rotate: Int = 0, flags: Int = 4, box: String = "10 20 110 220") -> String {
    """
    %PDF-1.7
    1 0 obj
    <</Type/Catalog/Pages 2 0 R>>
    endobj
    2 0 obj
    <</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[\(box)]/Rotate \(rotate)>>
    endobj
    3 0 obj
    <</Type/Page/Parent 2 0 R/Annots[4 0 R 5 0 R]>>
    endobj
    4 0 obj
    <</Subtype/Ink/F \(flags)/C[1 0 0]/BS<</W 2>>/InkList[[20 30 40 50.5][60 70 80 90 90 91]]>>
    endobj
    5 0 obj
    <</Subtype/Link/Rect[0 0 1 1]/Contents(a \\) b)>>
    endobj
    trailer
    <</Root 1 0 R>>
    """
  }

  static let penTable =
    "timestamp,action,x,y\n0,0,1,2\n8,2,3,4\n16,1,5,6\n40,down,7,8\n48,move,9,10\n56,up,11,12\n"
}

/// Writes little-endian numbers.
struct ByteWriter {
  var bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func short(_ value: UInt16) { bytes += [UInt8(value & 0xFF), UInt8(value >> 8)] }
  mutating func long(_ value: UInt32) {
    for shift: UInt32 in [0, 8, 16, 24] { bytes.append(UInt8(value >> shift & 0xFF)) }
  }
  mutating func longLong(_ value: UInt64) {
    long(UInt32(value & 0xFFFF_FFFF))
    long(UInt32(value >> 32))
  }
  mutating func float(_ value: Float) { long(value.bitPattern) }

  static func doubles(_ values: [Double]) -> [UInt8] {
    var writer = ByteWriter([])
    for value in values { writer.longLong(value.bitPattern) }
    return writer.bytes
  }
}
