import CCairo
import InkCore
import InkEditor

/// Draws commands by Cairo.
struct CairoPainter: Painter {
  private let cairo: ductus_cairo_functions
  private let context: OpaquePointer?
  private let jpeg: JPEGLibrary?

  /// Draws on a context that the caller keeps.
  ///
  /// - Parameter jpeg: The library for pictures that are JPEG; nil to leave them out.
  init(_ cairo: ductus_cairo_functions, _ context: OpaquePointer?, jpeg: JPEGLibrary?) {
    (self.cairo, self.context, self.jpeg) = (cairo, context, jpeg)
  }

  mutating func draw(_ command: DrawCommand) {
    switch command {
    case .fill(let path, let color):
      set(color)
      add(path)
      cairo.fill(context)
    case .stroke(let path, let color, let style):
      set(color)
      cairo.set_line_width(context, style.width)
      cairo.set_line_cap(context, Self.number(of: style.cap))
      cairo.set_line_join(context, Self.number(of: style.join))
      style.dash.withUnsafeBufferPointer {
        cairo.set_dash(context, $0.baseAddress, Int32($0.count), 0)
      }
      add(path)
      cairo.stroke(context)
    case .clip(let path, let commands):
      cairo.save(context)
      add(path)
      cairo.clip(context)
      draw(commands)
      cairo.restore(context)
    case .group(let group):
      let isOpaque = group.opacity >= 1
      cairo.save(context)
      if !isOpaque { cairo.push_group(context) }
      var matrix = ductus_cairo_matrix(
        xx: group.transform.a, yx: group.transform.b, xy: group.transform.c, yy: group.transform.d,
        x0: group.transform.tx, y0: group.transform.ty)
      cairo.transform(context, &matrix)
      draw(group.commands)
      if !isOpaque {
        cairo.pop_group_to_source(context)
        cairo.paint_with_alpha(context, max(0, group.opacity))
      }
      cairo.restore(context)
    case .text(let text): draw(text)
    case .image(let image): draw(image)
    }
  }

  private func draw(_ text: DrawText) {
    let font = StandardFont(text.family, isBold: text.isBold, isItalic: text.isItalic)
    let letters = text.text.withoutControls
    set(text.color)
    cairo.select_font_face(
      context, font.familyName(text.family), font.isItalic ? 1 : 0, font.isBold ? 1 : 0)
    cairo.set_font_size(context, text.size)
    // The width that the text was set with.
    var extents = ductus_cairo_text_extents()
    cairo.text_extents(context, letters, &extents)
    var stretch = 1.0
    if let width = text.width, width > 0, extents.x_advance > 0 {
      stretch = width / extents.x_advance
    }
    cairo.save(context)
    var matrix = ductus_cairo_matrix(
      xx: stretch, yx: 0, xy: 0, yy: 1, x0: text.origin.x, y0: text.origin.y)
    cairo.transform(context, &matrix)
    cairo.new_path(context)
    cairo.move_to(context, 0, 0)
    cairo.show_text(context, letters)
    cairo.restore(context)
  }

  /// Draws a picture of pixels in its box; one that cannot be unpacked as an empty frame.
  private mutating func draw(_ image: DrawImage) {
    guard let surface = surface(of: image) else { return draw(image.emptyFrame) }
    defer { cairo.surface_destroy(surface) }
    let (width, height) = (
      cairo.image_surface_get_width(surface), cairo.image_surface_get_height(surface)
    )
    guard width > 0, height > 0 else { return draw(image.emptyFrame) }
    cairo.save(context)
    var matrix = ductus_cairo_matrix(
      xx: image.box.width / Double(width), yx: 0, xy: 0,
      yy: image.box.height / Double(height), x0: image.box.minX, y0: image.box.minY)
    cairo.transform(context, &matrix)
    cairo.set_source_surface(context, surface, 0, 0)
    // Extend 3 repeats the pixels of the edge: enlarged pictures do not fade there.
    cairo.pattern_set_extend(cairo.get_source(context), 3)
    cairo.new_path(context)
    cairo.rectangle(context, 0, 0, Double(width), Double(height))
    cairo.fill(context)
    cairo.restore(context)
  }

  /// Unpacks a PNG; nil for a damaged one. The caller destroys the surface.
  static func surface(ofPNG bytes: [UInt8], _ cairo: ductus_cairo_functions) -> OpaquePointer? {
    let source = PNGSource(bytes)
    let surface = withExtendedLifetime(source) {
      cairo.image_surface_create_from_png_stream(
        { closure, data, count in
          guard let closure, let data else { return 10 }
          return Unmanaged<PNGSource>.fromOpaque(closure).takeUnretainedValue()
            .read(data, Int(count)) ? 0 : 10
        }, Unmanaged.passUnretained(source).toOpaque())
    }
    guard cairo.surface_status(surface) == 0 else {
      cairo.surface_destroy(surface)
      return nil
    }
    return surface
  }

  private func surface(of image: DrawImage) -> OpaquePointer? {
    switch PictureKind(of: image.bytes) {
    case .png:
      return Self.surface(ofPNG: image.bytes, cairo)
    case .jpeg:
      guard let jpeg, let (width, height) = jpeg.size(of: image.bytes) else { return nil }
      // Format 1 is that of 24 bits without transparency.
      let surface = cairo.image_surface_create(1, width, height)
      guard cairo.surface_status(surface) == 0,
        let pixels = cairo.image_surface_get_data(surface)
      else {
        cairo.surface_destroy(surface)
        return nil
      }
      cairo.surface_flush(surface)
      let isUnpacked = jpeg.unpack(
        image.bytes, width: width, stride: cairo.image_surface_get_stride(surface),
        height: height, to: pixels)
      cairo.surface_mark_dirty(surface)
      guard isUnpacked else {
        cairo.surface_destroy(surface)
        return nil
      }
      return surface
    case .svg, nil: return nil
    }
  }

  private func set(_ color: InkColor) {
    cairo.set_source_rgba(
      context, Double(color.red) / 255, Double(color.green) / 255, Double(color.blue) / 255,
      color.opacity)
  }

  private func add(_ path: DrawPath) {
    cairo.new_path(context)
    var (start, last) = (PlanePoint(x: 0, y: 0), PlanePoint(x: 0, y: 0))
    path.forEach { step in
      switch step {
      case .move(let point):
        cairo.move_to(context, point.x, point.y)
        (start, last) = (point, point)
      case .line(let point):
        cairo.line_to(context, point.x, point.y)
        last = point
      case .quadratic(let control, let end):
        // The same curve as a cubic one.
        func third(_ point: PlanePoint) -> PlanePoint {
          PlanePoint(
            x: point.x + (control.x - point.x) * 2 / 3, y: point.y + (control.y - point.y) * 2 / 3)
        }
        let (first, second) = (third(last), third(end))
        cairo.curve_to(context, first.x, first.y, second.x, second.y, end.x, end.y)
        last = end
      case .cubic(let first, let second, let end):
        cairo.curve_to(context, first.x, first.y, second.x, second.y, end.x, end.y)
        last = end
      case .close:
        cairo.close_path(context)
        last = start
      }
    }
  }

  // The numbers of cairo_line_cap_t and cairo_line_join_t.

  private static func number(of cap: LineCap) -> Int32 {
    switch cap {
    case .butt: 0
    case .round: 1
    case .square: 2
    }
  }

  private static func number(of join: LineJoin) -> Int32 {
    switch join {
    case .miter: 0
    case .round: 1
    case .bevel: 2
    }
  }
}

/// The bytes of a PNG that Cairo reads.
private final class PNGSource {
  private let bytes: [UInt8]
  private var next = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func read(_ target: UnsafeMutablePointer<UInt8>, _ count: Int) -> Bool {
    guard bytes.count - next >= count else { return false }
    for index in 0..<count { target[index] = bytes[next + index] }
    next += count
    return true
  }
}
