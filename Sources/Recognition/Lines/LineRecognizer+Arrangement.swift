import Foundation
import InkCore
import Layout

/// How ink is arranged before it is read: each stroke once, upright, and in an order of writing.
extension LineRecognizer {
  /// Lines that fall or climb by less are read as they are, in degrees.
  private static let level = 8
  /// The pen's progress tells the direction of the lines above this certainty.
  private static let certain = 0.4
  /// Progress within this angle of the direction of the lines, in degrees.
  private static let quadrant = 45
  /// The two measures of a direction agree within this angle, in degrees.
  private static let agreement = 30
  /// Fewer strokes are not turned: a few letters look alike in many directions.
  private static let leastStrokes = 8
  /// A turned page must be read with less than this share of the doubt about its characters.
  private static let less: Float = 0.85
  /// The same for a part of a page, which is less ink. It must be read with this certainty.
  private static let (lessOfPart, sure): (Float, Float) = (0.75, 0.6)
  /// The number of lines that are read to compare directions, the longest first.
  private static let linesTried = 3

  /// Arranges ink.
  ///
  /// Ink that is upright and in the order of writing, without repeated strokes, stays as it is.
  ///
  /// - Throws: `InkError.nonFiniteCoordinate(stroke:point:)`, or `CancellationError`.
  func arranged(_ ink: Ink, _ context: RecognitionContext) throws -> ArrangedInk {
    var result = ArrangedInk(ink)
    guard context.layout != .glyph, ink.strokes.count > 1 else { return result }
    result.dropRepeats()
    let isTimed = result.orderByTimes()
    let canTurn = context.layout != .line && context.writingArea == nil
    result = try ahead(result) { canTurn ? try upright($0) : $0 }
    let direction = model.pipeline.direction
    result.isOrdered = WritingOrder(result.ink, direction: direction).isOfWriting(isTimed: isTimed)
    if context.layout == .line {
      if !result.isOrdered {
        result.keep(PageLayout.orderByPlace(of: result.ink, direction: direction))
      }
    } else if context.writingArea == nil, direction != .topToBottom {
      result.turned = try turnedParts(of: result)
      result.findKinds(
        direction, findsFormulas: context.formulas != nil && direction == .leftToRight)
    }
    return result
  }

  /// The parts of a page whose lines run in another direction: those that are surer to be read that
  /// way.
  private func turnedParts(of arranged: ArrangedInk) throws -> [TurnedPart] {
    let direction = model.pipeline.direction
    let parts = TurnedParts.found(
      in: arranged.ink.turned(direction), isOrdered: arranged.isOrdered
    ).map { $0.turned(direction) }
    return try parts.compactMap { part in
      func certainty(at angle: Int) throws -> Float {
        let turned = TurnedPart(strokes: part.strokes, angle: angle)
        return try self.certainty(of: ArrangedInk(turned.upright(in: arranged.ink)))
      }
      let angles =
        arranged.isOrdered
        ? [part.angle] : [part.angle, part.angle + (part.angle > 0 ? -180 : 180)]
      let least = max(Self.sure, 1 - Self.lessOfPart * (1 - (try certainty(at: 0))))
      let found = try angles.map { (angle: $0, certainty: try certainty(at: $0)) }
        .max { $0.certainty < $1.certainty }
      guard let found, found.certainty > least else { return nil }
      return TurnedPart(strokes: part.strokes, angle: found.angle)
    }
  }

  /// The ink turned so that its lines run in the direction of writing.
  private func upright(_ ink: ArrangedInk) throws -> ArrangedInk {
    let direction = model.pipeline.direction
    guard direction != .topToBottom, ink.strokes.count >= Self.leastStrokes,
      let angle = PageAngle(ink.ink.turned(direction))
    else { return ink }
    // An angle of the reading frame is one of the other sense of rotation on a mirrored page.
    func turned(by degrees: Int) -> ArrangedInk {
      ink.turned(by: direction == .rightToLeft ? -degrees : degrees)
    }
    let (ahead, certainty) = angle.progress
    func possible(_ directions: [Int]) -> [Int] {
      directions.filter { Self.isRight($0) || !angle.isLevel(against: $0) }
    }
    var turns: [Int]
    if certainty > Self.certain {
      turns = possible(angle.directions(near: ahead, within: Self.quadrant))
      if let first = turns.first {
        if abs(first) <= Self.level { return ink }
        // Text along a connector may be the longest of a small diagram.
        if !Self.isRight(first), AxisRules.areParallel(in: ink.ink) { return ink }
        // Both the order of writing and the bands of ink show the same slope.
        if abs(first) <= Self.quadrant, abs(first - ahead) <= Self.agreement {
          return turned(by: first)
        }
      }
    } else {
      turns = possible(angle.directions()).flatMap { [$0, $0 + 180] }
    }
    turns = turns.map { ($0 + 540) % 360 - 180 }.filter { abs($0) > Self.level }
    if turns.contains(where: { !Self.isRight($0) }), AxisRules.areParallel(in: ink.ink) {
      turns = turns.filter(Self.isRight)
    }
    guard !turns.isEmpty else { return ink }
    var best = (ink: ink, doubt: Self.less * (1 - (try self.certainty(of: ink))))
    for turn in turns {
      let ink = turned(by: turn)
      let doubt = 1 - (try self.certainty(of: ink, leastCharacters: Self.leastCharacters))
      if doubt < best.doubt { best = (ink, doubt) }
    }
    return best.ink
  }

  /// Returns true for an angle near a multiple of 90 degrees.
  private static func isRight(_ degrees: Int) -> Bool {
    let rest = abs(degrees) % 90
    return min(rest, 90 - rest) <= level
  }

  /// The text of one line by the network alone, and the mean probability of its characters.
  package func plainText(of ink: Ink) throws -> (text: String, certainty: Float) {
    guard !ink.isEmpty else { return ("", 0) }
    return try memories.withMemory { memory in
      let output = try memory.run(model, ink, area: nil)
      let found = Self.peaks(output, steps: memory.steps, classes: model.labels.count + 1)
      return (greedyText(output, memory), found.count > 0 ? found.sum / Float(found.count) : 0)
    }
  }

  /// The mean probability of the characters of the longest lines by the network alone, 0 ... 1.
  ///
  /// - Parameter least: With fewer characters in a line, as a rule, the result is 0.
  func certainty(of arranged: ArrangedInk, leastCharacters least: Float = 0) throws -> Float {
    var arranged = arranged
    let direction = model.pipeline.direction
    arranged.isOrdered = WritingOrder(arranged.ink, direction: direction).isOfWriting(
      isTimed: false)
    let layout = PageLayout(
      arranged.ink, direction: direction, isOrdered: arranged.isOrdered)
    let longest = layout.lines.sorted { $0.strokes.count > $1.strokes.count }.prefix(
      Self.linesTried)
    var (sum, count): (Float, Float) = (0, 0)
    for line in longest {
      try Task.checkCancellation()
      let ink = Ink(strokes: line.strokes.map { arranged.ink.strokes[$0] })
      guard !ink.isEmpty else { continue }
      let found = try memories.withMemory { memory in
        let output = try memory.run(model, ink, area: nil)
        return Self.peaks(output, steps: memory.steps, classes: model.labels.count + 1)
      }
      sum += found.sum
      count += Float(found.count)
    }
    return count > 0 && count >= least * Float(longest.count) ? sum / count : 0
  }

  /// A turned line has more characters as a rule: letters far apart look like dots and bars from the side.
  private static let leastCharacters: Float = 3

  /// The certainty of the characters of the best path.
  static func peaks(
    _ output: UnsafePointer<Float>, steps: Int, classes: Int
  ) -> NetworkPeaks {
    var (sum, count, last) = (Float(0), 0, 0)
    var peak = -Float.infinity
    for step in 0..<steps {
      let row = UnsafeBufferPointer(start: output + step * classes, count: classes)
      guard let best = row.indices.max(by: { row[$0] < row[$1] }) else { continue }
      if best != last {
        if last != 0 { sum += exp(peak) }
        peak = -.infinity
        if best != 0 { count += 1 }
      }
      if best != 0 { peak = max(peak, row[best]) }
      last = best
    }
    if last != 0 { sum += exp(peak) }
    return NetworkPeaks(sum: sum, count: count)
  }
}

/// The certainty of a network about the characters that it reads.
package struct NetworkPeaks: Sendable {
  /// The sum of the largest probability of each character, and the number of characters.
  package var (sum, count): (Float, Int) = (0, 0)

  package init() {}

  init(sum: Float, count: Int) { (self.sum, self.count) = (sum, count) }

  /// The mean of the probabilities, 0 ... 1; 0 without characters.
  package var mean: Float { count > 0 ? sum / Float(count) : 0 }

  static func += (left: inout NetworkPeaks, right: NetworkPeaks) {
    (left.sum, left.count) = (left.sum + right.sum, left.count + right.count)
  }
}
