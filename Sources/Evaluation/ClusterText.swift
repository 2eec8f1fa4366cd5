import Metrics

/// Describes the clusters that an interval resamples: writers, pages of unknown writers, and single
/// inks without either.
package enum ClusterText {
  /// The fewest clusters of an interval. With fewer, intervals are much too narrow; with one, their
  /// width is zero.
  static let fewest = 5

  /// - Parameter clusters: The number of writers, and of pages and inks without a writer.
  package static func text(writers: Int, clusters: Int) -> String {
    let others = clusters - writers
    let people = CountText.count(writers, "writer")
    if others == 0 { return people }
    let unknown =
      "\(CountText.count(others)) \(others == 1 ? "page or ink" : "pages or inks") of unknown writers"
    return writers == 0 ? unknown : "\(people) and \(unknown)"
  }
}

/// Formats counts for reports and summaries.
package enum CountText {
  /// A whole number with thin spaces between thousands.
  package static func count(_ value: Int) -> String {
    let digits = String(value.magnitude)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "\u{202F}" }
      text.append(digit)
    }
    return value < 0 ? "−" + text : text
  }

  /// A count with its noun, which takes an s unless the count is 1.
  package static func count(_ value: Int, _ noun: String) -> String {
    "\(count(value)) \(noun)\(value == 1 ? "" : "s")"
  }
}
