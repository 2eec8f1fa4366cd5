import IntensityText

/// The content of the page Intensity: the text in every scheme, the keys, and the state of both.
struct IntensityAnswer: Encodable {
  /// A run of characters that look the same.
  struct Run: Encodable {
    var text: String
    var weight: Int
    var size: Double
    var italic: Bool
    var color: [Int]
    var alpha: Double
    var shadow: [Int]?
    var shadowRadius: Double?

    init(_ run: StyleRun, in units: [UInt16]) {
      let style = run.style
      text = String(decoding: units[run.range], as: UTF16.self)
      weight = style.font.weight.cssValue
      size = style.font.size
      italic = style.font.isItalic
      let rgb = style.color.rgb
      color = [rgb.red, rgb.green, rgb.blue]
      alpha = style.color.alpha
      if let own = style.shadow {
        let rgb = own.color.rgb
        shadow = [rgb.red, rgb.green, rgb.blue]
        shadowRadius = own.radius
      }
    }
  }

  /// The text in one scheme.
  struct Rendering: Encodable {
    var scheme: String
    var runs: [Run]
    var bottom: [Run]?
    /// The opacities of both layers at the beginning and at the end of one way.
    var top: [Double]?
    var under: [Double]?
    var seconds: Double
  }

  /// A key of the page that is shown.
  struct Key: Encodable {
    /// The text on the key.
    var label: String
    /// `type`, `shift`, `delete`, `enter` or `page`.
    var action: String
    var width: Double
    var variants: [String]
  }

  var text: String
  var plain: String
  var average: Int
  var selection: [Int]
  var intensity: Int
  /// The intensity of the key that is being pressed.
  var current: Int?
  /// The variants of a key that is held.
  var variants: [String]
  var page: Int
  var isShifted: Bool
  var rows: [[Key]]
  var renderings: [Rendering]

  init(
    _ editor: IntensityEditor, _ keyboard: KeyboardMachine, variants: [String]
  ) throws {
    text = String(decoding: editor.text.json(), as: UTF8.self)
    plain = editor.text.string
    average = editor.text.averageIntensity
    selection = [editor.selection.lowerBound, editor.selection.upperBound]
    intensity = editor.intensity
    current = keyboard.currentIntensity
    self.variants = variants
    page = keyboard.page
    isShifted = keyboard.isShifted
    rows = keyboard.keys.pages[keyboard.page].rows.map { row in
      row.map { Self.key($0, keyboard) }
    }
    let schemes = try IntensitySchemes.ofStudio()
    let options = editor.text.options
    let units = Array(editor.text.string.utf16)
    renderings = schemes.names.map { name in
      let scheme = schemes.scheme(named: name)
      let rendered = editor.text.rendered(
        scheme: scheme, smoothing: options.smoothing ?? .character,
        animates: options.animates ?? false)
      return Rendering(
        scheme: name, runs: rendered.runs.map { Run($0, in: units) },
        bottom: rendered.bottom?.map { Run($0, in: units) },
        top: rendered.layers.map { [$0.top.from, $0.top.to] },
        under: rendered.layers.map { [$0.bottom.from, $0.bottom.to] },
        seconds: rendered.animation.duration)
    }
  }

  private static func key(_ key: IntensityKey, _ keyboard: KeyboardMachine) -> Key {
    let (label, action): (String, String) =
      switch key.action {
      case .type: (keyboard.character(of: key) ?? "", "type")
      case .shift: ("⇧", "shift")
      case .delete: ("⌫", "delete")
      case .enter: ("⏎", "enter")
      case .page(let number): (number == 0 ? "abc" : "123", "page")
      }
    return Key(label: label, action: action, width: key.width, variants: key.variants)
  }
}
