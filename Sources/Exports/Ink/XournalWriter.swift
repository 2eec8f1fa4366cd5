import Files
import Foundation
import InkCore
import InkEditor

/// Writes notes of Xournal++ (`.xopp`): the strokes with their colours and widths on sheets in points,
/// packed by gzip. Force is the width at a point; times and tilt have no place in the format.
package enum XournalWriter {
  /// Points of a millimetre.
  private static let points = 72 / 25.4

  /// Returns pages as a note.
  ///
  /// - Throws: ``ExportError/tooLarge(format:)``.
  package static func bytes(of pages: [PageInk], title: String = "") throws(ExportError) -> [UInt8]
  {
    var text = "<?xml version=\"1.0\" standalone=\"no\"?>\n"
    text += "<xournal creator=\"Ductus\" fileversion=\"4\">\n"
    text += "<title>\(XMLText.escaped(title))</title>\n"
    for page in pages { add(page, to: &text) }
    text += "</xournal>\n"
    guard let packed = Deflate.gzip(Array(text.utf8)) else { throw .tooLarge(format: "xopp") }
    return packed
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
