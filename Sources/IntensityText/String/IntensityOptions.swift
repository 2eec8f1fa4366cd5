/// The unit of text that shares one intensity when it is shown.
public enum IntensitySmoothing: String, Hashable, Sendable, CaseIterable {
  /// Each character has its own.
  case character = "Character"
  /// Words by UAX 29, each with the separators after it.
  case word = "Word"
  /// Sentences by UAX 29.
  case sentence = "Sentence"
  /// Lines as the text breaks them.
  case line = "Line"
  /// Paragraphs.
  case paragraph = "Paragraph"
  /// The whole text.
  case message = "Message"

  /// The short name, as JSON has it.
  public var shortName: String {
    switch self {
    case .character: "Char"
    case .word: "Word"
    case .sentence: "S"
    case .line: "L"
    case .paragraph: "P"
    case .message: "M"
    }
  }

  /// Makes a unit of its short or long name, nil for another name.
  public init?(name: String) {
    guard let unit = Self.allCases.first(where: { $0.shortName == name || $0.rawValue == name })
    else { return nil }
    self = unit
  }
}

/// The course of an animation that goes to and fro, with ease in and out.
public struct AnimationOptions: Hashable, Sendable {
  /// The time of one way in seconds, above 0 and at most an hour.
  public let duration: Double
  /// The time in seconds at which the animation begins in its course.
  public let offset: Double

  /// One second for one way, from its beginning.
  public static let standard = AnimationOptions(checked: 1, 0)

  /// Makes options.
  ///
  /// - Throws: ``IntensityTextError`` for a duration or an offset out of range.
  public init(duration: Double = 1, offset: Double = 0) throws(IntensityTextError) {
    guard duration > 0, duration <= Self.longest else {
      throw IntensityTextError(
        .invalidNumber, "duration", expected: "seconds above 0, at most \(Self.longest)",
        found: "\(duration)")
    }
    guard abs(offset) <= Self.longest else {
      throw IntensityTextError(
        .invalidNumber, "offset", expected: "at most \(Self.longest) seconds", found: "\(offset)")
    }
    self.init(checked: duration, offset)
  }

  private init(checked duration: Double, _ offset: Double) {
    self.duration = duration
    self.offset = offset
  }

  private static let longest = 3600.0

  /// Returns the progress at a time in seconds, 0 ... 1: to 1 in one duration, then back.
  public func progress(at time: Double) -> Double {
    guard time.isFinite else { return 0 }
    let cycle = (time + offset).truncatingRemainder(dividingBy: 2 * duration)
    let positive = cycle < 0 ? cycle + 2 * duration : cycle
    let linear = positive <= duration ? positive / duration : 2 - positive / duration
    return linear * linear * (3 - 2 * linear)
  }
}

/// The look that a whole text asks for. A reader's preference takes the place of what is absent.
public struct IntensityOptions: Hashable, Sendable {
  /// The name of the scheme.
  public var scheme: String?
  /// The unit that shares one intensity.
  public var smoothing: IntensitySmoothing?
  /// True if schemes with an animation play it.
  public var animates: Bool?
  /// The course of the animation.
  public var animation: AnimationOptions?

  /// Makes options.
  public init(
    scheme: String? = nil, smoothing: IntensitySmoothing? = nil, animates: Bool? = nil,
    animation: AnimationOptions? = nil
  ) {
    self.scheme = scheme
    self.smoothing = smoothing
    self.animates = animates
    self.animation = animation
  }
}
