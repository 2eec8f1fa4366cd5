import IntensityText
import Testing

@Suite("Estimators and mappings")
struct EstimatorTests {
  @Test("By duration: 2 per second, at most 1, nothing before the start or after a cancel")
  func duration() throws {
    var estimator = DurationEstimator()
    #expect(estimator.value == nil)
    try estimator.sample(TouchSample(time: 9))
    #expect(estimator.value == nil)
    try estimator.begin(TouchSample(time: 10))
    #expect(estimator.value == 0)
    try estimator.sample(TouchSample(time: 10.25))
    #expect(estimator.value == 0.5)
    try estimator.sample(TouchSample(time: 10.5))
    #expect(estimator.value == 1)
    try estimator.end(TouchSample(time: 12))
    #expect(estimator.value == 1)
    estimator.cancel()
    #expect(estimator.value == nil)
    #expect(DurationEstimator(rate: 9).rate == 4 && DurationEstimator(rate: -1).rate == 0)
  }

  @Test("By force: a share of the maximum, and nothing for devices without force")
  func force() throws {
    var estimator = ForceEstimator()
    try estimator.begin(TouchSample(time: 0, force: 1))
    #expect(estimator.value == nil)
    try estimator.sample(TouchSample(time: 0, force: 1, maximumForce: 0))
    #expect(estimator.value == nil)
    try estimator.sample(TouchSample(time: 0, force: 1, maximumForce: 4))
    #expect(estimator.value == 0.25)
    try estimator.end(TouchSample(time: 1, force: 0, maximumForce: 4))
    #expect(estimator.value == 0.25)
    estimator.cancel()
    #expect(estimator.value == nil)
  }

  @Test("By impact: 2.4 t + 0.9 times the root of the acceleration - 0.38")
  func impact() throws {
    #expect(ImpactEstimator.value(seconds: 0, acceleration: 0) == 0)
    #expect(abs(ImpactEstimator.value(seconds: 0.1, acceleration: 0.25) - 0.31) < 1e-12)
    #expect(ImpactEstimator.value(seconds: 5, acceleration: 9) == 1)
    var estimator = ImpactEstimator()
    #expect(estimator.value == nil)
    try estimator.begin(TouchSample(time: 1, z: 0.1))
    try estimator.sample(TouchSample(time: 1.05, z: -0.25))
    try estimator.end(TouchSample(time: 1.1, z: 0))
    #expect(abs((estimator.value ?? 0) - 0.31) < 1e-9)
  }

  @Test("By hand: the value stays until it is changed")
  func manual() throws {
    var estimator = ManualEstimator(value: 0.7)
    try estimator.begin(TouchSample(time: 0, force: 1, maximumForce: 1))
    try estimator.end(TouchSample(time: 1))
    estimator.cancel()
    #expect(estimator.value == 0.7)
    try estimator.set(1.5)
    #expect(estimator.value == 1)
    #expect(throws: IntensityTextError.self) { try estimator.set(.nan) }
    #expect(estimator.value == 1)
  }

  @Test("A device without force measures by duration")
  func available() {
    #expect(EstimatorKind.force.available(hasForce: false, hasAcceleration: true) == .duration)
    #expect(EstimatorKind.force.available(hasForce: true, hasAcceleration: false) == .force)
    #expect(EstimatorKind.impact.available(hasForce: true, hasAcceleration: false) == .duration)
    #expect(EstimatorKind.manual.available(hasForce: false, hasAcceleration: false) == .manual)
    var preferences = IntensityPreferences()
    preferences.durationRate = 4
    let made = preferences.makeEstimator(hasForce: false, hasAcceleration: false)
    #expect((made as? DurationEstimator)?.rate == 4)
  }

  @Test("NaN is refused with its field, and changes nothing")
  func nan() throws {
    var force = ForceEstimator()
    try force.begin(TouchSample(time: 0, force: 1, maximumForce: 2))
    do {
      try force.sample(TouchSample(time: 1, force: .nan, maximumForce: 2))
      Issue.record("NaN was taken")
    } catch {
      #expect(error.code == .invalidNumber && error.field == "force")
    }
    #expect(force.value == 0.5)
    var duration = DurationEstimator()
    #expect(throws: IntensityTextError.self) { try duration.begin(TouchSample(time: .infinity)) }
    #expect(duration.value == nil)
    var impact = ImpactEstimator()
    #expect(throws: IntensityTextError.self) { try impact.begin(TouchSample(time: 0, z: .nan)) }
  }

  @Test("The trimmed mean of the last ten samples for 0, 1, 2, 3 and 11 samples")
  func trimmed() {
    let smoothing = SampleSmoothing.trimmedMean
    #expect(smoothing.value(of: [Double]()) == 0)
    #expect(smoothing.value(of: [0.3]) == 0.3)
    #expect(smoothing.value(of: [0.3, 0.7]) == 0.7)
    #expect(smoothing.value(of: [1, 2, 6]) == 2)
    // The first is forgotten, the 10 and the 1 are trimmed.
    #expect(smoothing.value(of: [99, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) == 5.5)
  }

  @Test("The mean of the last ten, and the peak that never falls")
  func others() throws {
    #expect(SampleSmoothing.mean.value(of: [Double]()) == 0)
    #expect(SampleSmoothing.mean.value(of: [99, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) == 5.5)
    var estimator = ForceEstimator(smoothing: .peak)
    try estimator.begin(TouchSample(time: 0, force: 0.1, maximumForce: 1))
    var last = 0.0
    for index in 0..<40 {
      let force = index == 3 ? 0.9 : 0.2
      try estimator.sample(TouchSample(time: Double(index), force: force, maximumForce: 1))
      let value = try #require(estimator.value)
      #expect(value >= last)
      last = value
    }
    #expect(last == 0.9)
  }

  @Test("The linear mapping cuts to integers and never divides by 0")
  func linear() throws {
    let standard = IntensityMapping.linear()
    #expect(
      try [0, 0.5, 0.999, 1, 1.5, -1].map { try standard.intensity($0) } == [
        0, 50, 99, 100, 100, 0,
      ])
    let flat = IntensityMapping.linear(threshold: 0.5, ceiling: 0.5)
    #expect(try flat.intensity(0.5) == 0 && flat.intensity(0.6) == 100)
    let turned = IntensityMapping.linear(threshold: 0.8, ceiling: 0.2)
    #expect(try turned.intensity(0.5) == 0 && turned.intensity(0.9) == 100)
    #expect(throws: IntensityTextError.self) { try standard.intensity(.nan) }
    #expect(throws: IntensityTextError.self) {
      try IntensityMapping.linear(threshold: .nan).intensity(0.5)
    }
  }

  @Test("The logarithmic mapping has the documented table")
  func logarithmic() throws {
    let standard = IntensityMapping.logarithmic()
    #expect(try [0.1, 0.25, 0.5, 0.75].map { try standard.intensity($0) } == [28, 52, 74, 89])
    #expect(try standard.intensity(0) == 0 && standard.intensity(1) == 100)
    let steep = IntensityMapping.logarithmic(a: 1000)
    #expect(try steep.intensity(0.3) == IntensityMapping.logarithmic(a: 100).intensity(0.3))
    let shallow = IntensityMapping.logarithmic(a: 0)
    #expect(try shallow.intensity(0.3) == IntensityMapping.logarithmic(a: 1).intensity(0.3))
    let flat = IntensityMapping.logarithmic(threshold: 0.5, ceiling: 0.5)
    #expect(try flat.intensity(0.5) == 0 && flat.intensity(0.6) == 100)
  }
}
