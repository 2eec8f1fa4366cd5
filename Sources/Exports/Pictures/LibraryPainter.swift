import CCairo
import InkEditor

/// Paints PNG by Cairo, and JPEG by Cairo and TurboJPEG.
package struct LibraryPainter: PicturePainter {
  private let cairo: CairoLibrary?
  private let jpeg: JPEGLibrary?

  /// The quality of JPEG, 1 ... 100: lines have no visible halo. Chosen by eye.
  private static let quality: Int32 = 90

  /// Takes libraries; nil for one that is not there.
  package init(cairo: CairoLibrary? = .shared, jpeg: JPEGLibrary? = .shared) {
    (self.cairo, self.jpeg) = (cairo, jpeg)
  }

  /// Returns true if the libraries for a format are there.
  package static func isAvailable(_ format: ExportFormat) -> Bool {
    (try? check(format)) != nil
  }

  /// Throws if a library for a format is missing.
  package static func check(_ format: ExportFormat) throws(ExportError) {
    switch format {
    case .png: if CairoLibrary.shared == nil { throw .noCairo }
    case .jpeg:
      if CairoLibrary.shared == nil || JPEGLibrary.shared == nil { throw .noJPEG }
    case .pdf, .svg, .text, .markdown, .html, .docx, .odt, .graphML, .mermaid, .latex, .mathML,
      .inkML, .jiix, .jsonLines, .unipen, .xournal:
      break
    }
  }

  /// Paints a picture.
  ///
  /// - Throws: ``ExportError``.
  package func bytes(of picture: ExportPicture) throws(ExportError) -> [UInt8] {
    guard let library = cairo else { throw picture.format == .jpeg ? .noJPEG : .noCairo }
    if picture.format == .jpeg, jpeg == nil { throw .noJPEG }
    let cairo = library.functions.pointee
    // Format 1 is that of 24 bits without transparency.
    let surface = cairo.image_surface_create(1, Int32(picture.width), Int32(picture.height))
    defer { cairo.surface_destroy(surface) }
    guard cairo.surface_status(surface) == 0 else {
      throw .failedPicture(
        reason: "there is no memory for \(picture.width) x \(picture.height) pixels")
    }
    let context = cairo.create(surface)
    defer { cairo.destroy(context) }
    var painter = CairoPainter(cairo, context, jpeg: jpeg)
    painter.draw(picture.commands)
    guard cairo.status(context) == 0 else {
      throw .failedPicture(reason: "Cairo reports the error \(cairo.status(context))")
    }
    guard picture.format == .jpeg, let jpeg else { return try Self.png(surface, cairo) }
    cairo.surface_flush(surface)
    let packed = jpeg.pack(
      cairo.image_surface_get_data(surface), width: Int32(picture.width),
      stride: cairo.image_surface_get_stride(surface), height: Int32(picture.height),
      quality: Self.quality)
    guard var packed else { throw .failedPicture(reason: "TurboJPEG reports an error") }
    Self.setResolution(picture.dpi, of: &packed)
    return packed
  }

  private static func png(
    _ surface: OpaquePointer?, _ cairo: ductus_cairo_functions
  ) throws(ExportError) -> [UInt8] {
    let output = PNGOutput()
    let status = cairo.surface_write_to_png_stream(
      surface,
      { closure, data, count in
        guard let closure, let data else { return 11 }
        Unmanaged<PNGOutput>.fromOpaque(closure).takeUnretainedValue().bytes +=
          UnsafeBufferPointer(start: data, count: Int(count))
        return 0
      }, Unmanaged.passUnretained(output).toOpaque())
    guard status == 0 else { throw .failedPicture(reason: "Cairo reports the error \(status)") }
    return output.bytes
  }

  /// Writes the pixels of an inch into the head of a JPEG.
  private static func setResolution(_ dpi: Double, of bytes: inout [UInt8]) {
    // The marker of the file, that of its head, the length, and the name of the head.
    let head: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + Array("JFIF\0".utf8)
    let whole = dpi.rounded()
    guard bytes.starts(with: head), bytes.count > 18, whole >= 1, whole <= 65_535 else { return }
    let number = UInt16(whole)
    bytes[13] = 1
    for place in [14, 16] {
      (bytes[place], bytes[place + 1]) = (UInt8(number >> 8), UInt8(number & 0xFF))
    }
  }
}

/// The bytes that Cairo writes.
private final class PNGOutput {
  var bytes: [UInt8] = []
}
