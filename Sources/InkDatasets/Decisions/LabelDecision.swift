import Files
import Foundation

/// A person's decision about the label of one record.
package enum LabelDecision: Hashable, Sendable {
  /// The label is right. It changes nothing, but the record was looked at.
  case accept
  /// The label is another.
  case relabel(String)
  /// The record is left out.
  case drop
}

/// A line of a file of decisions.
package struct DecisionEntry: Hashable, Sendable {
  /// The record.
  package var key: InkKey
  /// The decision; nil to take back the earlier ones.
  package var decision: LabelDecision?

  /// Makes an entry.
  package init(_ key: InkKey, _ decision: LabelDecision?) {
    self.key = key
    self.decision = decision
  }
}

extension DecisionEntry {
  /// The largest `nth`.
  private static let mostEqual = 1_000_000_000

  /// Parses one line.
  ///
  /// - Throws: `JSONProblem` with the expected and the found content.
  init(parsing line: UnsafeBufferPointer<UInt8>) throws(JSONProblem) {
    var reader = JSONReader(line, deepest: 8, refusesDuplicateKeys: true)
    var fingerprint: InkFingerprint?
    var (nth, name, label) = (0, String?.none, String?.none)
    try reader.object("a decision") { (reader, key) throws(JSONProblem) in
      switch key {
      case "ink":
        let expected = "16 lowercase hex digits as ink"
        fingerprint = InkFingerprint(try reader.string(expected))
        if fingerprint == nil { throw reader.other(expected) }
      case "nth":
        let expected = "a whole number, 0 or more, as nth"
        guard let number = Int(exactly: try reader.number(expected)),
          (0...Self.mostEqual).contains(number)
        else { throw reader.other(expected) }
        nth = number
      case "decision": name = try reader.string("the string decision")
      case "label": label = try reader.null() ? nil : reader.string("the string label")
      default: try reader.skipValue()
      }
    }
    try reader.end(of: "line")
    guard let fingerprint else { throw reader.missing("ink") }
    guard let name else { throw reader.missing("decision") }
    key = InkKey(fingerprint, nth: nth)
    switch name {
    case "accept": decision = .accept
    case "drop": decision = .drop
    case "undo": decision = nil
    case "relabel":
      guard let label, !label.isEmpty else { throw reader.missing("label") }
      decision = .relabel(label)
    default: throw reader.other("accept, relabel, drop or undo as decision")
    }
  }

  /// The entry as a line, with its line break.
  func line() throws -> Data {
    struct Line: Encodable {
      var ink: String
      var nth: Int
      var decision: String
      var label: String?
    }
    var line = Line(ink: key.fingerprint.description, nth: key.nth, decision: "undo")
    switch decision {
    case .accept: line.decision = "accept"
    case .drop: line.decision = "drop"
    case .relabel(let label): (line.decision, line.label) = ("relabel", label)
    case nil: break
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(line) + Data([UInt8(ascii: "\n")])
  }
}

extension JSONReader {
  /// The error for a value of the right type and another content.
  fileprivate func other(_ expected: String) -> JSONProblem {
    fault(.malformed, expected, grammar: expected, found: "another value")
  }

  /// The error for an object without a key.
  fileprivate func missing(_ key: String) -> JSONProblem {
    fault(.missingKey(key), "the key \(key)", grammar: "the key \(key)", found: "none")
  }
}
