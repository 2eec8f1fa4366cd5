import InkCore
import Layout

// The kinds of strokes in files.

extension StrokeKind {
  /// The names of all kinds, for errors.
  static let names = allCases.map(\.rawValue).joined(separator: ", ")
}

extension LabeledInk {
  /// Checks that there are no kinds, or one known name for each stroke.
  ///
  /// - Throws: ``InkFormatError`` of code `unequalLengths` or `malformed`.
  func checkKinds(at location: SourceLocation) throws(InkFormatError) {
    guard let kinds else { return }
    guard kinds.count == ink.strokes.count else {
      throw InkFormatError(
        .unequalLengths, at: location,
        expected: "\(ink.strokes.count) kinds, one for each stroke", found: "\(kinds.count)",
        advice: "give each stroke a kind, or set kinds to nil")
    }
    for (stroke, kind) in kinds.enumerated() where StrokeKind(rawValue: kind) == nil {
      throw InkFormatError(
        .malformed, at: location, expected: "kinds of strokes: \(StrokeKind.names)",
        found: "another name of \(kind.utf8.count) bytes at stroke \(stroke)",
        advice: "use one of these names, or set kinds to nil")
    }
  }
}
