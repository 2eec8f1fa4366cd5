import Foundation
import InkCore

/// Chooses lines of a text so that all of its characters occur about equally often.
///
/// The choice maximises the sum of log(n + ε) over the characters, where n is the number of times
/// that a character occurs in the chosen lines. For a fixed total, this sum is greatest when all n
/// are equal. It is submodular, so a greedy choice is at least 1 - 1/e of the best (Nemhauser,
/// Wolsey, Fisher 1978), and gains need to be computed again only for the line at the top of the
/// queue (Minoux 1978).
package enum BalancedCorpus {
  /// The weight of a first occurrence: the smaller, the earlier rare characters are chosen.
  package static let epsilon = 0.1
  /// Characters added to the length of each line, so that short lines are not always better.
  package static let lineCost = 3.0

  /// Returns the indices of chosen lines, in the order of the choice. Spaces do not count.
  ///
  /// - Parameters:
  ///   - lines: The lines.
  ///   - count: The number of lines to choose.
  ///   - seed: The seed; it decides between lines of equal gain.
  /// - Complexity: O(characters + count · log(lines)) typically.
  package static func choose(_ lines: [String], count: Int, seed: UInt64) -> [Int] {
    var numbers: [Character: Int] = [:]
    var contents: [[(character: Int, count: Int)]] = []
    contents.reserveCapacity(lines.count)
    var lengths: [Double] = []
    for line in lines {
      var counts: [Int: Int] = [:]
      var length = 0.0
      for character in line where !character.isWhitespace {
        counts[numbers[character] ?? numbers.count, default: 0] += 1
        if numbers[character] == nil { numbers[character] = numbers.count }
        length += 1
      }
      // Sorted: sums of the same numbers in another order differ in their last bit.
      contents.append(counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
      lengths.append(length + lineCost)
    }
    var totals = [Int](repeating: 0, count: numbers.count)
    func gain(_ line: Int) -> Double {
      contents[line].reduce(0) { sum, each in
        let total = Double(totals[each.character]) + epsilon
        return sum + log1p(Double(each.count) / total)
      } / lengths[line]
    }
    var generator = SeededGenerator(seed: seed)
    var queue = GainQueue(
      lines.indices.filter { !contents[$0].isEmpty }.map {
        GainQueue.Item(gain: gain($0), tie: generator.next(), line: $0)
      })
    var chosen: [Int] = []
    while chosen.count < count, let item = queue.top {
      let present = gain(item.line)
      if present < item.gain {
        // The gain was computed before other lines were chosen.
        queue.replaceTop(GainQueue.Item(gain: present, tie: item.tie, line: item.line))
        continue
      }
      queue.removeTop()
      chosen.append(item.line)
      for each in contents[item.line] { totals[each.character] += each.count }
    }
    return chosen
  }

  /// The number of times that each character occurs, spaces excepted.
  package static func counts(_ lines: some Sequence<String>) -> [Character: Int] {
    var counts: [Character: Int] = [:]
    for line in lines {
      for character in line where !character.isWhitespace { counts[character, default: 0] += 1 }
    }
    return counts
  }
}

/// A binary heap of lines by their gains, the greatest at the top.
private struct GainQueue {
  struct Item {
    var gain: Double
    var tie: UInt64
    var line: Int

    func isBefore(_ other: Item) -> Bool { (gain, tie) > (other.gain, other.tie) }
  }

  private var items: [Item]

  init(_ items: [Item]) {
    // A sorted array is a heap.
    self.items = items.sorted { $0.isBefore($1) }
  }

  var top: Item? { items.first }

  mutating func replaceTop(_ item: Item) {
    items[0] = item
    sink()
  }

  mutating func removeTop() {
    guard let last = items.popLast(), !items.isEmpty else { return }
    items[0] = last
    sink()
  }

  private mutating func sink() {
    var place = 0
    while true {
      let left = 2 * place + 1
      guard left < items.count else { return }
      let right = left + 1
      let child = right < items.count && items[right].isBefore(items[left]) ? right : left
      guard items[child].isBefore(items[place]) else { return }
      items.swapAt(place, child)
      place = child
    }
  }
}
