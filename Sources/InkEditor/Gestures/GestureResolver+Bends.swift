import InkCore

// Carets and arches: lines with a turn. By their form they could be letters, so they are gestures
// only where the model of gestures says so, too.
extension GestureResolver {
  /// Finds carets, which insert, and arches, which join.
  func bentLine() -> Outcome {
    guard let bend = shape.bend else { return Self.none("caret, arch: no turn") }
    guard let vote else { return Self.none("caret, arch: no vote of the model") }
    guard context.holdsText else { return Self.none("caret, arch: no text here") }
    switch vote.best {
    case .caret where vote.share(.caret) > Chosen.leastShare: return caret(bend)
    case .join where vote.share(.join) > Chosen.leastShare: return arch(bend)
    case .join, .underline, .strikeThrough:
      // A flat arch is like a line to the model.
      let share = vote.share(.join) + vote.share(.underline) + vote.share(.strikeThrough)
      guard share > Chosen.leastShare, bend.steepness > Chosen.leastSteepness else { fallthrough }
      return arch(bend)
    default: return Self.none("caret, arch: the model says that it is none")
    }
  }

  private func caret(_ bend: GestureShape.Bend) -> Outcome {
    var reason = "no row at its place"
    for row in context.rows {
      guard let band = band(of: row, at: bend.tip.x) else { continue }
      let (tip, ends) = (
        band.level(bend.tip.y), [band.level(shape.start.y), band.level(shape.end.y)]
      )
      guard Chosen.tip.contains(tip) else { continue }
      let isOutside =
        bend.opensDown
        ? ends.allSatisfy { $0 < Chosen.lowEnd } : ends.allSatisfy { $0 > Chosen.highEnd }
      guard isOutside else {
        reason = "its ends are among the letters"
        continue
      }
      guard shape.box.height > Chosen.leastHeight * band.height else {
        reason = "smaller than letters"
        continue
      }
      switch place(in: row, at: bend.tip.x, band, isDown: false, line: { _ in bend.tip.x }) {
      case .failure(let none): reason = none.reason
      case .success(let place) where place.kind == .lineBreak: reason = "at the end of a line"
      case .success(let place): return found(.insert, place, row, "a caret")
      }
    }
    return Self.none("caret: \(reason)")
  }

  private func arch(_ bend: GestureShape.Bend) -> Outcome {
    var reason = "no row at its place"
    for row in context.rows {
      guard let band = band(of: row, at: bend.tip.x) else { continue }
      let ends = [band.level(shape.start.y), band.level(shape.end.y)]
      let range = bend.opensDown ? Chosen.endsAbove : Chosen.endsBelow
      guard ends.allSatisfy(range.contains) else { continue }
      let tip = band.level(bend.tip.y)
      guard bend.opensDown ? tip > Chosen.archTop : tip < Chosen.archBottom else {
        reason = "among the letters"
        continue
      }
      switch place(in: row, at: bend.tip.x, band, isDown: false, line: { _ in bend.tip.x }) {
      case .failure(let none): reason = none.reason
      case .success(let place) where place.kind != .space: reason = "not between two words"
      case .success(let place):
        let reach = Chosen.archReach * band.height
        guard row.frame.start(shape.box) < place.leftEnd + reach,
          row.frame.end(shape.box) > place.rightStart - reach
        else {
          reason = "does not reach from word to word"
          continue
        }
        return found(.join, place, row, "an arch")
      }
    }
    return Self.none("arch: \(reason)")
  }

  private func band(
    of row: GestureContext.Row, at x: Double
  ) -> GestureContext.Row.Band? {
    row.band(
      near: x, within: Chosen.bandReach * context.letterHeight, letterHeight: context.letterHeight)
  }

  private func found(
    _ kind: GestureKind, _ place: GesturePlace, _ row: GestureContext.Row, _ form: String
  ) -> Outcome {
    var target = GestureTarget()
    (target.line, target.block, target.place) = (row.line, row.block, place)
    return .success(
      Found(
        kind: kind, target: target,
        reasons: [
          "\(kind.rawValue): \(form) at a "
            + (place.kind == .word ? "place inside a word" : place.kind.rawValue)
        ]))
  }
}

/// Numbers that were chosen and not derived: by hand, on lines of handwriting without gestures and
/// on drawn gestures. Levels are 0 on the baseline and 1 at the upper end of small letters.
private enum Chosen {
  /// The least probability that the model gives to its best label.
  static let leastShare = 0.6
  /// The reach of letters that tell where the row is, in heights of letters.
  static let bandReach = 4.0
  /// The levels of the tip of a caret.
  static let tip = -0.6...1.6
  /// The highest level of the ends of a caret from below, and the lowest of one from above.
  static let lowEnd = 0.1
  static let highEnd = 0.9
  /// The least height of a caret in heights of small letters.
  static let leastHeight = 0.5
  /// The levels of the ends of an arch above, and of one below.
  static let endsAbove = 0.2...3.5
  static let endsBelow = -2.5...0.8
  /// The least height of an arch that looks like a line, as a share of its width.
  static let leastSteepness = 0.15
  /// The lowest level of the tip of an arch above, and the highest of one below.
  static let archTop = 0.9
  static let archBottom = 0.1
  /// The distance from the words at which an arch may begin and end, in heights of small letters.
  static let archReach = 0.5
}
