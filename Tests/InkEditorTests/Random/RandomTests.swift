import Foundation
import InkEditor
import Testing

/// Random events and commands against a model of plain arrays.
///
/// The environment variable `DUCTUS_SOAK_EVENTS` sets the number of operations; `scripts/soak
/// --editor` sets it. `DUCTUS_SOAK_FIRST` is the first seed, so that several processes can share the
/// work. `DUCTUS_SOAK_SEED` runs one seed only.
@Suite("Random events and commands")
struct RandomTests {
  /// The operations of one seed.
  private static let operationsPerSeed = 1000

  private static func variable(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment["DUCTUS_SOAK_\(name)"].flatMap { Int($0) }
  }

  private static let soak = variable("EVENTS")

  private static let seeds: [UInt64] = {
    if let seed = variable("SEED") { return [UInt64(max(0, seed))] }
    let first = max(1, variable("FIRST") ?? 1)
    let count = max(1, (soak ?? 6000) / operationsPerSeed)
    return (first..<first + count).map { UInt64($0) }
  }()

  @Test("No crash, no lost stroke, and undo and redo give the identical document")
  func model() throws {
    var failed = 0
    for seed in Self.seeds {
      // A crash is in the last seed that is printed.
      if Self.soak != nil { FileHandle.standardError.write(Data("seed \(seed)\n".utf8)) }
      let operations = EditorOperation.sequence(seed: seed, count: Self.operationsPerSeed)
      guard let failure = Self.failure(of: operations, seed) else { continue }
      let shortest = OperationShrinker { Self.failure(of: $0, seed)?.reason }
        .shrunk(Array(operations.prefix(failure.count)))
      let list = shortest.map { "  .\($0)," }.joined(separator: "\n")
      let now = Self.failure(of: shortest, seed)?.reason ?? "not every time: \(failure.reason)"
      Issue.record("seed \(seed): \(now)\n\(Self.type(of: seed)), \(shortest.count):\n\(list)")
      failed += 1
      if failed == 5 { break }
    }
  }

  private static func type(of seed: UInt64) -> PartType {
    PartType.allCases[Int(seed % UInt64(PartType.allCases.count))]
  }

  /// Runs operations in a new editor.
  ///
  /// - Returns: The reason of the failure and the number of operations until then; nil if there is
  ///   no failure.
  private static func failure(
    of operations: [EditorOperation], _ seed: UInt64
  ) -> (reason: String, count: Int)? {
    var count = 0
    do {
      // One seed of four does not wait for readings: they finish at any time.
      var runner = try OperationRunner(type: type(of: seed), settles: seed % 4 != 0)
      for operation in operations {
        count += 1
        try runner.run(operation)
      }
      try runner.finish()
      return nil
    } catch {
      return ("\(error)", count)
    }
  }

  @Test("A failing list is shrunk to the operations that fail together")
  func shrinks() {
    let operations = EditorOperation.sequence(seed: 5, count: 300) + [.clear, .undo, .settle]
    let shrinker = OperationShrinker { list in
      let place = list.firstIndex(of: .clear)
      return place != nil && list[(place ?? 0)...].contains(.settle) ? "both" : nil
    }
    #expect(shrinker.shrunk(operations) == [.clear, .settle])
  }

  @Test("The same seed gives the same operations")
  func sameSeed() {
    // NaN differs from itself, so that the descriptions are compared.
    func operations() -> [String] {
      EditorOperation.sequence(seed: 3, count: 500).map { "\($0)" }
    }
    #expect(operations() == operations() && operations().count == 500)
  }
}
