/// The choices for an export.
///
///     var options = ExportOptions(dpi: 300)
///     options.withoutStruckWords = true
///     let picture = try await editor.exportFile(as: .png, options: options)
public struct ExportOptions: Sendable {
  /// The name of the document; nil for the name of the file.
  public var title: String?
  /// True to leave out words that are struck through.
  public var withoutStruckWords: Bool
  /// True to draw the ink of each page in HTML, and that of figures in Markdown.
  public var drawsInk: Bool
  /// The pixels of an inch of pictures.
  public var dpi: Double
  /// JSON of configuration keys for this export alone: the keys `export.jiix` for JIIX, `export.svg`
  /// for SVG, and `export.text.struck-words` for all formats with text.
  public var overrides: String?
  /// The painter of PNG and JPEG; nil for the libraries of the machine.
  public var painter: (any PicturePainter)?
  /// The most pixels of a picture, for servers.
  package var mostPixels = ExportPicture.mostOfAll

  /// Makes options.
  ///
  /// - Parameters:
  ///   - title: The name of the document.
  ///   - withoutStruckWords: True to leave out words that are struck through.
  ///   - drawsInk: True to draw the ink of each page in HTML, and that of figures in Markdown.
  ///   - dpi: The pixels of an inch of pictures.
  ///   - overrides: JSON of configuration keys for this export alone.
  ///   - painter: The painter of PNG and JPEG.
  public init(
    title: String? = nil, withoutStruckWords: Bool = false, drawsInk: Bool = false,
    dpi: Double = 150, overrides: String? = nil, painter: (any PicturePainter)? = nil
  ) {
    (self.title, self.withoutStruckWords, self.drawsInk) = (title, withoutStruckWords, drawsInk)
    (self.dpi, self.overrides, self.painter) = (dpi, overrides, painter)
  }
}
