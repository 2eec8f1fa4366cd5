/// A key that has a value from the start: its kind, its default, what it takes, and what it does.
public struct ConfigurationKey: Hashable, Sendable {
  /// The name, with dots between sections.
  public let name: String
  /// The value where none is set.
  public let defaultValue: ConfigurationValue
  /// The numbers that it takes, or nil for every finite one.
  public let range: ClosedRange<Double>?
  /// Whether a number must be whole.
  public let isWhole: Bool
  /// The texts that it takes, or nil for every text.
  public let allowed: [String]?
  /// What it does, and where it is read.
  public let summary: String
  /// The later feature that it waits for; nil where it acts now.
  public let waitsFor: String?

  /// The kind of value.
  public var kind: ConfigurationValue.Kind { defaultValue.kind }

  private init(
    _ name: String, _ value: ConfigurationValue, _ summary: String,
    range: ClosedRange<Double>? = nil, isWhole: Bool = false, allowed: [String]? = nil,
    waitsFor: String? = nil
  ) {
    self.name = name
    defaultValue = value
    self.range = range
    self.isWhole = isWhole
    self.allowed = allowed
    self.summary = summary
    self.waitsFor = waitsFor
  }

  /// All keys, by section.
  public static let all: [ConfigurationKey] = [
    .init("lang", .string("en_US"), "The language, for keys that refer to it as ${lang}."),
    .init(
      "configuration-manager.search-path", .strings([]),
      "Folders with descriptions of configuration bundles, read when a part is set."),
    .init(
      "max-recognition-thread-count", .number(1),
      "Blocks of one editor that are read at the same time.", range: 1...64, isWhole: true),
    .init(
      "recognition.trigger", .string("stroke"),
      "When ink is read: after each stroke, after a pause, or on demand.",
      allowed: ["stroke", "idle", "demand"]),
    .init(
      "recognition.idle-delay", .number(500),
      "Milliseconds without a change after which the trigger \"idle\" reads.", range: 0...3_600_000),
    .init(
      "recognition.alphabet", .string(""), "The only characters that are read; empty for all."),
    .init("recognition.lexicon", .strings([]), "The only words that are read; empty for all."),
    .init(
      "recognition.candidates", .number(10), "Readings of a line that are kept.", range: 1...100,
      isWhole: true),
    .init(
      "recognition.pre-context", .boolean(true),
      "Whether the text before ink is told to the recogniser."),
    .init(
      "recognition.writing-area", .string("auto"),
      "Which area the recogniser is told: the guide row or else an estimate, an estimate, none.",
      allowed: ["auto", "estimate", "none"]),
    .init("export.jiix.bounding-box", .boolean(true), "Whether JIIX has boxes."),
    .init("export.jiix.strokes", .boolean(true), "Whether JIIX has the ink."),
    .init("export.jiix.ids", .boolean(true), "Whether JIIX has ids."),
    .init("export.jiix.ranges", .boolean(false), "Whether JIIX has the ranges of strokes."),
    .init("export.jiix.text.words", .boolean(true), "Whether JIIX has words."),
    .init("export.jiix.text.chars", .boolean(false), "Whether JIIX has characters."),
    .init("export.jiix.text.lines", .boolean(false), "Whether JIIX has lines."),
    .init(
      "pen.update-deadline", .number(1000),
      "Milliseconds after the end of a pen's stroke for which late values are waited for.",
      range: 0...3_600_000),
    .init(
      "touch.palm-rejection", .boolean(true),
      "Whether touches of the writing hand are dropped."),
    .init(
      "text.configuration.bundle", .string("${lang}"),
      "The bundle that reads text parts, taken when a part is first set."),
    .init(
      "text.configuration.name", .string("text"),
      "The configuration of the bundle, taken when a part is first set."),
    .init("text.guides.enable", .boolean(true), "Whether lines of text stand on guides."),
    .init(
      "text.guides.spacing", .number(10), "Millimetres between guides.", range: 0.5...1000),
    .init("text.margin.left", .number(15), "Millimetres left of the text.", range: 0...10_000),
    .init("text.margin.right", .number(15), "Millimetres right of the text.", range: 0...10_000),
    .init("text.margin.top", .number(10), "Millimetres above the text.", range: 0...10_000),
    .init("text.eraser.radius", .number(3), "Millimetres around the eraser.", range: 0.1...1000),
    .init(
      "text.eraser.erase-precisely", .boolean(false),
      "Whether the eraser takes parts of strokes, and not whole ones."),
    .init(
      "raw-content.configuration.bundle", .string("${lang}"),
      "The bundle that reads text of raw content and diagrams."),
    .init(
      "raw-content.configuration.name", .string("text"), "The configuration of that bundle."),
    .init(
      "raw-content.configuration.shapes", .string("shapes"), "The model of shapes."),
    .init(
      "raw-content.classification.types", .strings(["text", "drawing"]),
      "What raw content is sorted into.", allowed: ["text", "shape", "drawing"]),
    .init(
      "raw-content.recognition.types", .strings([]), "Which of these are read.",
      allowed: ["text"]),
    .init(
      "raw-content.session-time", .number(0),
      "Milliseconds without a pen after which ink stands for itself; 0 for never.",
      range: 0...3_600_000),
    .init(
      "gesture.enable", .boolean(true), "Whether strokes may be gestures.",
      waitsFor: "pen gestures"),
    .init(
      "raw-content.pen.gestures", .strings([]), "The gestures of a pen.",
      allowed: [
        "scratch-out", "underline", "insert", "join", "long-press", "strike-through", "surround",
      ], waitsFor: "pen gestures"),
    .init(
      "content-package.temp-folder", .string(""), "Where unsaved work is kept.",
      waitsFor: "content packages"),
    .init(
      "math.solver.angle-unit", .string("deg"), "The unit of angles.", allowed: ["deg", "rad"],
      waitsFor: "the solver of math"),
    .init(
      "math.solver.fractional-part-digits", .number(3), "Digits after the point of results.",
      range: 0...15, isWhole: true, waitsFor: "the solver of math"),
  ]

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  /// The defaults by name.
  static let defaults = byName.mapValues(\.defaultValue)

  /// The key of a name, or nil.
  public static func named(_ name: String) -> ConfigurationKey? { byName[name] }

  /// Refuses a value that the key does not take.
  static func check(_ key: String, _ value: ConfigurationValue) throws(ConfigurationError) {
    let known = byName[key]
    let numbers: [Double]
    let texts: [String]
    switch value {
    case .number(let number): (numbers, texts) = ([number], [])
    case .numbers(let all): (numbers, texts) = (all, [])
    case .string(let text): (numbers, texts) = ([], [text])
    case .strings(let all): (numbers, texts) = ([], all)
    case .boolean: (numbers, texts) = ([], [])
    }
    for number in numbers {
      guard number.isFinite else {
        throw .invalidValue(key: key, expected: "a finite number", found: "\(number)")
      }
      if let range = known?.range, !range.contains(number) {
        throw .invalidValue(
          key: key, expected: "a number in \(range.lowerBound) ... \(range.upperBound)",
          found: "\(number)")
      }
      if known?.isWhole == true, number != number.rounded() {
        throw .invalidValue(key: key, expected: "a whole number", found: "\(number)")
      }
    }
    guard let allowed = known?.allowed else { return }
    // What refers to another key is resolved where it is read.
    for text in texts where !allowed.contains(text) && !text.contains("${") {
      throw .invalidValue(
        key: key, expected: "one of \(allowed.joined(separator: ", "))", found: text)
    }
  }
}
