import InkCore
import InkDatasets
import Metrics
import Recognition

/// What a line recogniser is worth with parts of what it knows withheld.
///
/// Every line is read once by the network for each ink; decoding is repeated.
public struct LineAblation {
  /// What is withheld.
  public enum Part: String, CaseIterable, Sendable {
    /// The text before the ink: lines are cut in two, behind a space and inside a word, and the
    /// latter part is read knowing the last 0, 5, 10 or 20 characters of the former.
    case context
    /// The writing area: none; that of the line; one two and three lines tall; and the one that
    /// `WritingArea.estimate(of:)` finds. The line's is the recorded one, or what its text and ink
    /// tell, as a ruled line would.
    case area
  }

  /// Characters of the text before the ink.
  public static let contextLengths = [0, 5, 10, 20]

  /// Rates by name: `context.N.cer`; `context.N.space`, the share of latter parts whose reading
  /// begins with a space behind a space, and with none inside a word; `area.A.cer`;
  /// `area.A.caseErrors`, edits of case only over reference characters.
  public private(set) var figures: [String: Double] = [:]

  private var sums: [String: Sum] = [:]

  private struct Sum {
    var errors = 0
    var total = 0
  }

  /// Reads every record of the data.
  ///
  /// - Throws: `DataError` or `InkFormatError` where data cannot be opened; `CancellationError`.
  public init(
    _ recognizer: LineRecognizer, on data: [DataSpecification], parts: Set<Part>,
    progress: (Int) -> Void = { _ in }
  ) throws {
    var count = 0
    for specification in data {
      for case .success(let record) in try specification.records() {
        let text = TextErrorRate.reference(
          record.labeled.label, without: specification.format.crossedOutMarks)
        if parts.contains(.context) { try addContexts(record.labeled.ink, text, recognizer) }
        if parts.contains(.area) { try addAreas(record.labeled, text, recognizer) }
        count += 1
        progress(count)
      }
    }
    figures = sums.compactMapValues { sum in
      sum.total > 0 ? Double(sum.errors) / Double(sum.total) : nil
    }
  }

  private mutating func add(_ name: String, errors: Int, of total: Int) {
    sums[name, default: Sum()].errors += errors
    sums[name, default: Sum()].total += total
  }

  private mutating func addContexts(
    _ ink: Ink, _ text: String, _ recognizer: LineRecognizer
  ) throws {
    for place in CutLine.Place.allCases {
      guard let cut = CutLine(ink, text: text, at: place, recognizer) else { continue }
      let output = try recognizer.logProbabilities(cut.ink, area: nil)
      for length in Self.contextLengths {
        let context = String(cut.before.suffix(length))
        let reading = try recognizer.decode(output, preContext: context, count: 1).first?.text ?? ""
        let name = "context.\(length)"
        let trimmed = reading.first == " " ? String(reading.dropFirst()) : reading
        let edits = EditDistance(reference: cut.after, hypothesis: trimmed)
        add("\(name).cer", errors: edits.total, of: edits.referenceCount)
        guard length > 0 else { continue }
        let isRight = (reading.first == " ") == (place == .betweenWords)
        add("\(name).space", errors: isRight ? 1 : 0, of: 1)
      }
    }
  }

  private mutating func addAreas(
    _ labeled: LabeledInk, _ text: String, _ recognizer: LineRecognizer
  ) throws {
    guard let line = labeled.writingArea ?? Self.area(of: labeled.ink, text) else { return }
    let areas: [(String, WritingArea?)] = [
      ("none", nil), ("line", line), ("twoLines", line.scaled(by: 2)),
      ("threeLines", line.scaled(by: 3)), ("estimate", .estimate(of: labeled.ink)),
    ]
    for (name, area) in areas {
      let output = try recognizer.logProbabilities(labeled.ink, area: area)
      let reading = try recognizer.decode(output, preContext: "", count: 1).first?.text ?? ""
      let edits = EditDistance(reference: text, hypothesis: reading)
      let folded = EditDistance(reference: text.lowercased(), hypothesis: reading.lowercased())
      add("area.\(name).cer", errors: edits.total, of: edits.referenceCount)
      add(
        "area.\(name).caseErrors", errors: max(0, edits.total - folded.total),
        of: edits.referenceCount)
    }
  }

  /// The line that ink was written on, by its text.
  private static func area(of ink: Ink, _ text: String) -> WritingArea? {
    guard let profile = TextProfile(text), profile.deviation > 0.12 else { return nil }
    return .estimate(of: ink, mean: profile.mean, deviation: profile.deviation)
  }
}

extension WritingArea {
  /// The same middle, another height.
  fileprivate func scaled(by factor: Double) -> WritingArea? {
    try? WritingArea(
      x: x, y: y - (factor - 1) / 2 * height, width: width, height: factor * height)
  }
}
