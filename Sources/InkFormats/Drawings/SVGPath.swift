import Foundation

/// The path data of SVG (SVG 2, chapter 9) as runs of points; curves become short lines.
struct SVGPath {
  /// A defect of path data.
  struct Fault: Error, Hashable {
    /// The byte where it goes wrong.
    var position: Int
    /// Whether the data is right but has too many points.
    var isTooLong = false
  }

  /// The number of lines that replace a curve.
  private static let piecesOfCurve = 8
  private static let piecesOfArc = 24

  /// The runs: each begins where the pen comes down.
  private(set) var runs: [[(x: Double, y: Double)]] = []
  private var here = (x: 0.0, y: 0.0)
  private var start = (x: 0.0, y: 0.0)
  /// The control point that a smooth curve mirrors, and the command that set it.
  private var control: (x: Double, y: Double)?
  private var last = UInt8(ascii: "M")
  private var pointCount = 0

  /// Reads path data of at most so many points.
  init(parsing bytes: UnsafeBufferPointer<UInt8>, mostPoints: Int) throws(Fault) {
    var scanner = SVGNumbers(bytes)
    var command: UInt8?
    while let byte = scanner.peek() {
      if byte | 0x20 >= UInt8(ascii: "a"), byte | 0x20 <= UInt8(ascii: "z") {
        scanner.position += 1
        command = byte
      } else if command == UInt8(ascii: "M") {
        command = UInt8(ascii: "L")
      } else if command == UInt8(ascii: "m") {
        command = UInt8(ascii: "l")
      }
      guard let command, command | 0x20 != UInt8(ascii: "z") || byte == command else {
        throw Fault(position: scanner.position)
      }
      guard !runs.isEmpty || command | 0x20 == UInt8(ascii: "m") else {
        throw Fault(position: scanner.position)
      }
      try draw(command, &scanner)
      guard pointCount <= mostPoints else {
        throw Fault(position: scanner.position, isTooLong: true)
      }
      last = command
    }
    // A place that the pen only passes is not a dot, but a path of a single place is.
    if runs.count > 1 { runs.removeAll { $0.count < 2 } }
  }

  private mutating func draw(_ command: UInt8, _ scanner: inout SVGNumbers) throws(Fault) {
    let isRelative = command >= UInt8(ascii: "a")
    func absolute(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
      isRelative ? (here.x + x, here.y + y) : (x, y)
    }
    var nextControl: (x: Double, y: Double)?
    switch command | 0x20 {
    case UInt8(ascii: "m"):
      here = absolute(try scanner.number(), try scanner.number())
      start = here
      runs.append([here])
      pointCount += 1
    case UInt8(ascii: "z"):
      // A closed path of a single place is a dot.
      if runs.last?.count != 1 { line(to: start) }
    case UInt8(ascii: "l"): line(to: absolute(try scanner.number(), try scanner.number()))
    case UInt8(ascii: "h"):
      let x = try scanner.number()
      line(to: (isRelative ? here.x + x : x, here.y))
    case UInt8(ascii: "v"):
      let y = try scanner.number()
      line(to: (here.x, isRelative ? here.y + y : y))
    case UInt8(ascii: "c"), UInt8(ascii: "s"):
      let isSmooth = command | 0x20 == UInt8(ascii: "s")
      let first =
        isSmooth ? mirrored(after: "c", "s") : absolute(try scanner.number(), try scanner.number())
      let second = absolute(try scanner.number(), try scanner.number())
      let end = absolute(try scanner.number(), try scanner.number())
      curve(first, second, end)
      nextControl = second
    case UInt8(ascii: "q"), UInt8(ascii: "t"):
      let isSmooth = command | 0x20 == UInt8(ascii: "t")
      let middle =
        isSmooth ? mirrored(after: "q", "t") : absolute(try scanner.number(), try scanner.number())
      let end = absolute(try scanner.number(), try scanner.number())
      // A quadratic curve is a cubic one with its controls at two thirds.
      curve(
        (here.x + (middle.x - here.x) * 2 / 3, here.y + (middle.y - here.y) * 2 / 3),
        (end.x + (middle.x - end.x) * 2 / 3, end.y + (middle.y - end.y) * 2 / 3), end)
      nextControl = middle
    case UInt8(ascii: "a"):
      let radii = (try scanner.number(), try scanner.number())
      let angle = try scanner.number() * .pi / 180
      let isLarge = try scanner.flag()
      let isSweep = try scanner.flag()
      arc(
        radii, angle, isLarge, isSweep, to: absolute(try scanner.number(), try scanner.number()))
    default: throw Fault(position: scanner.position)
    }
    control = nextControl
  }

  private mutating func line(to end: (x: Double, y: Double)) {
    // After the end of a closed part, the next part begins where that one began.
    if last | 0x20 == UInt8(ascii: "z") { runs.append([here]) }
    here = end
    runs[runs.count - 1].append(end)
    pointCount += 1
  }

  private func mirrored(after first: Character, _ second: Character) -> (x: Double, y: Double) {
    let before = Character(Unicode.Scalar(last | 0x20))
    guard before == first || before == second, let control else { return here }
    return (2 * here.x - control.x, 2 * here.y - control.y)
  }

  private mutating func curve(
    _ first: (x: Double, y: Double), _ second: (x: Double, y: Double), _ end: (x: Double, y: Double)
  ) {
    let begin = here
    for piece in 1..<Self.piecesOfCurve {
      let t = Double(piece) / Double(Self.piecesOfCurve)
      let u = 1 - t
      let (a, b, c, d) = (u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t)
      line(
        to: (
          a * begin.x + b * first.x + c * second.x + d * end.x,
          a * begin.y + b * first.y + c * second.y + d * end.y
        ))
    }
    line(to: end)
  }

  /// Adds an arc by its ends, computed from its centre (SVG 2, appendix B.2.4).
  private mutating func arc(
    _ radii: (Double, Double), _ angle: Double, _ isLarge: Bool, _ isSweep: Bool,
    to end: (x: Double, y: Double)
  ) {
    var (rx, ry) = (abs(radii.0), abs(radii.1))
    let (half, other) = ((here.x - end.x) / 2, (here.y - end.y) / 2)
    guard rx > 0, ry > 0, half != 0 || other != 0 else { return line(to: end) }
    let x = cos(angle) * half + sin(angle) * other
    let y = -sin(angle) * half + cos(angle) * other
    let size = x * x / (rx * rx) + y * y / (ry * ry)
    if size > 1 { (rx, ry) = (rx * sqrt(size), ry * sqrt(size)) }
    let below = rx * rx * y * y + ry * ry * x * x
    let factor =
      (isLarge == isSweep ? -1.0 : 1) * sqrt(max(0, (rx * rx * ry * ry - below) / below))
    let (cx, cy) = (factor * rx * y / ry, -factor * ry * x / rx)
    let centre = (
      x: cos(angle) * cx - sin(angle) * cy + (here.x + end.x) / 2,
      y: sin(angle) * cx + cos(angle) * cy + (here.y + end.y) / 2
    )
    let from = atan2((y - cy) / ry, (x - cx) / rx)
    var turn = atan2((-y - cy) / ry, (-x - cx) / rx) - from
    if isSweep, turn < 0 { turn += 2 * .pi }
    if !isSweep, turn > 0 { turn -= 2 * .pi }
    guard turn.isFinite else { return line(to: end) }
    for piece in 1..<Self.piecesOfArc {
      let t = from + turn * Double(piece) / Double(Self.piecesOfArc)
      let place = (rx * cos(t), ry * sin(t))
      line(
        to: (
          centre.x + cos(angle) * place.0 - sin(angle) * place.1,
          centre.y + sin(angle) * place.0 + cos(angle) * place.1
        ))
    }
    line(to: end)
  }
}

/// Reads the numbers of SVG attributes, between blanks and commas.
struct SVGNumbers {
  private let bytes: UnsafeBufferPointer<UInt8>
  var position = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// Returns the next byte that is neither a blank nor a comma; nil at the end.
  mutating func peek() -> UInt8? {
    while position < bytes.count, bytes[position] <= 0x20 || bytes[position] == 0x2C {
      position += 1
    }
    return position < bytes.count ? bytes[position] : nil
  }

  /// Reads a finite number.
  mutating func number() throws(SVGPath.Fault) -> Double {
    guard peek() != nil, let number = DecimalScanner.number(bytes, &position), number.isFinite
    else { throw SVGPath.Fault(position: position) }
    return number
  }

  /// Reads a flag of an arc. No blank is required after it.
  mutating func flag() throws(SVGPath.Fault) -> Bool {
    guard let byte = peek(), byte == 0x30 || byte == 0x31 else {
      throw SVGPath.Fault(position: position)
    }
    position += 1
    return byte == 0x31
  }

  /// Reads all numbers to the end.
  mutating func numbers() throws(SVGPath.Fault) -> [Double] {
    var result: [Double] = []
    while peek() != nil { result.append(try number()) }
    return result
  }
}

extension AffineMatrix {
  /// Reads a `transform` attribute: a list of `matrix`, `translate`, `scale`, `rotate`, `skewX`, `skewY`.
  ///
  /// - Returns: nil for any other text.
  init?(parsing text: String) {
    self.init()
    var rest = text[...]
    while let open = rest.firstIndex(of: "(") {
      guard let close = rest[open...].firstIndex(of: ")") else { return nil }
      let name = rest[..<open].filter { $0.isLetter }
      let inner = Array(rest[rest.index(after: open)..<close].utf8)
      let values: [Double]? = inner.withUnsafeBufferPointer { bytes in
        var scanner = SVGNumbers(bytes)
        return try? scanner.numbers()
      }
      guard let values, let step = Self.step(String(name), values) else { return nil }
      self = self * step
      rest = rest[rest.index(after: close)...]
    }
    guard rest.allSatisfy({ $0.isWhitespace || $0 == "," }) else { return nil }
  }

  private static func step(_ name: String, _ values: [Double]) -> AffineMatrix? {
    switch (name, values.count) {
    case ("matrix", 6):
      AffineMatrix(
        a: values[0], b: values[1], c: values[2], d: values[3], e: values[4], f: values[5])
    case ("translate", 1): AffineMatrix(e: values[0])
    case ("translate", 2): AffineMatrix(e: values[0], f: values[1])
    case ("scale", 1): AffineMatrix(a: values[0], d: values[0])
    case ("scale", 2): AffineMatrix(a: values[0], d: values[1])
    case ("rotate", 1): .rotation(values[0] * .pi / 180)
    case ("rotate", 3): .rotation(values[0] * .pi / 180, aboutX: values[1], y: values[2])
    case ("skewX", 1): AffineMatrix(c: tan(values[0] * .pi / 180))
    case ("skewY", 1): AffineMatrix(b: tan(values[0] * .pi / 180))
    default: nil
    }
  }
}
