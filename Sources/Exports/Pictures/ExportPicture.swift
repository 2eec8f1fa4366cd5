import InkCore
import InkEditor

/// Makes pictures of pixels in place of the libraries of the machine: an app draws with what its
/// platform has.
///
///     struct MyPainter: PicturePainter {
///       func bytes(of picture: ExportPicture) throws -> [UInt8] {
///         let canvas = Canvas(width: picture.width, height: picture.height)
///         for command in picture.commands { canvas.draw(command) }
///         return canvas.file(as: picture.format.mediaType)
///       }
///     }
///     let options = ExportOptions(painter: MyPainter())
public protocol PicturePainter: Sendable {
  /// Returns a picture as the bytes of a file.
  ///
  /// - Parameter picture: The format, the size and the content.
  /// - Throws: Any error; the export then fails with its text.
  func bytes(of picture: ExportPicture) throws -> [UInt8]
}

/// A picture of pixels that is to be painted.
public struct ExportPicture: Sendable {
  /// The format: `png` or `jpeg`.
  public let format: ExportFormat
  /// The width in pixels.
  public let width: Int
  /// The height in pixels.
  public let height: Int
  /// The pixels of an inch, for files that state it.
  public let dpi: Double
  /// The commands in pixels, from back to front: first the white page.
  public let commands: [DrawCommand]

  /// The most pixels of a side: those that Cairo allows, and JPEG nearly twice.
  package static let mostPixels = 32_767
  /// The most pixels of a picture: its memory is 4 bytes each.
  package static let mostOfAll = 400_000_000

  private static let millimetresPerInch = 25.4

  /// Plans the picture of a page on white paper.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - format: The format.
  ///   - dpi: The pixels of an inch, above 0.
  ///   - mostPixels: The most pixels in all.
  /// - Throws: ``ExportError`` for a picture that is too large.
  package init(
    of page: ExportPage, as format: ExportFormat, dpi: Double, mostPixels: Int = mostOfAll
  ) throws(ExportError) {
    guard dpi.isFinite, dpi > 0 else { throw .unusableResolution(dpi) }
    let scale = dpi / Self.millimetresPerInch
    let width = max(1, (page.box.width * scale).rounded(.up))
    let height = max(1, (page.box.height * scale).rounded(.up))
    guard width <= Double(Self.mostPixels), height <= Double(Self.mostPixels) else {
      throw .tooManyPixels(width: width, height: height, most: Self.mostPixels)
    }
    guard width * height <= Double(mostPixels) else {
      throw .tooLargePicture(width: width, height: height, most: mostPixels)
    }
    (self.format, self.width, self.height, self.dpi) = (format, Int(width), Int(height), dpi)
    let toPixels = PlaneTransform(
      a: scale, d: scale, tx: -page.box.minX * scale, ty: -page.box.minY * scale)
    commands = [
      .fill(DrawPath(BoundingBox(minX: 0, minY: 0, maxX: width, maxY: height)), .white),
      .group(DrawGroup(transform: toPixels, page.drawing)),
    ]
  }

  /// Returns the picture as the bytes of a file.
  ///
  /// - Parameter painter: The painter; nil for the libraries of the machine.
  /// - Throws: ``ExportError``.
  package func bytes(_ painter: (any PicturePainter)?) throws(ExportError) -> [UInt8] {
    let painter = painter ?? LibraryPainter()
    do {
      return try painter.bytes(of: self)
    } catch let error as ExportError {
      throw error
    } catch {
      throw .failedPicture(reason: "\(error)")
    }
  }
}

extension InkColor {
  /// White.
  package static let white = InkColor(red: 255, green: 255, blue: 255)
}
