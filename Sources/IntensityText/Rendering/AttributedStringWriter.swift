import Foundation

/// The style of a run in an `AttributedString`; a host maps it to the fonts of its platform.
public enum IntensityStyleAttribute: AttributedStringKey {
  /// The value.
  public typealias Value = TextStyle
  /// The name.
  public static let name = "ductus.intensity-style"
}

/// The attachment of a run in an `AttributedString`.
public enum IntensityAttachmentAttribute: AttributedStringKey {
  /// The value.
  public typealias Value = Attachment
  /// The name.
  public static let name = "ductus.intensity-attachment"
}

extension RenderedText {
  /// Returns the text as an `AttributedString` with the links of Foundation and the styles of
  /// ``IntensityStyleAttribute``; on Apple platforms also with inline intents. O(n).
  ///
  /// - Parameter layer: The layer of an animated text; a still text has one.
  public func attributedString(_ layer: TextLayer = .top) -> AttributedString {
    let units = Array(text.utf16)
    var result = AttributedString()
    for run in layer == .bottom ? bottom ?? runs : runs {
      var piece = AttributedString(text(of: run, in: units))
      piece[IntensityStyleAttribute.self] = run.style
      piece[IntensityAttachmentAttribute.self] = run.attachment
      piece.link = run.link
      #if canImport(Darwin)
        var intent: InlinePresentationIntent = []
        if run.style.font.weight >= .semibold { intent.insert(.stronglyEmphasized) }
        if run.style.font.isItalic { intent.insert(.emphasized) }
        if run.style.isStruckThrough { intent.insert(.strikethrough) }
        if !intent.isEmpty { piece.inlinePresentationIntent = intent }
      #endif
      result += piece
    }
    return result
  }
}
