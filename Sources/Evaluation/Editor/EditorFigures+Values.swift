extension EditorFigures {
  /// The measured figures, by name: rates 0 ... 1, milliseconds, bytes and counts. Strokes by kind
  /// are `kinds.TRUTH.FOUND`.
  public var values: [String: Double] {
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
    return values
  }
}
