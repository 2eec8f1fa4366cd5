import InkCore

/// The baseline of letters and the height of the small ones: medians over those that show them.
struct LetterMetrics: Hashable, Sendable {
  /// The place of the baseline in millimetres.
  var baseline: Double
  /// The height of a small letter in millimetres.
  var xHeight: Double

  /// Measures letters. Without any that show a measure, it follows from a box.
  init(_ letters: [(label: String, box: BoundingBox)], within box: BoundingBox) {
    func median(_ values: [Double]) -> Double? {
      values.isEmpty ? nil : values.sorted()[values.count / 2]
    }
    let standing = letters.filter { !"gjpqy,;_'\"-".contains($0.label) }.map(\.box.maxY)
    let small = letters.filter { "acemnorsuvwxz".contains($0.label) }.map(\.box.height)
    baseline = median(standing) ?? box.maxY
    xHeight = median(small) ?? box.height / 2
  }

  /// Measures a line of text.
  init(_ line: TextLine) {
    let letters = line.runs.lazy.flatMap(\.words).flatMap(\.characters)
    self.init(
      letters.compactMap { letter in letter.box.map { (letter.label, $0) } }, within: line.box)
  }
}
