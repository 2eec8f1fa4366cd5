import Features
import InkCore
import InkDatasets
import InkFormats
import InkSynthesis
import Recognition

/// Lines of ink with their texts, in memory, in the form that training needs.
public struct LineTrainingSet: Sendable {
  /// The purpose of a line.
  public enum Purpose: Sendable {
    /// Training. Refuses texts with a symbol that is not among the labels, and ink that cannot be a
    /// line of its text. A line without a writing area gets one estimated from ink and text.
    case training
    /// Scoring. A symbol that is not among the labels counts as never recognised.
    case validation
  }

  /// The reason why a line was not added.
  public enum Refusal: Hashable, Sendable {
    /// No points, or no text.
    case empty
    /// A symbol of the text is not among the labels.
    case unknownSymbol
    /// The ink is too short for the text. It belongs to a different text, or is several lines that
    /// were not separated.
    case tooShort
  }

  /// One line.
  public struct Sample: Sendable {
    /// The ink.
    public var line: NormalizedLine
    /// Its text as classes of the network, 1 and up; 0 for a symbol that is not among the labels.
    public var labels: [Int32]
    /// The pen's path in line heights; the number of steps is proportional to it.
    public var length: Float
    /// The amount of text, if known. Letters that were written singly are not combined to lines of
    /// words.
    package var level: InkRecord.Level?
    /// The writer, if known.
    public var writer: String?
    /// The line height, in the units in which the ink was written.
    package var unit: Double
    /// The text that a reading is compared with, if a symbol of it may not be among the labels.
    var reference: String?
    /// The rows below the first, which are read after it.
    var otherRows: [NormalizedLine] = []

    /// All rows of the ink.
    var rows: [NormalizedLine] { [line] + otherRows }
  }

  /// The symbols, sorted. Symbol k is class k + 1; class 0 is the blank.
  public var labels: [String] { symbols.labels }
  /// The direction of writing: that of the script of most symbols. The lines are in its reading
  /// frame.
  package let direction: WritingDirection
  /// The lines, in the order of their addition.
  public private(set) var samples: [Sample] = []
  /// The class of the space between words; nil if no text has one.
  let space: Int32?
  private let symbols: TextSymbols

  /// Makes an empty set for these symbols, each one character.
  public init(labels: [String]) {
    symbols = TextSymbols(labels)
    direction = ScriptTraits(of: labels).direction
    space = symbols.classes(of: " ").first { $0 > 0 }
  }

  /// Adds a line of ink as it is on the page.
  ///
  /// - Returns: nil if the line was added, otherwise the reason why not.
  @discardableResult
  public mutating func append(
    _ trajectory: Trajectory, area: LocalArea? = nil, text: String,
    level: InkRecord.Level? = nil, writer: String? = nil, for purpose: Purpose
  ) -> Refusal? {
    guard trajectory.count > 0, !text.isEmpty else { return .empty }
    let classes = symbols.classes(of: text)
    guard purpose == .validation || !classes.contains(0) else { return .unknownSymbol }
    var trajectory = trajectory
    trajectory.turn(direction)
    var line = NormalizedLine()
    // An area from top to bottom has another meaning.
    line.load(trajectory, area: direction == .topToBottom ? nil : area)
    let length = line.trajectory.pathLength
    if purpose == .training {
      if let profile = TextProfile(knowing: text) {
        guard !Self.isTooShort(length, for: profile) else { return .tooShort }
        if area == nil { line.area = Self.area(of: profile) }
      } else if area == nil {
        line.area = Self.area(ofUnknown: text)
      }
    }
    samples.append(
      Sample(
        line: line, labels: classes, length: length, level: level, writer: writer,
        unit: Double(line.unit) * trajectory.frame.unit,
        reference: purpose == .validation ? text : nil))
    return nil
  }

  /// Adds a validation ink of several rows, which are read one after the other.
  ///
  /// - Parameters:
  ///   - rows: The rows with points, in reading order, as they are on the page.
  ///   - area: The writing area of the first row, in its frame.
  ///   - text: The text of all rows.
  /// - Returns: nil if the ink was added, otherwise the reason why not.
  mutating func append(
    rows: [Trajectory], area: LocalArea?, text: String, writer: String?
  ) -> Refusal? {
    guard let first = rows.first else { return .empty }
    let refusal = append(first, area: area, text: text, writer: writer, for: .validation)
    guard refusal == nil else { return refusal }
    let last = samples.count - 1
    for row in rows.dropFirst() {
      var (row, line) = (row, NormalizedLine())
      row.turn(direction)
      line.load(row, area: nil)
      samples[last].length += line.trajectory.pathLength
      samples[last].otherRows.append(line)
    }
    return nil
  }

  /// Adds a word that was cut from one of the lines, in the units of that line. Refuses the same
  /// inks as ``append(_:area:text:level:writer:for:)``.
  package mutating func append(_ word: CutWord, of index: Int) {
    let line = samples[index]
    let refusal = append(
      word.trajectory, area: word.area, text: word.text, level: .word,
      writer: writerOfWords(of: index), for: .training)
    guard refusal == nil else { return }
    let last = samples.count - 1
    samples[last].unit *= line.unit
    // A word of small letters seems to lie in an area of several lines, but this area is known to
    // be one line.
    let (unit, middle) = (samples[last].line.unit, samples[last].line.middle)
    samples[last].line.area = LocalArea(
      top: (word.area.top - middle) / unit, height: word.area.height / unit)
  }

  /// Removes all but the first `count` samples.
  package mutating func keepFirst(_ count: Int) {
    samples.removeLast(max(0, samples.count - count))
  }

  /// The text of a sample.
  package func text(of sample: Sample) -> String {
    sample.labels.reduce(into: "") { $0 += $1 > 0 ? labels[Int($1) - 1] : "" }
  }

  /// Returns whether a path, in line heights, is too short for a text: the ink belongs to a
  /// different text, or is several lines that were not separated.
  private static func isTooShort(_ length: Float, for profile: TextProfile) -> Bool {
    // A short text may be nearly flat, so that its height says little about the height of its line.
    profile.length > 4 && Double(length) < 0.4 * profile.length / (4 * max(0.2, profile.deviation))
  }

  /// Estimates the writing area of a text, in the units of its normalised line. A line height is
  /// four standard deviations of the ink's height. The letters of the text give the ratio of that
  /// deviation to the height of capitals. Nil if all letters have the same small height.
  private static func area(of profile: TextProfile) -> LocalArea? {
    guard profile.deviation > 0.12 else { return nil }
    let capitals = 0.25 / profile.deviation
    let height = capitals / TextProfile.capitals
    let bottom = capitals * profile.mean + TextProfile.baseline * height
    return LocalArea(top: Float(bottom - height), height: Float(height))
  }

  /// The writing area of a text whose letters have no known heights, in the units of its normalised
  /// line: the line height about the middle of the writing. Nil for a text of few letters, whose
  /// own heights differ too much from those of a line.
  private static func area(ofUnknown text: String) -> LocalArea? {
    let letters = text.count { !$0.isWhitespace }
    return letters >= lineLetters ? LocalArea(top: -0.5, height: 1) : nil
  }

  /// The letters from which the line height is certain. On lines of ``lineLetters`` letters it
  /// differs from that of the whole page by about a tenth.
  private static let lineLetters = 8
}

extension TextProfile {
  /// Makes the profile of a text most of whose letters are known; nil for any other text, so that
  /// the full stop of an unknown script does not stand for its letters.
  fileprivate init?(knowing text: String) {
    let letters = text.filter(\.isLetter)
    guard 2 * letters.count(where: Self.isKnown) >= letters.count else { return nil }
    self.init(text)
  }
}

extension LineTrainingSet {
  /// The combination that a sample can be part of.
  package enum Kind: Hashable {
    /// A word, which can be combined with others to a line. Single digits and marks are excluded,
    /// because the network would learn that numbers contain spaces; so are letters that were
    /// written one by one.
    case word
    /// A single digit of a number.
    case digit
    /// A single mark that occurs in numbers, with its place.
    case mark(NumberOrder.Place)
    /// A whole line, or a sample whose position and size on its line are not known.
    case other

    /// True if this is part of a number, which has no spaces.
    var isOfNumber: Bool {
      switch self {
      case .digit, .mark: true
      case .word, .other: false
      }
    }
  }

  /// Returns the combination that a sample can be part of.
  package func kind(of sample: Sample) -> Kind {
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

  /// Returns whether a sample is a line of several words with known position and size.
  package func isCuttable(_ sample: Sample) -> Bool {
    guard let space, sample.line.area != nil else { return false }
    return sample.labels.contains(space)
  }

  /// The writer of the words of a line. If the writer is unknown, words of that line are combined
  /// only with each other.
  func writerOfWords(of index: Int) -> String {
    samples[index].writer ?? "the writer of line \(index)"
  }

  /// Returns the number of words of a sample.
  func wordCount(of sample: Sample) -> Int {
    sample.labels.split { $0 == space }.count
  }

  /// Returns whether the combined samples make a number, without spaces between them.
  func isNumber(_ line: [Int]) -> Bool {
    line.count > 1 && line.allSatisfy { kind(of: samples[$0]).isOfNumber }
  }

  /// Returns whether the digits of a number are written against the direction of its line.
  func runsBackward(_ number: [Int]) -> Bool {
    guard direction == .rightToLeft else { return false }
    let text = number.map { self.text(of: samples[$0]) }.joined()
    return ScriptTraits.direction(ofNumber: text, in: direction) != direction
  }

  /// The number of characters of combined samples, including the spaces between them.
  func labelCount(of line: [Int]) -> Int {
    let spaces = space == nil || isNumber(line) ? 0 : line.count - 1
    return line.reduce(spaces) { $0 + samples[$1].labels.count }
  }
}
