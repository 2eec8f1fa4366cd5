import Foundation
import InkCore

/// A word on a page: what it may be, and where it stands.
public struct PageWord: Hashable, Sendable {
  /// One reading of a word.
  public struct Alternative: Hashable, Sendable {
    /// The text.
    public var text: String
    /// The probability that the word is this text, 0 ... 1.
    public var probability: Double

    /// Makes an alternative.
    public init(_ text: String, probability: Double) {
      (self.text, self.probability) = (text, probability)
    }
  }

  /// The readings of the word, the best first.
  public var alternatives: [Alternative]
  /// The box on the page, in the unit of the ink.
  public var box: BoundingBox
  /// The line of the page, from 0.
  public var line: Int
  /// True for typed text.
  public var isTyped: Bool

  /// Makes a word.
  public init(
    alternatives: [Alternative], box: BoundingBox, line: Int, isTyped: Bool = false
  ) {
    (self.alternatives, self.box) = (alternatives, box)
    (self.line, self.isTyped) = (line, isTyped)
  }
}

extension PageWord {
  /// The best readings of the words of a line in logical order, whatever its direction. O(words log
  /// words).
  static func text(of words: [PageWord]) -> String {
    // Typed words are in logical order.
    if words.allSatisfy(\.isTyped) {
      return words.compactMap(\.alternatives.first?.text).joined(separator: " ")
    }
    let found = words.compactMap { word in word.alternatives.first.map { ($0.text, word.box) } }
    let direction = WritingDirection(of: found.map(\.0).joined(separator: " ")) ?? .leftToRight
    let placed = found.sorted {
      direction == .rightToLeft ? $0.1.maxX > $1.1.maxX : $0.1.minX < $1.1.minX
    }.map(\.0)
    return BidirectionalOrder.reading(of: placed, in: direction).map { placed[$0] }
      .joined(separator: " ")
  }
}

/// The words of a page as the index keeps them: about 20 bytes for each word and 10 for each of its
/// alternatives.
package enum PageCoding {
  private static let version: UInt8 = 1
  /// Alternatives below this probability are not kept.
  package static let leastProbability = 0.005
  /// The most alternatives of a word.
  package static let mostAlternatives = 16
  private static let longestText = 255

  /// Returns the bytes of words.
  package static func bytes(of words: [PageWord]) -> [UInt8] {
    var bytes: [UInt8] = [version]
    let boxes = words.map(\.box).filter { $0.minX.isFinite && $0.maxX.isFinite }
    let page = boxes.dropFirst().reduce(into: boxes.first) { $0?.formUnion($1) }
    let box = page ?? BoundingBox(minX: 0, minY: 0, maxX: 1, maxY: 1)
    for value in [box.minX, box.minY, box.maxX, box.maxY] {
      append(Float(value).bitPattern, &bytes)
    }
    append(UInt32(words.count), &bytes)
    var line = 0
    for word in words {
      // Lines go on by 0 to 126; 127 stands for anything else.
      let step = word.line - line
      bytes.append((0..<127).contains(step) ? UInt8(step) << 1 : 254)
      if !(0..<127).contains(step) { append(UInt32(truncatingIfNeeded: word.line), &bytes) }
      if word.isTyped { bytes[bytes.count - ((0..<127).contains(step) ? 1 : 5)] |= 1 }
      line = word.line
      for (value, low, high) in [
        (word.box.minX, box.minX, box.maxX), (word.box.minY, box.minY, box.maxY),
        (word.box.maxX, box.minX, box.maxX), (word.box.maxY, box.minY, box.maxY),
      ] {
        let part = high > low ? (value - low) / (high - low) : 0
        let short = UInt16(max(0, min(65535, part.isFinite ? part * 65535 : 0)))
        bytes += [UInt8(short & 0xFF), UInt8(short >> 8)]
      }
      let kept = word.alternatives.prefix(mostAlternatives).filter {
        $0.probability >= leastProbability && $0.text.utf8.count <= longestText
          && !$0.text.isEmpty
      }
      bytes.append(UInt8(kept.count))
      for alternative in kept {
        bytes.append(UInt8(max(1, min(255, (alternative.probability * 255).rounded()))))
        bytes.append(UInt8(alternative.text.utf8.count))
        bytes += alternative.text.utf8
      }
    }
    return bytes
  }

  private static func append(_ value: UInt32, _ bytes: inout [UInt8]) {
    for shift: UInt32 in [0, 8, 16, 24] { bytes.append(UInt8(value >> shift & 0xFF)) }
  }

  /// Returns the words of bytes; nil if they are damaged.
  package static func words(_ bytes: [UInt8]) -> [PageWord]? {
    var words: [PageWord] = []
    let isWhole = bytes.withUnsafeBufferPointer { bytes in
      scan(bytes) { word in
        words.append(
          PageWord(
            alternatives: word.alternatives.map {
              PageWord.Alternative(
                String(decoding: bytes[$0.text], as: UTF8.self), probability: $0.probability)
            }, box: word.box, line: word.line, isTyped: word.isTyped))
      }
    }
    return isWhole ? words : nil
  }

  /// A word whose texts are ranges of the bytes.
  package struct RawWord {
    package var alternatives: [(text: Range<Int>, probability: Double)] = []
    package var box = BoundingBox(minX: 0, minY: 0, maxX: 0, maxY: 0)
    package var line = 0
    package var isTyped = false
  }

  /// Passes the words of bytes to a closure.
  ///
  /// - Returns: False if the bytes are damaged.
  package static func scan(
    _ bytes: UnsafeBufferPointer<UInt8>, _ body: (borrowing RawWord) -> Void
  ) -> Bool {
    var position = 1
    func long() -> UInt32? {
      guard position + 4 <= bytes.count else { return nil }
      defer { position += 4 }
      return (0..<4).reduce(0) { $0 | UInt32(bytes[position + $1]) << UInt32(8 * $1) }
    }
    guard bytes.first == version, let a = long(), let b = long(), let c = long(), let d = long(),
      let count = long()
    else { return false }
    let edges = [a, b, c, d].map { Double(Float(bitPattern: $0)) }
    var word = RawWord()
    for _ in 0..<count {
      guard position < bytes.count else { return false }
      let head = bytes[position]
      position += 1
      word.isTyped = head & 1 == 1
      if head >> 1 == 127 {
        guard let line = long() else { return false }
        word.line = Int(line)
      } else {
        word.line += Int(head >> 1)
      }
      guard position + 9 <= bytes.count else { return false }
      func place(_ index: Int, _ low: Double, _ high: Double) -> Double {
        let at = position + 2 * index
        return low + (high - low) * Double(UInt16(bytes[at]) | UInt16(bytes[at + 1]) << 8) / 65535
      }
      word.box = BoundingBox(
        minX: place(0, edges[0], edges[2]), minY: place(1, edges[1], edges[3]),
        maxX: place(2, edges[0], edges[2]), maxY: place(3, edges[1], edges[3]))
      let alternatives = Int(bytes[position + 8])
      position += 9
      word.alternatives.removeAll(keepingCapacity: true)
      for _ in 0..<alternatives {
        guard position + 2 <= bytes.count else { return false }
        let probability = Double(bytes[position]) / 255
        let length = Int(bytes[position + 1])
        position += 2
        guard position + length <= bytes.count else { return false }
        word.alternatives.append((position..<(position + length), probability))
        position += length
      }
      body(word)
    }
    return true
  }
}

/// The words of a page as the full-text index has them: each with the tier of its expected number.
package enum IndexTerms {
  /// The least expected numbers of the tiers 1 to 9. The first is the least that a page can have.
  package static let tiers = [0.003, 0.02, 0.1, 0.25, 0.5, 0.8, 1.5, 3, 6]
  /// The tier from which on a word is probable.
  static let probable = 5

  /// Returns the terms of a page: one for each form, the digit of its tier and then the form; and those
  /// of ``NearWords``.
  package static func terms(of words: [PageWord]) -> [String] {
    var expected: [String: Double] = [:]
    for word in words {
      var own: [String: Double] = [:]
      for alternative in word.alternatives {
        for form in FoldedText.forms(of: alternative.text) {
          own[form, default: 0] += alternative.probability
        }
      }
      for (form, probability) in own { expected[form, default: 0] += min(1, probability) }
    }
    let own = expected.compactMap { form, number in
      let tier = tiers.lastIndex { number >= $0 - 1e-9 }
      return tier.map { "\($0 + 1)\(form)" }
    }
    return (own + NearWords.terms(of: words)).sorted()
  }
}
