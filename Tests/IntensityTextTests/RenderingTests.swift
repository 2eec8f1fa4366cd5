import Foundation
import IntensityText
import Testing

/// A scheme of a test both of whose layers fade.
private struct PulseScheme: IntensityScheme {
  let name = "pulse"
  let steps = 3
  var layers: SchemeLayers? { SchemeLayers(top: (1, 0), bottom: (0, 1)) }

  func style(bin: Int, base: BaseAttributes) -> TextStyle { TextStyle(base) }
}

@Suite("Rendering")
struct RenderingTests {
  /// A text with all that runs know: styles, a link, an attachment, and signs of HTML.
  static func sample() throws -> IntensityString {
    var text = IntensityString("Soft <b> & ", intensity: 5)
    text.append(IntensityString("hard", intensity: 95, attributes: BaseAttributes(isItalic: true)))
    text.append(IntensityString("\nlink", intensity: 50))
    try text.setLink(URL(string: "https://example.org/?a=1&b=2"), in: 16..<20)
    try text.changeAttributes(in: 0..<4) { $0.isUnderlined = true }
    try text.attach(
      Attachment(image: .data(Data([1, 2, 3])), width: 640, height: 320, name: "a \"cat\""), at: 15)
    return text
  }

  /// The committed output of a writer.
  static func expected(_ name: String) throws -> String {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Cases/\(name)")
    return try String(contentsOf: url, encoding: .utf8)
  }

  @Test("Runs cover the text without gaps, and keep links, styles and attachments")
  func runs() throws {
    let text = try Self.sample()
    for scheme in [WeightScheme(), SizeScheme(), AlphaScheme(), HueScheme()]
      as [any IntensityScheme]
    {
      for smoothing in IntensitySmoothing.allCases {
        let rendered = text.rendered(scheme: scheme, smoothing: smoothing, animates: true)
        var end = 0
        for run in rendered.runs {
          #expect(run.range.lowerBound == end && !run.range.isEmpty)
          end = run.range.upperBound
        }
        #expect(end == text.count)
        #expect(rendered.runs.compactMap(\.attachment).count == 1)
        let linked = rendered.runs.filter { $0.link != nil }
        #expect(linked.map(\.range.count).reduce(0, +) == 4)
        #expect(rendered.runs.first?.style.isUnderlined == true)
      }
    }
    let empty = IntensityString().rendered()
    #expect(empty.runs.isEmpty && empty.html().contains("pre-wrap"))
  }

  @Test("HTML is the committed file", arguments: ["hue", "alpha", "weight"])
  func html(name: String) throws {
    let scheme = try IntensitySchemes().knownScheme(named: name)
    let rendered = try Self.sample().rendered(scheme: scheme, smoothing: .character, animates: true)
    let html = rendered.html(title: "A <title>")
    #expect(try html == Self.expected("\(name).html"))
    #expect(!html.contains("<b>") && html.contains("&lt;b&gt; &amp;"))
    #expect(rendered.htmlFragment().contains("&lt;b&gt; &amp;"))
  }

  @Test("Terminal colours are the committed file", arguments: ["hue", "alpha", "weight", "size"])
  func ansi(name: String) throws {
    let scheme = try IntensitySchemes().knownScheme(named: name)
    let rendered = try Self.sample().rendered(scheme: scheme, smoothing: .word, animates: false)
    let visible = rendered.ansi().replacingOccurrences(of: "\u{1B}", with: "␛") + "\n"
    #expect(try visible == Self.expected("\(name).ansi.txt"))
    // A terminal does not animate: it shows the scheme, not a layer.
    let moving = try Self.sample().rendered(scheme: scheme, smoothing: .word, animates: true)
    #expect(moving.ansi() == rendered.ansi())
  }

  @Test("A text cannot change the terminal, the page or where a link leads")
  func hostile() throws {
    var text = IntensityString("\u{1B}[2J\u{7}\u{9B}31m<script>'\"")
    try text.setLink(URL(string: "javascript:alert(1)"), in: 0..<3)
    try text.attach(Attachment(image: .reference("javascript:x"), width: 1, height: 1), at: 0)
    let rendered = text.rendered()
    let control = rendered.ansi().unicodeScalars.filter { $0.value == 7 || $0.value == 0x9B }
    #expect(control.isEmpty)
    // No codes of its own: regular weight has none, and the link is not safe.
    #expect(!rendered.ansi().contains("\u{1B}[2J"))
    let html = rendered.html()
    #expect(!html.contains("<script>") && !html.contains("javascript") && !html.contains("\u{1B}"))
    #expect(html.contains("&lt;script&gt;&#39;&quot;"))
    #expect(!rendered.svg(width: 100).contains("javascript"))
  }

  @Test("An attachment is in a layer that stays, and the others keep its place")
  func hidden() throws {
    for scheme in [HueScheme(), AlphaScheme(), PulseScheme()] as [any IntensityScheme] {
      let rendered = try Self.sample().rendered(
        scheme: scheme, smoothing: .character, animates: true)
      let html = rendered.htmlFragment()
      let boxes = html.components(separatedBy: "width:320px;height:160px").count - 1
      #expect(boxes == (scheme.name == "pulse" ? 3 : 2))
      #expect(html.components(separatedBy: "<img").count == 2)
      #expect(html.contains("&quot;cat&quot;"))
      // The layer with the image has no animation.
      let head = html.components(separatedBy: "<img")[0]
      let layer = head.components(separatedBy: "<div ").last ?? ""
      #expect(!layer.contains("animation"), "\(scheme.name)")
    }
  }

  @Test("SVG has a text for each run of a line, in both layers")
  func svg() throws {
    let rendered = try Self.sample().rendered(
      scheme: HueScheme(), smoothing: .character, animates: true)
    let svg = rendered.svg(width: 400)
    let layout = TextLayout(rendered, width: 400, sizes: DefaultGlyphSizes())
    let texts = layout.pieces.filter { rendered.runs[$0.run].attachment == nil }
    #expect(svg.components(separatedBy: "<text ").count - 1 >= 2 * (texts.count - 1))
    #expect(svg.components(separatedBy: "<image ").count == 2)
    #expect(svg.contains("@keyframes top{from{opacity:0}to{opacity:0.5}}"))
    #expect(svg.hasPrefix("<svg ") && svg.hasSuffix("</svg>\n"))
  }

  @Test("An attributed string has the text, the styles and the links")
  func attributed() throws {
    let rendered = try Self.sample().rendered(
      scheme: HueScheme(), smoothing: .character, animates: true)
    let string = rendered.attributedString()
    #expect(String(string.characters) == rendered.text)
    #expect(
      string.runs.compactMap(\.link).map(\.absoluteString) == ["https://example.org/?a=1&b=2"])
    let styles = string.runs.map { $0[IntensityStyleAttribute.self] }
    #expect(styles.allSatisfy { $0 != nil })
    #expect(string.runs.compactMap { $0[IntensityAttachmentAttribute.self] }.count == 1)
    let below = rendered.attributedString(.bottom)
    #expect(String(below.characters) == rendered.text)
  }
}
