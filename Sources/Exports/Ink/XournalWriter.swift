import Files
import Foundation
import InkCore
import InkEditor

/// Writes notes of Xournal++ (`.xopp`): the strokes with their colours and widths on sheets in points,
/// packed by gzip. Force is the width at a point; times and tilt have no place in the format.
///
/// Long notes are several members of gzip, one after the other, so that memory does not grow.
package struct XournalWriter: PageSink {
  /// Points of a millimetre.
  private static let points = 72 / 25.4
  /// The bytes of a member of gzip before it is packed.
  private static let member = 1 << 20

  private var text = ""
  private var packed: [UInt8] = []

  /// Begins a note.
  init(title: String) {
    text = "<?xml version=\"1.0\" standalone=\"no\"?>\n"
    text += "<xournal creator=\"Ductus\" fileversion=\"4\">\n"
    text += "<title>\(XMLText.escaped(title))</title>\n"
  }

  /// Writes a page, if it has ink.
  mutating func add(_ page: ExportPage) throws(ExportError) {
    guard let ink = page.ink else { return }
    try add(ink)
  }

  private mutating func add(_ page: PageInk) throws(ExportError) {
    Self.add(page, to: &text)
    if text.utf8.count >= Self.member { try pack() }
  }

  mutating func finish(language: String? = nil) throws(ExportError) {
    text += "</xournal>\n"
    try pack()
  }

  private mutating func pack() throws(ExportError) {
    guard let member = Deflate.gzip(Array(text.utf8)) else { throw .tooLarge(format: "xopp") }
    packed += member
    text = ""
  }

  mutating func takeBytes() -> [UInt8] {
    defer { packed = [] }
    return packed
  }

  /// Returns pages as a note.
  ///
  /// - Throws: ``ExportError/tooLarge(format:)``.
  package static func bytes(of pages: [PageInk], title: String = "") throws(ExportError) -> [UInt8]
  {
    var writer = XournalWriter(title: title)
    for page in pages { try writer.add(page) }
    try writer.finish()
    return writer.takeBytes()
  }

  private static func add(_ page: PageInk, to text: inout String) {
    let placed = PlacedInk(page)
    text += "<page width=\"\(number(placed.box.width))\" height=\"\(number(placed.box.height))\">\n"
    text += "<background type=\"solid\" color=\"#ffffffff\" style=\"plain\"/>\n<layer>\n"
    for (stroke, pen) in zip(placed.ink.strokes, placed.pens) where !stroke.points.isEmpty {
      var color = pen.color.description.lowercased()
      if color.utf8.count == 7 { color += "ff" }
      text += "<stroke tool=\"pen\" color=\"\(color)\" width=\""
      text += ([pen.width] + widths(stroke, pen.width)).map(number).joined(separator: " ") + "\">"
      // A dot has two points there.
      let points = stroke.points.count == 1 ? stroke.points + stroke.points : stroke.points
      text += points.map { number($0.x) + " " + number($0.y) }.joined(separator: " ")
      text += "</stroke>\n"
    }
    text += "</layer>\n</page>\n"
  }

  /// Returns the widths from each point to the next one; none if the force is not known.
  private static func widths(_ stroke: Stroke, _ width: Double) -> [Double] {
    let forces = stroke.points.compactMap(\.force)
    guard stroke.points.count > 1, forces.count == stroke.points.count,
      forces.contains(where: { $0 != 1 })
    else { return [] }
    return forces.dropLast().map { max($0, 0) * width }
  }

  /// Returns a length in millimetres as points. Eight digits behind the point keep the numbers that
  /// the program writes.
  private static func number(_ millimetres: Double) -> String {
    var bytes: [UInt8] = []
    bytes.append(decimal: millimetres * points, 8)
    return String(decoding: bytes, as: UTF8.self)
  }
}
