import InkCore

/// Writes pages as PDF: the ink as lines and curves with widths and colours, and below it, for viewers
/// that search and copy, an invisible text at the place of each word.
///
///     var writer = PDFWriter(title: "Notes", language: "en")
///     for page in pages {
///       writer.add(page)
///       file.write(writer.takeBytes())
///     }
///     writer.finish()
///     file.write(writer.takeBytes())
///
/// Memory is that of one page, if the bytes are taken after each. The same pages give the same bytes.
package struct PDFWriter {
  private var file = PDFFile()
  private var font = InvisibleFont()
  private var pages: [Int] = []
  /// The objects of the fonts that every viewer has, by their names.
  private var standardFonts: [String: Int] = [:]
  /// The letters of typed text that these fonts lack: a box is in their place.
  package private(set) var missingLetters: Set<Character> = []
  private let title: String
  /// The tag of the language of the text, which may be set until the end.
  package var language: String?
  private let pageTree: Int

  /// Points. A page may be this long, and this short.
  private static let sides = 3.0...14_400

  /// Begins a document.
  ///
  /// - Parameters:
  ///   - title: Its name; empty for none.
  ///   - language: The tag of its language, if it is known.
  package init(title: String = "", language: String? = nil) {
    (self.title, self.language) = (title, language)
    pageTree = file.reserve()
  }

  /// Returns the bytes that were written since the last call.
  package mutating func takeBytes() -> [UInt8] { file.takeBytes() }

  /// Writes a page. O(points + words). A page that is larger than PDF allows is made smaller.
  package mutating func add(_ page: ExportPage) {
    let natural = PDFContent.pointsPerMillimetre
    let longest = max(page.box.width, page.box.height) * natural
    let scale = natural * min(1, Self.sides.upperBound / longest)
    var content = PDFContent(page: page.box, scale: scale)
    content.draw(page.drawing)
    content.write(page.searchableLines, font: &font)
    let number = file.reserve()
    let stream = file.reserve()
    pages.append(number)
    let states = content.opacities.sorted().map { alpha in
      "/\(PDFContent.stateName(alpha)) << /ca \(Self.share(alpha)) /CA \(Self.share(alpha)) >>"
    }
    let typed = content.fonts.sorted().map { "/\($0.resourceName) \(object(of: $0)) 0 R" }
    var fonts = ([font.resources(content.reaches, &file)] + typed).filter { !$0.isEmpty }
    if content.hasBoxes { fonts.append("/\(PDFContent.boxFont) \(objectOfBoxes()) 0 R") }
    missingLetters.formUnion(content.missingLetters)
    let images = content.images.enumerated().map { place, image in
      "/\(PDFContent.imageName(place)) \(write(image)) 0 R"
    }
    let resources =
      "<< /Font << \(fonts.joined(separator: " ")) >>"
      + (images.isEmpty ? "" : " /XObject << \(images.joined(separator: " ")) >>")
      + (states.isEmpty ? "" : " /ExtGState << \(states.joined(separator: " ")) >>") + " >>"
    let (width, height) = (Self.side(page.box.width * scale), Self.side(page.box.height * scale))
    file.write(
      number,
      "<< /Type /Page /Parent \(pageTree) 0 R /MediaBox [0 0 \(width) \(height)] "
        + "/Resources \(resources) /Contents \(stream) 0 R >>")
    file.write(stream, stream: content.bytes)
  }

  /// Writes a picture, and returns the number of its object.
  private mutating func write(_ image: PDFImage) -> Int {
    let number = file.reserve()
    var entries = image.entries
    if let alpha = image.alpha {
      let mask = file.reserve()
      file.write(
        mask, stream: alpha.bytes,
        "/Type /XObject /Subtype /Image /Width \(alpha.width) /Height \(alpha.height) "
          + "/ColorSpace /DeviceGray /BitsPerComponent 8")
      entries += " /SMask \(mask) 0 R"
    }
    file.write(number, packed: image.bytes, entries)
    return number
  }

  /// Returns the object of a font that every viewer has.
  private mutating func object(of font: StandardFont) -> Int {
    if let known = standardFonts[font.name] { return known }
    let number = file.reserve()
    standardFonts[font.name] = number
    file.write(
      number,
      "<< /Type /Font /Subtype /Type1 /BaseFont /\(font.name) /Encoding /WinAnsiEncoding >>")
    return number
  }

  /// Returns the object of the font of signs.
  private mutating func objectOfBoxes() -> Int {
    let name = "ZapfDingbats"
    if let known = standardFonts[name] { return known }
    let number = file.reserve()
    standardFonts[name] = number
    file.write(number, "<< /Type /Font /Subtype /Type1 /BaseFont /\(name) >>")
    return number
  }

  /// The entry of the file that names its program.
  package static let producer = "/Producer (Ductus)"

  /// Writes the end of the file. Nothing can be added afterwards.
  package mutating func finish() {
    font.write(to: &file)
    let kids = pages.map { "\($0) 0 R" }.joined(separator: " ")
    file.write(pageTree, "<< /Type /Pages /Kids [\(kids)] /Count \(pages.count) >>")
    let (catalog, info) = (file.reserve(), file.reserve())
    var entries = "/Type /Catalog /Pages \(pageTree) 0 R"
    if let language { entries += " /Lang \(PDFFile.string(language))" }
    if !title.isEmpty { entries += " /ViewerPreferences << /DisplayDocTitle true >>" }
    file.write(catalog, "<< \(entries) >>")
    let name = title.isEmpty ? "" : "/Title \(PDFFile.string(title)) "
    file.write(info, "<< \(name)\(Self.producer) >>")
    file.finish(root: catalog, info: info)
  }

  /// Returns a whole document as PDF.
  package static func bytes(of document: ExportDocument) -> [UInt8] {
    var writer = PDFWriter(title: document.title, language: document.language)
    for page in document.pages { writer.add(page) }
    writer.finish()
    return writer.takeBytes()
  }

  private static func share(_ alpha: UInt8) -> String {
    var bytes: [UInt8] = []
    bytes.append(decimal: Double(alpha) / 255, 4)
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func side(_ length: Double) -> String {
    let points = min(max(length, sides.lowerBound), sides.upperBound)
    var bytes: [UInt8] = []
    bytes.append(decimal: points, 3)
    return String(decoding: bytes, as: UTF8.self)
  }
}
