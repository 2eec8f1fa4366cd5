import InkCore
import InkEditor

/// The content of a page of a PDF: the drawing in millimetres, then the invisible text in points.
struct PDFContent {
  /// Points of a millimetre on a page in its natural size.
  static let pointsPerMillimetre = 72 / 25.4

  private(set) var bytes: [UInt8] = []
  /// The opacities that the page uses, 0 ... 255.
  private(set) var opacities: Set<UInt8> = []
  /// The fonts that the page uses.
  private(set) var reaches: Set<TextReach> = []
  /// The fonts of typed text.
  private(set) var fonts: Set<StandardFont> = []
  /// True if the font of signs is used, in place of letters that the fonts lack.
  private(set) var hasBoxes = false
  /// The letters that the fonts lack.
  private(set) var missingLetters: Set<Character> = []
  /// The pictures, in the order of their names.
  private(set) var images: [PDFImage] = []
  /// The places of pictures in ``images`` by their bytes; nil for those that cannot be drawn.
  private var known: [[UInt8]: Int?] = [:]
  private let page: BoundingBox
  /// Points of a millimetre.
  private let scale: Double
  private var color: InkColor?
  private var line: LineStyle?

  /// Begins the content of a page.
  ///
  /// - Parameters:
  ///   - page: The sheet, in millimetres.
  ///   - scale: Points of a millimetre.
  init(page: BoundingBox, scale: Double) { (self.page, self.scale) = (page, scale) }

  /// Draws commands in the unit and the place of the page.
  mutating func draw(_ commands: [DrawCommand]) {
    guard !commands.isEmpty else { return }
    let height = page.height * scale
    put("q\n")
    matrix(
      PlaneTransform(
        a: scale, d: -scale, tx: -page.minX * scale,
        ty: height + page.minY * scale), decimals: 5)
    forgetState()
    for command in commands { draw(command, opacity: 1) }
    put("Q\n")
  }

  private mutating func draw(_ command: DrawCommand, opacity: Double) {
    switch command {
    case .fill(let path, let color):
      set(color, opacity)
      add(path)
      put("f\n")
    case .stroke(let path, let color, let style):
      set(color, opacity)
      set(style)
      add(path)
      put("S\n")
    case .clip(let path, let commands):
      save { content in
        content.add(path)
        content.put("W n\n")
        for command in commands { content.draw(command, opacity: opacity) }
      }
    case .group(let group):
      let opacity = opacity * min(max(group.opacity, 0), 1)
      guard group.transform != .identity else {
        for command in group.commands { draw(command, opacity: opacity) }
        return
      }
      save { content in
        content.matrix(group.transform, decimals: 6)
        for command in group.commands { content.draw(command, opacity: opacity) }
      }
    case .text(let text): draw(text, opacity)
    case .image(let image): draw(image, opacity)
    }
  }

  // MARK: - Typed text and pictures

  /// Draws a line of text in a font that every viewer has. A letter that it lacks becomes a box, which
  /// is found and copied as the letter.
  private mutating func draw(_ text: DrawText, _ opacity: Double) {
    guard text.size.isFinite, text.size > 0, !text.text.isEmpty else { return }
    set(text.color, opacity)
    let font = StandardFont(text.family, isBold: text.isBold, isItalic: text.isItalic)
    fonts.insert(font)
    put("BT\n0 Tr ")
    number(100 * font.stretch(of: text), 3)
    put("Tz /\(font.resourceName) ")
    number(text.size, 4)
    // Letters stand upright although y grows downward.
    put("Tf 1 0 0 -1 ")
    point(text.origin)
    put("Tm\n")
    var run: [UInt8] = []
    for character in text.text.withoutControls {
      if let byte = WindowsLatin.byte(of: character) {
        run.append(byte)
        continue
      }
      show(run)
      run = []
      guard !character.isWhitespace else { continue }
      missingLetters.insert(character)
      hasBoxes = true
      put("/Span << /ActualText \(PDFFile.string(String(character))) >> BDC /\(Self.boxFont) ")
      number(text.size, 4)
      put("Tf (\(Self.box)) Tj EMC /\(font.resourceName) ")
      number(text.size, 4)
      put("Tf\n")
    }
    show(run)
    put("ET\n")
  }

  private mutating func show(_ run: [UInt8]) {
    guard !run.isEmpty else { return }
    put("<" + run.map { String(PDFFile.digits(UInt16($0)).suffix(2)) }.joined() + "> Tj\n")
  }

  /// The name of the font of signs, and its box.
  static let boxFont = "SBox"
  private static let box = "o"

  private mutating func draw(_ image: DrawImage, _ opacity: Double) {
    let place: Int
    if let found = known[image.bytes] {
      guard let found else { return draw(image.emptyFrame, opacity: opacity) }
      place = found
    } else if let new = PDFImage(image) {
      place = images.count
      images.append(new)
      known[image.bytes] = place
    } else {
      known[image.bytes] = .some(nil)
      return draw(image.emptyFrame, opacity: opacity)
    }
    set(.black, opacity)
    put("q\n")
    let (box, top) = (image.box, image.box.maxY)
    matrix(
      PlaneTransform(a: box.width, d: -box.height, tx: box.minX, ty: top), decimals: 6)
    put("/\(Self.imageName(place)) Do\nQ\n")
  }

  /// The name of a picture among the resources of a page.
  static func imageName(_ place: Int) -> String { "I\(place)" }

  private mutating func save(_ body: (inout PDFContent) -> Void) {
    put("q\n")
    forgetState()
    body(&self)
    put("Q\n")
    forgetState()
  }

  /// Makes the next command set its colour and line: earlier ones are gone.
  private mutating func forgetState() { (color, line) = (nil, nil) }

  private mutating func set(_ color: InkColor, _ opacity: Double) {
    var color = color
    color.alpha = UInt8((Double(color.alpha) * opacity).rounded())
    guard color != self.color else { return }
    if color.alpha != self.color?.alpha, color.alpha < 255 || !opacities.isEmpty {
      opacities.insert(color.alpha)
      put("/\(Self.stateName(color.alpha)) gs\n")
    }
    for operation in ["rg", "RG"] {
      for part in [color.red, color.green, color.blue] { number(Double(part) / 255, 4) }
      put(operation + "\n")
    }
    self.color = color
  }

  /// The name of the graphics state of an opacity.
  static func stateName(_ alpha: UInt8) -> String { "A\(alpha)" }

  private mutating func set(_ style: LineStyle) {
    guard style != line else { return }
    number(style.width, 4)
    put("w ")
    switch style.cap {
    case .butt: put("0 J ")
    case .round: put("1 J ")
    case .square: put("2 J ")
    }
    switch style.join {
    case .miter: put("0 j ")
    case .round: put("1 j ")
    case .bevel: put("2 j ")
    }
    put("[")
    for length in style.dash { number(length, 4) }
    put("] 0 d\n")
    line = style
  }

  private mutating func add(_ path: DrawPath) {
    var (start, last) = (PlanePoint(x: 0, y: 0), PlanePoint(x: 0, y: 0))
    path.forEach { step in
      switch step {
      case .move(let point):
        self.point(point)
        put("m ")
        (start, last) = (point, point)
      case .line(let point):
        self.point(point)
        put("l ")
        last = point
      case .quadratic(let control, let end):
        // The same curve as a cubic one.
        func third(_ point: PlanePoint) -> PlanePoint {
          PlanePoint(
            x: point.x + (control.x - point.x) * 2 / 3, y: point.y + (control.y - point.y) * 2 / 3)
        }
        self.point(third(last))
        self.point(third(end))
        self.point(end)
        put("c ")
        last = end
      case .cubic(let first, let second, let end):
        self.point(first)
        self.point(second)
        self.point(end)
        put("c ")
        last = end
      case .close:
        put("h ")
        last = start
      }
    }
  }

  // MARK: - Text

  /// Writes the words of lines as invisible text: each as wide as its ink, with spaces between the
  /// words of a line.
  mutating func write(_ lines: [ExportLine], font: inout InvisibleFont) {
    let lines = lines.map { PDFTextRun.runs(of: $0) }.filter { !$0.isEmpty }
    guard !lines.isEmpty else { return }
    put("BT\n3 Tr\n")
    for run in lines.flatMap({ $0 }) { write(run, &font) }
    put("ET\n")
  }

  private mutating func write(_ run: PDFTextRun, _ font: inout InvisibleFont) {
    let size = max(run.size * scale, Self.leastSize)
    let advance = Double(run.signs.count) * size * InvisibleFont.advance
    let map = run.transform
    let start = map.applied(x: run.start, y: run.baseline)
    reaches.insert(run.reach)
    put("/\(run.reach.name) ")
    number(size, 3)
    put("Tf ")
    number(100 * run.width * scale / advance, 2)
    put("Tz ")
    number(map.a, 5)
    number(-map.b, 5)
    number(map.b, 5)
    number(map.a, 5)
    number((start.x - page.minX) * scale, 3)
    number((page.maxY - start.y) * scale, 3)
    put("Tm <")
    for sign in run.signs { put(PDFFile.digits(font.number(of: sign))) }
    put("> Tj\n")
  }

  /// Points. Viewers leave out smaller text.
  private static let leastSize = 1.0

  // MARK: - Numbers

  private mutating func matrix(_ map: PlaneTransform, decimals: Int) {
    for value in [map.a, map.b, map.c, map.d, map.tx, map.ty] { number(value, decimals) }
    put("cm\n")
  }

  /// Appends a place in micrometres.
  private mutating func point(_ point: PlanePoint) {
    number(point.x, 3)
    number(point.y, 3)
  }

  private mutating func number(_ value: Double, _ decimals: Int) {
    bytes.append(decimal: value, decimals)
    bytes.append(0x20)
  }

  private mutating func put(_ text: String) { bytes += text.utf8 }
}

extension [UInt8] {
  /// Appends a number without an exponent and without zeros at its end; 0 for one that is not finite.
  mutating func append(decimal value: Double, _ decimals: Int) {
    var power = 1
    for _ in 0..<decimals { power *= 10 }
    let scaled = (value * Double(power)).rounded()
    var whole = abs(scaled) < 1e15 ? Int(scaled) : 0
    if whole < 0 {
      append(UInt8(ascii: "-"))
      whole = -whole
    }
    append(contentsOf: String(whole / power).utf8)
    var rest = whole % power
    guard rest > 0 else { return }
    append(UInt8(ascii: "."))
    while rest > 0 {
      power /= 10
      append(UInt8(ascii: "0") + UInt8(rest / power))
      rest %= power
    }
  }
}
