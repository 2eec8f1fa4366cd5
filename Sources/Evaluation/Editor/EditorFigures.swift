/// The figures of an evaluation through the editor, as JSON. Rates are 0 … 1; null if not measured.
package struct EditorFigures: Codable, Hashable, Sendable {
  /// The scenario.
  package var scenario: EditorScenario
  /// The way in which ink was passed to the editor.
  package var events: EditorFeeding
  /// The position of the guides.
  package var guides: EditorGuides
  /// The number of pages, each in a part of its own.
  package var pages = 0
  /// The number of strokes written.
  package var strokes = 0
  /// The number of strokes missing from the documents.
  package var lostStrokes = 0
  /// Characters of the references.
  @OrNull package var characters: Int?
  /// Words of the references.
  @OrNull package var words: Int?
  /// Character error rate of the documents.
  @OrNull package var cer: Double?
  /// Word error rate of the documents.
  @OrNull package var wer: Double?
  /// Character error rate of the recogniser alone on the same lines.
  @OrNull package var recognizerCER: Double?
  /// Character error rate before words were replaced.
  @OrNull package var cerBefore: Double?
  /// Share of the strokes of text that are in the correct line.
  @OrNull package var strokesInRightLine: Double?
  /// Share of the strokes that are classified correctly as text or shape.
  @OrNull package var strokesOfRightKind: Double?
  /// The number of strokes by their true kind, then by the kind in the document.
  @OrNull package var kinds: [String: [String: Int]]?
  /// From pen-up to the last reported change.
  @OrNull package var penUpToCandidatesMs: Percentiles?
  /// From pen-up to idle.
  @OrNull package var penUpToIdleMs: Percentiles?
  /// Milliseconds from pen-up to idle in the last line of a page of 20 words.
  @OrNull package var smallPageMs: Double?
  /// Milliseconds from pen-up to idle in the last line of a page of 500 words.
  @OrNull package var largePageMs: Double?
  /// Resident bytes of a page of 500 words.
  @OrNull package var pageBytes: Int?
  /// The gestures that were drawn, and those found in plain writing.
  @OrNull package var gestures: GestureFigures?

  init(scenario: EditorScenario, events: EditorFeeding, guides: EditorGuides) {
    self.scenario = scenario
    self.events = events
    self.guides = guides
  }

  /// The cost of a stroke on a large page divided by that on a small page.
  package var growth: Double? {
    guard let smallPageMs, let largePageMs, smallPageMs > 0 else { return nil }
    return largePageMs / smallPageMs
  }
}

extension EditorFigures {
  /// The measured figures, by name: rates 0 ... 1, milliseconds, bytes and counts. Strokes by kind
  /// are `kinds.TRUTH.FOUND`.
  package var values: [String: Double] {
    let found: [(String, Double?)] = [
      ("pages", Double(pages)), ("strokes", Double(strokes)),
      ("lostStrokes", Double(lostStrokes)), ("recognizerCER", recognizerCER),
      ("cerBefore", cerBefore), ("strokesInRightLine", strokesInRightLine),
      ("strokesOfRightKind", strokesOfRightKind),
      ("penUpToCandidatesMs.p50", penUpToCandidatesMs?.p50),
      ("penUpToCandidatesMs.p95", penUpToCandidatesMs?.p95),
      ("penUpToIdleMs.p50", penUpToIdleMs?.p50), ("penUpToIdleMs.p95", penUpToIdleMs?.p95),
      ("smallPageMs", smallPageMs), ("largePageMs", largePageMs), ("growth", growth),
      ("pageBytes", pageBytes.map(Double.init)),
    ]
    var values: [String: Double] = [:]
    for (name, value) in found { values[name] = value }
    for (truth, counts) in kinds ?? [:] {
      for (kind, count) in counts { values["kinds.\(truth).\(kind)"] = Double(count) }
    }
    for (name, value) in gestures?.values ?? [:] { values[name] = value }
    return values
  }
}

/// The scenario of an evaluation through the editor.
package enum EditorScenario: String, Hashable, Sendable, Codable, CaseIterable {
  /// Each line in a part of its own.
  case lines
  /// The lines of each form, at their original positions, in one part.
  case pages
  /// Pages of text and shapes, as raw content.
  case mixed
  /// A word in the middle of each line is removed and written again.
  case replace
  /// The last line of pages of 20 and of 500 words.
  case growth
  /// Gestures over each line, and those that are found in its plain writing.
  case gestures
}
