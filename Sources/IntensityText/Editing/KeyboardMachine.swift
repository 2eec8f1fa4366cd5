/// An event of a touch on a keyboard.
public enum KeyTouch: Hashable, Sendable {
  /// A finger touches a key.
  case down(row: Int, key: Int, sample: TouchSample)
  /// The finger presses on.
  case press(TouchSample)
  /// The finger moves to a variant of an expanded key, or away from all of them.
  case variant(Int?)
  /// The finger leaves the key.
  case up(TouchSample)
  /// The touch is taken away.
  case cancelled
}

/// A task of the host after a touch.
public enum KeyEffect: Hashable, Sendable {
  /// Types text with an intensity.
  case type(String, intensity: Int)
  /// Deletes a character.
  case delete
  /// Shows the variants of the key that is held.
  case expand([String])
  /// Hides the variants.
  case collapse
  /// Shows another page, or the keys with shift.
  case redraw
}

/// A pressure keyboard: touches of keys go in, characters with intensities come out.
///
///     var keyboard = KeyboardMachine(keys: try KeySet.basicLatin(), preferences: preferences)
///     for touch in touches { for effect in try keyboard.handle(touch) { ... } }
///
/// A plain value: it knows no places and draws nothing.
public struct KeyboardMachine: Sendable {
  /// The keys.
  public private(set) var keys: KeySet
  /// The page that is shown, from 0.
  public private(set) var page = 0
  /// True while shift is on; a typed character ends it.
  public private(set) var isShifted = false
  /// The intensity of the key that is being pressed, for the colour of the key; nil for none.
  public private(set) var currentIntensity: Int?

  private let preferences: IntensityPreferences
  private var estimator: any IntensityEstimator
  private var touch: Touch?

  private struct Touch: Sendable {
    var key: IntensityKey
    var start: Double
    var isExpanded = false
    var variant: Int?
  }

  /// The seconds after which a held key shows its variants.
  public static let expandingDelay = 0.5

  /// Makes a keyboard. A device without force measures durations.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - preferences: The way to measure touches.
  ///   - hasForce: True for a device with force.
  ///   - hasAcceleration: True for a device that measures its acceleration.
  ///   - page: The page that is shown; one that does not exist is the first.
  ///   - isShifted: True if shift is on.
  public init(
    keys: KeySet, preferences: IntensityPreferences = IntensityPreferences(),
    hasForce: Bool = true, hasAcceleration: Bool = false, page: Int = 0, isShifted: Bool = false
  ) {
    self.keys = keys
    self.page = keys.pages.indices.contains(page) ? page : 0
    self.isShifted = isShifted
    self.preferences = preferences
    estimator = preferences.makeEstimator(hasForce: hasForce, hasAcceleration: hasAcceleration)
  }

  /// Shows another set of keys.
  public mutating func show(_ keys: KeySet) {
    self.keys = keys
    (page, isShifted, touch, currentIntensity) = (0, false, nil, nil)
    estimator.cancel()
  }

  /// The character that a key shows now.
  public func character(of key: IntensityKey) -> String? {
    guard case .type(let plain, let shifted) = key.action else { return nil }
    return isShifted ? shifted : plain
  }

  /// Handles a touch.
  ///
  /// - Throws: ``IntensityTextError`` for a key that does not exist and for numbers that are not
  ///   finite; then nothing changes.
  public mutating func handle(_ event: KeyTouch) throws(IntensityTextError) -> [KeyEffect] {
    switch event {
    case .down(let row, let column, let sample):
      let rows = keys.pages[page].rows
      guard rows.indices.contains(row), rows[row].indices.contains(column) else {
        throw IntensityTextError(
          .outside, "key", at: row, expected: "a key of the page", found: "\(row), \(column)")
      }
      try estimator.begin(sample)
      touch = Touch(key: rows[row][column], start: sample.time)
      try measure()
      return []
    case .press(let sample):
      guard let held = touch else { return [] }
      try estimator.sample(sample)
      try measure()
      guard !held.isExpanded, !held.key.variants.isEmpty,
        sample.time - held.start >= Self.expandingDelay
      else { return [] }
      touch?.isExpanded = true
      return [.expand(variants(of: held.key))]
    case .variant(let number):
      if touch?.isExpanded == true { touch?.variant = number }
      return []
    case .up(let sample):
      guard let held = touch else { return [] }
      try estimator.end(sample)
      try measure()
      defer { release() }
      return (held.isExpanded ? [.collapse] : []) + effects(of: held)
    case .cancelled:
      defer { release() }
      return touch?.isExpanded == true ? [.collapse] : []
    }
  }

  private mutating func measure() throws(IntensityTextError) {
    currentIntensity = try estimator.value.map { raw throws(IntensityTextError) in
      try preferences.mapping.intensity(raw)
    }
  }

  private mutating func release() {
    touch = nil
    currentIntensity = nil
    estimator.cancel()
  }

  private func variants(of key: IntensityKey) -> [String] {
    isShifted ? key.variants.map { $0 == "ß" ? $0 : $0.uppercased() } : key.variants
  }

  private mutating func effects(of touch: Touch) -> [KeyEffect] {
    let intensity = currentIntensity ?? IntensityString.defaultIntensity
    switch touch.key.action {
    case .type:
      let variants = variants(of: touch.key)
      var text = character(of: touch.key) ?? ""
      if let number = touch.variant, variants.indices.contains(number) { text = variants[number] }
      let wasShifted = isShifted
      isShifted = false
      return [.type(text, intensity: intensity)] + (wasShifted ? [.redraw] : [])
    case .shift:
      isShifted.toggle()
      return [.redraw]
    case .delete: return [.delete]
    case .enter: return [.type("\n", intensity: intensity)]
    case .page(let number):
      page = number
      return [.redraw]
    }
  }
}

extension IntensityEditor {
  /// Does what a keyboard asks for.
  public mutating func apply(_ effect: KeyEffect) {
    switch effect {
    case .type(let string, let number):
      let before = intensity
      intensity = number
      type(string)
      intensity = before
    case .delete: deleteBackward()
    case .expand, .collapse, .redraw: break
    }
  }
}
