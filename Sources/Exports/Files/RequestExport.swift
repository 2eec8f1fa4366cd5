import Foundation
import InkCore
import InkEditor
import Recognition

/// Writes the ink of requests as a file, each as a page: for HTTP and C.
package struct RequestExport: Sendable {
  private let service: RecognitionService
  private let format: ExportFormat
  private let options: ExportOptions
  private let scale: Double?

  /// Plans an export.
  ///
  /// - Parameters:
  ///   - service: The models.
  ///   - format: The format.
  ///   - options: The choices.
  ///   - scale: Millimetres of a unit of the ink; nil to choose them by the height of the writing.
  package init(
    service: RecognitionService, format: ExportFormat, options: ExportOptions = ExportOptions(),
    scale: Double? = nil
  ) {
    (self.service, self.format) = (service, format)
    (self.options, self.scale) = (options, scale)
  }

  /// Returns the file.
  ///
  /// - Throws: ``ExportError``, `ExchangeError`, `EditorError`.
  package func bytes(of requests: [RecognitionRequest]) throws -> [UInt8] {
    if format.isOfOnePage, requests.count > 1 {
      throw ExportError.severalPages(format: format.rawValue, found: requests.count)
    }
    let file = try ExportFile(nil, format, options: options)
    for request in requests {
      let (page, language) = try page(request)
      try file.add(page, language: language)
    }
    try file.finish()
    return file.bytes
  }

  private func page(
    _ request: RecognitionRequest
  ) throws -> (page: ExportPage, language: String?) {
    let ink = PageInk(request.ink, scale: scale)
    guard format != .jiix else {
      let bundle = request.model ?? request.language
      let models = ProvidedModels(
        service.library, declared: bundle.map { [$0] } ?? [])
      // The editor would wait for a model that is not there.
      if bundle != nil { try service.check(request) }
      return (try EditorReader(models: models, bundle: bundle).page(ink), nil)
    }
    guard format.needsReading else {
      var page = ExportPage(ink)
      if format.isInk { page.ink = ink }
      return (page, nil)
    }
    var request = request
    request.includesSpans = true
    request.maximumCandidates = 1
    let reading = try service.read(request)
    var page = ExportPage(ink, reading.result, lines: reading.lines)
    if format.isInk {
      let result = reading.result
      page.ink = ink
      page.labeled = LabeledInk(
        ink: request.ink,
        label: result.lines.isEmpty
          ? result.candidates.first?.text ?? ""
          : result.text(withStruckWords: !options.withoutStruckWords),
        writingArea: request.writingArea)
    }
    return (page, reading.result.language)
  }
}

extension RecognitionService {
  /// Opens the model of a request.
  ///
  /// - Throws: `ExchangeError` if it is not there.
  fileprivate func check(_ request: RecognitionRequest) throws(ExchangeError) {
    var empty = request
    empty.ink = Ink()
    _ = try read(empty)
  }
}
