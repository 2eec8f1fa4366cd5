/// The theme of an editor: the looks of ink by its content, of text, guides and the page.
///
/// A sheet is written like CSS. A rule has one or more classes and declarations; later rules
/// override earlier ones. The classes `ink`, `text`, `math`, `drawing`, `node` and `edge` style the
/// ink of such blocks; `ink` is the base of the others. `guide` styles guide lines and `page` the
/// paper. `underline`, `double-underline`, `strike-through`, `highlight` and `surround` style the
/// decorations of characters. Apps may add classes of their own for ``strokeStyle(for:)``.
///
///     editor.styleSheet = try StyleSheet(
///       parsing: """
///         .ink   { color: #1A237E; width: 0.5mm; }
///         .text  { line-height: 8mm; font-size: 5mm; }
///         .guide { color: #B0BEC5; width: 0.2mm; }
///         """)
///
/// | Property | Value |
/// |---|---|
/// | `color`, `background` | `#RRGGBB` or `#RRGGBBAA` |
/// | `width`, `font-size`, `line-height` | a length: `mm`, `cm`, `in`, `pt` or `px`; millimetres without a unit |
/// | `brush` | `pen`, `fineliner`, `marker` or `nib` |
/// | `least-width` | the width at force 0, as `45%` |
/// | `font-family` | a name |
public struct StyleSheet: Hashable, Sendable {
  /// The look of typeset text.
  public struct TextStyle: Hashable, Sendable {
    /// The name of the font.
    public var fontFamily: String
    /// The size of the font in millimetres.
    public var fontSize: Double
    /// Millimetres from one baseline to the next. It sets the spacing of the guides.
    public var lineHeight: Double
    /// The colour.
    public var color: InkColor
  }

  /// The look of a line, such as a guide.
  public struct LineLook: Hashable, Sendable {
    /// The colour.
    public var color: InkColor
    /// The width in millimetres.
    public var width: Double
  }

  /// The declarations of each class.
  private(set) var rules: [String: StyleDeclarations] = [:]
  /// The order in which the classes were first named.
  private var names: [String] = []

  /// Makes a sheet without rules: every look is the default.
  public init() {}

  /// Reads a sheet.
  ///
  /// - Throws: ``StyleSheetError`` with the line.
  public init(parsing text: String) throws(StyleSheetError) {
    var parser = StyleSheetParser(text)
    for (classes, declarations) in try parser.rules() {
      for name in classes { add(declarations, to: name) }
    }
  }

  /// The sheet without rules.
  public static let standard = StyleSheet()

  private mutating func add(_ declarations: StyleDeclarations, to name: String) {
    if rules[name] == nil { names.append(name) }
    rules[name, default: StyleDeclarations()].merge(declarations)
  }

  /// Returns the style of ink of a class; that of the class `ink` if there is no such rule.
  public func strokeStyle(for name: String) -> StrokeStyle {
    let base = rules["ink"]?.applied(to: .standard) ?? .standard
    guard name != "ink", let own = rules[name] else { return base }
    return own.applied(to: base)
  }

  /// The look of typeset text.
  public var text: TextStyle { textStyle(of: "text") }

  /// The look of typeset mathematics.
  public var math: TextStyle { textStyle(of: "math") }

  /// The look of guide lines.
  public var guide: LineLook {
    LineLook(
      color: rules["guide"]?.color ?? Self.guideColor,
      width: rules["guide"]?.width ?? Chosen.guideWidth)
  }

  /// The colour of the page, or nil if it has none.
  public var pageColor: InkColor? { rules["page"]?.background }

  private static let guideColor = InkColor(red: 0xB8, green: 0xC7, blue: 0xD9)

  private func textStyle(of name: String) -> TextStyle {
    let rule = rules[name]
    return TextStyle(
      fontFamily: rule?.fontFamily ?? "sans-serif", fontSize: rule?.fontSize ?? 6,
      lineHeight: rule?.lineHeight ?? 10, color: rule?.color ?? .black)
  }

  /// The greatest width of ink of any class, in millimetres.
  var greatestWidth: Double {
    rules.keys.map { strokeStyle(for: $0).greatestWidth }.reduce(
      strokeStyle(for: "ink").greatestWidth, max)
  }

  /// The sheet as text that ``init(parsing:)`` reads.
  public var css: String {
    names.map { name in ".\(name) { \(rules[name]?.text ?? "") }\n" }.joined()
  }
}

/// The declarations of a rule; nil for a property that it does not name.
struct StyleDeclarations: Hashable, Sendable {
  var color: InkColor?
  var background: InkColor?
  var width: Double?
  var brush: InkBrush?
  var leastShare: Double?
  var fontFamily: String?
  var fontSize: Double?
  var lineHeight: Double?

  /// Takes over the properties that later declarations name.
  mutating func merge(_ later: StyleDeclarations) {
    color = later.color ?? color
    background = later.background ?? background
    width = later.width ?? width
    brush = later.brush ?? brush
    leastShare = later.leastShare ?? leastShare
    fontFamily = later.fontFamily ?? fontFamily
    fontSize = later.fontSize ?? fontSize
    lineHeight = later.lineHeight ?? lineHeight
  }

  /// Returns a style of ink with the named properties replaced. Another brush has its own usual
  /// width at force 0, unless the declarations say otherwise.
  func applied(to base: StrokeStyle) -> StrokeStyle {
    let usual = brush.map { $0 == base.brush ? base.leastShare : $0.usualLeastShare }
    return StrokeStyle(
      color ?? base.inkColor, width: width ?? base.width, brush: brush ?? base.brush,
      leastShare: leastShare ?? usual ?? base.leastShare)
  }

  /// The declarations as text.
  var text: String {
    var parts: [String] = []
    if let color { parts.append("color: \(color);") }
    if let background { parts.append("background: \(background);") }
    if let width { parts.append("width: \(width)mm;") }
    if let brush { parts.append("brush: \(brush.rawValue);") }
    if let leastShare { parts.append("least-width: \(leastShare * 100)%;") }
    if let fontFamily { parts.append("font-family: \(fontFamily);") }
    if let fontSize { parts.append("font-size: \(fontSize)mm;") }
    if let lineHeight { parts.append("line-height: \(lineHeight)mm;") }
    return parts.joined(separator: " ")
  }
}

/// Numbers that were chosen and not derived.
private enum Chosen {
  /// Millimetres, chosen by eye, at up to eight times the size of paper on pages of IAM-OnDB as
  /// SVG in a browser.
  static let guideWidth = 0.2
}
