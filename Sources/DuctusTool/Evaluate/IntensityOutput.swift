import ArgumentParser
import Foundation
import InkCore
import InkEditor
import IntensityText
import Recognition

/// `--intensity` of `ductus recognize`: text that shows how hard each character was written.
package struct IntensityOutput: ParsableArguments {
  package init() {}

  /// A form of the text.
  package enum Form: String, ExpressibleByArgument, CaseIterable {
    case html
    case ansi
    case json
  }

  @Option(
    help: ArgumentHelp(
      """
      Print the text with the force that each character was written with instead of candidates: \
      html, ansi for a terminal, or json.
      """, valueName: "form"))
  var intensity: Form?

  @Option(
    help: ArgumentHelp(
      "With --intensity: force, duration or speed of the pen.", valueName: "measure"))
  var intensitySource: Source = .force

  @Option(
    help: ArgumentHelp(
      "With --intensity: weight, size, alpha or hue.", valueName: "scheme"))
  var intensityScheme = "hue"

  /// The measure as an argument.
  package enum Source: String, ExpressibleByArgument, CaseIterable {
    case force
    case duration
    case speed
  }

  package func validate() throws {
    let names = IntensitySchemes().names
    guard names.contains(intensityScheme) else {
      throw ValidationError("--intensity-scheme: expected \(names.joined(separator: ", "))")
    }
  }

  /// Returns the text of a reading with its intensities. Characters without ink of their own have
  /// 50, spaces the mean of their neighbours.
  package func text(
    of candidate: RecognitionCandidate, ink: Ink
  ) throws(IntensityTextError) -> IntensityString {
    let source = InkIntensity.Source(rawValue: intensitySource.rawValue) ?? .force
    let characters = candidate.text.map(String.init)
    let pieces: [InkedText]
    if characters.count == candidate.characters.count {
      pieces = zip(characters, candidate.characters).map { character, own in
        InkedText(
          character,
          strokes: own.parts.filter { ink.strokes.indices.contains($0.stroke) }.map { part in
            let points = ink.strokes[part.stroke].points
            return Array(points[part.points.clamped(to: points.indices)])
          })
      }
    } else {
      // A label of a glyph model: the whole ink.
      pieces = [InkedText(candidate.text, strokes: ink.strokes.map { Array($0.points) })]
    }
    return try InkIntensity(source: source).text(of: pieces)
  }

  /// Returns the texts of all inks in a form.
  package func output(_ texts: [IntensityString], _ form: Form) throws(IntensityTextError) -> String
  {
    let scheme = try IntensitySchemes().knownScheme(named: intensityScheme)
    func rendered(_ text: IntensityString) -> RenderedText {
      text.rendered(scheme: scheme, smoothing: .character, animates: false)
    }
    switch form {
    case .ansi: return texts.map { rendered($0).ansi() }.joined(separator: "\n")
    case .json:
      return texts.map { String(decoding: $0.json(), as: UTF8.self) }.joined(separator: "\n")
    case .html:
      var all = IntensityString()
      for (index, text) in texts.enumerated() {
        if index > 0 { all.append(IntensityString("\n")) }
        all.append(text)
      }
      return rendered(all).html(title: "Intensity")
    }
  }
}
