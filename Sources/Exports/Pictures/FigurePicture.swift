import Files
import InkCore
import InkEditor

/// The picture of a block whose ink says more than its text.
struct FigurePicture {
  /// The part of the page that is seen, in millimetres.
  let box: BoundingBox
  private let commands: [DrawCommand]

  /// The space around the ink, millimetres.
  private static let margin = 1.0

  /// Makes the picture of a block; nil if it has no drawing.
  init?(_ block: ExportBlock) {
    guard let box = BoundingBox(holding: block.drawing.compactMap(\.box)) else { return nil }
    self.box = box.grown(by: Self.margin)
    commands = block.drawing
  }

  /// Makes the picture of a page; nil if it has no drawing.
  init?(_ page: ExportPage) {
    guard !page.drawing.isEmpty else { return nil }
    (box, commands) = (page.box, page.drawing)
  }

  /// The picture as a file of SVG.
  var svg: String {
    var painter = SVGPainter()
    painter.draw(commands)
    return painter.document(box: box)
  }

  /// The picture as an element of HTML.
  ///
  /// - Parameter label: A text for those who do not see it.
  func element(label: String) -> String {
    var painter = SVGPainter()
    painter.draw(commands)
    let numbers = [box.minX, box.minY, box.width, box.height].map(Self.number)
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
      + "aria-label=\"\(XMLText.escaped(label))\" width=\"\(numbers[2])mm\" "
      + "height=\"\(numbers[3])mm\" viewBox=\"\(numbers.joined(separator: " "))\">\n"
      + painter.elements + "</svg>"
  }

  /// The picture as PNG; nil without Cairo.
  func png(dpi: Double) -> [UInt8]? {
    let page = ExportPage(box: box, drawing: commands)
    return try? ExportPicture(of: page, as: .png, dpi: dpi).bytes(nil)
  }

  private static func number(_ value: Double) -> String {
    var bytes: [UInt8] = []
    bytes.append(decimal: value, 3)
    return String(decoding: bytes, as: UTF8.self)
  }
}
