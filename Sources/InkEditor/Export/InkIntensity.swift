import InkCore
import IntensityText

/// The way from the points of each character of handwriting to an intensity.
///
///     let text = try editor.intensityText(InkIntensity(source: .speed))
///     print(text.rendered(scheme: HueScheme(), smoothing: .word, animates: false).html())
///
/// A character has the mapped mean of its points. Spaces and breaks have the mean of their
/// neighbours. Characters without a known value, such as those of a pen without force and of typed
/// text, have 50.
public struct InkIntensity: Hashable, Sendable {
  /// The measure of a character.
  public enum Source: String, Hashable, Sendable, CaseIterable {
    /// The mean force, divided by the largest force of the pen.
    case force
    /// The time that the pen was down, twice the seconds, at most 1.
    case duration
    /// The speed of the pen, half the ratio to that of the whole text, at most 1.
    case speed
  }

  /// The measure.
  public var source: Source
  /// The mapping from the measure, 0 ... 1, to an intensity.
  public var mapping: IntensityMapping
  /// The largest force of the pen. If nil, it is 1, or the largest force of the ink if that is above
  /// 1: an editor that knows ``Editor/maximumPenForce`` has divided by it.
  public var maximumForce: Double?

  /// Makes options.
  public init(
    source: Source = .force, mapping: IntensityMapping = .linear(), maximumForce: Double? = nil
  ) {
    self.source = source
    self.mapping = mapping
    self.maximumForce = maximumForce.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
  }
}

/// A character or a piece of text, with the points of its ink, stroke by stroke.
package struct InkedText {
  var text: String
  var strokes: [[StrokePoint]]

  /// Makes a piece; typed text and separators have no ink.
  package init(_ text: String, strokes: [[StrokePoint]] = []) {
    self.text = text
    self.strokes = strokes
  }
}

extension InkIntensity {
  /// Returns the text of pieces with the intensities of their ink. O(points).
  package func text(of pieces: [InkedText]) throws(IntensityTextError) -> IntensityString {
    let scale = Scale(self, pieces)
    var numbers: [Int?] = []
    for piece in pieces {
      guard let raw = scale.value(of: piece.strokes) else {
        numbers.append(nil)
        continue
      }
      // The mapping cuts: the mean of equal forces must not be a little below them.
      numbers.append(try mapping.intensity((raw * Self.grain).rounded() / Self.grain))
    }
    let filled = Self.filled(numbers, pieces.map { $0.text.allSatisfy(\.isWhitespace) })
    var intensities: [Int] = []
    for (piece, number) in zip(pieces, filled) {
      intensities += [Int](repeating: number, count: piece.text.utf16.count)
    }
    return try IntensityString(pieces.map(\.text).joined(), intensities: intensities)
  }

  /// The parts of 1 that measures are rounded to.
  private static let grain = 1e9

  /// Gives separators the mean of their neighbours, and other pieces without a value the standard.
  private static func filled(_ numbers: [Int?], _ isSeparator: [Bool]) -> [Int] {
    var result = numbers.map { $0 ?? IntensityString.defaultIntensity }
    var index = 0
    while index < numbers.count {
      guard numbers[index] == nil, isSeparator[index] else {
        index += 1
        continue
      }
      let start = index
      while index < numbers.count, numbers[index] == nil, isSeparator[index] { index += 1 }
      let before = start > 0 ? result[start - 1] : nil
      let after = index < result.count ? result[index] : nil
      let neighbours = [before, after].compactMap(\.self)
      guard !neighbours.isEmpty else { continue }
      let mean = neighbours.reduce(0, +) / neighbours.count
      for place in start..<index { result[place] = mean }
    }
    return result
  }
}

/// The references for the measures of one text.
private struct Scale {
  private let source: InkIntensity.Source
  private let maximumForce: Double
  /// The speed of all ink, in units of the ink per second; nil without times.
  private let usualSpeed: Double?

  init(_ options: InkIntensity, _ pieces: [InkedText]) {
    source = options.source
    let points = pieces.lazy.flatMap(\.strokes).joined()
    let highest = points.lazy.compactMap(\.force).filter(\.isFinite).max() ?? 1
    maximumForce = options.maximumForce ?? max(highest, 1)
    let all = pieces.flatMap(\.strokes)
    usualSpeed = Self.speed(of: all)
  }

  /// Returns the measure of a character, 0 ... 1; nil if its ink does not have it.
  func value(of strokes: [[StrokePoint]]) -> Double? {
    switch source {
    case .force:
      // 0 is the force that is not known, and that of a pen that left the paper.
      let forces = strokes.joined().compactMap(\.force).filter { $0 > 0 && $0.isFinite }
      guard !forces.isEmpty else { return nil }
      return min(forces.reduce(0, +) / Double(forces.count) / maximumForce, 1)
    case .duration:
      guard let seconds = Self.seconds(of: strokes) else { return nil }
      return min(DurationEstimator.standardRate * seconds, 1)
    case .speed:
      guard let usualSpeed, usualSpeed > 0, let speed = Self.speed(of: strokes) else { return nil }
      return min(speed / usualSpeed / 2, 1)
    }
  }

  /// The time that the pen was down; nil without times.
  private static func seconds(of strokes: [[StrokePoint]]) -> Double? {
    var milliseconds = 0.0
    var isKnown = false
    for stroke in strokes {
      guard let first = stroke.first?.t, let last = stroke.last?.t, last >= first else { continue }
      milliseconds += last - first
      isKnown = true
    }
    return isKnown ? milliseconds / 1000 : nil
  }

  private static func speed(of strokes: [[StrokePoint]]) -> Double? {
    guard let seconds = seconds(of: strokes), seconds > 0 else { return nil }
    var length = 0.0
    for stroke in strokes {
      for (from, to) in zip(stroke, stroke.dropFirst()) {
        let (dx, dy) = (to.x - from.x, to.y - from.y)
        length += (dx * dx + dy * dy).squareRoot()
      }
    }
    return length / seconds
  }
}
