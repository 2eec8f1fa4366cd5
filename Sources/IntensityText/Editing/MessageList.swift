/// A list of messages in intensity text: viewing, composing and sending, without a screen.
///
/// The sizes of cells are kept for a width.
public struct MessageList: Sendable {
  /// A message.
  public struct Message: Hashable, Sendable, Identifiable {
    /// The number of the message, from 1.
    public let id: Int
    /// The text.
    public let text: IntensityString
    /// True for a message of this person.
    public let isOwn: Bool
  }

  /// The messages, the oldest first.
  public private(set) var messages: [Message] = []
  /// The message that is being composed.
  public var draft = IntensityEditor()
  /// The theme of the keyboard.
  public private(set) var theme = KeyboardTheme.light
  /// The preferences of the reader.
  public var preferences = IntensityPreferences() {
    didSet { if preferences != oldValue { viewers = [:] } }
  }

  /// The number of layouts that were made.
  public private(set) var layoutCount = 0

  private let sizes: any GlyphSizes
  private let schemes: IntensitySchemes
  private var viewers: [Int: IntensityViewer] = [:]

  /// Makes an empty list.
  public init(
    schemes: IntensitySchemes = IntensitySchemes(), sizes: any GlyphSizes = DefaultGlyphSizes()
  ) {
    self.schemes = schemes
    self.sizes = sizes
  }

  /// Sends the draft and begins another one with the same intensity, attributes and options.
  ///
  /// - Returns: The message, nil if the draft is empty.
  @discardableResult
  public mutating func send() -> Message? {
    guard draft.text.string.contains(where: { !$0.isWhitespace }) else { return nil }
    let message = add(draft.text, isOwn: true)
    var blank = IntensityString()
    blank.options = draft.text.options
    var next = IntensityEditor(blank)
    next.intensity = draft.intensity
    next.attributes = draft.attributes
    draft = next
    return message
  }

  /// Adds a message of another person.
  public mutating func receive(_ text: IntensityString) { add(text, isOwn: false) }

  @discardableResult
  private mutating func add(_ text: IntensityString, isOwn: Bool) -> Message {
    let message = Message(id: messages.count + 1, text: text, isOwn: isOwn)
    messages.append(message)
    return message
  }

  /// Switches between the light and the dark keyboard.
  public mutating func switchTheme() { theme = theme == .light ? .dark : .light }

  /// The size of the cell of a message in a width. The second time, nothing is laid out.
  ///
  /// - Returns: The size; nil for a message that does not exist.
  public mutating func cellSize(
    of id: Int, fitting width: Double
  ) -> (width: Double, height: Double)? {
    guard messages.indices.contains(id - 1) else { return nil }
    var viewer =
      viewers[id]
      ?? IntensityViewer(
        messages[id - 1].text, preferences: preferences, schemes: schemes, sizes: sizes)
    let before = viewer.layoutCount
    let size = viewer.size(fitting: width)
    layoutCount += viewer.layoutCount - before
    viewers[id] = viewer
    return size
  }
}
