/// The recogniser of formulas that a page may need. It is opened when a page has what may be one.
package final class FormulaSource: Hashable, Sendable {
  private let open: @Sendable () -> (any Recognizer)?
  /// The strokes of formulas that are known to be in a line; empty for a page.
  let known: [[Int]]

  /// Makes a source.
  ///
  /// - Parameters:
  ///   - known: The strokes of formulas that are known to be in a line.
  ///   - open: Returns the recogniser; nil if there is none. It is called for each page that needs it, so
  ///     it should keep what it has opened.
  package init(known: [[Int]] = [], _ open: @escaping @Sendable () -> (any Recognizer)?) {
    (self.known, self.open) = (known, open)
  }

  /// The recogniser, or nil.
  var recognizer: (any Recognizer)? { open() }

  package static func == (first: FormulaSource, second: FormulaSource) -> Bool { first === second }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
