import CCairo
import InkCore
import InkEditor

/// Draws pages as PNG, by Cairo.
package struct PNGWriter {
  /// The most pixels of a side: those that Cairo allows.
  package static let mostPixels = 32_767
  /// The most pixels of a picture: its memory is 4 bytes each.
  private static let mostOfAll = 400_000_000.0

  private static let millimetresPerInch = 25.4

  /// Draws a page on white paper.
  ///
  /// - Parameters:
  ///   - page: The page. Typeset text and pictures of it are left out.
  ///   - dpi: The pixels of an inch, above 0.
  ///   - library: The library; nil if there is none.
  /// - Returns: The bytes of the file.
  /// - Throws: ``ExportError``.
  package static func bytes(
    of page: ExportPage, dpi: Double, library: CairoLibrary? = .shared
  ) throws(ExportError) -> [UInt8] {
    guard let library else { throw .noCairo }
    let scale = dpi / millimetresPerInch
    let width = max(1, (page.box.width * scale).rounded(.up))
    let height = max(1, (page.box.height * scale).rounded(.up))
    guard width <= Double(mostPixels), height <= Double(mostPixels), width * height <= mostOfAll
    else { throw .tooManyPixels(width: width, height: height, most: mostPixels) }
    let cairo = library.functions.pointee
    // Format 1 is that of 24 bits without transparency.
    let surface = cairo.image_surface_create(1, Int32(width), Int32(height))
    defer { cairo.surface_destroy(surface) }
    guard cairo.surface_status(surface) == 0 else {
      throw .failedPicture(reason: "there is no memory for \(Int(width)) x \(Int(height)) pixels")
    }
    let context = cairo.create(surface)
    defer { cairo.destroy(context) }
    var painter = CairoPainter(cairo, context)
    painter.draw(.fill(DrawPath(BoundingBox(minX: 0, minY: 0, maxX: width, maxY: height)), .white))
    let toPixels = PlaneTransform(
      a: scale, d: scale, tx: -page.box.minX * scale, ty: -page.box.minY * scale)
    painter.draw(.group(DrawGroup(transform: toPixels, page.drawing)))
    guard cairo.status(context) == 0 else {
      throw .failedPicture(reason: "Cairo reports the error \(cairo.status(context))")
    }
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
}

/// The bytes that Cairo writes.
private final class PNGOutput {
  var bytes: [UInt8] = []
}

extension InkColor {
  /// White.
  static let white = InkColor(red: 255, green: 255, blue: 255)
}

/// Draws commands by Cairo.
struct CairoPainter: Painter {
  private let cairo: ductus_cairo_functions
  private let context: OpaquePointer?

  /// Draws on a context that the caller keeps.
  init(_ cairo: ductus_cairo_functions, _ context: OpaquePointer?) {
    (self.cairo, self.context) = (cairo, context)
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
    case .text, .image: break
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
