import Foundation
import InkCore
import InkEditor

/// A format in which a page leaves the studio.
enum PageExport: String, CaseIterable, Sendable {
  /// The text, one line for each written line.
  case text
  /// JIIX: blocks, words, candidates, shapes and ink.
  case jiix
  /// A drawing with the text as its description.
  case svg

  /// The content type.
  var type: String {
    switch self {
    case .text: "text/plain; charset=utf-8"
    case .jiix: "application/json"
    case .svg: "image/svg+xml"
    }
  }

  /// Seconds to wait until all ink is read.
  private static let patience = 30.0

  /// Returns a page in the format, once all its ink is read.
  ///
  /// - Throws: ``StudioError``, of code `busy` if reading takes too long.
  func bytes(of session: PageSession, title: String) async throws -> Data {
    let deadline = ContinuousClock.now + .seconds(Self.patience)
    repeat {
      let editor = try await session.with { $0.editor }
      guard try await editor.becomeIdle(timeout: Self.patience) else { break }
      do throws(EditorError) {
        return Data(try export(editor, title: title).utf8)
      } catch {
        // Somebody wrote in the meantime.
        guard error == .notIdle else { throw PageDocument.error(error) }
      }
    } while ContinuousClock.now < deadline
    throw StudioError(.busy, "the page is still being read; try again in a moment")
  }

  private func export(_ editor: Editor, title: String) throws(EditorError) -> String {
    switch self {
    case .text:
      let text = try editor.export(as: .text)
      return text.isEmpty ? "" : text + "\n"
    case .jiix: return try editor.export(as: .jiix)
    case .svg:
      let text = try editor.export(as: .text)
      var strokes: [Stroke] = []
      for item in editor.rootBlock?.items ?? [] {
        if let stroke = try editor.stroke(of: item) { strokes.append(stroke) }
      }
      return PageDrawing.svg(strokes, title: title, text: text)
    }
  }
}

/// Draws strokes as SVG, in millimetres.
enum PageDrawing {
  /// The width of lines in millimetres.
  private static let width = 0.6
  /// The space around the ink in millimetres.
  private static let margin = 5.0

  /// Returns a drawing in the size of the ink.
  ///
  /// - Parameters:
  ///   - strokes: Strokes in millimetres.
  ///   - title: The name of the drawing.
  ///   - text: The text that is written, as its description.
  static func svg(_ strokes: [Stroke], title: String, text: String) -> String {
    let box =
      Ink(strokes: strokes).boundingBox ?? BoundingBox(minX: 0, minY: 0, maxX: 210, maxY: 297)
    let (wide, high) = (box.width + 2 * margin, box.height + 2 * margin)
    var result = """
      <?xml version="1.0" encoding="UTF-8"?>
      <svg xmlns="http://www.w3.org/2000/svg" width="\(number(wide))mm" height="\(number(high))mm" \
      viewBox="\(number(box.minX - margin)) \(number(box.minY - margin)) \(number(wide)) \
      \(number(high))" fill="none" stroke="black" stroke-width="\(number(width))" \
      stroke-linecap="round" stroke-linejoin="round">
      <title>\(escaped(title))</title>
      <desc>\(escaped(text))</desc>

      """
    for stroke in strokes where !stroke.points.isEmpty {
      let places = stroke.points.map { "\(number($0.x)),\(number($0.y))" }
      // A path without length is drawn as a dot, because its ends are round.
      result +=
        places.count == 1
        ? "<path d=\"M\(places[0])z\"/>\n"
        : "<polyline points=\"\(places.joined(separator: " "))\"/>\n"
    }
    return result + "</svg>\n"
  }

  private static func number(_ value: Double) -> String {
    let rounded = (value * 100).rounded() / 100
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }

  /// Returns a text for XML, without the characters that XML 1.0 has not.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\n", "\t": result.unicodeScalars.append(scalar)
      default:
        guard scalar.value >= 0x20, scalar.value != 0xFFFE, scalar.value != 0xFFFF else { continue }
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
