/// The keys that have a value from the start, and which numbers they take.
enum ConfigurationDefaults {
  static let values: [String: ConfigurationValue] = [
    "lang": .string("en_US"),
    "max-recognition-thread-count": .number(1),
    "recognition.trigger": .string("stroke"),
    "recognition.idle-delay": .number(500),
    "recognition.alphabet": .string(""),
    "recognition.lexicon": .strings([]),
    "recognition.candidates": .number(10),
    "recognition.pre-context": .boolean(true),
    "recognition.writing-area": .string("auto"),
    "export.jiix.bounding-box": .boolean(true),
    "export.jiix.strokes": .boolean(true),
    "export.jiix.ids": .boolean(true),
    "export.jiix.ranges": .boolean(false),
    "export.jiix.text.words": .boolean(true),
    "export.jiix.text.chars": .boolean(false),
    "export.jiix.text.lines": .boolean(false),
    "text.configuration.bundle": .string("${lang}"),
    "text.configuration.name": .string("text"),
    "text.guides.enable": .boolean(true),
    "text.guides.spacing": .number(10),
    "text.margin.left": .number(15),
    "text.margin.right": .number(15),
    "text.margin.top": .number(10),
    "text.eraser.radius": .number(3),
    "text.eraser.erase-precisely": .boolean(false),
    "raw-content.configuration.bundle": .string("${lang}"),
    "raw-content.configuration.name": .string("text"),
    "raw-content.configuration.shapes": .string("shapes"),
    "raw-content.classification.types": .strings(["text", "drawing"]),
    "raw-content.recognition.types": .strings([]),
    "raw-content.session-time": .number(0),
    // Reserved: they can be set and read, and nothing acts on them yet.
    "gesture.enable": .boolean(true),
    "configuration-manager.search-path": .strings([]),
    "content-package.temp-folder": .string(""),
    "raw-content.pen.gestures": .strings([]),
    "math.solver.angle-unit": .string("deg"),
    "math.solver.fractional-part-digits": .number(3),
  ]

  /// The numbers that keys take; others take every finite number.
  private static let ranges: [String: ClosedRange<Double>] = [
    "max-recognition-thread-count": 1...64,
    "recognition.idle-delay": 0...3_600_000,
    "recognition.candidates": 1...100,
    "text.guides.spacing": 0.5...1000,
    "text.margin.left": 0...10_000,
    "text.margin.right": 0...10_000,
    "text.margin.top": 0...10_000,
    "text.eraser.radius": 0.1...1000,
    "raw-content.session-time": 0...3_600_000,
  ]

  /// Refuses a number that a key does not take.
  static func check(_ key: String, _ number: Double) throws(ConfigurationError) {
    guard number.isFinite else {
      throw .invalidValue(key: key, expected: "a finite number", found: "\(number)")
    }
    guard let range = ranges[key], !range.contains(number) else { return }
    throw .invalidValue(
      key: key, expected: "a number in \(range.lowerBound) ... \(range.upperBound)",
      found: "\(number)")
  }
}
