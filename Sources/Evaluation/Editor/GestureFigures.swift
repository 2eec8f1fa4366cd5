/// The figures of gestures in an editor. Rates are 0 … 1.
package struct GestureFigures: Codable, Hashable, Sendable {
  /// The gestures of a kind that were drawn and found.
  package struct Counts: Codable, Hashable, Sendable {
    /// Gestures that were drawn.
    package var drawn = 0
    /// Those that were found as this kind on the right content.
    package var right = 0
    /// Strokes that were found as this kind when a gesture was drawn.
    package var found = 0
    /// Found while plain writing was written.
    package var falseAlarms = 0

    /// The share of those drawn that were found.
    package var recall: Double? { drawn > 0 ? Double(right) / Double(drawn) : nil }
    /// The share of those found that were right.
    package var precision: Double? { found > 0 ? Double(right) / Double(found) : nil }
  }

  /// By kind. Other forms of a gesture are `kind.form`, such as `insert.caret`.
  package var kinds: [String: Counts] = [:]
  /// Gestures that people drew elsewhere, by kind and label of the data: `insert.caret`. Of ink that
  /// is no gesture, `ink.check`, right are those that stayed ink.
  package var people: [String: Counts]?
  /// The words of the plain writing.
  package var words = 0
  /// From the end of a gesture to its effect.
  package var penUpToEffectMs: Percentiles?

  /// Makes empty figures.
  package init() {}

  /// False alarms of kinds for each 1,000 words.
  package func falseAlarms(_ isCounted: (String) -> Bool) -> Double? {
    guard words > 0 else { return nil }
    let count = kinds.filter { isCounted($0.key) }.values.reduce(0) { $0 + $1.falseAlarms }
    return 1000 * Double(count) / Double(words)
  }

  /// The figures by name.
  var values: [String: Double] {
    var result: [String: Double] = [:]
    for (kind, counts) in kinds {
      result["gestures.\(kind).drawn"] = Double(counts.drawn)
      result["gestures.\(kind).recall"] = counts.recall
      result["gestures.\(kind).precision"] = counts.precision
      result["gestures.\(kind).falseAlarms"] = Double(counts.falseAlarms)
    }
    for (name, counts) in people ?? [:] {
      result["gestures.people.\(name).drawn"] = Double(counts.drawn)
      result["gestures.people.\(name).recall"] = counts.recall
    }
    result["gestures.words"] = Double(words)
    result["gestures.falseAlarmsPer1000"] = falseAlarms { _ in true }
    result["gestures.penUpToEffectMs.p50"] = penUpToEffectMs?.p50
    result["gestures.penUpToEffectMs.p95"] = penUpToEffectMs?.p95
    return result
  }
}
