import Exports
import Foundation
import InkCore
import InkEditor
import InkFormats
import Recognition

/// Makes the pages of a format from ink of files.
struct PageMaker {
  private let format: ExportFormat
  private let reader: PageReader?
  private let editor: EditorReader?

  /// Opens the model, if the format needs one.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - request: The model, the language and the layout.
  ///   - readsInk: False for pages without text.
  ///   - scale: Millimetres of a unit of the ink; nil for that of its file.
  /// - Throws: ``ToolError``.
  init(
    _ format: ExportFormat, _ request: RecognitionRequest, readsInk: Bool, scale: Double?
  ) throws {
    self.format = format
    reader = format.needsReading && readsInk ? try PageReader(request) : nil
    let model = request.model ?? request.language
    if format == .jiix {
      // An editor would wait for a model that is not there.
      if readsInk, model != nil { _ = try PageReader(request) }
      let models = ProvidedModels(ModelLibrary.local, declared: model.map { [$0] } ?? [])
      editor = EditorReader(
        models: models, bundle: model, readsInk: readsInk,
        partType: request.layout == .formula ? .math : .rawContent)
    } else {
      editor = nil
    }
  }

  /// Returns a page and the tag of the language of its text.
  ///
  /// - Parameter keepsStruckWords: False for labels without words that are struck through.
  func page(
    _ record: InkRecord, _ source: ConvertSource, _ keepsStruckWords: Bool
  ) throws -> (page: ExportPage, language: String?) {
    let scale = source.scale(of: record)
    try Self.check(record, scale)
    if let editor {
      return (try editor.page(PageInk(record, scale: scale ?? Self.pixel)), nil)
    }
    let ink = PageInk(record, scale: scale)
    let reading = try reader?.read(record)
    var page =
      reading.map { ExportPage(ink, $0.result, lines: $0.lines) } ?? ExportPage(ink)
    guard format.isInk else { return (page, reading?.result.language) }
    page.ink = ink
    page.labeled = record.labeled
    if let result = reading?.result {
      page.labeled?.label =
        result.lines.isEmpty
        ? result.candidates.first?.text ?? "" : result.text(withStruckWords: keepsStruckWords)
    }
    return (page, reading?.result.language)
  }

  /// Millimetres of a unit of ink in JIIX that states none.
  private static let pixel = 0.1
  /// The farthest place of ink, in millimetres, as in documents.
  private static let farthest = 1e9

  /// Throws if ink is too far away for a page.
  private static func check(_ record: InkRecord, _ scale: Double?) throws {
    let factor = scale ?? 1
    for box in [record.labeled.ink.boundingBox, record.sheet].compactMap(\.self) {
      guard [box.minX, box.minY, box.maxX, box.maxY].allSatisfy({ abs($0 * factor) < farthest })
      else {
        throw ToolError.badInput(
          "\(record.location): expected ink within 10^9 mm, found ink farther away; correct the file "
            + "or --scale")
      }
    }
  }
}
