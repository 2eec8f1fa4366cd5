import Foundation

/// A best-first search for words that continue a text.
struct CompletionSearch<Constraint: TextConstraint> {
  /// A word, or a text that may become one.
  private struct Node {
    var score: Float
    var text: String.UnicodeScalarView
    var length: Int
    var state: LanguageModel.State
    var allowed: Constraint.State
    var isWord: Bool
  }

  /// The most texts to visit. This bounds the time if words are improbable.
  private static var mostTexts: Int { 20_000 }

  private let model: LanguageModel
  private let constraint: Constraint
  private let maximumLength: Int
  private let wordSymbols: [(symbol: LanguageModel.Symbol, scalar: Unicode.Scalar)]
  /// A binary heap, the most probable first.
  private var heap: [Node] = []

  init(_ model: LanguageModel, _ constraint: Constraint, maximumLength: Int) {
    self.model = model
    self.constraint = constraint
    self.maximumLength = maximumLength
    wordSymbols = model.symbols.scalars.compactMap { scalar in
      WordCharacters.contains(scalar) ? (model.symbols.symbol(of: scalar), scalar) : nil
    }
  }

  /// Starts from a text that has been read.
  mutating func begin(
    _ text: String, _ state: LanguageModel.State, _ allowed: Constraint.State
  ) {
    let scalars = text.precomposedStringWithCanonicalMapping.unicodeScalars
    push(
      Node(
        score: 0, text: scalars, length: 0, state: state, allowed: allowed, isWord: false))
  }

  /// The most probable words, most probable first.
  mutating func best(_ limit: Int) -> [Completion] {
    var words: [Completion] = []
    var values = [Float](repeating: 0, count: model.symbols.count)
    var texts = 0
    while words.count < limit, texts < Self.mostTexts, let node = pop() {
      texts += 1
      if node.isWord {
        words.append(Completion(text: String(node.text), logProbability: node.score))
      } else {
        values.withUnsafeMutableBufferPointer { model.logProbabilities(node.state, into: $0) }
        expand(node, values)
      }
    }
    return words
  }

  private mutating func expand(_ node: Node, _ values: [Float]) {
    var goesOn: Float = 0
    for (symbol, scalar) in wordSymbols {
      let value = values[Int(symbol)]
      goesOn += exp(value)
      guard node.length < maximumLength, let allowed = constraint.advance(node.allowed, scalar)
      else { continue }
      var next = node
      next.score += value
      next.text.append(scalar)
      next.length += 1
      next.state = model.advance(node.state, symbol).state
      next.allowed = allowed
      push(next)
    }
    // A word ends if no word character follows.
    guard let last = node.text.last, WordCharacters.mayEnd(last), goesOn < 1,
      constraint.isAccepting(node.allowed)
    else { return }
    var word = node
    word.score += log1p(-goesOn)
    word.isWord = true
    push(word)
  }

  private mutating func push(_ node: Node) {
    heap.append(node)
    var child = heap.count - 1
    while child > 0, heap[child].score > heap[(child - 1) / 2].score {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  private mutating func pop() -> Node? {
    guard let first = heap.first, let last = heap.popLast() else { return nil }
    if heap.isEmpty { return first }
    heap[0] = last
    var parent = 0
    while true {
      var best = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < heap.count && heap[child].score > heap[best].score {
        best = child
      }
      if best == parent { return first }
      heap.swapAt(parent, best)
      parent = best
    }
  }
}

/// A word that may continue a text.
public struct Completion: Hashable, Sendable {
  /// The whole word, including the given prefix.
  public let text: String
  /// The natural logarithm of the probability that the word continues and ends this way.
  package let logProbability: Float

  /// Makes a completion of its parts.
  public init(text: String, logProbability: Float) {
    self.text = text
    self.logProbability = logProbability
  }
}

extension LanguageModel {
  /// Returns the most probable words that begin with a prefix.
  ///
  /// The words are found in order of probability. No word that is more probable than the last one
  /// is missing, except words longer than `maximumLength`, and unless the search reaches its limit
  /// of 20,000 texts. O(texts x (S + log texts)) for S symbols.
  ///
  ///     let words = try model.completions(of: "prob", after: "It is ", limit: 3)
  ///
  /// - Parameters:
  ///   - prefix: The beginning of a word; may be empty.
  ///   - context: The text before it; a space at its end counts. If empty, ``start``.
  ///   - limit: The most words.
  ///   - maximumLength: The most scalars after the prefix.
  ///   - constraint: The constraint on the words; the context is not constrained.
  /// - Throws: ``TextConstraintError/impossiblePrefix(length:)`` if the constraint does not allow
  ///   the prefix.
  public func completions(
    of prefix: String, after context: String = "", limit: Int = 5, maximumLength: Int = 24,
    allowedBy constraint: some TextConstraint
  ) throws(TextConstraintError) -> [Completion] {
    guard let allowed = constraint.state(after: prefix) else {
      throw .impossiblePrefix(length: prefix.unicodeScalars.count)
    }
    var search = CompletionSearch(self, constraint, maximumLength: maximumLength)
    let begin = context.isEmpty ? start : state(after: context)
    search.begin(prefix, prefix.isEmpty ? begin : state(after: prefix, from: begin), allowed)
    return search.best(limit)
  }

  /// Returns the most probable words that begin with a prefix, without a constraint.
  ///
  /// See ``completions(of:after:limit:maximumLength:allowedBy:)``.
  public func completions(
    of prefix: String, after context: String = "", limit: Int = 5, maximumLength: Int = 24
  ) -> [Completion] {
    let words =
      (try? completions(
        of: prefix, after: context, limit: limit, maximumLength: maximumLength,
        allowedBy: AnyText()))
    return words ?? []
  }
}
