import InkCore

/// Reads Wacom's Universal Ink Model (`.uim`), versions 3.0 and 3.1: a RIFF file with messages of
/// Protocol Buffers.
///
/// Splines become points at their knots, with the times and pressures of the sensor where each knot has
/// a sample. A file is one record. Recognised words, groups and brushes are not read.
enum UIMReader {
  @Sendable
  static func parse(_ input: InkInput) throws(InkFormatError) -> DrawnFile {
    var chunks = try RIFFChunks(input, form: "UINK")
    guard var head = try chunks.next(), head.id == "HEAD" else {
      throw InkFormatError(
        .missingKey, at: SourceLocation(path: input.path), expected: "the chunk HEAD",
        found: "another one", advice: "check which program wrote the file")
    }
    let (major, minor) = (try head.data.byte(), try head.data.byte())
    guard major == 3, minor <= 1 else {
      throw head.data.error(
        .unsupported, expected: "version 3.0 or 3.1", found: "version \(major).\(minor)",
        advice: "export the ink as InkML")
    }
    var model = UIMModel(path: input.path)
    if minor == 0 {
      while let chunk = try chunks.next() {
        if chunk.id == "DATA" { try model.readDocument(ProtobufReader(chunk.data)) }
      }
    } else {
      // Behind the version: 8 bytes for each chunk, of which the fifth says how it is compressed.
      try head.data.skip(2)
      while let chunk = try chunks.next() {
        try head.data.skip(4)
        let packing = try head.data.byte()
        try head.data.skip(3)
        guard packing == 0 else {
          throw head.data.error(
            .unsupported, expected: "chunks that are not compressed",
            found: "compression \(packing)", advice: "save the file without compression")
        }
        if chunk.id == "INPT" { try model.readInput(ProtobufReader(chunk.data)) }
        if chunk.id == "INKD" { try model.readInk(ProtobufReader(chunk.data)) }
      }
    }
    return try model.file()
  }
}

/// The strokes of a model and the samples that belong to them.
private struct UIMModel {
  private struct Channel {
    var type = ""
    var resolution = 1.0
    var low = 0.0
    var high = 0.0
    var digits = 0
  }

  private struct Samples {
    var timestamp = 0.0
    /// The values by the identifier of their channel.
    var values: [[UInt8]: [Int64]] = [:]
  }

  private struct Line {
    var spline = WacomSpline()
    var samples: [UInt8] = []
    var offset = 0
    var mapping: [UInt64] = []
    /// The place of the pen in the list of pens, from 1.
    var pen = 0
  }

  let path: String
  private var channels: [[UInt8]: Channel] = [:]
  private var samples: [[UInt8]: Samples] = [:]
  private var lines: [Line] = []
  private var pens: [(color: String?, size: Double)] = []
  private var matrix: [Double?] = []
  private var budget = InkBudget()

  init(path: String) {
    self.path = path
  }

  func file() throws(InkFormatError) -> DrawnFile {
    var page = DrawnFile.Page()
    page.groups = [DrawnFile.Group()]
    for var line in lines {
      addSamples(to: &line)
      let pen = pens.indices.contains(line.pen - 1) ? pens[line.pen - 1] : nil
      if let size = pen?.size, line.spline.size == 0 { line.spline.size = size }
      var stroke = line.spline.stroke()
      transform(&stroke)
      page.add(
        stroke, to: 0, width: line.spline.width, color: line.spline.color ?? pen?.color)
    }
    return DrawnFile(pages: [page])
  }

  /// Applies the matrix of the file, which is missing where all of it is 0.
  private func transform(_ stroke: inout Stroke) {
    guard matrix.count == 16, matrix.contains(where: { $0 ?? 0 != 0 }) else { return }
    let m = matrix.map { $0 ?? 0 }
    let map = AffineMatrix(a: m[0], b: m[4], c: m[1], d: m[5], e: m[3], f: m[7])
    for index in stroke.points.indices {
      let point = stroke.points[index]
      (stroke.points[index].x, stroke.points[index].y) = map.apply(point.x, point.y)
    }
  }

  /// Gives the points of a line the times and pressures of their samples, if there are as many. The
  /// first point of a spline stands before its first sample.
  private func addSamples(to line: inout Line) {
    guard let samples = samples[line.samples] else { return }
    let count = line.spline.x.count
    for (id, steps) in samples.values {
      guard let channel = channels[id] else { continue }
      let kind = channel.type.split(separator: "/").last.map { $0.lowercased() } ?? ""
      guard kind == "timestamp" || kind == "pressure",
        line.mapping.isEmpty ? abs(steps.count - line.offset - count) <= 2 : true
      else { continue }
      let values = WacomSpline.values(steps, digits: channel.digits)
      guard let last = values.indices.last else { continue }
      let picked = (0..<count).map { index -> Double in
        let place =
          index < line.mapping.count
          ? Int(clamping: line.mapping[index]) : line.offset + index - 1
        return values[max(0, min(last, place))]
      }
      if kind == "timestamp" {
        let unit = channel.resolution > 0 ? 1000 / channel.resolution : 1
        line.spline.times = picked.map { samples.timestamp + $0 * unit }
      } else if channel.high > channel.low {
        line.spline.forces = picked.map { ($0 - channel.low) / (channel.high - channel.low) }
      }
    }
  }

  // MARK: - Version 3.0

  mutating func readDocument(_ message: ProtobufReader) throws(InkFormatError) {
    var message = message
    while let (number, value) = try message.next() {
      guard let part = value.message else { continue }
      switch number {
      case 1: try readInput(ProtobufReader(part))
      case 2:
        var ink = ProtobufReader(part)
        while let (number, value) = try ink.next() {
          if number == 1, let stroke = value.message { try readFloats(ProtobufReader(stroke)) }
        }
      case 7: matrix = try Self.matrix(ProtobufReader(part))
      default: continue
      }
    }
  }

  /// Reads a stroke of version 3.0, with its values as floats.
  private mutating func readFloats(_ message: ProtobufReader) throws(InkFormatError) {
    var message = message
    var line = Line()
    while let (number, value) = try message.next() {
      switch number {
      case 2: line.spline.start = value.float ?? 0
      case 3: line.spline.end = value.float ?? 1
      case 4: try value.append(floats: &line.spline.x)
      case 5: try value.append(floats: &line.spline.y)
      case 11: try value.append(floats: &line.spline.sizes)
      case 19: line.offset = Int(clamping: value.whole ?? 0)
      case 20: line.samples = try Self.identifier(value)
      case 21: try value.append(wholes: &line.mapping)
      default: continue
      }
    }
    try add(line)
  }

  private mutating func add(_ line: Line) throws(InkFormatError) {
    try budget.add(line.spline.x.count, path: path)
    lines.append(line)
  }

  // MARK: - Version 3.1

  mutating func readInk(_ message: ProtobufReader) throws(InkFormatError) {
    var message = message
    while let (number, value) = try message.next() {
      guard let part = value.message else { continue }
      switch number {
      case 1: try readStroke(ProtobufReader(part))
      case 3: matrix = try Self.matrix(ProtobufReader(part))
      case 6: pens.append(try Self.pen(ProtobufReader(part)))
      default: continue
      }
    }
  }

  private static func pen(
    _ message: ProtobufReader
  ) throws(InkFormatError) -> (color: String?, size: Double) {
    var message = message
    var pen: (color: String?, size: Double) = (nil, 0)
    while let (number, value) = try message.next() {
      if number == 1 { pen.color = value.signed.map(WacomSpline.color) }
      if number == 2 { pen.size = value.float ?? 0 }
    }
    return pen
  }

  private mutating func readStroke(_ message: ProtobufReader) throws(InkFormatError) {
    var message = message
    var line = Line()
    var digits: Int64 = 0
    var packed: ByteCursor?
    while let (number, value) = try message.next() {
      switch number {
      case 2: digits = value.signed ?? 0
      case 3: line.spline.start = value.float ?? 0
      case 4: line.spline.end = value.float ?? 1
      case 5:
        guard var data = value.message.map(ProtobufReader.init) else { continue }
        while let (number, value) = try data.next() {
          if number == 1 { try value.append(floats: &line.spline.x) }
          if number == 2 { try value.append(floats: &line.spline.y) }
          if number == 8 { try value.append(floats: &line.spline.sizes) }
        }
      case 6: packed = value.message
      case 7: line.pen = Int(clamping: value.whole ?? 0)
      case 8:
        if let part = value.message {
          let pen = try Self.pen(ProtobufReader(part))
          (line.spline.color, line.spline.size) = (pen.color, pen.size)
        }
      case 14: line.offset = Int(clamping: value.whole ?? 0)
      case 15: line.samples = try Self.identifier(value)
      case 16: try value.append(wholes: &line.mapping)
      default: continue
      }
    }
    if var data = packed.map(ProtobufReader.init) {
      var (x, y, sizes): ([Int64], [Int64], [Int64]) = ([], [], [])
      while let (number, value) = try data.next() {
        if number == 1 { try value.append(signed: &x) }
        if number == 2 { try value.append(signed: &y) }
        if number == 8 { try value.append(signed: &sizes) }
      }
      // Four bits each: the digits of places, then those of sizes.
      let place = Int(digits & 0xF)
      line.spline.x = WacomSpline.values(x, digits: place)
      line.spline.y = WacomSpline.values(y, digits: place)
      line.spline.sizes = WacomSpline.values(sizes, digits: Int(digits >> 4 & 0xF))
    }
    try add(line)
  }

  private static func matrix(_ message: ProtobufReader) throws(InkFormatError) -> [Double?] {
    var message = message
    var matrix = [Double?](repeating: nil, count: 16)
    while let (number, value) = try message.next() {
      if (1...16).contains(number) { matrix[number - 1] = value.float }
    }
    return matrix
  }

  private static func identifier(
    _ value: ProtobufReader.Value
  ) throws(InkFormatError) -> [UInt8] {
    guard var bytes = value.message else { return [] }
    return Array(try bytes.array(min(64, bytes.count)))
  }

  // MARK: - Samples

  /// Reads the channels and the samples of all strokes, which have one form in both versions.
  mutating func readInput(_ message: ProtobufReader) throws(InkFormatError) {
    var message = message
    while let (number, value) = try message.next() {
      guard let part = value.message else { continue }
      if number == 1 { try readContexts(ProtobufReader(part)) }
      if number == 2 { try readSamples(ProtobufReader(part)) }
    }
  }

  private mutating func readContexts(_ message: ProtobufReader) throws(InkFormatError) {
    var message = message
    while let (number, value) = try message.next() {
      guard number == 5, var context = value.message.map(ProtobufReader.init) else { continue }
      while let (number, value) = try context.next() {
        guard number == 2, var list = value.message.map(ProtobufReader.init) else { continue }
        while let (number, value) = try list.next() {
          if number == 2, let channel = value.message { try readChannel(ProtobufReader(channel)) }
        }
      }
    }
  }

  private mutating func readChannel(_ message: ProtobufReader) throws(InkFormatError) {
    var message = message
    var channel = Channel()
    var id: [UInt8] = []
    while let (number, value) = try message.next() {
      switch number {
      case 1: id = try Self.identifier(value)
      case 2:
        if var text = value.message { channel.type = try text.text(text.count) }
      case 4:
        if case .fixed64(let bits) = value { channel.resolution = Double(bitPattern: bits) }
      case 5: channel.low = value.float ?? 0
      case 6: channel.high = value.float ?? 0
      case 7: channel.digits = Int(clamping: value.whole ?? 0)
      default: continue
      }
    }
    channels[id] = channel
  }

  private mutating func readSamples(_ message: ProtobufReader) throws(InkFormatError) {
    var message = message
    var id: [UInt8] = []
    var read = Samples()
    while let (number, value) = try message.next() {
      switch number {
      case 1: id = try Self.identifier(value)
      case 4: read.timestamp = Double(value.whole ?? 0)
      case 5:
        guard var data = value.message.map(ProtobufReader.init) else { continue }
        var channel: [UInt8] = []
        var steps: [Int64] = []
        while let (number, value) = try data.next() {
          if number == 1 { channel = try Self.identifier(value) }
          if number == 2 { try value.append(signed: &steps) }
        }
        read.values[channel] = steps
      default: continue
      }
    }
    samples[id] = read
  }
}
