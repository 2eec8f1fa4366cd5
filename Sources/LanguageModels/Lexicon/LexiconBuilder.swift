import Foundation

/// Builds the minimal automaton of sorted words (Daciuk and others 2000, the sorted case). The part
/// of the last word that a new word does not share can never change again; it is replaced by an
/// equal state if there is one.
struct LexiconBuilder {
  /// A state: a flag for the end of a word, and the target of each scalar.
  private struct Node: Hashable {
    var isAccepting = false
    var scalars: [UInt32] = []
    var targets: [Int] = []
  }

  private var nodes: [Node] = []
  private var register: [Node: Int] = [:]
  /// The states along the last word, which are not in `nodes` yet; the first is the start.
  private var path = [Node()]
  private var last: [UInt32] = []
  private var wordCount = 0

  /// Returns the bytes of the automaton of some words. O(scalars log words) time.
  ///
  /// Words are converted to NFC, without white space at their ends; empty and duplicate words are
  /// ignored.
  static func build(_ words: some Sequence<String>) throws(TextConstraintError) -> [UInt8] {
    var sorted = words.map { word in
      word.precomposedStringWithCanonicalMapping
        .trimmingCharacters(in: .whitespacesAndNewlines).unicodeScalars.map(\.value)
    }
    sorted.sort { $0.lexicographicallyPrecedes($1) }
    var builder = LexiconBuilder()
    for word in sorted where !word.isEmpty && word != builder.last { builder.add(word) }
    guard builder.wordCount > 0 else { throw .emptyLexicon }
    return try builder.encode()
  }

  private mutating func add(_ word: [UInt32]) {
    let shared = zip(word, last).prefix { $0 == $1 }.count
    settle(downTo: shared)
    for scalar in word[shared...] {
      // The target is known once its state is settled.
      path[path.count - 1].scalars.append(scalar)
      path[path.count - 1].targets.append(-1)
      path.append(Node())
    }
    path[path.count - 1].isAccepting = true
    last = word
    wordCount += 1
  }

  /// Settles the states of the last word after its first `length` scalars.
  private mutating func settle(downTo length: Int) {
    while path.count > length + 1, let node = path.popLast() {
      let target: Int
      if let known = register[node] {
        target = known
      } else {
        target = nodes.count
        nodes.append(node)
        register[node] = target
      }
      path[path.count - 1].targets[path[path.count - 1].targets.count - 1] = target
    }
  }

  /// Writes the states in reverse order. A state is settled after all its targets, so that every
  /// arc leads to a later state.
  private mutating func encode() throws(TextConstraintError) -> [UInt8] {
    settle(downTo: 0)
    nodes.append(path[0])
    let order = nodes.indices.reversed()
    let arcCount = nodes.reduce(0) { $0 + $1.scalars.count }
    let layout = LexiconLayout(stateCount: nodes.count, arcCount: arcCount)
    guard max(arcCount, nodes.count) <= LexiconLayout.maximumCount else {
      throw .lexiconTooLarge(arcs: arcCount, maximum: LexiconLayout.maximumCount)
    }
    var bytes = [UInt8](repeating: 0, count: layout.byteCount)
    bytes.withUnsafeMutableBytes { raw in
      raw.copyBytes(from: LexiconLayout.magic)
      let words = [LexiconLayout.version, UInt32(nodes.count), UInt32(arcCount), UInt32(wordCount)]
      for (index, word) in words.enumerated() {
        raw.storeBytes(of: word.littleEndian, toByteOffset: 8 + 4 * index, as: UInt32.self)
      }
      var arc = 0
      for (state, index) in order.enumerated() {
        let node = nodes[index]
        let accepting = node.isAccepting ? LexiconLayout.acceptingBit : 0
        raw.storeBytes(
          of: (UInt32(arc) | accepting).littleEndian, toByteOffset: layout.states + 4 * state,
          as: UInt32.self)
        for (scalar, target) in zip(node.scalars, node.targets) {
          let word = UInt64(scalar) | UInt64(nodes.count - 1 - target) << 32
          raw.storeBytes(
            of: word.littleEndian, toByteOffset: layout.arcs + 8 * arc, as: UInt64.self)
          arc += 1
        }
      }
      raw.storeBytes(
        of: UInt32(arc).littleEndian, toByteOffset: layout.states + 4 * nodes.count,
        as: UInt32.self)
    }
    return bytes
  }
}
