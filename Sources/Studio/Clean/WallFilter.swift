import Foundation
import InkDatasets

/// The inks of a wall to show, and their order.
package struct WallFilter: Hashable, Sendable {
  /// The order of inks.
  enum Order: String, CaseIterable, Sendable {
    /// As in the data.
    case data
    /// By label, then as in the data.
    case label
    /// By writer, then as in the data.
    case writer
    /// The least confident first.
    case confidence
    /// The most errors first, and of these the most confident.
    case error
    /// The most certain suspects first.
    case suspect
  }

  /// The decision of an ink.
  enum Decision: String, CaseIterable, Sendable {
    case open, any, accept, relabel, drop
  }

  /// The whole label; nil for any.
  var label: String?
  /// A part of the label, whatever the case.
  var text: String?
  /// The writer; the empty text for inks without one.
  var writer: String?
  /// True for inks that were read wrongly, false for those that were read rightly.
  var isError: Bool?
  /// The confidence that readings are below.
  var below: Double?
  /// True for suspects only.
  var isSuspect = false
  var decision: Decision?
  var order: Order = .data

  /// Inks as in the data, all of them.
  init() {}

  /// Reads the query of a request.
  ///
  /// - Throws: ``StudioError`` for a value that is not one.
  package init(_ query: [String: String]) throws(StudioError) {
    func value(_ name: String) -> String? { query[name].flatMap { $0.isEmpty ? nil : $0 } }
    (label, text) = (value("label"), value("text"))
    // A filter for no writer has a name of its own, because writers have any names.
    writer = query["nowriter"] == "1" ? "" : value("writer")
    if let error = value("error") { isError = try Self.flag(error, "error") }
    if let suspect = value("suspects") { isSuspect = try Self.flag(suspect, "suspects") }
    if let text = value("below") {
      guard let below = Double(text), (0...1).contains(below) else {
        throw StudioError(.invalidValue, "expected a number in 0 ... 1", field: "below")
      }
      self.below = below
    }
    decision = try Self.choice(value("decision"), "decision")
    order = try Self.choice(value("sort"), "sort") ?? .data
    for (name, text) in [("label", label), ("text", text), ("writer", writer)] {
      guard (text?.utf8.count ?? 0) <= 4000 else {
        throw StudioError(.invalidValue, "expected at most 4000 bytes, found more", field: name)
      }
    }
  }

  private static func flag(_ text: String, _ field: String) throws(StudioError) -> Bool {
    guard text == "1" || text == "0" else {
      throw StudioError(.invalidValue, "expected 1 or 0", field: field)
    }
    return text == "1"
  }

  private static func choice<Value: RawRepresentable<String> & CaseIterable>(
    _ text: String?, _ field: String
  ) throws(StudioError) -> Value? {
    guard let text else { return nil }
    guard let value = Value(rawValue: text) else {
      let names = Value.allCases.map(\.rawValue).joined(separator: ", ")
      throw StudioError(.invalidValue, "expected one of \(names)", field: field)
    }
    return value
  }
}

extension WallFilter {
  /// Returns the inks to show, in order. O(n log n).
  package func inks(of wall: WallState) -> [Int32] {
    var inks: [Int32]
    if order == .suspect || isSuspect {
      let suspects = wall.findings?.order.map { Int32($0) } ?? []
      inks = order == .suspect ? suspects : suspects.sorted()
    } else {
      inks = (0..<Int32(wall.table.count)).map { $0 }
    }
    if let label {
      let number = wall.labels.known(label) ?? -1
      inks.removeAll { wall.labelOf[Int($0)] != number }
    }
    if let text {
      let matches = wall.labels.names.map { $0.localizedCaseInsensitiveContains(text) }
      inks.removeAll { !matches[Int(wall.labelOf[Int($0)])] }
    }
    if let writer {
      let number = writer.isEmpty ? -1 : wall.table.writers.known(writer) ?? -2
      inks.removeAll { wall.table.writerOf[Int($0)] != number }
    }
    if let isError {
      inks.removeAll { ink in
        guard let rate = wall.readings?.rateOf[Int(ink)], !rate.isNaN else { return true }
        return (rate > 0) != isError
      }
    }
    if let below {
      inks.removeAll { ink in
        guard let confidence = wall.readings?.confidenceOf[Int(ink)] else { return true }
        return !(Double(confidence) < below)
      }
    }
    if let decision { inks.removeAll { !Self.has(decision, wall.decisionOf[Int($0)]) } }
    sort(&inks, wall)
    return inks
  }

  private static func has(_ wanted: Decision, _ found: LabelDecision?) -> Bool {
    switch (wanted, found) {
    case (.open, nil), (.any, _?), (.accept, .accept?), (.relabel, .relabel?), (.drop, .drop?):
      true
    case (.open, _?), (.any, nil), (.accept, _), (.relabel, _), (.drop, _): false
    }
  }

  private func sort(_ inks: inout [Int32], _ wall: WallState) {
    switch order {
    case .data, .suspect: break
    case .label:
      let ranks = wall.labels.ranks
      inks = Self.sorted(inks) { Double(ranks[Int(wall.labelOf[$0])]) }
    case .writer:
      let ranks = wall.table.writers.ranks
      inks = Self.sorted(inks) {
        let writer = wall.table.writerOf[$0]
        return writer < 0 ? .infinity : Double(ranks[Int(writer)])
      }
    case .confidence:
      inks = Self.sorted(inks) { ink in
        let confidence = wall.readings?.confidenceOf[ink] ?? .nan
        return confidence.isNaN ? .infinity : Double(confidence)
      }
    case .error:
      inks = Self.sorted(inks) { ink in
        guard let readings = wall.readings, !readings.rateOf[ink].isNaN else { return .infinity }
        return -Double(readings.rateOf[ink]) * 4 - Double(readings.confidenceOf[ink])
      }
    }
  }

  /// Sorts by a number, and by the order of the data for equal ones.
  private static func sorted(_ inks: [Int32], by key: (Int) -> Double) -> [Int32] {
    inks.map { (key: key(Int($0)), ink: $0) }
      .sorted { ($0.key, $0.ink) < ($1.key, $1.ink) }.map(\.ink)
  }
}
