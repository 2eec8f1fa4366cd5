import Foundation
import IntensityText

/// A request of the page Intensity: the present text, the events since, and the settings.
///
/// The studio keeps no state: the page sends the whole text, which is short.
struct IntensityBody: Decodable {
  /// An action of a person.
  struct Event: Decodable {
    /// `down`, `press`, `up`, `cancel` and `variant` of a key; `text`, `delete`, `slider`, `select`.
    var kind: String
    var row: Int?
    var key: Int?
    var time: Double?
    var force: Double?
    var maximumForce: Double?
    var z: Double?
    var variant: Int?
    var text: String?
    var value: Double?
    var range: [Int]?
  }

  /// The settings of the page.
  struct Settings: Decodable {
    var estimator: String?
    var mapping: String?
    var scheme: String?
    var smoothing: String?
    var animates: Bool?
  }

  /// The JSON of the text; empty for none.
  var text: String
  var selection: [Int]?
  var intensity: Int?
  var page: Int?
  var isShifted: Bool?
  var events: [Event]?
  var settings: Settings?
  /// The format of an export.
  var format: String?

  /// The most UTF-16 units of a text.
  static let mostUnits = 5000

  /// Reads the text with the options of the settings.
  func intensityText() throws -> IntensityString {
    var read = text.isEmpty ? IntensityString() : try IntensityString(json: Data(text.utf8))
    guard read.count <= Self.mostUnits else {
      throw StudioError(
        .tooLarge, "expected a text of at most \(Self.mostUnits) UTF-16 units", field: "text")
    }
    if let name = settings?.scheme {
      read.options.scheme = try IntensitySchemes.ofStudio().knownScheme(named: name).name
    }
    if let name = settings?.smoothing {
      guard let smoothing = IntensitySmoothing(name: name) else {
        throw StudioError(.invalidValue, "expected the name of a smoothing", field: "smoothing")
      }
      read.options.smoothing = smoothing
    }
    if let animates = settings?.animates { read.options.animates = animates }
    return read
  }

  /// Returns the preferences of the settings.
  func preferences() throws -> IntensityPreferences {
    var preferences = IntensityPreferences()
    if let name = settings?.estimator {
      guard let kind = EstimatorKind(rawValue: name) else {
        throw StudioError(.invalidValue, "expected the name of an estimator", field: "estimator")
      }
      preferences.estimator = kind
    }
    switch settings?.mapping {
    case nil, "linear": break
    case "logarithmic": preferences.mapping = .logarithmic()
    default: throw StudioError(.invalidValue, "expected linear or logarithmic", field: "mapping")
    }
    return preferences
  }
}

extension IntensitySchemes {
  /// The four schemes and coloured shadows.
  static func ofStudio() throws -> IntensitySchemes {
    var schemes = IntensitySchemes()
    try schemes.register(ShadowScheme())
    return schemes
  }
}
