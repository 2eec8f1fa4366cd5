extension LineTrainingSet {
  /// What a sample can be a part of.
  enum Kind: Hashable {
    /// A word, which can stand beside others in a line. Single digits and marks are none: side by side
    /// they would teach that numbers have spaces. Nor are letters that were written one by one.
    case word
    /// A single digit of a number.
    case digit
    /// A single mark that numbers have, and where.
    case mark(NumberOrder.Place)
    /// A whole line, or something whose place and size on the line are not known.
    case other

    /// Whether this is a part of a number, in which there are no spaces.
    var isOfNumber: Bool {
      switch self {
      case .digit, .mark: true
      case .word, .other: false
      }
    }
  }

  /// What a sample can be a part of.
  func kind(of sample: Sample) -> Kind {
    guard sample.line.area != nil else { return .other }
    if sample.labels.count == 1, let symbol = sample.labels.first, symbol > 0 {
      let label = labels[Int(symbol) - 1]
      if label.allSatisfy(\.isLetter) {
        return space == nil || sample.level == .character ? .other : .word
      }
      if label.allSatisfy(\.isNumber) { return .digit }
      return NumberOrder.Place(of: label).map { .mark($0) } ?? .other
    }
    guard let space, !sample.labels.contains(space) else { return .other }
    return .word
  }

  /// Whether a sample is a line of several words whose place and size are known.
  func isCuttable(_ sample: Sample) -> Bool {
    guard let space, sample.line.area != nil else { return false }
    return sample.labels.contains(space)
  }

  /// Whose words those of a line are: where nobody knows, words of that line stand beside each other
  /// alone.
  func writerOfWords(of index: Int) -> String {
    samples[index].writer ?? "the writer of line \(index)"
  }

  /// What stands between spaces.
  func wordCount(of sample: Sample) -> Int {
    sample.labels.split { $0 == space }.count
  }

  /// Whether samples that stand side by side make a number: without spaces between them.
  func isNumber(_ line: [Int]) -> Bool {
    line.count > 1 && line.allSatisfy { kind(of: samples[$0]).isOfNumber }
  }

  /// The characters of samples side by side, with the spaces between them.
  func labelCount(of line: [Int]) -> Int {
    let spaces = space == nil || isNumber(line) ? 0 : line.count - 1
    return line.reduce(spaces) { $0 + samples[$1].labels.count }
  }
}
