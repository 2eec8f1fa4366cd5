import Foundation
import IntensityText
import Testing

/// A scheme of a test: every bin above 0 is italic.
private struct SlantScheme: IntensityScheme {
  let name = "slant"
  let steps = 2

  func style(bin: Int, base: BaseAttributes) -> TextStyle {
    var style = TextStyle(base)
    style.font.isItalic = bin > 0
    return style
  }
}

/// A scheme of a test whose layers would not lie upon each other.
private struct JumpingScheme: IntensityScheme {
  let name = "jumping"
  let steps = 3
  var layers: SchemeLayers? { SchemeLayers(top: (1, 0), bottom: (0, 1)) }

  func style(bin: Int, base: BaseAttributes) -> TextStyle { TextStyle(base) }

  func style(bin: Int, base: BaseAttributes, layer: TextLayer) -> TextStyle {
    var style = TextStyle(base)
    if layer == .bottom { style.font.size = 99 }
    return style
  }
}

@Suite("Schemes")
struct SchemeTests {
  private func style(_ scheme: some IntensityScheme, _ bin: Int, size: Int = 20) -> TextStyle {
    scheme.style(bin: bin, base: BaseAttributes(size: size))
  }

  @Test("Weight has nine steps from ultra-light to black, and bold stays in range")
  func weight() {
    let scheme = WeightScheme()
    #expect(scheme.steps == 9 && scheme.name == "weight" && scheme.layers == nil)
    #expect((0..<9).map { style(scheme, $0).font.weight } == FontWeight.allCases)
    let bold = (0..<9).map { scheme.style(bin: $0, base: BaseAttributes(isBold: true)).font.weight }
    #expect(bold == [.light, .regular, .medium, .semibold, .bold, .heavy, .black, .black, .black])
  }

  @Test("Size has ten steps: base - 5 + bin, never below 1")
  func size() {
    let scheme = SizeScheme()
    #expect(scheme.steps == 10)
    #expect((0..<10).map { style(scheme, $0).font.size } == (15...24).map(Double.init))
    #expect(style(scheme, 0, size: 3).font.size == 1)
    #expect(style(scheme, 9, size: 3).font.size == 7)
  }

  @Test("Alpha has eight steps of sevenths; bins 6 and 7 are opaque")
  func alpha() {
    let scheme = AlphaScheme()
    #expect(scheme.steps == 8)
    let expected: [Double] = [1, 2, 3, 4, 5, 6, 7, 7].map { (sevenths: Double) in sevenths / 7 }
    #expect((0..<8).map { style(scheme, $0).color.alpha } == expected)
    let layers = scheme.layers
    #expect(layers?.opacity(of: .top, at: 0.5) == 1)
    #expect(layers?.opacity(of: .bottom, at: 0) == 1 && layers?.opacity(of: .bottom, at: 1) == 0)
    let base = BaseAttributes()
    #expect(scheme.style(bin: 0, base: base, layer: .bottom).color.alpha == 1)
    #expect(scheme.style(bin: 0, base: base, layer: .top).color.alpha == 1.0 / 7)
  }

  @Test("Hue has twenty steps from 144 to 7.2 degrees")
  func hue() {
    let scheme = HueScheme()
    #expect(scheme.steps == 20)
    #expect(abs(style(scheme, 0).color.hue * 360 - 144) < 1e-9)
    #expect(abs(style(scheme, 19).color.hue * 360 - 7.2) < 1e-9)
    #expect((0..<20).allSatisfy { style(scheme, $0).color.saturation == 1 })
    #expect((0..<20).allSatisfy { style(scheme, $0).color.brightness == 0.8 })
    let layers = scheme.layers
    #expect(layers?.opacity(of: .top, at: 0) == 0 && layers?.opacity(of: .top, at: 1) == 0.5)
    #expect(layers?.opacity(of: .bottom, at: 0.3) == 1)
    #expect(scheme.style(bin: 3, base: BaseAttributes(), layer: .top).color == .black)
    // 144 degrees at brightness 0.8: no red, full green, two fifths of blue.
    let (red, green, blue) = style(scheme, 0).color.rgb
    #expect(red == 0 && green == 204 && blue == 82)
  }

  @Test("A fifth scheme is registered and found by its name; unknown names are the first")
  func register() throws {
    var schemes = IntensitySchemes()
    #expect(schemes.names == ["weight", "size", "alpha", "hue"])
    try schemes.register(SlantScheme())
    var text = IntensityString("ab", intensity: 80)
    text.options.scheme = "slant"
    let again = try IntensityString(json: text.json())
    #expect(again.options.scheme == "slant")
    #expect(again.rendered(schemes: schemes).runs.map(\.style.font.isItalic) == [true])
    // A reader without it keeps the name and shows weights.
    #expect(again.rendered().runs.map(\.style.font.weight) == [.heavy])
    #expect(throws: IntensityTextError.self) { try schemes.register(SlantScheme()) }
    #expect(throws: IntensityTextError.self) { try IntensitySchemes().knownScheme(named: "slant") }
    #expect(try schemes.knownScheme(named: "slant").steps == 2)
    #expect(throws: IntensityTextError.self) {
      try IntensityString(json: text.json(), schemes: IntensitySchemes())
    }
  }

  @Test("Coloured shadows need the protocol alone, and their layers lie upon each other")
  func shadow() throws {
    var schemes = IntensitySchemes()
    try schemes.register(ShadowScheme())
    var text = IntensityString("soft", intensity: 5)
    text.append(IntensityString("hard", intensity: 100))
    text.options.scheme = "shadow"
    let rendered = text.rendered(schemes: schemes)
    let bottom = try #require(rendered.bottom)
    #expect(bottom.map(\.style.shadow?.radius) == [nil, 6])
    #expect(rendered.runs.allSatisfy { $0.style.shadow == nil })
    #expect(bottom.map(\.style.font) == rendered.runs.map(\.style.font))
    #expect(rendered.html().contains("text-shadow:0 0 6px rgb(230,0,0)"))
  }

  @Test("Characters are at the same places in both layers, whatever a scheme says")
  func layers() throws {
    let text = try IntensityString("a bc", intensities: [0, 40, 70, 100])
    for scheme in [AlphaScheme(), HueScheme(), JumpingScheme()] as [any IntensityScheme] {
      let moving = text.rendered(scheme: scheme, smoothing: .character, animates: true)
      let bottom = try #require(moving.bottom)
      #expect(bottom.map(\.range) == moving.runs.map(\.range))
      #expect(bottom.map(\.style.font) == moving.runs.map(\.style.font))
      let still = text.rendered(scheme: scheme, smoothing: .character, animates: false)
      #expect(still.bottom == nil && still.layers == nil)
    }
    let weight = text.rendered(scheme: WeightScheme(), smoothing: .character, animates: true)
    #expect(weight.bottom == nil)
  }

  @Test("An animation goes to and fro with ease in and out, from its offset")
  func animation() throws {
    let standard = AnimationOptions.standard
    #expect(standard.duration == 1 && standard.offset == 0)
    #expect([0, 1, 2, 3].map { standard.progress(at: $0) } == [0, 1, 0, 1])
    #expect(standard.progress(at: 0.5) == 0.5)
    #expect(standard.progress(at: 0.1) < 0.1 && standard.progress(at: 0.9) > 0.9)
    #expect(standard.progress(at: 1.25) == standard.progress(at: 0.75))
    let later = try AnimationOptions(duration: 2, offset: 0.5)
    #expect(later.progress(at: 0) == AnimationOptions.standard.progress(at: 0.25))
    #expect(later.progress(at: -0.5) == 0)
    for (duration, offset) in [(0, 0), (-1, 0), (.nan, 0), (1, .nan), (1, 1e9)] {
      #expect(throws: IntensityTextError.self) {
        try AnimationOptions(duration: duration, offset: offset)
      }
    }
  }
}
