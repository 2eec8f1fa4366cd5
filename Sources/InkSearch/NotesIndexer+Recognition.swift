import InkCore
import InkFormats
import Recognition

extension NotesIndexer {
  /// The readings of a line that alternatives come from.
  private static let readings = 40

  /// The request for a page: all that alternatives need. Its ink is set for each page.
  package static var request: RecognitionRequest {
    var request = RecognitionRequest(ink: Ink())
    request.layout = .page
    request.maximumCandidates = readings
    request.includesSpans = true
    return request
  }

  /// Returns a reader of pages that uses the models of a service.
  ///
  /// - Parameters:
  ///   - service: The models.
  ///   - defaults: ``request`` with the model or the language.
  package static func reader(
    _ service: RecognitionService, _ defaults: RecognitionRequest
  ) -> Reader {
    { record in
      guard !record.labeled.ink.strokes.isEmpty else {
        return (PageWord.words(of: [], ink: Ink(), texts: record.texts), nil)
      }
      var request = defaults
      request.ink = record.labeled.ink
      let reading = try service.read(request)
      let words = PageWord.words(of: reading.lines, ink: request.ink, texts: record.texts)
      return (words, reading.result.language)
    }
  }
}
