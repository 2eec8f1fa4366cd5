/// Labels of data that a model cannot output: classes of a glyph model, characters of a line model.
package struct UnknownLabels: Codable, Hashable, Sendable {
  /// The number of inks whose label or text contains one of them.
  package private(set) var inks = 0
  /// The number of inks with each label.
  package private(set) var inksByLabel: [String: Int] = [:]

  /// The labels, those with most inks first.
  package var labels: [String] {
    inksByLabel.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
  }

  /// Counts an ink with these unknown labels.
  mutating func add(_ labels: Set<String>) {
    guard !labels.isEmpty else { return }
    inks += 1
    for label in labels { inksByLabel[label, default: 0] += 1 }
  }
}

extension ComparisonSummary {
  /// Labels of the data that either model does not know.
  package struct Unknown: Codable, Hashable, Sendable {
    /// Unknown to the first model.
    package var first = UnknownLabels()
    /// Unknown to the second model.
    package var second = UnknownLabels()

    /// True if both models know all labels.
    package var isEmpty: Bool { first.inks == 0 && second.inks == 0 }
  }

  /// The most labels in one sentence.
  private static let mostListed = 40

  /// One sentence for each model that does not know all labels of the data. It lists the labels,
  /// because all their inks count as errors.
  ///
  /// - Parameter show: Returns the displayed form of a label.
  /// - Parameter show: How a label is shown.
  package func unknownTexts(_ show: (String) -> String) -> [String] {
    let isOfLines = main?.name == "cer"
    func count(_ value: Int, _ noun: String) -> String {
      "\(value) \(noun)\(value == 1 ? "" : "s")"
    }
    return [("A", unknownLabels.first), ("B", unknownLabels.second)].compactMap { name, unknown in
      guard unknown.inks > 0 else { return nil }
      let labels = unknown.labels
      let listed = labels.prefix(Self.mostListed).map(show).joined(separator: ", ")
      let rest = labels.count - min(labels.count, Self.mostListed)
      let (of, inks) = (isOfLines ? "character" : "label", isOfLines ? "line" : "ink")
      return "\(name) does not know \(count(labels.count, of)) of the data, in "
        + "\(count(unknown.inks, inks)): \(listed)" + (rest > 0 ? " and \(rest) more" : "")
    }
  }
}
