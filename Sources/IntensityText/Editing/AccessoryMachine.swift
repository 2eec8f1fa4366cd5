/// An action of a person on the accessory above a keyboard.
public enum AccessoryEvent: Hashable, Sendable {
  /// The readout, which is a key itself, is pressed: the current intensity holds until the next one.
  case readout(TouchSample, isDown: Bool)
  /// The slider is moved, 0 ... 1.
  case slider(Double)
  /// The button of schemes, smoothings, pictures or preferences is tapped; once more closes it.
  case open(AccessoryPanel)
  /// A scheme is chosen in its panel.
  case scheme(String)
  /// A smoothing is chosen in its panel.
  case smoothing(IntensitySmoothing)
  /// A picture is chosen in its panel.
  case picture(Attachment)
  /// The system's keyboard takes the place of the pressure keyboard, or the other way round.
  case swapKeyboards
}

/// A panel of the accessory.
public enum AccessoryPanel: Hashable, Sendable, CaseIterable {
  /// The schemes.
  case schemes
  /// The smoothings.
  case smoothings
  /// Pictures to insert.
  case pictures
  /// The preferences.
  case preferences
}

/// A task of the host after an event of the accessory.
public enum AccessoryEffect: Hashable, Sendable {
  /// The intensity of what is typed changes.
  case intensity(Int)
  /// The text has other options.
  case options(IntensityOptions)
  /// A picture is inserted.
  case insert(Attachment)
  /// Another keyboard is shown.
  case keyboard(isPressure: Bool)
  /// A panel is shown; nil closes it.
  case panel(AccessoryPanel?)
}

/// The accessory above a keyboard: a readout that is a key itself, a slider, the choices of scheme
/// and smoothing, the swap of keyboards, pictures and preferences.
///
/// A state machine without a screen: events go in, effects come out.
public struct AccessoryMachine: Sendable {
  /// The number of the readout, 0 ... 100.
  public private(set) var readout: Int
  /// The place of the slider, 0 ... 1.
  public var slider: Double { Double(readout) / 100 }
  /// The panel that is shown.
  public private(set) var panel: AccessoryPanel?
  /// True while the pressure keyboard is shown.
  public private(set) var isPressureKeyboard = true
  /// The options of the text.
  public private(set) var options: IntensityOptions

  /// The names of the schemes to choose from.
  public let schemes: [String]

  private let mapping: IntensityMapping
  private var estimator: any IntensityEstimator

  /// Makes an accessory.
  public init(
    options: IntensityOptions = IntensityOptions(), schemes: IntensitySchemes = IntensitySchemes(),
    preferences: IntensityPreferences = IntensityPreferences(),
    hasForce: Bool = true, hasAcceleration: Bool = false,
    intensity: Int = IntensityString.defaultIntensity
  ) {
    self.options = options
    self.schemes = schemes.names
    mapping = preferences.mapping
    estimator = preferences.makeEstimator(hasForce: hasForce, hasAcceleration: hasAcceleration)
    readout = min(max(intensity, 0), 100)
  }

  /// Shows the intensity of a key that is being pressed.
  public mutating func show(_ intensity: Int) { readout = min(max(intensity, 0), 100) }

  /// Handles an event.
  ///
  /// - Throws: ``IntensityTextError`` for numbers that are not finite, and for a scheme that is not
  ///   among ``schemes``; then nothing changes.
  public mutating func handle(
    _ event: AccessoryEvent
  ) throws(IntensityTextError) -> [AccessoryEffect] {
    switch event {
    case .readout(let sample, let isDown):
      if !isDown, estimator.value != nil {
        try estimator.end(sample)
      } else if estimator.value == nil {
        try estimator.begin(sample)
      } else {
        try estimator.sample(sample)
      }
      let raw = estimator.value
      if !isDown { estimator.cancel() }
      guard let raw else { return [] }
      return set(try mapping.intensity(raw))
    case .slider(let place):
      try IntensityTextError.check(finite: place, "slider")
      return set(Int((100 * min(max(place, 0), 1)).rounded()))
    case .open(let other):
      panel = panel == other ? nil : other
      return [.panel(panel)]
    case .scheme(let name):
      guard schemes.contains(name) else {
        throw IntensityTextError(
          .unknownName, "scheme", expected: schemes.joined(separator: ", "), found: "another name")
      }
      options.scheme = name
      return choose()
    case .smoothing(let smoothing):
      options.smoothing = smoothing
      return choose()
    case .picture(let attachment):
      panel = nil
      return [.insert(attachment), .panel(nil)]
    case .swapKeyboards:
      isPressureKeyboard.toggle()
      return [.keyboard(isPressure: isPressureKeyboard)]
    }
  }

  private mutating func set(_ intensity: Int) -> [AccessoryEffect] {
    readout = intensity
    return [.intensity(intensity)]
  }

  private mutating func choose() -> [AccessoryEffect] {
    panel = nil
    return [.options(options), .panel(nil)]
  }
}

extension IntensityEditor {
  /// Does what the accessory asks for.
  public mutating func apply(_ effect: AccessoryEffect) {
    switch effect {
    case .intensity(let number): intensity = number
    case .options(let options): setOptions(options)
    case .insert(let attachment): attach(attachment)
    case .keyboard, .panel: break
    }
  }
}
