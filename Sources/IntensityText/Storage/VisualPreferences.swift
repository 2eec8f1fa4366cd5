import Files
import Foundation

/// Colours and sizes of a keyboard and its accessory.
public struct KeyboardTheme: Hashable, Sendable {
  /// The name in preferences.
  public let name: String
  /// The colour behind the keys.
  public let background: TextColor
  /// The colour of a key.
  public let key: TextColor
  /// The colour of the characters on keys.
  public let character: TextColor
  /// The colour of the strongest intensity on a key that is being pressed.
  public let pressed: TextColor

  /// Makes a theme.
  public init(
    name: String, background: TextColor, key: TextColor, character: TextColor, pressed: TextColor
  ) {
    self.name = name
    self.background = background
    self.key = key
    self.character = character
    self.pressed = pressed
  }

  private static func grey(_ brightness: Double) -> TextColor {
    TextColor(hue: 0, saturation: 0, brightness: brightness)
  }

  /// Dark characters on white keys.
  public static let light = KeyboardTheme(
    name: "light", background: grey(0.85), key: grey(1), character: grey(0),
    pressed: TextColor(hue: 0.02, saturation: 0.8, brightness: 0.95))
  /// White characters on dark keys.
  public static let dark = KeyboardTheme(
    name: "dark", background: grey(0.1), key: grey(0.3), character: grey(1),
    pressed: TextColor(hue: 0.02, saturation: 0.9, brightness: 0.8))
  /// The themes that every host has.
  public static let all = [light, dark]
}

/// The look of keyboards and accessories.
public struct VisualPreferences: Hashable, Sendable {
  /// The name of the theme of keys.
  public var keyboardTheme = KeyboardTheme.light.name
  /// The name of the theme of the accessory above the keyboard.
  public var accessoryTheme = KeyboardTheme.light.name
  /// The hue of the slider and the readout, 0 ... 1.
  public var accentHue = 0.6

  /// Makes the look for a new user.
  public init() {}

  /// Returns the theme of a name among themes, or the first one.
  public func theme(
    named name: String, among themes: [KeyboardTheme] = KeyboardTheme.all
  ) -> KeyboardTheme {
    themes.first { $0.name == name } ?? themes.first ?? .light
  }

  /// Returns the preferences as JSON.
  public func json() -> Data {
    var writer = JSONTextWriter()
    writer.object { writer in
      writer.key("accentHue")
      writer.number(accentHue.isFinite ? accentHue : Self().accentHue)
      writer.key("accessoryTheme")
      writer.string(accessoryTheme)
      writer.key("keyboardTheme")
      writer.string(keyboardTheme)
    }
    return Data(writer.bytes)
  }

  /// Reads preferences. A value that is missing or cannot be used is that of a new user.
  public init(json: Data) {
    self.init()
    guard let value = JSONValue(text: json) else { return }
    keyboardTheme = value["keyboardTheme"]?.string ?? keyboardTheme
    accessoryTheme = value["accessoryTheme"]?.string ?? accessoryTheme
    if let hue = value["accentHue"]?.double, (0...1).contains(hue) { accentHue = hue }
  }
}
