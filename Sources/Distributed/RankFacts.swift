import Foundation
import Training

/// Facts about a rank that must be the same on all of them.
package struct RankFacts: Hashable, Codable, Sendable {
  private var facts: [Fact] = []

  private struct Fact: Hashable, Codable, Sendable {
    var name: String
    var value: String
    var isNeeded: Bool
  }

  package init() {}

  /// Adds a fact that changes only the last bits of a result: with `--allow-mixed` it may differ.
  package mutating func add(bitsDependOn name: String, _ value: String) {
    facts.append(Fact(name: name, value: value, isNeeded: false))
  }

  /// Adds a fact without which ranks cannot train together.
  package mutating func add(needed name: String, _ value: String) {
    facts.append(Fact(name: name, value: value, isNeeded: true))
  }

  /// Adds every value of some settings, by its path: `optimization.epochs`.
  package mutating func add(settings: some Encodable, except exceptions: Set<String>) throws {
    let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(settings))
    for (path, value) in Self.values(object, path: "").sorted(by: { $0.path < $1.path })
    where !exceptions.contains(path.split(separator: ".").last.map(String.init) ?? path) {
      add(needed: path, value)
    }
  }

  private static func values(_ object: Any, path: String) -> [(path: String, value: String)] {
    let prefix = path.isEmpty ? "" : path + "."
    if let members = object as? [String: Any] {
      return members.flatMap { values($0.value, path: prefix + $0.key) }
    }
    if let elements = object as? [Any] {
      return elements.enumerated().flatMap { values($0.element, path: prefix + "\($0.offset)") }
    }
    return [(path, "\(object)")]
  }

  /// Compares the facts of all ranks.
  ///
  /// - Parameters:
  ///   - hosts: The names of the machines.
  ///   - allowMixed: True to accept differences that change only the last bits.
  /// - Returns: A table of the accepted differences; nil if there are none.
  /// - Throws: ``DistributedError/differing(table:mayMix:)``.
  package static func compare(
    _ all: [RankFacts], hosts: [String], allowMixed: Bool
  ) throws(DistributedError) -> String? {
    var names: [String] = []
    var needed: Set<String> = []
    for fact in all.flatMap(\.facts) {
      if !names.contains(fact.name) { names.append(fact.name) }
      if fact.isNeeded { needed.insert(fact.name) }
    }
    var rows: [[String]] = []
    var isMixable = true
    for name in names {
      let values = all.map { facts in
        facts.facts.first { $0.name == name }?.value ?? "none"
      }
      guard Set(values).count > 1 else { continue }
      if needed.contains(name) { isMixable = false }
      var seen: Set<String> = []
      for value in values where seen.insert(value).inserted {
        let ranks = values.indices.filter { values[$0] == value }
        rows.append([
          seen.count == 1 ? name : "", Self.names(of: ranks, hosts), value,
        ])
      }
    }
    guard !rows.isEmpty else { return nil }
    let table = Self.table([["", "ranks", "value"]] + rows)
    guard isMixable, allowMixed else { throw .differing(table: table, mayMix: isMixable) }
    return table
  }

  /// `0, 2 (node1, node3)`.
  private static func names(of ranks: [Int], _ hosts: [String]) -> String {
    let machines = ranks.reduce(into: [String]()) { machines, rank in
      guard hosts.indices.contains(rank), !machines.contains(hosts[rank]) else { return }
      machines.append(hosts[rank])
    }
    return ranks.map(String.init).joined(separator: ", ")
      + (machines.isEmpty ? "" : " (\(machines.joined(separator: ", ")))")
  }

  /// Aligns columns.
  private static func table(_ rows: [[String]]) -> String {
    let widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let line = zip(row, widths).map { cell, width in
        cell + String(repeating: " ", count: width - cell.count)
      }.joined(separator: "  ")
      return "  " + line.prefix(line.count - line.reversed().prefix { $0 == " " }.count)
    }.joined(separator: "\n")
  }
}
