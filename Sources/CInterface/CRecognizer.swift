import CDuctus
import DuctusKit
import Foundation

/// An open model, and the service that reads with it.
final class CRecognizer: Sendable {
  let service: RecognitionService
  let model: CText

  /// Opens a model by its path, its name or its language, or the default one, which reads in the
  /// best of the languages whose packs are there.
  ///
  /// - Throws: ``ExchangeError``.
  init(model name: String?) throws(ExchangeError) {
    var configuration = RecognitionService.Configuration()
    configuration.defaults.model = name
    service = RecognitionService(library: CLibrary.library(), configuration: configuration)
    model = CText(try service.preparedReader().model)
  }

  /// Returns a request with the model of this recogniser.
  func request(_ ink: Ink) -> RecognitionRequest {
    var request = service.configuration.defaults
    request.ink = ink
    return request
  }
}

/// `ductus_recognizer_open`.
@_cdecl("ductus_recognizer_open")
package func ductusRecognizerOpen(
  _ model: UnsafePointer<CChar>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> OpaquePointer? {
  let name = CText.read(model)
  guard model == nil || name?.isEmpty == false else {
    Handle.report(
      .argument("model: expected NULL, or a name or a path in UTF-8, found neither"), error)
    return nil
  }
  do throws(ExchangeError) {
    return Handle.make(try CRecognizer(model: name))
  } catch let fault {
    Handle.report(CError(fault), error)
    return nil
  }
}

/// `ductus_recognizer_model`.
@_cdecl("ductus_recognizer_model")
package func ductusRecognizerModel(_ recognizer: OpaquePointer?) -> UnsafePointer<CChar>? {
  Handle.object(recognizer, CRecognizer.self)?.model.pointer
}

/// `ductus_recognizer_free`.
@_cdecl("ductus_recognizer_free")
package func ductusRecognizerFree(_ recognizer: OpaquePointer?) {
  Handle.free(recognizer, CRecognizer.self)
}

/// `ductus_options_default`.
@_cdecl("ductus_options_default")
package func ductusOptionsDefault() -> ductus_options {
  var options = ductus_options()
  options.size = UInt64(MemoryLayout<ductus_options>.size)
  options.word_bonus = .nan
  return options
}

/// `ductus_recognize`.
@_cdecl("ductus_recognize")
package func ductusRecognize(
  _ recognizer: OpaquePointer?, _ ink: OpaquePointer?, _ options: UnsafePointer<ductus_options>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> OpaquePointer? {
  guard let recognizer = Handle.object(recognizer, CRecognizer.self) else {
    Handle.report(.argument("recognizer: expected a recogniser, found NULL"), error)
    return nil
  }
  guard let ink = Handle.object(ink, CInk.self) else {
    Handle.report(.argument("ink: expected an ink, found NULL"), error)
    return nil
  }
  do throws(ExchangeError) {
    let request = try request(recognizer.request(ink.value), options?.pointee)
    return Handle.make(CResult(try recognizer.service.read(request)))
  } catch let fault {
    Handle.report(CError(fault), error)
    return nil
  }
}

/// Returns the request that corresponds to options.
private func request(
  _ defaults: RecognitionRequest, _ options: ductus_options?
) throws(ExchangeError) -> RecognitionRequest {
  var request = defaults
  request.includesSpans = true
  guard let options else { return request }
  guard options.size == UInt64(MemoryLayout<ductus_options>.size) else {
    throw refusal("size", "the size of ductus_options; begin with ductus_options_default()")
  }
  request.preContext = try text(options.pre_context, "pre_context") ?? ""
  request.alphabet = try text(options.alphabet, "alphabet")
  request.lexicon = try words(options).map { .words($0) }
  if !options.word_bonus.isNaN {
    guard options.word_bonus.magnitude <= 100 else {
      throw refusal("word_bonus", "NAN or a number from -100 to 100")
    }
    request.lexiconBonus = Float(options.word_bonus)
  }
  let (x, y, width, height) = options.area
  if !(width == 0 && height == 0) {
    do throws(InkError) {
      request.writingArea = try WritingArea(x: x, y: y, width: width, height: height)
    } catch {
      throw refusal("area", "finite x and y, and width and height above 0")
    }
  }
  let layouts: [InkLayout] = [.auto, .page, .line, .glyph, .formula]
  guard let layout = layouts[safe: Int64(options.layout)] else {
    throw refusal("layout", "one of ductus_layout")
  }
  request.layout = layout
  let most = ExchangeLimits().candidates
  guard (0...Int32(most)).contains(options.candidates) else {
    throw refusal("candidates", "0 to \(most)")
  }
  if options.candidates > 0 { request.maximumCandidates = Int(options.candidates) }
  return request
}

private func words(_ options: ductus_options) throws(ExchangeError) -> [String]? {
  guard let start = options.words else {
    guard options.word_count == 0 else {
      throw refusal("words", "as many words as word_count")
    }
    return nil
  }
  let most = ExchangeLimits().words
  guard (1...Int64(most)).contains(options.word_count) else {
    throw refusal("word_count", "1 to \(most)")
  }
  var words: [String] = []
  for index in 0..<Int(options.word_count) {
    guard let word = CText.read(start[index]), !word.isEmpty, word.utf8.count <= 1000 else {
      throw refusal("words[\(index)]", "a word in UTF-8 of at most 1000 bytes")
    }
    words.append(word)
  }
  return words
}

private func text(
  _ pointer: UnsafePointer<CChar>?, _ field: String
) throws(ExchangeError) -> String? {
  guard let pointer else { return nil }
  guard let text = CText.read(pointer) else { throw refusal(field, "UTF-8") }
  return text
}

private func refusal(_ field: String, _ expected: String) -> ExchangeError {
  ExchangeError(.invalidValue, "expected \(expected), found another value", field: field)
}

/// `ductus_recognize_json`.
@_cdecl("ductus_recognize_json")
package func ductusRecognizeJSON(
  _ recognizer: OpaquePointer?, _ request: UnsafePointer<CChar>?
) -> UnsafeMutablePointer<CChar>? {
  guard let recognizer = Handle.object(recognizer, CRecognizer.self), let request else {
    return nil
  }
  let count = strlen(request)
  let bytes = UnsafeRawBufferPointer(start: request, count: count)
  let answer = recognizer.service.answer([UInt8](bytes))
  return CText.copy(String(decoding: answer.json, as: UTF8.self))
}
