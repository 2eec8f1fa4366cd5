import Exports
import Foundation
import InkCore
import InkDatasets
import InkEditor
import InkFormats
import Recognition

/// The pages of a file or of data.
struct ConvertSource {
  /// The pages, and what could not be read.
  let records: AnySequence<Result<InkRecord, InkFormatError>>
  private let format: InkFileFormat?
  private let given: Double?

  /// Opens ink.
  ///
  /// - Parameters:
  ///   - input: A file, or data with its format.
  ///   - scale: Millimetres of a unit; nil for that of the format.
  init(_ input: String, scale: Double?) throws {
    given = scale
    if FileManager.default.fileExists(atPath: input) {
      let reader = try InkReader(path: input, unit: .page)
      format = reader.format
      records = AnySequence(reader)
    } else {
      format = nil
      records = AnySequence(try DataSpecification(parsing: input).records(unlabelled: true))
    }
  }

  /// Millimetres of a unit of a record; nil to choose them by the height of the writing.
  func scale(of record: InkRecord) -> Double? {
    if let given { return given }
    switch format {
    case .xournal, .pdf: return Self.point
    case .remarkable: return Self.remarkable
    // Hundredths of a millimetre.
    case .isf: return 0.01
    // Many programs write pixels where the format has millimetres.
    case .inkML, .jiix:
      return DocumentInk.isOfUsualSize(record.labeled.ink.strokes) ? 1 : nil
    default: return nil
    }
  }

  /// Units of Xournal++ in millimetres: 72 to an inch.
  private static let point = 25.4 / 72
  /// Pixels of reMarkable tablets in millimetres: 226 to an inch.
  private static let remarkable = 25.4 / 226
}

/// Reads pages for exports.
struct PageReader {
  private let service: RecognitionService
  private let defaults: RecognitionRequest

  /// Opens the model.
  ///
  /// - Parameter defaults: The model, the language and the layout.
  init(_ defaults: RecognitionRequest) throws {
    self.defaults = defaults
    service = RecognitionService.ofCommandLine(defaults, lexicon: nil)
    try service.readerOfCommandLine()
  }

  /// Reads a page.
  func read(_ record: InkRecord) throws(ToolError) -> RecognitionAnswer.Reading {
    var request = defaults
    request.ink = record.labeled.ink
    request.writingArea = record.labeled.writingArea
    do throws(ExchangeError) {
      return try service.read(request)
    } catch {
      throw .badInput("\(record.location): \(error)")
    }
  }
}

extension PageInk {
  /// Takes the ink of a record.
  init(_ record: InkRecord, scale: Double?) {
    self.init(
      record.labeled.ink,
      looks: record.pens.map { Look(color: $0.color.flatMap { InkColor($0) }, width: $0.width) },
      sheet: record.sheet, penWidth: record.penWidth, scale: scale)
  }
}

extension ExportError: BadInputError {
  /// False for a library that is missing, for a picture that failed and for a disk.
  package var isBadInput: Bool {
    switch self {
    case .noCairo, .noJPEG, .failedPicture, .unwritableFile: false
    case .tooManyPixels, .tooLargePicture, .unusableResolution, .tooLarge, .nothing, .severalPages,
      .unknownEnding, .unusableInk:
      true
    }
  }
}
