/// The preferences of a person: how texts are shown and how strongly keys are pressed.
///
/// A plain value that a host passes on; a ``PreferenceStore`` keeps it.
public struct IntensityPreferences: Hashable, Sendable {
  /// The place of a text.
  public enum Role: String, Hashable, Sendable, CaseIterable {
    /// A text that is read.
    case viewer
    /// A text that is being written.
    case editor
  }

  /// The look of texts in one role.
  public struct Display: Hashable, Sendable {
    /// For texts whose options name none.
    public var standard: Resolved
    /// For all texts, whatever their options say.
    public var override: IntensityOptions

    /// Makes a display.
    public init(standard: Resolved = Resolved(), override: IntensityOptions = IntensityOptions()) {
      self.standard = standard
      self.override = override
    }
  }

  /// Options without gaps.
  public struct Resolved: Hashable, Sendable {
    /// The name of the scheme.
    public var scheme: String
    /// The unit that shares one intensity.
    public var smoothing: IntensitySmoothing
    /// True if schemes with an animation play it.
    public var animates: Bool

    /// Makes options.
    public init(
      scheme: String = "weight", smoothing: IntensitySmoothing = .character, animates: Bool = true
    ) {
      self.scheme = scheme
      self.smoothing = smoothing
      self.animates = animates
    }
  }

  /// The look of texts that are read.
  public var viewer = Display()
  /// The look of texts that are being written.
  public var editor = Display()
  /// The way to estimate the strength of a key.
  public var estimator = EstimatorKind.force
  /// The increase per second of the estimate by duration, 0 ... 4.
  public var durationRate = DurationEstimator.standardRate
  /// The smoothing of forces.
  public var sampleSmoothing = SampleSmoothing.trimmedMean
  /// The value of the slider, 0 ... 1.
  public var manualValue = 0.5
  /// The mapping from an estimate to an intensity.
  public var mapping = IntensityMapping.linear()

  /// Makes the preferences of a new user.
  public init() {}

  /// Returns the options for a text: an override, else the text's own, else the standard.
  public func resolved(_ options: IntensityOptions, role: Role) -> Resolved {
    let display = role == .viewer ? viewer : editor
    return Resolved(
      scheme: display.override.scheme ?? options.scheme ?? display.standard.scheme,
      smoothing: display.override.smoothing ?? options.smoothing ?? display.standard.smoothing,
      animates: display.override.animates ?? options.animates ?? display.standard.animates)
  }

  /// Makes the estimator that these preferences name, or the one by duration if the device cannot.
  public func makeEstimator(hasForce: Bool, hasAcceleration: Bool) -> any IntensityEstimator {
    switch estimator.available(hasForce: hasForce, hasAcceleration: hasAcceleration) {
    case .force: ForceEstimator(smoothing: sampleSmoothing)
    case .duration: DurationEstimator(rate: durationRate)
    case .impact: ImpactEstimator()
    case .manual: ManualEstimator(value: manualValue)
    }
  }
}
