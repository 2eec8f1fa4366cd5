import LanguageModels

/// Remembers what the language models said of the last symbols: hypotheses that differ only in
/// their beginnings ask the same.
///
/// A table with one entry for each place, so that a new entry replaces another one. Not thread-safe.
struct LanguageMemo: ~Copyable {
  /// The symbol of a class after a state.
  private struct Entry: BitwiseCopyable {
    var state: UInt32
    /// -1 if the entry is empty.
    var label: Int32
    var next: UInt32
    var logProbability: Float
  }

  private var entries = ScratchList<Entry>()
  /// The logarithm to base 2 of the number of entries, which then fit into the first-level cache. A
  /// line asks 1,600 times, half of them again.
  private static let bits = 10

  /// Forgets everything.
  mutating func removeAll() {
    entries.fill(Entry(state: 0, label: -1, next: 0, logProbability: 0), count: 1 << Self.bits)
  }

  /// The state after a class and the class's ln p, which a function finds if they are not known.
  @inline(__always)
  func advance(
    _ state: LanguageModel.State, _ label: Int,
    _ find: (inout LanguageModel.State) -> Float
  ) -> (state: LanguageModel.State, logProbability: Float) {
    // Fibonacci hashing (Knuth): 2^32 over the golden ratio. The other factor spreads the classes.
    let key = (state.index &+ UInt32(truncatingIfNeeded: label) &* 0x85EB_CA6B) &* 0x9E37_79B9
    let place = Int(key >> UInt32(32 - Self.bits))
    let entry = entries[place]
    if entry.state == state.index, entry.label == Int32(truncatingIfNeeded: label) {
      return (LanguageModel.State(index: entry.next), entry.logProbability)
    }
    var next = state
    let logProbability = find(&next)
    entries[place] = Entry(
      state: state.index, label: Int32(truncatingIfNeeded: label), next: next.index,
      logProbability: logProbability)
    return (next, logProbability)
  }
}
