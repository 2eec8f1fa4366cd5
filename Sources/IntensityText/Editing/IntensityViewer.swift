/// Shows a text that cannot be changed: its layers, its places, and its size in a width.
///
///     var viewer = IntensityViewer(message)
///     let size = viewer.size(fitting: 320)
///
/// The layout is kept until the text, the width or a preference changes.
public struct IntensityViewer: Sendable {
  /// The text.
  public var text: IntensityString { didSet { if text != oldValue { forget() } } }
  /// The preferences of the reader.
  public var preferences: IntensityPreferences {
    didSet { if preferences != oldValue { forget() } }
  }
  /// The selected range, which is drawn over everything.
  public var selection: Range<Int>?

  /// The number of layouts that were made.
  public private(set) var layoutCount = 0

  private let sizes: any GlyphSizes
  private let schemes: IntensitySchemes
  private var rendering: RenderedText?
  private var layout: TextLayout?

  /// Makes a viewer.
  public init(
    _ text: IntensityString = IntensityString(),
    preferences: IntensityPreferences = IntensityPreferences(),
    schemes: IntensitySchemes = IntensitySchemes(), sizes: any GlyphSizes = DefaultGlyphSizes()
  ) {
    self.text = text
    self.preferences = preferences
    self.schemes = schemes
    self.sizes = sizes
  }

  private mutating func forget() {
    rendering = nil
    layout = nil
  }

  /// The runs of the text.
  public mutating func rendered() -> RenderedText {
    if let rendering { return rendering }
    let made = text.rendered(preferences, role: .viewer, schemes: schemes)
    rendering = made
    return made
  }

  /// The lines of the text in a width.
  public mutating func layout(fitting width: Double) -> TextLayout {
    if let layout, layout.width == width { return layout }
    let made = TextLayout(rendered(), width: width, sizes: sizes)
    layoutCount += 1
    layout = made
    return made
  }

  /// The width of the longest line and the height of all lines.
  public mutating func size(fitting width: Double) -> (width: Double, height: Double) {
    let made = layout(fitting: width)
    return (made.lines.map(\.box.width).max() ?? 0, made.height)
  }

  /// The layers from the lowest to the highest, at a time in seconds.
  ///
  /// Attachments have a layer of their own, which stays while the text fades.
  public mutating func layers(fitting width: Double, at time: Double = 0) -> [ViewerLayer] {
    let made = layout(fitting: width)
    let runs = rendered()
    let all = TextBox(x: 0, y: 0, width: made.width, height: made.height)
    let progress = runs.animation.progress(at: time)
    var layers: [ViewerLayer] = []
    if runs.bottom != nil {
      layers.append(
        ViewerLayer(
          kind: .bottomText, frames: [all],
          opacity: runs.layers?.opacity(of: .bottom, at: progress) ?? 1))
    }
    layers.append(
      ViewerLayer(
        kind: .topText, frames: [all],
        opacity: runs.layers?.opacity(of: .top, at: progress) ?? 1))
    if !made.attachments.isEmpty {
      let boxes = made.attachments.sorted { $0.key < $1.key }.map(\.value)
      layers.append(ViewerLayer(kind: .attachments, frames: boxes, opacity: 1))
    }
    if let selection, !selection.isEmpty {
      layers.append(
        ViewerLayer(kind: .selection, frames: made.boxes(of: selection), opacity: 1))
    }
    return layers
  }
}

/// A layer of a viewer.
public struct ViewerLayer: Hashable, Sendable {
  /// The layers, from the lowest to the highest.
  public enum Kind: Int, Hashable, Sendable, CaseIterable {
    /// The layer below of an animated text.
    case bottomText
    /// The text, or the layer above.
    case topText
    /// Images, maps and files.
    case attachments
    /// The selection.
    case selection
  }

  /// The kind.
  public let kind: Kind
  /// The boxes to draw: one for a text, one for each attachment or line of the selection.
  public let frames: [TextBox]
  /// The opacity, 0 ... 1.
  public let opacity: Double
}
