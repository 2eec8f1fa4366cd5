import Exports
import FlyingFox
import Foundation
import Recognition

/// The query of `POST /v1/export`: the format and its choices.
struct InkExportRequest: Sendable {
  let format: ExportFormat
  private let options: ExportOptions
  private let scale: Double?

  /// The most bytes of a title.
  private static let longestTitle = 200
  /// The resolutions of pictures. The greatest makes A4 of 139 million pixels too large for a server.
  private static let resolutions = 10.0...600.0
  /// The most pixels of a picture: 160 MB of memory.
  private static let mostPixels = 40_000_000
  /// Millimetres of a unit.
  private static let scales = 1e-6...1e6

  /// Reads a query.
  ///
  /// - Throws: ``ExchangeError`` that names the parameter.
  init(_ query: [HTTPRequest.QueryItem]) throws(ExchangeError) {
    var values: [String: String] = [:]
    for item in query {
      guard Self.names.contains(item.name) else {
        throw ExchangeError(
          .unknownField,
          "expected a parameter of \(Self.names.joined(separator: ", ")), found "
            + "another", field: "query")
      }
      values[item.name] = item.value
    }
    guard let name = values["format"] else {
      throw ExchangeError(
        .missingField, "expected one of \(ExportFormat.list), found none", field: "format")
    }
    guard let format = ExportFormat(named: name) else {
      throw Self.refusal("format", "one of \(ExportFormat.list)")
    }
    self.format = format
    var options = ExportOptions(title: values["title"] ?? "")
    guard (options.title ?? "").utf8.count <= Self.longestTitle else {
      throw Self.refusal("title", "at most \(Self.longestTitle) bytes")
    }
    if let dpi = try Self.number("dpi", values, Self.resolutions) { options.dpi = dpi }
    options.drawsInk = try Self.flag("ink", values)
    options.withoutStruckWords = try Self.flag("withoutStruckWords", values)
    options.mostPixels = Self.mostPixels
    self.options = options
    scale = try Self.number("scale", values, Self.scales)
  }

  private static let names = ["format", "title", "dpi", "scale", "ink", "withoutStruckWords"]

  private static func refusal(_ field: String, _ expected: String) -> ExchangeError {
    ExchangeError(.invalidValue, "expected \(expected), found another value", field: field)
  }

  private static func number(
    _ name: String, _ values: [String: String], _ range: ClosedRange<Double>
  ) throws(ExchangeError) -> Double? {
    guard let text = values[name] else { return nil }
    guard let number = Double(text), range.contains(number) else {
      throw refusal(name, "a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  private static func flag(
    _ name: String, _ values: [String: String]
  ) throws(ExchangeError) -> Bool {
    switch values[name] {
    case nil, "false": return false
    case "true": return true
    default: throw refusal(name, "true or false")
    }
  }

  /// Returns the file of a body: one request of recognition, or an array of them as pages.
  func bytes(
    _ body: [UInt8], _ service: RecognitionService
  ) throws(ExchangeError) -> [UInt8] {
    let requests = try service.requests(body)
    guard !requests.isEmpty else {
      throw ExchangeError(.invalidValue, "expected at least one ink, found none")
    }
    let export = RequestExport(service: service, format: format, options: options, scale: scale)
    do {
      return try export.bytes(of: requests)
    } catch let error as ExchangeError {
      throw error
    } catch let error as ExportError {
      throw ExchangeError(.invalidValue, error.description, field: "format")
    } catch is CancellationError {
      throw ExchangeError(.timedOut, "expected ink that is read in time; send fewer points")
    } catch {
      throw ExchangeError(.failed, "the ink was not exported: \(error)")
    }
  }

  /// The name of the file for a browser that keeps it.
  var disposition: String {
    let title = options.title.flatMap { $0.isEmpty ? nil : $0 } ?? "ink"
    let safe = CharacterSet(charactersIn: "a"..."z").union(CharacterSet(charactersIn: "A"..."Z"))
      .union(CharacterSet(charactersIn: "0"..."9")).union(CharacterSet(charactersIn: "-._"))
    let name = (title + "." + format.ending).addingPercentEncoding(withAllowedCharacters: safe)
    return "attachment; filename=\"ink.\(format.ending)\"; filename*=UTF-8''\(name ?? "ink")"
  }

  // MARK: - Formats

  private struct Format: Encodable {
    var name: String
    var ending: String
    var mediaType: String
    var holdsOnePage: Bool
    var isAvailable: Bool
  }

  /// The answer to `GET /v1/export`: what can be written on this machine.
  static let formats: Data = {
    let list = ExportFormat.allCases.map {
      Format(
        name: $0.rawValue, ending: $0.ending, mediaType: $0.mediaType,
        holdsOnePage: $0.isOfOnePage, isAvailable: LibraryPainter.isAvailable($0))
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // The list has only strings and truths, so encoding it cannot fail.
    return (try? encoder.encode(["formats": list])) ?? Data()
  }()
}
