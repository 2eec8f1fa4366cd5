import Features
import InkCore
import InkDatasets
import InkFormats
import InkSynthesis

/// Lines of ink with their texts, held in memory in the form training wants.
public struct LineTrainingSet: Sendable {
  /// What lines are for.
  public enum Purpose: Sendable {
    /// To learn from: a text with a symbol that is not among the labels is refused, and ink that is
    /// no line of its text; a line without a writing area gets the one that ink and text tell.
    case training
    /// To be scored: a symbol that is not among the labels is one that is never recognised.
    case validation
  }

  /// Why a line was not added.
  public enum Refusal: Hashable, Sendable {
    /// No points, or no text.
    case empty
    /// A symbol of the text is not among the labels.
    case unknownSymbol
    /// The ink is so short for the text that it must be of another one, or several lines that were not
    /// told apart.
    case tooShort
  }

  /// One line.
  public struct Sample: Sendable {
    /// The ink.
    public var line: NormalizedLine
    /// Its text as classes of the network, 1 and up; 0 for a symbol that is not among the labels.
    public var labels: [Int32]
    /// Length of the pen's path in line heights: what its steps are in proportion to.
    public var length: Float
    /// How much text it is, if known: a letter that was written as one stands in no line of words.
    public var level: InkRecord.Level?
    /// Who wrote it, if known.
    public var writer: String?
    /// Units of the ink, as it was written, in a line height.
    var unit: Double
  }

  /// The symbols, sorted; symbol k is class k + 1, class 0 the blank.
  public let labels: [String]
  /// The lines, in the order they came.
  public private(set) var samples: [Sample] = []
  /// The class of the space between words; nil where no text has one.
  let space: Int32?
  private let indices: [Character: Int32]

  /// Makes an empty set for these symbols, each one character.
  public init(labels: [String]) {
    self.labels = labels
    var indices: [Character: Int32] = [:]
    for (index, label) in labels.enumerated() {
      if let character = label.first { indices[character] = Int32(index + 1) }
    }
    self.indices = indices
    space = indices[" "]
  }

  /// Adds a line of ink.
  ///
  /// - Returns: nil where it was added, else why not.
  @discardableResult
  public mutating func append(
    _ trajectory: Trajectory, area: LocalArea? = nil, text: String,
    level: InkRecord.Level? = nil, writer: String? = nil, for purpose: Purpose
  ) -> Refusal? {
    guard trajectory.count > 0, !text.isEmpty else { return .empty }
    let classes = text.map { indices[$0] ?? 0 }
    guard purpose == .validation || !classes.contains(0) else { return .unknownSymbol }
    var line = NormalizedLine()
    line.load(trajectory, area: area)
    let length = line.trajectory.pathLength
    if purpose == .training, let profile = TextProfile(text) {
      guard !Self.isTooShort(length, for: profile) else { return .tooShort }
      if area == nil { line.area = Self.area(of: profile) }
    }
    samples.append(
      Sample(
        line: line, labels: classes, length: length, level: level, writer: writer,
        unit: Double(line.unit) * trajectory.frame.unit))
    return nil
  }

  /// Adds a word of one of the lines, in whose units it is, on that line; refuses what
  /// ``append(_:area:text:level:writer:for:)`` refuses.
  mutating func append(_ word: CutWord, of index: Int) {
    let line = samples[index]
    let refusal = append(
      word.trajectory, area: word.area, text: word.text, level: .word,
      writer: writerOfWords(of: index), for: .training)
    guard refusal == nil else { return }
    let last = samples.count - 1
    samples[last].unit *= line.unit
    // A word of small letters seems to stand in an area of several lines: this one is known to be one.
    let (unit, middle) = (samples[last].line.unit, samples[last].line.middle)
    samples[last].line.area = LocalArea(
      top: (word.area.top - middle) / unit, height: word.area.height / unit)
  }

  /// Takes out all but the first samples.
  mutating func keepFirst(_ count: Int) {
    samples.removeLast(max(0, samples.count - count))
  }

  /// A text.
  func text(of sample: Sample) -> String {
    sample.labels.reduce(into: "") { $0 += $1 > 0 ? labels[Int($1) - 1] : "" }
  }

  /// Whether a path, in line heights, is so short for a text that the ink must be of another one, or
  /// several lines that were not told apart.
  private static func isTooShort(_ length: Float, for profile: TextProfile) -> Bool {
    // A short text may be nearly level, so that its own height is no measure of its line's.
    profile.length > 4 && Double(length) < 0.4 * profile.length / (4 * max(0.2, profile.deviation))
  }

  /// The writing area that a text was written in, in the units of its normalised line: a line
  /// height is four standard deviations of the ink's height, which stand in a proportion to the
  /// height of capitals that the letters decide. Nil where the letters are all of one small height.
  private static func area(of profile: TextProfile) -> LocalArea? {
    guard profile.deviation > 0.12 else { return nil }
    let capitals = 0.25 / profile.deviation
    let height = capitals / TextProfile.capitals
    let bottom = capitals * profile.mean + TextProfile.baseline * height
    return LocalArea(top: Float(bottom - height), height: Float(height))
  }
}

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
