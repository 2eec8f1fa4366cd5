import Foundation
import InkCore

/// Decides whether a stroke is a gesture, by its shape and by the content at its place.
///
/// Each rule either finds the gesture or says why the stroke is none. A stroke for which no rule
/// holds is ink. The rules are functions of values: no document is needed.
struct GestureResolver {
  let shape: GestureShape
  let context: GestureContext
  /// The gestures that are allowed.
  let kinds: Set<GestureKind>
  /// The opinion of the model of gestures; nil if there is no model.
  var vote: GestureVote?

  /// Returns the decision for a stroke. O(points of the stroke × points of the content near it).
  func decide() -> GestureDecision {
    guard shape.mayBeGesture || vote != nil && shape.bend != nil else {
      return .ink("shape: no line, loop or zigzag")
    }
    guard !context.isEmpty else { return .ink("place: no content near") }
    var reasons = vote.map { [$0.text] } ?? []
    for rule in [scratchOut, surround, levelLine, uprightLine, bentLine] {
      switch rule() {
      case .success(let found):
        guard kinds.contains(found.kind) else {
          reasons.append("\(found.kind.rawValue): switched off")
          continue
        }
        return GestureDecision(
          kind: found.kind, target: found.target, reasons: reasons + found.reasons)
      case .failure(let none): reasons.append(none.reason)
      }
    }
    return GestureDecision(reasons: reasons)
  }

  /// A gesture that a rule has found.
  struct Found {
    var kind: GestureKind
    var target: GestureTarget
    var reasons: [String]
  }

  /// The reason why a rule does not hold.
  struct None: Error {
    var reason: String
  }

  typealias Outcome = Result<Found, None>

  static func none(_ reason: String) -> Outcome { .failure(None(reason: reason)) }

  static func text(_ value: Double) -> String { String(format: "%.2f", value) }

  // MARK: - Scratch-out

  private func scratchOut() -> Outcome {
    guard shape.isZigzag else {
      return Self.none("scratch-out: \(shape.traverses) ways back and forth")
    }
    let outline = GestureShape.scaled(shape.hull, by: Chosen.margin)
    func isHit(_ points: [GestureShape.Point]) -> Bool {
      guard let box = GestureShape.box(of: points), box.overlaps(shape.box) else { return false }
      let inside = points.count { GestureShape.contains(outline, $0) }
      return Double(inside) > Chosen.covered * Double(points.count)
    }
    func isCrossed(_ path: [GestureShape.Point]) -> Bool {
      GestureShape.crossings(shape.points, path) >= Chosen.crossings
    }
    var target = GestureTarget()
    var largest = 0.0
    var crossings = 0
    var covered: BoundingBox?
    func cover(_ box: BoundingBox) {
      if covered == nil { covered = box } else { covered?.formUnion(box) }
    }
    for row in context.rows {
      for word in row.words where word.box.overlaps(shape.box) {
        let hits = word.letters.filter { isHit($0.points) }
        guard !hits.isEmpty else { continue }
        for hit in hits { cover(hit.box) }
        largest = max(largest, hits.map { max($0.box.width, $0.box.height) }.max() ?? 0)
        crossings += hits.reduce(0) { $0 + GestureShape.crossings(shape.points, $1.points) }
        if word.id > 0 { target.words.append(word.id) }
        if hits.count == word.letters.count {
          target.items.formUnion(word.items)
        } else {
          target.parts += hits.flatMap(\.parts)
        }
      }
    }
    for figure in context.figures where figure.box.overlaps(shape.box) {
      if let block = figure.block {
        let all = figure.paths.flatMap { $0 }
        guard isHit(all) || figure.paths.contains(where: isCrossed) else { continue }
        target.blocks.append(block)
        target.items.formUnion(figure.items)
        crossings += Chosen.leastCrossings
      } else {
        let hits = zip(figure.items, figure.paths).filter { isHit($1) || isCrossed($1) }
        for (item, path) in hits {
          target.items.insert(item)
          crossings += GestureShape.crossings(shape.points, path)
        }
        // Most of a symbol is all of it; a dot or a bar can go alone.
        let (hit, all) = (
          hits.reduce(0) { $0 + $1.1.count }, figure.paths.reduce(0) { $0 + $1.count }
        )
        if 2 * hit >= all, hit > 0 { target.items.formUnion(figure.items) }
      }
      largest = max(largest, figure.box.width, figure.box.height)
      cover(figure.box)
    }
    guard !target.items.isEmpty || !target.parts.isEmpty else {
      return Self.none("scratch-out: covers no ink")
    }
    guard largest > Chosen.leastContent * context.letterHeight else {
      return Self.none("scratch-out: covers only marks")
    }
    guard let covered,
      covered.sharedWidth(with: shape.box)
        > (target.items.isEmpty ? Chosen.leastCoverOfPart : Chosen.leastCover) * shape.box.width
    else { return Self.none("scratch-out: covers ink only at one side") }
    guard crossings >= Chosen.leastCrossings else {
      return Self.none("scratch-out: crosses the ink \(crossings) times")
    }
    return .success(
      Found(
        kind: .scratchOut, target: target,
        reasons: [
          "scratch-out: \(shape.traverses) ways back and forth over \(target.items.count) strokes "
            + "and \(target.parts.count) parts"
        ]))
  }

  // MARK: - Surround

  private func surround() -> Outcome {
    guard let loop = shape.loop else { return Self.none("surround: no loop") }
    func share(_ points: [GestureShape.Point]) -> Double {
      guard !points.isEmpty else { return 0 }
      return Double(points.count { GestureShape.contains(loop, $0) }) / Double(points.count)
    }
    var target = GestureTarget()
    var content: BoundingBox?
    func hold(_ box: BoundingBox) {
      if content == nil { content = box } else { content?.formUnion(box) }
    }
    var (held, cut) = (0, 0)
    var rows: [Ringed] = []
    var isRead = true
    for row in context.rows {
      let before = held
      for word in row.words where word.box.overlaps(shape.box) {
        var hits: [GestureContext.Letter] = []
        for letter in word.letters where letter.box.overlaps(shape.box) {
          let inside = share(letter.points)
          if inside > Chosen.held {
            hits.append(letter)
            hold(letter.box)
          } else if inside > Chosen.cut {
            cut += 1
          }
        }
        guard !hits.isEmpty else { continue }
        held += hits.count
        if word.id > 0 { target.words.append(word.id) } else { isRead = false }
        if hits.count == word.letters.count {
          target.items.formUnion(word.items)
        }
        target.parts += hits.flatMap(\.parts)
        (target.line, target.block) = (row.line, row.block)
      }
      if held > before { rows.append((row, held - before)) }
    }
    var nodes = 0
    for figure in context.figures where figure.box.overlaps(shape.box) {
      guard figure.paths.allSatisfy({ share($0) > Chosen.held }) else { continue }
      hold(figure.box)
      held += 1
      nodes += 1
      target.items.formUnion(figure.items)
      if let block = figure.block { target.blocks.append(block) }
    }
    guard let content, held > 0 else { return Self.none("surround: holds no content") }
    let size = max(content.width, content.height)
    guard size > Chosen.leastContent * context.letterHeight else {
      return Self.none("surround: holds only marks")
    }
    guard cut <= held else { return Self.none("surround: cuts \(cut) characters, holds \(held)") }
    guard content.width * content.height > Chosen.leastFill * shape.box.width * shape.box.height
    else { return Self.none("surround: much larger than what it holds") }
    guard nodes > 0 || mayHoldText(rows, loop, isRead: isRead) else {
      return Self.none("surround: a frame around text is a shape here")
    }
    return .success(
      Found(
        kind: .surround, target: target,
        reasons: ["surround: a loop around \(held) characters or figures"]))
  }
}

extension GestureResolver {
  /// A row of text of which a loop holds characters.
  private typealias Ringed = (row: GestureContext.Row, letters: Int)

  /// Returns whether a loop around text alone is a gesture. Text that goes on beside the loop is
  /// no label.
  private func mayHoldText(_ rows: [Ringed], _ loop: [GestureShape.Point], isRead: Bool) -> Bool {
    if context.frames == .none { return true }
    guard context.frames != .all, isRead, !rows.isEmpty else { return false }
    return goesOn(rows) || context.frames == .cornered && isRound(loop)
  }

  /// Returns whether a text goes on close to a loop around a part of it: in its rows, or in those
  /// above and below.
  private func goesOn(_ rows: [Ringed]) -> Bool {
    let height = context.letterHeight
    let near = BoundingBox(
      minX: shape.box.minX - Chosen.gap * height, minY: shape.box.minY - Chosen.rowGap * height,
      maxX: shape.box.maxX + Chosen.gap * height, maxY: shape.box.maxY + Chosen.rowGap * height)
    let blocks = Set(rows.map(\.row.block))
    let texts = context.rows.filter { blocks.contains($0.block) }
    let letters = texts.flatMap(\.words).flatMap(\.letters).count { $0.box.overlaps(near) }
    return letters > rows.reduce(0) { $0 + $1.letters }
  }

  /// Returns whether a loop has no corners: it takes about as much of its box as an ellipse.
  private func isRound(_ loop: [GestureShape.Point]) -> Bool {
    guard let box = GestureShape.box(of: loop) else { return false }
    return Chosen.roundFill.contains(abs(GestureShape.area(of: loop)) / (box.width * box.height))
  }
}

/// Numbers that were chosen and not derived: by hand, on lines of handwriting without gestures and
/// on drawn gestures.
private enum Chosen {
  /// The size of the outline of a zigzag, as a share of that of its hull: the pen is not exact.
  static let margin = 1.1
  /// The least share of a character's ink within the outline of a zigzag that covers it.
  static let covered = 0.6
  /// The least number of crossings with a stroke that is not covered, such as a long arrow.
  static let crossings = 4
  /// The least number of crossings with all ink that a zigzag covers.
  static let leastCrossings = 3
  /// The least width of the ink that a zigzag covers, as a share of its own.
  static let leastCover = 0.35
  /// The same if it covers a part of a word only, as a stroke of writing beside it may.
  static let leastCoverOfPart = 0.45
  /// The least size of the content, in heights of letters.
  static let leastContent = 0.35
  /// The least share of a character's ink within a loop that holds it.
  static let held = 0.8
  /// The share of a character's ink within a loop from which on the loop cuts it.
  static let cut = 0.15
  /// The shares of its box that a loop without corners takes: pi / 4, and what a hand adds or
  /// leaves out. A rectangle takes all of it, a diamond half.
  static let roundFill = 0.65...0.87
  /// The gap to the next word of a text, and to the next row, in heights of letters.
  static let gap = 1.0
  static let rowGap = 0.5
  /// The least share of a loop that its content takes.
  static let leastFill = 0.06
}
