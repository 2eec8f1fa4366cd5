import InkCore

/// Numbers put together of the single digits and marks of one writer: 1987, 3.20, 12/5/74, $8, (40%).
/// Which digits make a number differs between epochs; how many numbers there are does not. Digits and
/// marks stand alone besides, as they were written.
struct NumberOrder {
  /// Where in a number a mark stands.
  enum Place: CaseIterable {
    /// Between two groups of digits: a full stop.
    case between
    /// Before the digits: a currency.
    case before
    /// Behind the digits: a per cent sign.
    case behind
    /// Before everything, where something closes what it opens.
    case opening
    /// Behind everything, where something opened.
    case closing

    /// The place of a mark of numbers; nil for other labels.
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

  /// What one writer wrote one by one.
  private struct Writer {
    var digits: [Int] = []
    var marks: [Place: [Int]] = [:]
    var alone: [Int] { digits + Place.allCases.flatMap { marks[$0] ?? [] } }
    /// Numbers of an epoch: each digit is in one, about, which has half of the most digits on average.
    func numbers(longest: Int) -> Int { (2 * digits.count + longest - 1) / longest }
  }

  private let longest: Int
  private var writers = ByWriter<Writer>()

  /// - Parameter longest: the most digits of a number; below 2 there are none.
  init(longest: Int) {
    self.longest = longest
  }

  /// The lines of an epoch.
  var count: Int {
    writers.values.reduce(0) { $0 + $1.numbers(longest: longest) + $1.alone.count }
  }

  /// Takes a sample that numbers can be made of, or tells that it is none.
  mutating func take(_ index: Int, _ kind: LineTrainingSet.Kind, writer: String?) -> Bool {
    guard longest > 1, let writer, kind.isOfNumber else { return false }
    if case .mark(let mark) = kind {
      writers[writer, default: Writer()].marks[mark, default: []].append(index)
    } else {
      writers[writer, default: Writer()].digits.append(index)
    }
    return true
  }

  /// The numbers of one epoch, each the indices of its digits and marks, and all of those alone.
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
