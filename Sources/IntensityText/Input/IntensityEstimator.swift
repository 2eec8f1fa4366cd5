import Foundation

/// A sample of a touch or pen.
public struct TouchSample: Hashable, Sendable {
  /// The time in seconds, on any clock that does not go back.
  public var time: Double
  /// The force in the unit of the maximum; nil if the device has none.
  public var force: Double?
  /// The highest force of the device; nil if it has none.
  public var maximumForce: Double?
  /// The acceleration of the device along z, in g; nil if it has none.
  public var z: Double?

  /// Makes a sample.
  public init(
    time: Double, force: Double? = nil, maximumForce: Double? = nil, z: Double? = nil
  ) {
    self.time = time
    self.force = force
    self.maximumForce = maximumForce
    self.z = z
  }

  /// Checks that all numbers are finite.
  func check() throws(IntensityTextError) {
    try IntensityTextError.check(finite: time, "time")
    let others = [("force", force), ("maximumForce", maximumForce), ("z", z)]
    for (field, number) in others {
      if let number { try IntensityTextError.check(finite: number, field) }
    }
  }
}

/// Estimates how strongly a key was pressed, from the samples of its touch.
public protocol IntensityEstimator: Sendable {
  /// The raw value, 0 ... 1; nil while nothing is known.
  var value: Double? { get }
  /// Begins a touch.
  ///
  /// - Throws: ``IntensityTextError`` for numbers that are not finite; then nothing changes.
  mutating func begin(_ sample: TouchSample) throws(IntensityTextError)
  /// Takes the next sample of the touch.
  ///
  /// - Throws: ``IntensityTextError`` for numbers that are not finite; then nothing changes.
  mutating func sample(_ sample: TouchSample) throws(IntensityTextError)
  /// Ends the touch; the value stays.
  ///
  /// - Throws: ``IntensityTextError`` for numbers that are not finite; then nothing changes.
  mutating func end(_ sample: TouchSample) throws(IntensityTextError)
  /// Drops the touch.
  mutating func cancel()
}

/// The ways to estimate.
public enum EstimatorKind: String, Hashable, Sendable, CaseIterable {
  /// By the force of the touch.
  case force
  /// By the duration of the touch.
  case duration
  /// By the jolt that the touch gives the device.
  case impact
  /// By a slider.
  case manual

  /// Returns the way to use on a device: the wanted one, or by duration if the device cannot.
  public func available(hasForce: Bool, hasAcceleration: Bool) -> EstimatorKind {
    switch self {
    case .force: hasForce ? .force : .duration
    case .impact: hasAcceleration ? .impact : .duration
    case .duration, .manual: self
    }
  }
}

/// Estimates by the duration of the touch: min(rate × seconds, 1).
public struct DurationEstimator: IntensityEstimator, Hashable {
  /// The increase per second, 0 ... 4.
  public let rate: Double
  private var start: Double?
  private var last = 0.0

  /// The rates that a slider offers.
  public static let rates = 0.0...4.0
  /// The rate at which half a second is the highest value.
  public static let standardRate = 2.0

  /// Makes an estimator; the rate is kept in 0 ... 4.
  public init(rate: Double = DurationEstimator.standardRate) {
    let number = rate.isNaN ? Self.standardRate : rate
    self.rate = min(max(number, Self.rates.lowerBound), Self.rates.upperBound)
  }

  /// The raw value; nil before the touch and after it was dropped.
  public var value: Double? { start.map { min(rate * max(last - $0, 0), 1) } }

  /// Begins a touch.
  public mutating func begin(_ sample: TouchSample) throws(IntensityTextError) {
    try sample.check()
    (start, last) = (sample.time, sample.time)
  }

  /// Takes the next sample; without a touch nothing happens.
  public mutating func sample(_ sample: TouchSample) throws(IntensityTextError) {
    try sample.check()
    if start != nil { last = max(last, sample.time) }
  }

  /// Ends the touch.
  public mutating func end(_ sample: TouchSample) throws(IntensityTextError) {
    try self.sample(sample)
  }

  /// Drops the touch.
  public mutating func cancel() { start = nil }
}

/// Estimates by the force of the touch: force / maximum through a smoothing of the samples.
public struct ForceEstimator: IntensityEstimator, Hashable {
  /// The smoothing.
  public let smoothing: SampleSmoothing
  private var window: SampleWindow?

  /// Makes an estimator.
  public init(smoothing: SampleSmoothing = .trimmedMean) { self.smoothing = smoothing }

  /// The raw value; nil before the touch and for devices without force.
  public var value: Double? { window.map { min(max($0.value(smoothing), 0), 1) } }

  /// Begins a touch.
  public mutating func begin(_ sample: TouchSample) throws(IntensityTextError) {
    try sample.check()
    window = nil
    add(sample)
  }

  /// Takes the next sample.
  public mutating func sample(_ sample: TouchSample) throws(IntensityTextError) {
    try sample.check()
    add(sample)
  }

  /// Ends the touch. A force of 0 is that of the lifted finger and does not count.
  public mutating func end(_ sample: TouchSample) throws(IntensityTextError) {
    try sample.check()
    if sample.force != 0 { add(sample) }
  }

  /// Drops the touch.
  public mutating func cancel() { window = nil }

  private mutating func add(_ sample: TouchSample) {
    guard let force = sample.force, let maximum = sample.maximumForce, maximum > 0 else { return }
    let share = force / maximum
    guard share.isFinite else { return }
    var next = window ?? SampleWindow()
    next.add(share)
    window = next
  }
}

/// Estimates by the jolt of the device: 2.4 t + 0.9 √max|z| - 0.38, kept in 0 ... 1.
public struct ImpactEstimator: IntensityEstimator, Hashable {
  private var start: Double?
  private var last = 0.0
  private var highest = 0.0

  /// Makes an estimator.
  public init() {}

  /// The raw value; nil before the touch.
  public var value: Double? {
    start.map { Self.value(seconds: max(last - $0, 0), acceleration: highest) }
  }

  /// Returns the value of a touch of a duration with a highest acceleration along z.
  public static func value(seconds: Double, acceleration: Double) -> Double {
    min(max(2.4 * seconds + 0.9 * abs(acceleration).squareRoot() - 0.38, 0), 1)
  }

  /// Begins a touch.
  public mutating func begin(_ sample: TouchSample) throws(IntensityTextError) {
    try sample.check()
    (start, last, highest) = (sample.time, sample.time, abs(sample.z ?? 0))
  }

  /// Takes the next sample; without a touch nothing happens.
  public mutating func sample(_ sample: TouchSample) throws(IntensityTextError) {
    try sample.check()
    guard start != nil else { return }
    last = max(last, sample.time)
    highest = max(highest, abs(sample.z ?? 0))
  }

  /// Ends the touch.
  public mutating func end(_ sample: TouchSample) throws(IntensityTextError) {
    try self.sample(sample)
  }

  /// Drops the touch.
  public mutating func cancel() { start = nil }
}

/// A value that a person sets with a slider. Touches do not change it.
public struct ManualEstimator: IntensityEstimator, Hashable {
  private var level: Double

  /// Makes an estimator; the value is kept in 0 ... 1.
  public init(value: Double = 0.5) { level = Self.kept(value) ?? 0.5 }

  /// The value.
  public var value: Double? { level }

  /// Sets the value, which is kept in 0 ... 1.
  ///
  /// - Throws: ``IntensityTextError`` for NaN.
  public mutating func set(_ value: Double) throws(IntensityTextError) {
    guard let kept = Self.kept(value) else {
      throw IntensityTextError(
        .invalidNumber, "value", expected: "a number of 0 ... 1", found: "\(value)")
    }
    level = kept
  }

  private static func kept(_ value: Double) -> Double? {
    value.isNaN ? nil : min(max(value, 0), 1)
  }

  /// Checks the sample; the value stays.
  public mutating func begin(_ sample: TouchSample) throws(IntensityTextError) {
    try sample.check()
  }

  /// Checks the sample; the value stays.
  public mutating func sample(_ sample: TouchSample) throws(IntensityTextError) {
    try sample.check()
  }

  /// Checks the sample; the value stays.
  public mutating func end(_ sample: TouchSample) throws(IntensityTextError) {
    try sample.check()
  }

  /// Leaves the value.
  public mutating func cancel() {}
}
