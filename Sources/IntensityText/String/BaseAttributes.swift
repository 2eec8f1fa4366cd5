/// The size and style of a character before its intensity is rendered.
///
/// The raw value has the size in bits 0 to 7, then bold 0x100, italic 0x200, underline 0x400 and
/// strike-through 0x800.
public struct BaseAttributes: RawRepresentable, Hashable, Sendable {
  /// The bits.
  public let rawValue: Int

  /// The size of text that has none of its own, in points.
  public static let defaultSize = 20

  /// Makes attributes of their bits; nil if there are others than the nine that mean something.
  public init?(rawValue: Int) {
    guard (0...0xFFF).contains(rawValue) else { return nil }
    self.rawValue = rawValue
  }

  /// Makes attributes.
  ///
  /// - Parameters:
  ///   - size: The size in points. It is kept in 0 ... 255.
  ///   - isBold: True for bold text.
  ///   - isItalic: True for italic text.
  ///   - isUnderlined: True for underlined text.
  ///   - isStruckThrough: True for text with a line through it.
  public init(
    size: Int = BaseAttributes.defaultSize, isBold: Bool = false, isItalic: Bool = false,
    isUnderlined: Bool = false, isStruckThrough: Bool = false
  ) {
    rawValue =
      min(max(size, 0), 255) | (isBold ? Self.bold : 0) | (isItalic ? Self.italic : 0)
      | (isUnderlined ? Self.underline : 0) | (isStruckThrough ? Self.strikeThrough : 0)
  }

  private static let bold = 0x100
  private static let italic = 0x200
  private static let underline = 0x400
  private static let strikeThrough = 0x800

  /// The size in points, 0 ... 255.
  public var size: Int {
    get { rawValue & 0xFF }
    set { self = BaseAttributes(bits: rawValue & ~0xFF | min(max(newValue, 0), 255)) }
  }

  /// True for bold text.
  public var isBold: Bool {
    get { has(Self.bold) }
    set { set(Self.bold, newValue) }
  }

  /// True for italic text.
  public var isItalic: Bool {
    get { has(Self.italic) }
    set { set(Self.italic, newValue) }
  }

  /// True for underlined text.
  public var isUnderlined: Bool {
    get { has(Self.underline) }
    set { set(Self.underline, newValue) }
  }

  /// True for text with a line through it.
  public var isStruckThrough: Bool {
    get { has(Self.strikeThrough) }
    set { set(Self.strikeThrough, newValue) }
  }

  private init(bits: Int) { rawValue = bits & 0xFFF }

  private func has(_ bit: Int) -> Bool { rawValue & bit != 0 }

  private mutating func set(_ bit: Int, _ value: Bool) {
    self = BaseAttributes(bits: value ? rawValue | bit : rawValue & ~bit)
  }
}

extension BaseAttributes: RunValue {
  /// Equal neighbours are one run.
  package var merges: Bool { true }
}
