import Foundation

extension StrokeStyle {
  /// The style as JSON, for packages.
  package var storedText: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Its numbers are finite.
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// Reads a style that ``storedText`` wrote; nil for another text.
  package init?(storedText: String) {
    guard let style = try? JSONDecoder().decode(StrokeStyle.self, from: Data(storedText.utf8))
    else {
      return nil
    }
    self = style
  }
}
