/// The switches of an export to JIIX.
struct JIIXOptions: Hashable, Sendable {
  var boxes: Bool
  var strokes: Bool
  var ids: Bool
  var ranges: Bool
  var words: Bool
  var characters: Bool
  var lines: Bool

  /// Reads the keys `export.jiix...`.
  init(_ configuration: Configuration) throws(ConfigurationError) {
    boxes = try configuration.boolean("export.jiix.bounding-box")
    strokes = try configuration.boolean("export.jiix.strokes")
    ids = try configuration.boolean("export.jiix.ids")
    ranges = try configuration.boolean("export.jiix.ranges")
    words = try configuration.boolean("export.jiix.text.words")
    characters = try configuration.boolean("export.jiix.text.chars")
    lines = try configuration.boolean("export.jiix.text.lines")
  }
}
