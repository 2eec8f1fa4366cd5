import Foundation
import InkCore

// Straight lines: below and through words, and upright between characters.
extension GestureResolver {
  // MARK: - Level lines

  /// The characters of a row that a level line passes, with its level at each of them.
  private struct Pass {
    var row: GestureContext.Row
    var word: GestureContext.Word
    var letters: [GestureContext.Letter]
    var levels: [Double]
    var band: GestureContext.Row.Band
  }

  /// Finds underlines and lines through words.
  func levelLine() -> Outcome {
    guard shape.isLevel else { return Self.none("line: not level") }
    guard context.holdsText else { return Self.none("line: no text here") }
    let reach = Chosen.bandReach * context.letterHeight
    var passes: [Pass] = []
    for row in context.rows {
      for word in row.words where word.box.maxX > shape.box.minX && word.box.minX < shape.box.maxX {
        let hits = word.letters.filter { letter in
          letter.box.midX > shape.box.minX && letter.box.midX < shape.box.maxX
        }
        guard !hits.isEmpty,
          let band = row.band(
            near: word.box.midX, within: max(reach, word.box.width / 2),
            letterHeight: context.letterHeight)
        else { continue }
        passes.append(
          Pass(
            row: row, word: word, letters: hits,
            levels: hits.map { band.level(shape.y(at: $0.box.midX)) }, band: band))
      }
    }
    guard !passes.isEmpty else { return Self.none("line: no word above or below it") }
    func median(_ passes: [Pass]) -> Double {
      let levels = passes.flatMap(\.levels).sorted()
      return levels[levels.count / 2]
    }
    // The row that the line is in counts before one that it is below.
    let rows = Dictionary(grouping: passes) { $0.row.line }
    let levels = rows.mapValues(median)
    let cuts = rows.mapValues(cutShare)
    // The ink tells what levels near the border do not.
    func isThrough(_ line: Int, _ level: Double) -> Bool {
      if Chosen.through.contains(level) { return (cuts[line] ?? 0) > Chosen.fewCut }
      guard Chosen.nearlyThrough.contains(level), (cuts[line] ?? 0) >= Chosen.mostCut else {
        return false
      }
      // Higher than small letters are the bars of letters, also of two beside each other.
      let count = (rows[line] ?? []).reduce(0) { $0 + $1.letters.count }
      return level < Chosen.through.lowerBound || count >= Chosen.certainLetters
    }
    let through = levels.filter { isThrough($0.key, $0.value) }
      .min { abs($0.value - Chosen.middle) < abs($1.value - Chosen.middle) }
    let below = levels.filter { Chosen.below.contains($0.value) }
      .min { abs($0.value) < abs($1.value) }
    guard let (line, level) = through ?? below, let own = rows[line] else {
      let all = levels.values.sorted().map(Self.text).joined(separator: ", ")
      return Self.none("line: at level \(all) of the words, neither through nor below them")
    }
    let isThrough = through != nil
    let name = isThrough ? "strike-through" : "underline"
    if let reason = refusal(of: own, isThrough: isThrough) {
      return Self.none("\(name): \(reason)")
    }
    let words = own.filter(isTaken)
    guard !words.isEmpty else {
      return Self.none("\(name): passes too little of every word")
    }
    var target = GestureTarget()
    (target.line, target.block) = (line, own[0].row.block)
    for pass in words {
      if pass.word.id > 0 { target.words.append(pass.word.id) }
      target.parts += pass.letters.flatMap(\.parts)
      if pass.letters.count == pass.word.letters.count {
        target.items.formUnion(pass.word.items)
      }
    }
    let kind: GestureKind =
      isThrough
      ? .strikeThrough
      : words.allSatisfy(\.word.isUnderlined) ? .doubleUnderline : .underline
    let count = words.reduce(0) { $0 + $1.letters.count }
    return .success(
      Found(
        kind: kind, target: target,
        reasons: ["\(kind.rawValue): at level \(Self.text(level)) of \(count) characters"]))
  }

  /// Returns the share of characters that have ink on both sides of a level line. Flat ink and
  /// letters with descenders do not count.
  private func cutShare(_ passes: [Pass]) -> Double {
    var (cut, all) = (0, 0)
    for pass in passes {
      for letter in pass.letters
      where letter.box.height > Chosen.flat * pass.band.height
        && !(letter.label.map { Chosen.hanging.contains($0) } ?? false)
      {
        let above = letter.share { $0.y < shape.y(at: $0.x) }
        all += 1
        if above > Chosen.cutLetter, above < 1 - Chosen.cutLetter { cut += 1 }
      }
    }
    return all > 0 ? Double(cut) / Double(all) : 0
  }

  /// Returns the reason why a level line is writing, such as the bar of a letter.
  private func refusal(of passes: [Pass], isThrough: Bool) -> String? {
    let letters = passes.flatMap(\.letters)
    let band = passes[0].band
    let width = shape.box.width
    guard width > Chosen.leastWidth * band.height else {
      return "only \(Self.text(width / band.height)) times as wide as small letters are high"
    }
    // A hyphen, the bars of an equals sign, a minus.
    guard letters.contains(where: { $0.box.height > Chosen.flat * band.height }) else {
      return "passes only flat ink"
    }
    if letters.count == 1,
      letters[0].label != nil || letters[0].box.width < Chosen.wideStroke * band.height
    {
      let box = letters[0].box
      guard width > Chosen.overOne * box.width, box.width > Chosen.wideOne * band.height,
        shape.box.minX < box.minX, shape.box.maxX > box.maxX,
        !(letters[0].label.map { Chosen.barred.contains($0) } ?? false)
      else { return "passes one character, as the bar of a letter" }
    }
    let isPassed = passes.allSatisfy { pass in
      pass.word.box.minX > shape.box.minX && pass.word.box.maxX < shape.box.maxX
        && pass.letters.count > 1
    }
    let isLow = passes.flatMap(\.levels).allSatisfy { $0 < Chosen.belowBars }
    if isThrough, letters.count == 1, !isLow { return "passes one character as high as a bar" }
    if isThrough, letters.count < Chosen.certainLetters, !(isPassed && isLow),
      letters.contains(where: { letter in
        // One of two strokes has its bar already.
        Set(letter.parts.map(\.item)).count < 2
          && letter.label.map { Chosen.crossed.contains($0) } ?? false
      })
    {
      return "passes few characters, and one that has a bar"
    }
    return nil
  }

  /// Returns whether enough of a word is passed.
  private func isTaken(_ pass: Pass) -> Bool {
    let passed = max(
      0, min(shape.box.maxX, pass.word.box.maxX) - max(shape.box.minX, pass.word.box.minX))
    let share = pass.word.box.width > 0 ? passed / pass.word.box.width : 1
    return share > Chosen.shareOfWord || pass.letters.count >= Chosen.certainLetters
  }

  // MARK: - Upright lines

  /// Finds lines that insert or take out a space or a break.
  func uprightLine() -> Outcome {
    guard shape.isUpright else { return Self.none("insert, join: not upright") }
    guard context.holdsText else { return Self.none("insert, join: no text here") }
    let isDown = shape.end.y > shape.start.y
    let name = isDown ? "insert" : "join"
    let x = shape.middleX
    let reach = Chosen.bandReach * context.letterHeight
    var reason = "no row at its place"
    for row in context.rows {
      guard
        let band = row.band(near: x, within: reach, letterHeight: context.letterHeight)
      else { continue }
      let (low, high) = (band.level(shape.box.maxY), band.level(shape.box.minY))
      guard low < 1, high > 0 else { continue }
      guard reaches(low, high, isDown: isDown) else {
        reason =
          "from level \(Self.text(low)) to \(Self.text(high)): does not reach beyond the row"
        continue
      }
      guard shape.box.height < Chosen.tallest * max(context.letterHeight, band.height) else {
        reason = "taller than a row"
        continue
      }
      switch place(in: row, at: x, band, isDown: isDown, line: shape.x) {
      case .failure(let none): reason = none.reason
      case .success(let place):
        if let refused = refusal(of: place, isDown: isDown) {
          reason = refused
          continue
        }
        var target = GestureTarget()
        (target.line, target.block, target.place) = (row.line, row.block, place)
        return .success(
          Found(
            kind: isDown ? .insert : .join, target: target,
            reasons: [
              "\(name): from level \(Self.text(low)) to \(Self.text(high)), at a "
                + (place.kind == .word ? "place inside a word" : place.kind.rawValue)
            ]))
      }
    }
    return Self.none("\(name): \(reason)")
  }

  /// Returns whether an upright line passes all of the row. Stems are drawn downward, so a line
  /// downward is longer than small letters, while a line upward may pass nearly all of them.
  private func reaches(_ low: Double, _ high: Double, isDown: Bool) -> Bool {
    guard isDown else {
      return low < Chosen.lowUp && high > Chosen.highUp && high - low > Chosen.lengthUp
    }
    return low < -Chosen.belowDown && high > 1 + Chosen.beyondDown
      && high - low > Chosen.lengthDown
  }

  private func refusal(of place: GesturePlace, isDown: Bool) -> String? {
    if isDown {
      return place.kind == .lineBreak ? "at the end of a line, where one goes on writing" : nil
    }
    return place.kind == .word ? "inside a word, where there is no space" : nil
  }

  /// Returns the place of an upright line in a row, in the frame of the row.
  ///
  /// - Parameters:
  ///   - row: The row on the page.
  ///   - x: The place of the line on the page.
  ///   - line: The place of the line, which may lean, at a height. Letters may overlap, so that most of
  ///     their ink tells on which side they are.
  func place(
    in row: GestureContext.Row, at x: Double, _ band: GestureContext.Row.Band, isDown: Bool,
    line: @escaping (Double) -> Double
  ) -> Result<GesturePlace, None> {
    let frame = row.frame
    let (row, x) = (row.turned, frame.x(x))
    let isLeft = { (point: GestureContext.Point) in point.x < frame.x(line(point.y)) }
    let letters = row.letters.filter { $0.letter.box.width + $0.letter.box.height > 0 }
      .sorted { $0.letter.box.midX < $1.letter.box.midX }
    guard let first = letters.first, let last = letters.last else {
      return .failure(None(reason: "an empty row"))
    }
    let endReach = Chosen.endReach * max(context.letterHeight, band.height)
    // A word in one stroke that is not read is cut where the line crosses it.
    if let cursive = letters.first(where: { letter in
      letter.letter.label == nil && !letter.letter.isSymbol
        && letter.letter.box.width > Chosen.cursive * band.height
        && letter.letter.box.minX + Chosen.cutMargin * band.height < x
        && letter.letter.box.maxX - Chosen.cutMargin * band.height > x
    }), let place = cut(of: cursive.letter, at: x, band) {
      return .success(place)
    }
    let shares = letters.map { $0.letter.share(isLeft) }
    // The stem of a T or a 4, or an upright through a plus.
    let isStem = zip(letters, shares).contains { found, share in
      let letter = found.letter
      return !letter.isPartOfStroke && Chosen.crossedShare.contains(share)
        && letter.box.maxY > shape.box.minY && letter.box.minY < shape.box.maxY
    }
    guard !isStem else { return .failure(None(reason: "crosses a character")) }
    // Dots, bars and hyphens are no neighbours.
    let least = Chosen.leastNeighbour * max(context.letterHeight, band.height)
    let whole = zip(letters, shares).filter { found, _ in
      found.letter.label.map { _ in found.letter.box.height > Chosen.flat * band.height }
        ?? (found.letter.box.height > least)
    }
    let end = whole.lastIndex { $0.1 > Chosen.half }
    let left = end.map { whole[$0].0 }
    let right = whole[((end ?? -1) + 1)...].first { $0.1 <= Chosen.half }?.0
    switch (left, right) {
    case (let left?, let right?):
      guard let leftPart = left.letter.parts.last, let rightPart = right.letter.parts.first else {
        return .failure(None(reason: "no ink beside it"))
      }
      guard left.word != right.word || !left.letter.isSymbol else {
        return .failure(None(reason: "inside of a formula"))
      }
      let gap = right.letter.box.minX - left.letter.box.maxX
      // Stems are drawn downward: an upward line may end lower.
      if isDown, let high = tooHigh(left.letter, right.letter, x, band) {
        return .failure(None(reason: high))
      }
      return .success(
        GesturePlace(
          kind: left.word == right.word ? .word : .space, x: x, left: leftPart, right: rightPart,
          gap: gap, leftEnd: left.letter.box.maxX, rightStart: right.letter.box.minX))
    case (_?, nil):
      guard row.hasRowBelow, x - last.letter.box.maxX < endReach,
        let next = context.rows.first(where: { $0.block == row.block && $0.isBelow(row) }),
        let start = next.turned.letters.first, let place = lineBreak(last.letter, start.letter, x)
      else { return .failure(None(reason: "no row below the end of the line")) }
      return .success(place)
    case (nil, _?):
      guard row.hasRowAbove, first.letter.box.minX - x < endReach,
        let before = context.rows.last(where: { $0.block == row.block && row.isBelow($0) }),
        let end = before.turned.letters.last, let place = lineBreak(end.letter, first.letter, x)
      else { return .failure(None(reason: "no row above the beginning of the line")) }
      return .success(place)
    case (nil, nil): return .failure(None(reason: "no characters beside it"))
    }
  }

  /// Returns the place between the last character of a line and the first of the next.
  private func lineBreak(
    _ end: GestureContext.Letter, _ start: GestureContext.Letter, _ x: Double
  ) -> GesturePlace? {
    guard let left = end.parts.last, let right = start.parts.first else { return nil }
    return GesturePlace(
      kind: .lineBreak, x: x, left: left, right: right, gap: 0, leftEnd: end.box.maxX,
      rightStart: start.box.minX)
  }

  /// Returns the reason if a line does not reach beyond the characters beside it, as a stem or a
  /// letter does.
  private func tooHigh(
    _ left: GestureContext.Letter, _ right: GestureContext.Letter, _ x: Double,
    _ band: GestureContext.Row.Band
  ) -> String? {
    let near = [left, right].filter { letter in
      letter.box.minX - x < Chosen.beside * band.height
        && x - letter.box.maxX < Chosen.beside * band.height
    }
    let margin = Chosen.beyond * band.height
    if let top = near.map(\.box.minY).min(), shape.box.minY > top + margin {
      return "ends below the tops of the characters beside it"
    }
    return nil
  }

  /// Returns the place where an upright line cuts a stroke that is not read.
  private func cut(
    of letter: GestureContext.Letter, at x: Double, _ band: GestureContext.Row.Band
  ) -> GesturePlace? {
    guard letter.parts.count == 1, let part = letter.parts.first else { return nil }
    // On both sides there is writing, and not the half of a bar.
    let least = max(Chosen.leastSide * band.height, Chosen.leastNeighbour * context.letterHeight)
    let sides = [letter.points.filter { $0.x < x }, letter.points.filter { $0.x > x }]
    guard sides.allSatisfy({ GestureShape.box(of: $0).map { $0.height > least } ?? false }) else {
      return nil
    }
    let share = { (point: GestureShape.Point) in point.x < x }
    guard let index = letter.points.lastIndex(where: share), index + 1 < letter.points.count else {
      return nil
    }
    let count = part.points.count
    let place =
      part.points.lowerBound
      + min(count - 1, max(1, (index + 1) * count / max(1, letter.points.count)))
    return GesturePlace(
      kind: .word, x: x, left: ItemPart(item: part.item, points: part.points.lowerBound..<place),
      right: ItemPart(item: part.item, points: place..<part.points.upperBound), gap: 0, leftEnd: x,
      rightStart: x)
  }
}

extension GestureContext.Row {
  /// True if the row is below another.
  func isBelow(_ other: GestureContext.Row) -> Bool {
    guard let own = BoundingBox(holding: words.map(\.box)),
      let others = BoundingBox(holding: other.words.map(\.box))
    else { return false }
    return own.midY > others.midY
  }
}

/// Numbers that were chosen and not derived: by hand, on lines of handwriting without gestures and
/// on drawn gestures. Levels are 0 on the baseline and 1 at the upper end of small letters.
private enum Chosen {
  /// The reach of letters that tell where the row is, in heights of letters.
  static let bandReach = 4.0
  /// The levels of a line through words.
  static let through = 0.2...0.85
  /// The levels of a line that is through words if it cuts most characters.
  static let nearlyThrough = -0.2...1.3
  /// The level above which the bars of letters are.
  static let belowBars = 0.8
  /// Their middle.
  static let middle = 0.5
  /// The levels of a line below words.
  static let below = -1.5...0.4
  /// The least share of the ink of a character on each side of a line that cuts it.
  static let cutLetter = 0.12
  /// The share of characters up to which a line cuts few, and that from which on it cuts most.
  static let fewCut = 0.25
  static let mostCut = 0.6
  /// Letters that are cut by lines below words, too.
  static let hanging = Set("gjpqyfQJ,;".map(String.init))
  /// The least width of a level line, in heights of small letters.
  static let leastWidth = 1.6
  /// The greatest height of flat ink, in heights of small letters.
  static let flat = 0.35
  /// The least width of a line over one character, in widths of the character.
  static let overOne = 1.4
  /// The least width of one character that is passed, in heights of small letters.
  static let wideOne = 0.5
  /// The least width of one stroke that is not read and may hold a word, in heights of small
  /// letters.
  static let wideStroke = 3.0
  /// Characters with a bar of their own.
  static let barred = Set("tTfFiIlLjJ1E7zZHAeGđĐłŁħŦŧ+-=_|/.,'!".map(String.init))
  /// Characters that are often crossed after the word was written.
  static let crossed = Set("tTfFHAđłħ".map(String.init))
  /// The number of characters from which on a line passes more than the bar of a letter.
  static let certainLetters = 3
  /// The least share of a word.
  static let shareOfWord = 0.55
  /// The least length by which a line downward passes the baseline, and the upper end of small
  /// letters, in heights of small letters.
  static let belowDown = 0.3
  static let beyondDown = 0.05
  /// The least length of a line downward, in heights of small letters.
  static let lengthDown = 1.7
  /// The highest level of the lower end of a line upward, the lowest of the upper one, and its
  /// least length in heights of small letters.
  static let lowUp = 0.3
  static let highUp = 0.8
  static let lengthUp = 1.1
  /// The greatest height of an upright line, in heights of letters.
  static let tallest = 4.0
  /// The greatest distance of an upright line from the end of a line, in heights of letters.
  static let endReach = 2.0
  /// The distance within which a character is beside an upright line, in heights of small letters.
  static let beside = 0.7
  /// The greatest distance by which an upright line ends below the tops beside it, in heights of
  /// small letters.
  static let beyond = 0.1
  /// The least width of a stroke that holds several characters, in heights of small letters.
  static let cursive = 1.5
  /// The same in heights of letters.
  static let cursiveWidth = 1.0
  /// The least height of the ink on each side of a cut, in heights of small letters.
  static let leastSide = 0.6
  /// The least height of a character beside an upright line, in heights of letters.
  static let leastNeighbour = 0.35
  /// The share of a character's ink to the left of a line from which on it is left of it.
  static let half = 0.5
  /// The shares of a character's ink to the left of an upright line that crosses it.
  static let crossedShare = 0.25...0.75
  /// The least distance of a cut from the ends of a stroke, in heights of small letters.
  static let cutMargin = 0.3
}
