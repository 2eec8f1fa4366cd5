/// A backoff model as an automaton: the states are the contexts, the arcs the n-grams.
///
/// States are ordered by length and then as in the trie, so that the target states of a state's
/// arcs are consecutive: arc i of the first `internalCount` leads to state `firstChild + i`. The
/// other arcs lead to the target of the same symbol in the shorter context. State 0 is the empty
/// context and has an arc for every symbol.
struct BackoffAutomaton {
  let table: SymbolTable
  let order: Int
  /// The first arc of each state; one more entry than states.
  var arcStart: [UInt32] = []
  /// The target of the first arc of each state; one more entry than states.
  var firstChild: [UInt32] = []
  /// The state of the longest shorter context of each state; 0 for state 0.
  var backoff: [UInt32] = []
  /// The weight of the shorter context for symbols without an arc.
  var weight: [Float] = []
  /// The symbol of each arc; ascending among the arcs with a state and among the others.
  var symbols: [SymbolTable.Symbol] = []
  /// The probability of each arc.
  var probabilities: [Float] = []

  /// The number of states.
  var stateCount: Int { backoff.count }

  /// Builds the automaton of the n-grams that a trie keeps. O(n-grams).
  ///
  /// - Parameter unigrams: The probability of each symbol without context.
  init(_ trie: NGramTrie, unigrams: [Float]) {
    table = trie.table
    order = trie.order
    let states = Self.numberStates(trie)
    for length in 0..<trie.order {
      for index in 0..<trie.levels[length].count where states[length][index] != .max {
        appendState(trie, length, index, states)
        if length == 0 {
          appendRootArcs(trie, unigrams, states)
        } else {
          appendArcs(trie, length, index, states)
        }
      }
    }
    arcStart.append(UInt32(symbols.count))
    firstChild.append(UInt32(stateCount))
  }

  /// The state of each n-gram that is a context; `UInt32.max` for the others.
  private static func numberStates(
    _ trie: NGramTrie
  ) -> [[UInt32]] {
    var next: UInt32 = 1
    return (0..<trie.order).map { length in
      if length == 0 { return [0] }
      let level = trie.levels[length]
      var states = [UInt32](repeating: .max, count: level.count)
      for index in 0..<level.count
      where level.children(index).contains(where: { trie.levels[length + 1].isKept[$0] }) {
        states[index] = next
        next += 1
      }
      return states
    }
  }

  private mutating func appendState(
    _ trie: NGramTrie, _ length: Int, _ index: Int, _ states: [[UInt32]]
  ) {
    arcStart.append(UInt32(symbols.count))
    // Until the first child is visited, the beginning of the next state's children.
    firstChild.append(0)
    weight.append(1)
    var (shorter, suffix) = (length, index)
    repeat {
      suffix = shorter == 0 ? 0 : Int(trie.levels[shorter].suffix[suffix])
      shorter = max(0, shorter - 1)
    } while states[shorter][suffix] == .max
    backoff.append(states[shorter][suffix])
  }

  private mutating func appendRootArcs(
    _ trie: NGramTrie, _ unigrams: [Float], _ states: [[UInt32]]
  ) {
    var isState = [Bool](repeating: false, count: table.count)
    let level = trie.levels[1]
    for index in 0..<level.count where states[1][index] != .max {
      isState[Int(level.symbols[index])] = true
    }
    firstChild[0] = 1
    for wanted in [true, false] {
      for symbol in isState.indices where isState[symbol] == wanted {
        symbols.append(SymbolTable.Symbol(symbol))
        probabilities.append(unigrams[symbol])
      }
    }
    nextChild = 1 + UInt32(isState.count { $0 })
  }

  /// The first state that no arc leads to yet.
  private var nextChild: UInt32 = 1

  private mutating func appendArcs(
    _ trie: NGramTrie, _ length: Int, _ index: Int, _ states: [[UInt32]]
  ) {
    let level = trie.levels[length + 1]
    let children = trie.levels[length].children(index)
    firstChild[firstChild.count - 1] = nextChild
    if length + 1 < trie.order {
      for child in children where states[length + 1][child] != .max {
        symbols.append(level.symbols[child])
        probabilities.append(level.probability[child])
        nextChild += 1
      }
    }
    for child in children
    where level.isKept[child]
      && (length + 1 == trie.order || states[length + 1][child] == .max)
    {
      symbols.append(level.symbols[child])
      probabilities.append(level.probability[child])
    }
  }
}

extension BackoffAutomaton {
  /// Sets the backoff weights so that the probabilities of every state sum to one.
  ///
  /// The probability mass that a state's arcs leave is distributed to the symbols without an arc in
  /// proportion to the shorter context. After quantisation the arcs may take too much; the
  /// remaining mass stays within a factor of two of the mass that `exact` probabilities leave.
  ///
  /// - Parameter exact: The probabilities of the arcs before quantisation.
  mutating func normalize(exact: [Float]) {
    var shorter = [Float](repeating: 0, count: table.count)
    for state in 1..<max(1, stateCount) {
      fill(&shorter, Int(backoff[state]))
      var left = 1.0
      var leftExactly = 1.0
      for arc in arcs(of: state) {
        left -= Double(probabilities[arc])
        leftExactly -= Double(exact[arc])
        shorter[Int(symbols[arc])] = 0
      }
      leftExactly = max(leftExactly, 1e-7)
      let mass = min(max(left, leftExactly / 2), leftExactly * 2)
      let free = shorter.reduce(0.0) { $0 + Double($1) }
      weight[state] = free > 0 ? Float(mass / free) : 1
    }
  }

  /// The arcs of a state.
  @inline(__always)
  func arcs(of state: Int) -> Range<Int> {
    Int(arcStart[state])..<Int(arcStart[state + 1])
  }

  /// Writes the probabilities of all symbols in a state. The weights of the state and its shorter
  /// contexts must be set.
  private func fill(_ values: inout [Float], _ state: Int) {
    // From the empty context to the longest, each with the product of the weights of longer
    // contexts.
    var factor: Float = 1
    var chain: [(state: Int, factor: Float)] = []
    var current = state
    while current != 0 {
      chain.append((current, factor))
      factor *= weight[current]
      current = Int(backoff[current])
    }
    chain.append((0, factor))
    for (state, factor) in chain.reversed() {
      for arc in arcs(of: state) {
        values[Int(symbols[arc])] = factor * probabilities[arc]
      }
    }
  }
}
