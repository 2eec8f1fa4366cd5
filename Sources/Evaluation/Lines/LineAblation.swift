import InkCore
import InkDatasets
import InkSynthesis
import Metrics
import Recognition

/// Measures the accuracy of a line recogniser with parts of its information withheld.
///
/// The network reads each ink once; only decoding is repeated.
package struct LineAblation {
  /// The withheld information.
  package enum Part: String, CaseIterable, Sendable {
    /// The text before the ink. Lines are cut in two, after a space and inside a word. The second
    /// part is read with the last 0, 5, 10 or 20 characters of the first part as pre-context.
    case context
    /// The writing area: each of ``Area``.
    case area
  }

  /// The writing area that a recogniser gets. The line is the recorded one, or the one estimated
  /// from text and ink.
  package enum Area: String, CaseIterable, Sendable {
    /// No area.
    case none
    /// The line.
    case line
    /// Two lines, with this line in the middle.
    case twoLines
    /// Three lines, with this line in the middle.
    case threeLines
    /// The result of `WritingArea.estimate(of:)`.
    case estimate

    /// A description of the area.
    package var title: String {
      switch self {
      case .none: "none"
      case .line: "of the line"
      case .twoLines: "two lines tall"
      case .threeLines: "three lines tall"
      case .estimate: "estimated"
      }
    }
  }

  /// The lengths of the text before the ink, in characters.
  package static let contextLengths = [0, 5, 10, 20]

  /// Rates by name. `context.N.cer`; `context.N.space`, the share of second parts whose reading
  /// begins with a space after a space, and without one inside a word; `area.A.cer` for an ``Area``
  /// A; `area.A.caseErrors`, edits of case divided by reference characters; `area.A.L` for a
  /// ``Lookalike`` L, the share of its reference characters, by an alignment with the fewest edits,
  /// that are confused with a look-alike; and `lookalikes.L.count`, the number of these characters.
  package private(set) var figures: [String: Double] = [:]

  private let reading: LineEvaluation.Reading
  private var sums: [String: Sum] = [:]
  private var lookalikes: [Lookalike: Int] = [:]

  private struct Sum {
    var errors = 0
    var total = 0
  }

  /// Reads every record of the data.
  ///
  /// - Parameter reading: The decoding with other areas. The text before the ink is only used by
  ///   the beam search.
  /// - Throws: `DataError` or `InkFormatError` if data cannot be opened; `CancellationError`.
  package init(
    _ recognizer: LineRecognizer, on data: [DataSpecification], parts: Set<Part>,
    reading: LineEvaluation.Reading = .beam, progress: (Int) -> Void = { _ in }
  ) throws {
    self.reading = reading
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
    for (lookalike, count) in lookalikes {
      figures["lookalikes.\(lookalike.rawValue).count"] = Double(count)
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
        let reading =
          try recognizer.decode(
            output, preContext: cut.before, contextLength: length, count: 1
          ).first?.text ?? ""
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
    for area in Area.allCases {
      let told =
        switch area {
        case .none: WritingArea?.none
        case .line: line
        case .twoLines: line.scaled(by: 2)
        case .threeLines: line.scaled(by: 3)
        case .estimate: WritingArea.estimate(of: labeled.ink)
        }
      let read = try read(labeled.ink, area: told, recognizer)
      let edits = EditDistance(reference: text, hypothesis: read)
      let folded = EditDistance(reference: text.lowercased(), hypothesis: read.lowercased())
      let name = "area.\(area.rawValue)"
      add("\(name).cer", errors: edits.total, of: edits.referenceCount)
      add(
        "\(name).caseErrors", errors: max(0, edits.total - folded.total),
        of: edits.referenceCount)
      addLookalikes(Array(text), Array(read), name)
    }
    for character in text {
      for lookalike in Lookalike.allCases where lookalike.contains(character) {
        lookalikes[lookalike, default: 0] += 1
      }
    }
  }

  private func read(
    _ ink: Ink, area: WritingArea?, _ recognizer: LineRecognizer
  ) throws -> String {
    switch reading {
    case .greedy:
      return try recognizer.readGreedily(ink, area: area)
    case .beam:
      let context = RecognitionContext(writingArea: area, layout: .line)
      return try recognizer.recognize(ink, context: context, maximumCandidates: 1)
        .candidates.first?.text ?? ""
    }
  }

  private mutating func addLookalikes(_ text: [Character], _ read: [Character], _ name: String) {
    let counterparts = EditAlignment.counterparts(of: text, in: read)
    for (written, counterpart) in zip(text, counterparts) {
      for lookalike in Lookalike.allCases where lookalike.contains(written) {
        let isConfusion = counterpart.map {
          lookalike.isConfusion(written: written, read: read[$0])
        }
        add("\(name).\(lookalike.rawValue)", errors: isConfusion == true ? 1 : 0, of: 1)
      }
    }
  }

  /// Estimates the line that ink was written on, from its text.
  private static func area(of ink: Ink, _ text: String) -> WritingArea? {
    guard let profile = TextProfile(text), profile.deviation > 0.12 else { return nil }
    return .estimate(of: ink, mean: profile.mean, deviation: profile.deviation)
  }
}

extension WritingArea {
  /// Scales the height and keeps the middle.
  fileprivate func scaled(by factor: Double) -> WritingArea? {
    try? WritingArea(
      x: x, y: y - (factor - 1) / 2 * height, width: width, height: factor * height)
  }
}
