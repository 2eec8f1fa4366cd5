import Typesetting

/// A built-in key: its kind, default, allowed values and meaning.
public struct ConfigurationKey: Hashable, Sendable {
  /// The name, with a dot between sections.
  public let name: String
  /// The value if none is set.
  public let defaultValue: ConfigurationValue
  /// The numbers that the key accepts, or nil for every finite number.
  public let range: ClosedRange<Double>?
  /// True if a number must be whole.
  public let isWhole: Bool
  /// The texts that the key accepts, or nil for every text.
  public let allowed: [String]?
  /// The meaning of the key.
  public let summary: String

  /// The kind of value.
  public var kind: ConfigurationValue.Kind { defaultValue.kind }

  private init(
    _ name: String, _ value: ConfigurationValue, _ summary: String,
    range: ClosedRange<Double>? = nil, isWhole: Bool = false, allowed: [String]? = nil
  ) {
    self.name = name
    defaultValue = value
    self.range = range
    self.isWhole = isWhole
    self.allowed = allowed
    self.summary = summary
  }

  /// All keys, by section.
  public static let all: [ConfigurationKey] = [
    .init("lang", .string("en_US"), "The language, for keys that refer to it as ${lang}."),
    .init(
      "configuration-manager.search-path", .strings([]),
      "Folders with descriptions of configuration bundles, read when a part is set."),
    .init(
      "max-recognition-thread-count", .number(1),
      "The number of blocks of one editor that are read at the same time.", range: 1...64,
      isWhole: true),
    .init(
      "recognition.trigger", .string("stroke"),
      "The time of recognition: after each stroke, after a pause, or on demand.",
      allowed: ["stroke", "idle", "demand"]),
    .init(
      "recognition.idle-delay", .number(500),
      "Milliseconds without a change before the trigger \"idle\" reads.", range: 0...3_600_000),
    .init(
      "recognition.alphabet", .string(""), "The only characters that are read; empty for all."),
    .init("recognition.lexicon", .strings([]), "The only words that are read; empty for all."),
    .init(
      "recognition.user-words", .strings([]),
      "Words of the user, such as names, which are preferred in reading."),
    .init(
      "recognition.candidates", .number(10), "Readings kept for each line.", range: 1...100,
      isWhole: true),
    .init(
      "recognition.pre-context", .boolean(true),
      "If true, the recogniser gets the text before the ink."),
    .init(
      "recognition.writing-area", .string("auto"),
      "The writing area: the guide row if there is one, always an estimate, or none.",
      allowed: ["auto", "estimate", "none"]),
    .init("export.jiix.bounding-box", .boolean(true), "If true, JIIX has boxes."),
    .init("export.jiix.strokes", .boolean(true), "If true, JIIX has the ink."),
    .init("export.jiix.ids", .boolean(true), "If true, JIIX has ids."),
    .init("export.jiix.ranges", .boolean(false), "If true, JIIX has ranges of strokes."),
    .init("export.jiix.text.words", .boolean(true), "If true, JIIX has words."),
    .init("export.jiix.text.chars", .boolean(false), "If true, JIIX has characters."),
    .init("export.jiix.text.lines", .boolean(false), "If true, JIIX has lines."),
    .init(
      "export.text.struck-words", .boolean(true),
      "If false, plain text leaves out words that are struck through."),
    .init(
      "export.intensity.source", .string("force"),
      "The measure of an intensity: force, duration or speed of the pen.",
      allowed: ["force", "duration", "speed"]),
    .init(
      "export.intensity.mapping", .string("linear"),
      "The mapping from the measure to the intensity: linear or logarithmic.",
      allowed: ["linear", "logarithmic"]),
    .init(
      "export.intensity.maximum-force", .number(0),
      "The largest force of the pen; 0 for 1, or for the largest of the ink if that is above 1.",
      range: 0...1_000_000),
    .init("export.svg.guides", .boolean(false), "If true, drawings have the guides."),
    .init("export.svg.shapes", .boolean(false), "If true, drawings have ideal shapes."),
    .init(
      "pen.update-deadline", .number(1000),
      "Milliseconds to wait for late values after a stroke of a pen ends.",
      range: 0...3_600_000),
    .init(
      "touch.palm-rejection", .boolean(true),
      "If true, touches of the writing hand are dropped."),
    .init(
      "text.configuration.bundle", .string("${lang}"),
      "The bundle that reads text parts. It is read when a part is first set."),
    .init(
      "text.configuration.name", .string("text"),
      "The configuration of the bundle. It is read when a part is first set."),
    .init("text.guides.enable", .boolean(true), "If true, lines of text are on guides."),
    .init(
      "text.guides.spacing", .number(10),
      "Millimetres between guides. If it is not set, the line height of the style sheet counts.",
      range: 0.5...1000),
    .init(
      "text.font.family", .string(FontFace.standardFamily), "The font family of typed text."),
    .init(
      "text.font.size", .number(5), "The size of typed text that is added, in millimetres.",
      range: 0.5...500),
    .init("text.margin.left", .number(15), "Millimetres left of the text.", range: 0...10_000),
    .init("text.margin.right", .number(15), "Millimetres right of the text.", range: 0...10_000),
    .init("text.margin.top", .number(10), "Millimetres above the text.", range: 0...10_000),
    .init(
      "text.block-gap", .number(Document.usualBlockGap),
      "Line heights of white between lines, from which on a line begins a new text block.",
      range: 0.5...100),
    .init("text.eraser.radius", .number(3), "Millimetres around the eraser.", range: 0.1...1000),
    .init(
      "text.eraser.erase-precisely", .boolean(false),
      "If true, the eraser removes parts of strokes instead of whole strokes."),
    .init(
      "raw-content.configuration.bundle", .string("${lang}"),
      "The bundle that reads text in raw content and diagrams."),
    .init(
      "raw-content.configuration.name", .string("text"), "The configuration of that bundle."),
    .init(
      "raw-content.configuration.shapes", .string("shapes"), "The model of shapes."),
    .init(
      "raw-content.classification.types", .strings(["text", "drawing"]),
      "The types that raw content is sorted into.", allowed: ["text", "shape", "drawing"]),
    .init(
      "raw-content.recognition.types", .strings([]), "The types that are read.",
      allowed: ["text", "math"]),
    .init(
      "raw-content.session-time", .number(0),
      "Milliseconds without a pen after which new ink is kept separate; 0 for never.",
      range: 0...3_600_000),
    .init("gesture.enable", .boolean(true), "If true, strokes may be gestures."),
    .init(
      "gesture.configuration", .string("gestures"),
      "The model that votes on gestures, where it is there; empty for none."),
    .init(
      "gesture.strike-through.action", .string("mark"),
      "The effect of a line through words: it marks them, or erases them.",
      allowed: ["mark", "erase"]),
    .init(
      "gesture.surround.action", .string("select"),
      "The effect of a loop around content: it selects or highlights it.",
      allowed: ["select", "highlight"]),
    .init(
      "gesture.answer-timeout", .number(1000),
      "Milliseconds that a delegate has to decide about a gesture.", range: 0...3_600_000),
    .init(
      "raw-content.pen.gestures", .strings([]), "The gestures of a pen in raw content.",
      allowed: GestureKind.names),
    .init(
      "text.pen.gestures", .strings(GestureKind.names),
      "The gestures of a pen in text, text documents, drawings and math.",
      allowed: GestureKind.names),
    .init(
      "diagram.pen.gestures", .strings(GestureKind.names), "The gestures of a pen in diagrams.",
      allowed: GestureKind.names),
    .init(
      "content-package.temp-folder", .string(""),
      "The folder for unsaved work; empty for that of the package."),
    .init(
      "math.configuration.formulas", .string("formulas"),
      "The model that reads formulas; without it they are kept as ink."),
    .init(
      "math.solver.angle-unit", .string("deg"), "The unit of angles in formulas.",
      allowed: ["deg", "rad"]),
    .init(
      "math.solver.fractional-part-digits", .number(3),
      "The most digits after the point of the results of formulas.",
      range: 0...15, isWhole: true),
    .init(
      "math.solver.conversion", .boolean(true),
      "A formula that ends with = gets its result when it is converted."),
    .init(
      "math.solver.variables", .strings([]),
      "The values of variables in formulas, such as x=3."),
  ]

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  /// The defaults by name.
  static let defaults = byName.mapValues(\.defaultValue)

  /// Returns the key with a name, or nil.
  public static func named(_ name: String) -> ConfigurationKey? { byName[name] }

  /// Refuses a value that the key does not accept.
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
    // A text that refers to another key is checked when it is read.
    for text in texts where !allowed.contains(text) && !text.contains("${") {
      throw .invalidValue(
        key: key, expected: "one of \(allowed.joined(separator: ", "))", found: text)
    }
  }
}
