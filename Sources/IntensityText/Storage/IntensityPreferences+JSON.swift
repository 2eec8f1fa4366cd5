import Files
import Foundation

extension IntensityPreferences {
  /// Returns the preferences as JSON.
  public func json() -> Data {
    var writer = JSONTextWriter()
    writer.object { writer in
      writer.key("durationRate")
      writer.number(durationRate)
      for (name, display) in [("editor", editor), ("viewer", viewer)] {
        writer.key(name)
        writer.object { writer in
          writer.key("override")
          writer.options(display.override)
          writer.key("standard")
          writer.options(
            IntensityOptions(
              scheme: display.standard.scheme, smoothing: display.standard.smoothing,
              animates: display.standard.animates))
        }
      }
      writer.key("estimator")
      writer.string(estimator.rawValue)
      writer.key("manualValue")
      writer.number(manualValue)
      writer.key("mapping")
      writer.object { writer in
        let numbers = mapping.numbers
        writer.key("a")
        writer.number(numbers.a)
        writer.key("ceiling")
        writer.number(numbers.ceiling)
        writer.key("name")
        writer.string(mapping.name)
        writer.key("threshold")
        writer.number(numbers.threshold)
      }
      writer.key("sampleSmoothing")
      writer.string(sampleSmoothing.rawValue)
    }
    return Data(writer.bytes)
  }

  /// Reads preferences. A value that is missing or cannot be used is that of a new user, so that
  /// preferences of another version never keep an app from starting.
  public init(json: Data) {
    self.init()
    guard let value = JSONValue(text: json) else { return }
    func number(_ key: String, in range: ClosedRange<Double>) -> Double? {
      value[key]?.double.flatMap { range.contains($0) ? $0 : nil }
    }
    viewer = Self.display(value["viewer"])
    editor = Self.display(value["editor"])
    let standard = IntensityPreferences()
    estimator =
      value["estimator"]?.string.flatMap(EstimatorKind.init) ?? standard.estimator
    sampleSmoothing =
      value["sampleSmoothing"]?.string.flatMap(SampleSmoothing.init)
      ?? standard.sampleSmoothing
    durationRate = number("durationRate", in: DurationEstimator.rates) ?? standard.durationRate
    manualValue = number("manualValue", in: 0...1) ?? standard.manualValue
    mapping = value["mapping"].flatMap(IntensityMapping.init) ?? standard.mapping
  }

  private static func display(_ value: JSONValue?) -> Display {
    let standard = options(value?["standard"])
    let plain = Resolved()
    return Display(
      standard: Resolved(
        scheme: standard.scheme ?? plain.scheme, smoothing: standard.smoothing ?? plain.smoothing,
        animates: standard.animates ?? plain.animates),
      override: options(value?["override"]))
  }

  private static func options(_ value: JSONValue?) -> IntensityOptions {
    IntensityOptions(
      scheme: value?["renderScheme"]?.string,
      smoothing: value?["preferedSmoothing"]?.string.flatMap {
        IntensitySmoothing(name: $0)
      },
      animates: value?["animates"]?.truth,
      animation: value?["animation"].flatMap {
        try? AnimationOptions(
          duration: $0["duration"]?.double ?? 1, offset: $0["offset"]?.double ?? 0)
      })
  }
}

extension IntensityMapping {
  fileprivate var numbers: (threshold: Double, ceiling: Double, a: Double) {
    switch self {
    case .linear(let threshold, let ceiling): (threshold, ceiling, 10)
    case .logarithmic(let threshold, let ceiling, let a): (threshold, ceiling, a)
    }
  }

  fileprivate init?(_ value: JSONValue) {
    guard let threshold = value["threshold"]?.double,
      let ceiling = value["ceiling"]?.double, let a = value["a"]?.double
    else { return nil }
    switch value["name"]?.string {
    case "linear": self = .linear(threshold: threshold, ceiling: ceiling)
    case "logarithmic": self = .logarithmic(threshold: threshold, ceiling: ceiling, a: a)
    default: return nil
    }
  }
}

extension JSONValue {
  /// Reads a whole text; nil if it is no JSON.
  init?(text: Data) {
    let value = Array(text).withUnsafeBufferPointer { buffer -> JSONValue? in
      var reader = JSONReader(buffer, refusesDuplicateKeys: true)
      guard let value = try? JSONValue(&reader), (try? reader.end(of: "text")) != nil else {
        return nil
      }
      return value
    }
    guard let value else { return nil }
    self = value
  }
}
