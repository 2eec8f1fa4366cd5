/// Labels of data that a model cannot answer with: classes of a glyph model, characters of a line
/// model.
public struct UnknownLabels: Codable, Hashable, Sendable {
  /// Inks whose label, or a part of whose text, is among them.
  public private(set) var inks = 0
  /// For each of them the inks that have it.
  public private(set) var inksByLabel: [String: Int] = [:]

  /// The labels, those of most inks first.
  public var labels: [String] {
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
  public struct Unknown: Codable, Hashable, Sendable {
    /// Unknown to the first model.
    public var first = UnknownLabels()
    /// Unknown to the second model.
    public var second = UnknownLabels()

    /// Whether both know all labels.
    public var isEmpty: Bool { first.inks == 0 && second.inks == 0 }
  }

  /// The most labels that a sentence lists.
  private static let mostListed = 40

  /// For each model that does not know all labels of the data a sentence that lists them: why it has
  /// more errors than one that knows them.
  ///
  /// - Parameter show: How a label is shown.
  public func unknownTexts(_ show: (String) -> String) -> [String] {
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
