import InkCore

/// Combines single digits and marks of one writer to numbers: 1987, 3.20, 12/5/74, $8, (40%). The
/// digits of a number differ between epochs; the count of numbers does not. Each digit and mark
/// also remains a sample of its own, as it was written.
package struct NumberOrder {
  /// The place of a mark in a number.
  package enum Place: CaseIterable {
    /// Between two groups of digits: a full stop.
    case between
    /// Before the digits: a currency sign.
    case before
    /// After the digits: a per cent sign.
    case behind
    /// At the start, if a closing mark follows.
    case opening
    /// At the end, if there was an opening mark.
    case closing

    /// The place of a mark in numbers; nil for other labels.
    init?(of label: String) {
      switch label {
      case ".", ",", ":", "/", "-", "+", "=": self = .between
      case "$", "#": self = .before
      case "%": self = .behind
      case "(": self = .opening
      case ")": self = .closing
      default: return nil
      }
    }
  }

  /// The single digits and marks of one writer.
  private struct Writer {
    var digits: [Int] = []
    var marks: [Place: [Int]] = [:]
    var alone: [Int] { digits + Place.allCases.flatMap { marks[$0] ?? [] } }
    /// The count of numbers per epoch. A number has half of the most digits on average, so each
    /// digit is in about one number.
    func numbers(longest: Int) -> Int { (2 * digits.count + longest - 1) / longest }
  }

  private let longest: Int
  private var writers = ByWriter<Writer>()

  /// - Parameter longest: The most digits of a number; below 2 there are no numbers.
  init(longest: Int) {
    self.longest = longest
  }

  /// The number of lines of an epoch.
  var count: Int {
    writers.values.reduce(0) { $0 + $1.numbers(longest: longest) + $1.alone.count }
  }

  /// Takes a sample that can be part of a number; returns false for any other.
  mutating func take(_ index: Int, _ kind: LineTrainingSet.Kind, writer: String?) -> Bool {
    guard longest > 1, let writer, kind.isOfNumber else { return false }
    if case .mark(let mark) = kind {
      writers[writer, default: Writer()].marks[mark, default: []].append(index)
    } else {
      writers[writer, default: Writer()].digits.append(index)
    }
    return true
  }

  /// Returns the lines of one epoch: the numbers, each as the indices of its digits and marks, and
  /// each digit and mark alone.
  func lines(using generator: inout SeededGenerator) -> [[Int]] {
    writers.values.flatMap { writer in
      (0..<writer.numbers(longest: longest)).map { _ in number(of: writer, using: &generator) }
        + writer.alone.map { [$0] }
    }
  }

  private func number(of writer: Writer, using generator: inout SeededGenerator) -> [Int] {
    func mark(_ place: Place) -> [Int] {
      writer.marks[place].map { [$0[generator.index(below: $0.count)]] } ?? []
    }
    let count = 1 + generator.index(below: longest)
    let isInGroups = writer.marks[.between] != nil && generator.uniform() < 0.6
    var rest = isInGroups ? 1 + generator.index(below: 3) : count
    var number: [Int] = []
    for digit in 0..<count {
      if isInGroups, digit > 0, rest == 0 {
        number += mark(.between)
        rest = 1 + generator.index(below: 3)
      }
      number.append(writer.digits[generator.index(below: writer.digits.count)])
      rest -= 1
    }
    if generator.uniform() < 0.15 { number = mark(.before) + number }
    if generator.uniform() < 0.15 { number += mark(.behind) }
    let (opening, closing) = (mark(.opening), mark(.closing))
    let isEnclosed = !opening.isEmpty && !closing.isEmpty && generator.uniform() < 0.15
    return isEnclosed ? opening + number + closing : number
  }
}
