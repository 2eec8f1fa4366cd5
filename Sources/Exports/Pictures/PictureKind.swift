import InkCore
import InkEditor

/// The format of a picture of a document, found by its content.
enum PictureKind: String {
  case png, jpeg, svg

  /// Looks at the first bytes; nil for another format.
  init?(of bytes: [UInt8]) {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if String(decoding: bytes.prefix(1024), as: UTF8.self).contains("<svg") {
      self = .svg
    } else {
      return nil
    }
  }

  /// The media type.
  var mediaType: String {
    switch self {
    case .png: "image/png"
    case .jpeg: "image/jpeg"
    case .svg: "image/svg+xml"
    }
  }

  /// The ending of files, without the dot.
  var ending: String { rawValue }
}

extension DrawImage {
  /// A frame with a diagonal, in place of a picture that cannot be drawn.
  var emptyFrame: DrawCommand {
    let color = InkColor(red: 128, green: 128, blue: 128)
    let style = LineStyle(width: max(min(box.width, box.height) / 100, 0.1))
    let diagonal = DrawPath(
      [PlanePoint(x: box.minX, y: box.minY), PlanePoint(x: box.maxX, y: box.maxY)],
      isClosed: false)
    return .group(
      DrawGroup([.stroke(DrawPath(box), color, style), .stroke(diagonal, color, style)]))
  }
}

extension String {
  /// The text without characters that have no sign, such as line breaks.
  var withoutControls: String {
    String(String.UnicodeScalarView(unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
  }
}
