import InkCore

/// Numbers put together of the single digits of one writer, with a mark between groups of them where
/// the writer wrote marks: 1987, 3.20, 12/5/74. Which digits make a number differs between epochs; how
/// many numbers there are does not. Digits and marks stand alone besides, as they were written.
struct NumberOrder {
  /// What one writer wrote one by one.
  private struct Writer {
    var digits: [Int] = []
    var marks: [Int] = []
    var alone: [Int] { digits + marks }
    /// Numbers of an epoch: each digit is in one, about, which has half of the most digits on average.
    func numbers(longest: Int) -> Int { (2 * digits.count + longest - 1) / longest }
  }

  private let longest: Int
  private var writers: [Writer] = []
  private var places: [String: Int] = [:]

  /// - Parameter longest: the most digits of a number; below 2 there are none.
  init(longest: Int) {
    self.longest = longest
  }

  /// The lines of an epoch.
  var count: Int { writers.reduce(0) { $0 + $1.numbers(longest: longest) + $1.alone.count } }

  /// Takes a sample that numbers can be made of, or tells that it is none.
  mutating func take(_ index: Int, _ kind: LineTrainingSet.Kind, writer: String?) -> Bool {
    guard longest > 1, let writer, kind == .digit || kind == .mark else { return false }
    let place = places[writer, default: writers.count]
    if place == writers.count {
      places[writer] = place
      writers.append(Writer())
    }
    if kind == .mark {
      writers[place].marks.append(index)
    } else {
      writers[place].digits.append(index)
    }
    return true
  }

  /// The numbers of one epoch, each the indices of its digits and marks, and all of those alone.
  func lines(using generator: inout SeededGenerator) -> [[Int]] {
    writers.flatMap { writer in
      (0..<writer.numbers(longest: longest)).map { _ in number(of: writer, using: &generator) }
        + writer.alone.map { [$0] }
    }
  }

  private func number(of writer: Writer, using generator: inout SeededGenerator) -> [Int] {
    let count = 1 + generator.index(below: longest)
    let hasMarks = !writer.marks.isEmpty && generator.uniform() < 0.6
    var rest = hasMarks ? 1 + generator.index(below: 3) : count
    var number: [Int] = []
    for digit in 0..<count {
      if hasMarks, digit > 0, rest == 0 {
        number.append(writer.marks[generator.index(below: writer.marks.count)])
        rest = 1 + generator.index(below: 3)
      }
      number.append(writer.digits[generator.index(below: writer.digits.count)])
      rest -= 1
    }
    return number
  }
}
