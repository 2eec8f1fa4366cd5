import Exports
import Foundation
import InkCore
import InkEditor
import Testing

@Suite("PDF in another program")
struct OutsideReaderTests {
  /// The program that reads the text of PDFs; nil if it is not installed.
  static let pdftotext: URL? = {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.map { URL(fileURLWithPath: String($0)).appendingPathComponent("pdftotext") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }()

  /// Words of languages in the scripts that they are written in.
  static let texts: [String: String] = [
    "af": "Die bruin vos spring oor dié hond", "am": "ሰላም ለዓለም ጤና ይስጥልኝ",
    "ar": "مرحبا بالعالم القلم",
    "as": "নমস্কাৰ পৃথিৱী", "az": "Salam dünya əla gün", "be": "Прывітанне сусвет ў",
    "bg": "Здравей свят щъ", "bn": "নমস্কার বিশ্ব ক্ষুদ্র", "cs": "Příliš žluťoučký kůň úpěl",
    "da": "Rødgrød med fløde på", "de": "Zwölf Boxkämpfer jagen Größe", "el": "Γειά σου Κόσμε ΐ",
    "en": "The quick brown fox's jump", "es": "El pingüino añoró ¿qué?",
    "et": "Põdur Zagrebi tšellomängija",
    "fa": "سلام دنیا گچپژ", "fi": "Törkylempijävongahdus äö", "fr": "Dès Noël où œuvre ça",
    "fy": "Hoe giet it mei dy û", "ga": "D'fhuascail Íosa Úrmhac", "gu": "નમસ્તે દુનિયા",
    "he": "שלום עולם ימים", "hi": "नमस्ते दुनिया क्षत्रिय", "hr": "Žabe čuvaju šljive đ",
    "hu": "Árvíztűrő tükörfúrógép", "hy": "Բարեւ աշխարհ", "is": "Kæmi ný öxi þú",
    "it": "Perché là città",
    "ja": "こんにちは 世界 カタカナ", "ka": "გამარჯობა მსოფლიო", "kk": "Сәлем әлем қң", "km": "សួស្តី ពិភពលោក",
    "kn": "ನಮಸ್ಕಾರ ಪ್ರಪಂಚ", "ko": "안녕하세요 세계", "lo": "ສະບາຍດີ ຊາວໂລກ",
    "lt": "Įlinkdama fechtuotojo špaga",
    "lv": "Glāžšķūņa rūķīši", "ml": "നമസ്കാരം ലോകം", "mr": "नमस्कार जग", "my": "မင်္ဂလာပါ ကမ္ဘာ",
    "nb": "Høvdingens kjære squaw", "nl": "Pa's wijze lynx", "pl": "Zażółć gęślą jaźń",
    "pt": "À noite vovô Kowalsky", "ro": "Muzicologă în bej ș", "ru": "Съешь же ещё этих",
    "sk": "Kŕdeľ šťastných ďatľov", "sl": "Šerif bo za vajo", "sq": "Përshëndetje botë ç",
    "sr": "Љубазни фењерџија чађавог", "sv": "Flygande bäckasiner söka", "ta": "வணக்கம் உலகம்",
    "te": "నమస్కారం ప్రపంచం", "th": "สวัสดี ชาวโลก", "tr": "Pijamalı hasta yağız", "uk": "Чуєш їх доцю ґ",
    "ur": "ہیلو دنیا ٹڈڑ", "vi": "Chữ viết tay đẹp ơ", "zh": "你好 世界 漢字",
  ]

  /// Returns what the program reads.
  private func read(_ bytes: [UInt8], _ arguments: String...) throws -> String {
    try Self.read(bytes, try #require(Self.pdftotext), arguments)
  }

  /// Returns what the program reads.
  static func read(
    _ bytes: [UInt8], _ program: URL, _ arguments: [String] = []
  ) throws -> String {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("exports-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (file, output) = (
      folder.appendingPathComponent("a.pdf"), folder.appendingPathComponent("a.txt")
    )
    try Data(bytes).write(to: file)
    let process = Process()
    process.executableURL = program
    process.arguments = arguments + ["-enc", "UTF-8", file.path, output.path]
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0 && said.isEmpty, "\(said)")
    return try String(contentsOf: output, encoding: .utf8)
  }

  /// Returns a page with a word after the other on a line, in the direction of its script.
  private func page(_ text: String, isMirrored: Bool) -> ExportPage {
    let words = text.split(separator: " ").map(String.init)
    let width = 22.0
    let line = ExportLine(
      words.enumerated().map { index, word in
        let place = Double(isMirrored ? words.count - 1 - index : index)
        return Sample.word(word, x: 10 + place * (width + 4), width: width)
      })
    let box = BoundingBox(minX: 0, minY: 0, maxX: 200, maxY: 40)
    return ExportPage(box: box, blocks: [ExportBlock(id: 0, .paragraph([line]))])
  }

  @Test(
    "Text in the scripts of the world is copied as it is",
    .enabled(if: pdftotext != nil, "pdftotext of poppler-utils is not installed"))
  func languages() throws {
    let languages = Self.texts.keys.sorted()
    #expect(languages.count >= 40)
    let pages = languages.map { language in
      let text = Self.texts[language] ?? ""
      return page(text, isMirrored: ScriptTraits(of: text).direction == .rightToLeft)
    }
    let bytes = PDFWriter.bytes(of: ExportDocument(pages: pages))
    let found = try read(bytes).split(separator: "\u{C}", omittingEmptySubsequences: false)
    for (language, text) in zip(languages, found) {
      // Marks of direction, which the program adds.
      let scalars = text.unicodeScalars.filter {
        !(0x202A...0x202E).contains($0.value) && !(0x2066...0x2069).contains($0.value)
      }
      let copied = String(String.UnicodeScalarView(scalars))
        .split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(copied == Self.texts[language], "\(language)")
    }
  }

  @Test(
    "Words have the boxes of their ink, also in turned lines",
    .enabled(if: pdftotext != nil, "pdftotext of poppler-utils is not installed"))
  func boxes() throws {
    let turned = ExportPlace(BoundingBox(minX: 20, minY: -150, maxX: 60, maxY: -140), angle: 90)
    let lines = [
      ExportLine([
        Sample.word("level", x: 20, y: 10, width: 30, height: 6),
        Sample.word("-", x: 60, y: 12.5, width: 5, height: 0.1),
      ]),
      ExportLine([ExportWord("turned", place: turned)]),
    ]
    let page = ExportPage(
      box: BoundingBox(minX: 0, minY: 0, maxX: 200, maxY: 100),
      blocks: [ExportBlock(id: 0, .paragraph(lines))])
    let xml = try read(PDFWriter.bytes(of: ExportDocument(pages: [page])), "-bbox")
    func box(_ word: String) -> [Double] {
      let line = xml.split(separator: "\n").first { $0.contains(">\(word)<") } ?? ""
      return line.split(separator: "\"").compactMap { Double($0) }.map { $0 * 25.4 / 72 }
    }
    for (word, expected) in [
      ("level", [20.0, 10, 50, 16]), ("-", [60, 12.3, 65, 12.6]), ("turned", [140, 20, 150, 60]),
    ] {
      let found = box(word)
      #expect(
        found.count == 4 && zip(found, expected).allSatisfy { abs($0 - $1) < 0.3 },
        "\(word): \(found)")
    }
  }
}
