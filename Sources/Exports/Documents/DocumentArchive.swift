import Files

/// The files of a document that is a ZIP archive.
struct DocumentArchive {
  private var writer = ZipWriter()
  private let format: String

  /// Begins an archive of a format, whose name is for errors.
  init(format: String) { self.format = format }

  /// Adds a file of text.
  ///
  /// - Parameter isPacked: False to store the bytes as they are.
  /// - Throws: ``ExportError/tooLarge(format:)``.
  mutating func add(_ name: String, _ text: String, isPacked: Bool = true) throws(ExportError) {
    try add(name, Array(text.utf8), isPacked: isPacked)
  }

  /// Adds a file.
  ///
  /// - Throws: ``ExportError/tooLarge(format:)``: all names are ours, and each is there once.
  mutating func add(_ name: String, _ bytes: [UInt8], isPacked: Bool = true) throws(ExportError) {
    do throws(ZipError) {
      try writer.add(name, bytes, isPacked: isPacked)
    } catch {
      throw .tooLarge(format: format)
    }
  }

  /// The bytes of the archive.
  consuming func finish() -> [UInt8] { writer.finish() }
}

/// The sheets of documents of text: A4 with margins of 25 mm.
enum TextSheet {
  /// Millimetres.
  static let (width, height, margin) = (210.0, 297.0, 25.0)
  /// The width that pictures may have, millimetres.
  static let textWidth = width - 2 * margin
  /// The pixels of an inch of pictures.
  static let dpi = 200.0

  /// The size of a picture, smaller if it is wider than the text. Millimetres.
  static func size(of picture: FigurePicture) -> (width: Double, height: Double) {
    size(width: picture.box.width, height: picture.box.height)
  }

  /// The size of a picture, smaller if it is wider than the text. Millimetres.
  static func size(width: Double, height: Double) -> (width: Double, height: Double) {
    let share = min(
      1, textWidth / max(width, 1), (self.height - 2 * margin) / max(height, 1))
    return (width * share, height * share)
  }
}
