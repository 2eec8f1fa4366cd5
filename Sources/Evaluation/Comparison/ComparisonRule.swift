import Foundation

/// A forbidden outcome of a comparison: `METRIC OP DIFFERENCE`, for the second model minus the
/// first.
///
/// `cer > 0.002` and `cer > 0.2%` forbid that the second model has 0.2 points more character
/// errors.
package struct ComparisonRule: Hashable, Sendable, CustomStringConvertible {
  /// A relation of a difference to a bound.
  package enum Relation: String, Hashable, Sendable, CaseIterable {
    /// At most.
    case atMost = "<="
    /// At least.
    case atLeast = ">="
    /// Less than.
    case less = "<"
    /// More than.
    case more = ">"

    func holds(_ difference: Double, _ bound: Double) -> Bool {
      switch self {
      case .atMost: difference <= bound
      case .atLeast: difference >= bound
      case .less: difference < bound
      case .more: difference > bound
      }
    }
  }

  /// The name of a figure, one of ``ComparedFigure/names``.
  package let figure: String
  /// The relation.
  package let relation: Relation
  /// The bound on the difference.
  package let bound: Double
  /// The text of the rule.
  package let description: String

  /// Reads a rule.
  ///
  /// - Throws: ``ComparisonRuleError`` if the text is not a rule.
  package init(parsing text: String) throws(ComparisonRuleError) {
    guard
      let relation = Relation.allCases.first(where: { text.contains($0.rawValue) }),
      let range = text.range(of: relation.rawValue)
    else { throw .unreadable(rule: text, problem: "it contains none of < <= > >=") }
    let name = text[..<range.lowerBound].trimmingCharacters(in: .whitespaces)
    guard let unit = ComparedFigure.definitions.first(where: { $0.name == name })?.unit else {
      throw .unreadable(
        rule: text,
        problem: "there is no figure \(name); known are "
          + ComparedFigure.names.joined(separator: ", "))
    }
    var number = text[range.upperBound...].trimmingCharacters(in: .whitespaces)
    let isPercent = number.hasSuffix("%")
    if isPercent { number = number.dropLast().trimmingCharacters(in: .whitespaces) }
    guard let value = Double(number), value.isFinite else {
      throw .unreadable(rule: text, problem: "there is no number after \(relation.rawValue)")
    }
    guard !isPercent || unit == .rate else {
      throw .unreadable(
        rule: text, problem: "\(name) is not a rate, so its difference is not in per cent")
    }
    figure = name
    self.relation = relation
    bound = isPercent ? value / 100 : value
    description = text
  }

  /// Checks, before any work is done, that such models have the figure.
  ///
  /// - Throws: ``ComparisonRuleError`` if they do not.
  package func check(for subject: ComparedFigure.Subject) throws(ComparisonRuleError) {
    let names = ComparedFigure.names(of: subject)
    guard names.contains(figure) else { throw .notMeasured(rule: description, measured: names) }
  }

  /// Returns whether a comparison has the forbidden outcome.
  ///
  /// - Throws: ``ComparisonRuleError`` if the comparison does not have the figure.
  package func isBroken(by summary: ComparisonSummary) throws(ComparisonRuleError) -> Bool {
    guard let difference = summary.figures.first(where: { $0.name == figure })?.difference else {
      throw .notMeasured(
        rule: description,
        measured: summary.figures.filter { $0.difference != nil }.map(\.name))
    }
    return relation.holds(difference, bound)
  }
}

/// A rule that cannot be used.
package enum ComparisonRuleError: Error, Hashable, Sendable, CustomStringConvertible {
  /// It is not `METRIC OP DIFFERENCE`.
  case unreadable(rule: String, problem: String)
  /// These models do not have the figure.
  case notMeasured(rule: String, measured: [String])

  /// The message: the rule, what is wrong with it, and what is possible.
  package var description: String {
    switch self {
    case .unreadable(let rule, let problem):
      "rule '\(rule)': expected METRIC OP DIFFERENCE, as in 'cer > 0.2%'; \(problem)"
    case .notMeasured(let rule, let measured):
      "rule '\(rule)': one of the models does not have that figure; both have "
        + measured.joined(separator: ", ")
    }
  }
}

extension ComparisonRuleError: LocalizedError {
  /// The text of `localizedDescription`: ``description``.
  package var errorDescription: String? { description }
}
