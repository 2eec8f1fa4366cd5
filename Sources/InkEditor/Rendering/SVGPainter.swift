import Files
import Foundation
import InkCore
import Typesetting

/// Writes draw commands as SVG.
///
///     var painter = SVGPainter()
///     painter.draw(editor.drawCommands(of: .ink))
///     let svg = painter.document(box: box, title: "Page 1")
public struct SVGPainter: Painter {
  /// The elements that were drawn so far.
  public private(set) var elements = ""
  private let decimals: Int
  private var clips = 0

  /// Makes a painter.
  ///
  /// - Parameter decimals: The digits after the point of coordinates, 0 ... 6. In millimetres, 3
  ///   digits are micrometres.
  public init(decimals: Int = 3) {
    self.decimals = min(max(decimals, 0), 6)
  }

  /// A font and those that have its widths, or are there if it is not.
  private static func families(_ family: String) -> String {
    switch family {
    case FontFace.standardFamily: "\(family), Arial, Helvetica, sans-serif"
    case "sans-serif", "serif", "monospace": family
    default: "\(family), sans-serif"
    }
  }

  /// Draws a command as an element.
  public mutating func draw(_ command: DrawCommand) {
    switch command {
    case .fill(let path, let color):
      elements += "<path d=\"\(data(path))\"\(paint("fill", color))/>\n"
    case .stroke(let path, let color, let style):
      elements +=
        "<path d=\"\(data(path))\" fill=\"none\"\(paint("stroke", color))\(line(style))/>\n"
    case .text(let text):
      elements +=
        "<text x=\"\(number(text.origin.x))\" y=\"\(number(text.origin.y))\" "
        + "font-size=\"\(number(text.size))\" "
        + "font-family=\"\(XMLText.escaped(Self.families(text.family)))\"\(face(of: text))"
        + "\(paint("fill", text.color)) xml:space=\"preserve\">\(XMLText.escaped(text.text))</text>\n"
    case .image(let image):
      let bytes = Data(image.bytes).base64EncodedString()
      elements +=
        "<image x=\"\(number(image.box.minX))\" y=\"\(number(image.box.minY))\" "
        + "width=\"\(number(image.box.width))\" height=\"\(number(image.box.height))\" "
        + "preserveAspectRatio=\"none\" "
        + "href=\"data:\(XMLText.escaped(image.type));base64,\(bytes)\"/>\n"
    case .clip(let path, let commands):
      clips += 1
      let id = "clip\(clips)"
      elements += "<clipPath id=\"\(id)\"><path d=\"\(data(path))\"/></clipPath>\n"
      elements += "<g clip-path=\"url(#\(id))\">\n"
      draw(commands)
      elements += "</g>\n"
    case .group(let group):
      elements += "<g\(attributes(group))>\n"
      draw(group.commands)
      elements += "</g>\n"
    }
  }

  /// Returns the elements as a document whose size is that of a box in millimetres.
  ///
  /// - Parameters:
  ///   - box: The part of the page that is seen.
  ///   - title: The name of the drawing; empty for none.
  ///   - description: The text of the drawing for those who do not see it; empty for none.
  public func document(box: BoundingBox, title: String = "", description: String = "") -> String {
    let (width, height) = (number(box.width), number(box.height))
    var result = """
      <?xml version="1.0" encoding="UTF-8"?>
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)mm" height="\(height)mm" \
      viewBox="\(number(box.minX)) \(number(box.minY)) \(width) \(height)">

      """
    if !title.isEmpty { result += "<title>\(XMLText.escaped(title))</title>\n" }
    if !description.isEmpty { result += "<desc>\(XMLText.escaped(description))</desc>\n" }
    return result + elements + "</svg>\n"
  }

  /// Returns a path in the form of the attribute `d`: short, with relative coordinates.
  ///
  /// Coordinates are rounded before they are subtracted, so that errors do not add up.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - decimals: The digits after the point, 0 ... 6.
  public static func data(_ path: DrawPath, decimals: Int = 3) -> String {
    var writer = SVGPathWriter(decimals: min(max(decimals, 0), 6))
    path.forEach { writer.add($0) }
    return writer.text
  }

  private func data(_ path: DrawPath) -> String { Self.data(path, decimals: decimals) }

  private func number(_ value: Double) -> String {
    var text = ""
    SVGPathWriter.append(SVGPathWriter.scaled(value, decimals), decimals, to: &text)
    return text
  }

  private func paint(_ name: String, _ color: InkColor) -> String {
    let opacity = color.alpha == 255 ? "" : " \(name)-opacity=\"\(Self.share(color.opacity))\""
    return " \(name)=\"\(color.opaqueText)\"\(opacity)"
  }

  private func line(_ style: LineStyle) -> String {
    var text = " stroke-width=\"\(number(style.width))\""
    if style.cap != .butt { text += " stroke-linecap=\"\(style.cap.rawValue)\"" }
    if style.join != .miter { text += " stroke-linejoin=\"\(style.join.rawValue)\"" }
    if !style.dash.isEmpty {
      text += " stroke-dasharray=\"\(style.dash.map(number).joined(separator: " "))\""
    }
    return text
  }

  private func face(of text: DrawText) -> String {
    var result = text.isBold ? " font-weight=\"bold\"" : ""
    if text.isItalic { result += " font-style=\"italic\"" }
    // The origin stays the left end, which is where text from right to left ends.
    if TypedGlyphs.isLeftward(text.text) { result += " direction=\"rtl\" text-anchor=\"end\"" }
    if let width = text.width, width > 0 {
      result += " textLength=\"\(number(width))\" lengthAdjust=\"spacingAndGlyphs\""
    }
    return result
  }

  private func attributes(_ group: DrawGroup) -> String {
    var text = group.name.isEmpty ? "" : " class=\"\(XMLText.escaped(group.name))\""
    if group.opacity < 1 { text += " opacity=\"\(Self.share(max(0, group.opacity)))\"" }
    if group.transform != .identity {
      let map = group.transform
      let numbers = [map.a, map.b, map.c, map.d, map.tx, map.ty].map { "\($0)" }
      text += " transform=\"matrix(\(numbers.joined(separator: " ")))\""
    }
    return text
  }

  private static func share(_ value: Double) -> String { "\((value * 1000).rounded() / 1000)" }
}

/// Writes the steps of a path with relative coordinates.
struct SVGPathWriter {
  private(set) var text = ""
  private let decimals: Int
  private var (x, y) = (0, 0)
  private var (startX, startY) = (0, 0)
  private var letter: Character = " "

  init(decimals: Int) { self.decimals = decimals }

  mutating func add(_ step: DrawPath.Step) {
    switch step {
    case .move(let point):
      begin("M")
      (x, y) = (0, 0)
      move(to: point, isFirst: true)
      (startX, startY) = (x, y)
    case .line(let point):
      begin("l")
      move(to: point, isFirst: letter != "l")
      letter = "l"
    case .quadratic(let control, let end):
      begin("q")
      put(control, isFirst: letter != "q")
      move(to: end, isFirst: false)
      letter = "q"
    case .cubic(let first, let second, let end):
      begin("c")
      put(first, isFirst: letter != "c")
      put(second, isFirst: false)
      move(to: end, isFirst: false)
      letter = "c"
    case .close:
      text += "z"
      (x, y) = (startX, startY)
      letter = "z"
    }
  }

  private mutating func begin(_ next: Character) {
    guard next != letter || next == "M" else { return }
    text.append(next)
    if next == "M" { letter = "M" }
  }

  private mutating func put(_ point: PlanePoint, isFirst: Bool) {
    add(Self.scaled(point.x, decimals) - x, isFirst: isFirst)
    add(Self.scaled(point.y, decimals) - y, isFirst: false)
  }

  private mutating func move(to point: PlanePoint, isFirst: Bool) {
    put(point, isFirst: isFirst)
    (x, y) = (Self.scaled(point.x, decimals), Self.scaled(point.y, decimals))
  }

  private mutating func add(_ value: Int, isFirst: Bool) {
    // A minus sign separates numbers like a space.
    if !isFirst, value >= 0 { text += " " }
    Self.append(value, decimals, to: &text)
  }

  private static let powers = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000]

  /// Returns a number in units of its last digit; 0 for one that is not finite.
  static func scaled(_ value: Double, _ decimals: Int) -> Int {
    let scaled = (value * Double(powers[decimals])).rounded()
    return abs(scaled) < 1e15 ? Int(scaled) : 0
  }

  /// Appends a number that is given in units of its last digit, without zeros at its end.
  static func append(_ value: Int, _ decimals: Int, to text: inout String) {
    var (value, decimals) = (value, decimals)
    while decimals > 0, value % 10 == 0 {
      value /= 10
      decimals -= 1
    }
    if value < 0 { text += "-" }
    let (whole, part) = abs(value).quotientAndRemainder(dividingBy: powers[decimals])
    if whole > 0 || part == 0 { text += String(whole) }
    guard part > 0 else { return }
    let digits = String(part)
    text += "." + String(repeating: "0", count: decimals - digits.count) + digits
  }
}
