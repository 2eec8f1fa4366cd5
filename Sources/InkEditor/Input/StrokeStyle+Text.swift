extension StrokeStyle {
  /// The style as text for packages, such as `color:#112233;width:0.6`.
  package var storedText: String { "color:\(color);width:\(width)" }

  /// Reads a style that ``storedText`` wrote; nil for another text. Unknown properties are ignored.
  package init?(storedText: String) {
    var (color, width): (String?, Double?)
    for property in storedText.split(separator: ";") {
      guard let colon = property.firstIndex(of: ":") else { return nil }
      let value = property[property.index(after: colon)...]
      switch property[..<colon] {
      case "color": color = String(value)
      case "width": width = Double(value)
      default: break
      }
    }
    guard let color, let width else { return nil }
    do throws(EditorError) {
      try self.init(color: color, width: width)
    } catch {
      return nil
    }
  }
}
