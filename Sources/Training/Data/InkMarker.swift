import InkCore
import InkSynthesis
import Recognition

/// Draws the marks of other languages on labelled ink: real writing of English then also trains
/// models of letters with marks.
///
/// A line model finds the ink of each letter (`LineRecognizer`). A letter that is replaced gets its
/// marks at the size, slant and speed of the line; they are written at once, after the word or after
/// the line. The dot of i and j is removed if a mark takes its place. Figures on such ink tell how
/// well the drawn marks are read: use other templates to measure than to train.
///
///     let marker = try InkMarker(recognizer: recognizer, letters: "áčďéěíňóřšťúůýž")
///     let marked = try marker.mark(labeled, seed: 7)
package struct InkMarker: Sendable {
  /// The templates of the marks, so that those of training and of measuring differ.
  package enum Templates: String, CaseIterable, Sendable {
    case all, even, odd
  }

  /// The letters with marks or bars of 39 languages of the Latin script, from Afrikaans to Yoruba, without
  /// capitals; after the exemplar characters of CLDR.
  package static let languageLetters =
    "áàâäãåāăąảạćčçċďđéèêëěēęėẻẽẹğġģħíìîïīįıĩỉịj́ķĺľļłḿńňñņǹóòôöõőøơỏọŕřśšşșṣťţțúùûüůūűųưủũụ"
    + "ẃẁŵẅýỳŷÿỷỹỵźžżấầẩẫậắằẳẵặếềểễệốồổỗộớờởỡợứừửữựẹ́ẹ̀ọ́ọ̀m̀m̄n̄"

  private let recognizer: LineRecognizer
  private let share: Double
  private let templates: MarkPen.Templates
  /// The characters with marks of each letter.
  private let choices: [Character: [String]]

  /// The letters whose height is the x-height.
  private static let small: Set<Character> = Set("acemnorsuvwxz")
  /// Seconds between points of ink without times.
  private static let step = 0.01
  /// The share of a stroke's points that must belong to a letter for the stroke to be its dot.
  private static let ownShare = 0.85

  /// Makes a marker.
  ///
  /// - Parameters:
  ///   - recognizer: Finds the letters.
  ///   - letters: The characters to make; nil for ``languageLetters`` with their capitals. Those
  ///     that are not a letter with marks are ignored.
  ///   - share: The probability that a letter is replaced, 0 ... 1.
  ///   - templates: The templates to use.
  package init(
    recognizer: LineRecognizer, letters: String? = nil, share: Double = 0.5,
    templates: Templates = .all
  ) {
    self.recognizer = recognizer
    self.share = share
    self.templates = MarkPen.Templates(rawValue: templates.rawValue) ?? .all
    var choices: [Character: [String]] = [:]
    for letter in letters ?? Self.languageLetters + Self.languageLetters.uppercased() {
      let character = String(letter)
      guard let base = MarkPen.base(of: character)?.first else { continue }
      choices[base, default: []].append(character)
    }
    self.choices = choices
  }

  /// Returns an ink with marks and its new label; nil if the letters of the label are not found in
  /// the ink.
  ///
  /// - Parameters:
  ///   - labeled: The ink with its text.
  ///   - seed: Determines the letters that are replaced, and the marks.
  /// - Throws: `InkError` for ink with points that are not finite, and the errors of reading the
  ///   templates.
  package func mark(_ labeled: LabeledInk, seed: UInt64) throws -> LabeledInk? {
    let text = Array(labeled.label)
    guard
      let alignment = try recognizer.align(
        labeled.label, with: labeled.ink, area: labeled.writingArea),
      alignment.count == text.count
    else { return nil }
    var generator = SeededGenerator(seed: seed, 0x3A_2C)
    let pen = try MarkPen(writer: VirtualWriter(seed: seed, index: 0), templates: templates)
    let line = MarkedLine(labeled.ink, text, alignment)
    var label = text.map { String($0) }
    var removed: Set<Int> = []
    var added: [MarkedLine.Addition] = []
    let habit = MarkHabit.random(using: &generator)
    for index in text.indices {
      guard let candidates = choices[text[index]], generator.chance(share),
        let letter = line.letter(at: index, isSmall: Self.small.contains(text[index]))
      else { continue }
      let character = candidates[generator.index(below: candidates.count)]
      label[index] = character
      if MarkPen.dropsDot(character) {
        removed.formUnion(line.dots(of: index, below: letter, share: Self.ownShare))
      }
      let strokes = pen.strokes(
        of: character, on: letter, step: line.step ?? Self.step, using: &generator)
      added.append(
        MarkedLine.Addition(
          strokes: strokes, after: line.place(of: index, habit: habit, using: &generator)))
    }
    var result = labeled
    result.label = label.joined()
    result.ink = line.ink(adding: added, removing: removed, using: &generator)
    // Strokes were added and removed.
    result.kinds = nil
    return result
  }
}

/// A line of ink with its letters, on which marks are drawn.
private struct MarkedLine {
  /// Strokes to add, and the stroke after which they are written.
  struct Addition {
    var strokes: [[MarkPen.Point]]
    var after: Int
  }

  let source: Ink
  let text: [Character]
  let alignment: [CharacterInk]
  /// The height of small letters, in units of the ink.
  let xHeight: Double
  let slant: Double
  /// Seconds between points; nil for ink without times.
  let step: Double?
  /// The median distance of neighbouring points.
  let spacing: Double
  private let force: Double?

  init(_ ink: Ink, _ text: [Character], _ alignment: [CharacterInk]) {
    source = ink
    self.text = text
    self.alignment = alignment
    let small = Set<Character>("acemnorsuvwxz")
    let boxes = text.indices.compactMap { index in
      Self.box(alignment[index].parts, ink).map { (text[index], $0) }
    }
    let heights = boxes.filter { small.contains($0.0) }.map(\.1.height).sorted()
    let all = boxes.filter { $0.0.isLetter }.map(\.1.height).sorted()
    let height =
      heights.isEmpty ? (all.isEmpty ? 1 : all[all.count / 2] / 2) : heights[heights.count / 2]
    xHeight = height > 0 ? height : 1
    let pairs = ink.strokes.flatMap { zip($0.points, $0.points.dropFirst()) }
    let times = pairs.compactMap { from, to in from.t.flatMap { a in to.t.map { $0 - a } } }
      .sorted()
    let hasTimes = ink.strokes.allSatisfy { $0.points.allSatisfy { $0.t != nil } }
    step = hasTimes && !times.isEmpty ? max(0.002, times[times.count / 2] / 1000) : nil
    let lengths = pairs.map { Self.distance($0, $1) }.filter { $0 > 0 }.sorted()
    spacing = lengths.isEmpty ? 0 : lengths[lengths.count / 2]
    slant = Self.slant(of: pairs, xHeight: xHeight)
    let forces = ink.strokes.flatMap { $0.points.compactMap(\.force) }
    force =
      forces.count == ink.pointCount && !forces.isEmpty
      ? forces.reduce(0, +) / Double(forces.count) : nil
  }

  private static func distance(_ from: StrokePoint, _ to: StrokePoint) -> Double {
    ((to.x - from.x) * (to.x - from.x) + (to.y - from.y) * (to.y - from.y)).squareRoot()
  }

  /// The mean lean of steep downstrokes.
  private static func slant(of pairs: [(StrokePoint, StrokePoint)], xHeight: Double) -> Double {
    var (across, down) = (0.0, 0.0)
    for (from, to) in pairs where to.y - from.y > 2 * abs(to.x - from.x) {
      across += from.x - to.x
      down += to.y - from.y
    }
    return down > xHeight ? min(0.8, max(-0.5, across / down)) : 0
  }

  private static func box(_ parts: [CharacterInk.Part], _ ink: Ink) -> BoundingBox? {
    var box = BoundingBox(minX: .infinity, minY: .infinity, maxX: -.infinity, maxY: -.infinity)
    for part in parts {
      for point in ink.strokes[part.stroke].points[part.points] {
        box.formUnion(x: point.x, y: point.y)
      }
    }
    return box.minX <= box.maxX ? box : nil
  }

  /// Returns a letter without its dots; nil if it has no ink.
  func letter(at index: Int, isSmall: Bool) -> MarkPen.Letter? {
    let parts = alignment[index].parts
    guard let main = parts.max(by: { $0.points.count < $1.points.count }),
      let body = Self.box([main], source)
    else { return nil }
    // Strokes that begin above the letter and are small are dots.
    let own = parts.filter { part in
      guard let box = Self.box([part], source) else { return false }
      return box.maxY > body.minY - 0.1 * xHeight
    }
    guard var box = Self.box(own, source) else { return nil }
    if isSmall || text[index] == "i" || text[index] == "j" {
      // The way from a taller letter before is no part of a small letter.
      box = BoundingBox(
        minX: box.minX, minY: max(box.minY, min(box.maxY, box.maxY - 1.3 * xHeight)),
        maxX: box.maxX, maxY: box.maxY)
    }
    return MarkPen.Letter(box: box, xHeight: xHeight, slant: slant)
  }

  /// Returns the strokes that are the dot of a letter: small, above it, and of no other letter.
  func dots(of index: Int, below letter: MarkPen.Letter, share: Double) -> [Int] {
    alignment[index].parts.compactMap { part in
      let stroke = source.strokes[part.stroke].points
      guard Double(part.points.count) >= share * Double(stroke.count),
        let box = Self.box([part], source), max(box.width, box.height) < 0.7 * xHeight,
        box.maxY < letter.box.minY + 0.25 * xHeight
      else { return nil }
      return part.stroke
    }
  }

  /// Returns the stroke after which the marks of a letter are written.
  func place(of index: Int, habit: MarkHabit, using generator: inout SeededGenerator) -> Int {
    func last(_ range: some Sequence<Int>) -> Int? {
      range.flatMap { alignment[$0].parts }.map(\.stroke).max()
    }
    switch habit.next(using: &generator) {
    case .afterLine: return source.strokes.count - 1
    case .atOnce: return last([index]) ?? source.strokes.count - 1
    case .afterWord:
      let start = text[..<index].lastIndex(of: " ").map { $0 + 1 } ?? 0
      let end = text[index...].firstIndex(of: " ") ?? text.count
      return last(start..<end) ?? source.strokes.count - 1
    }
  }

  /// Returns the ink with strokes added and removed; the times of later strokes are shifted.
  func ink(
    adding additions: [Addition], removing removed: Set<Int>, using generator: inout SeededGenerator
  ) -> Ink {
    var result = Ink()
    var shift = 0.0
    for (index, stroke) in source.strokes.enumerated() {
      if !removed.contains(index) {
        var moved = stroke
        if shift > 0 {
          for point in moved.points.indices { moved.points[point].t? += shift }
        }
        result.strokes.append(moved)
      }
      for addition in additions where addition.after == index {
        for mark in addition.strokes {
          let pause = 1000 * generator.number(0.08...0.35)
          let begin = (stroke.points.last?.t).map { $0 + shift + pause }
          let drawn = points(of: mark, begin: begin)
          result.strokes.append(Stroke(points: drawn))
          if let begin, let end = drawn.last?.t { shift += pause + end - begin }
        }
      }
    }
    return result
  }

  /// Returns a mark as points like those of the line: with times and force if the line has them,
  /// and otherwise as far from each other as its points.
  private func points(of mark: [MarkPen.Point], begin: Double?) -> [StrokePoint] {
    var result: [StrokePoint] = []
    for (index, place) in mark.enumerated() {
      var point = StrokePoint(x: place.x, y: place.y)
      if step != nil, let begin { point.t = (begin + 1000 * place.seconds).rounded() }
      if let force { point.force = force }
      let isEnd = index == 0 || index == mark.count - 1
      if step == nil, !isEnd, let last = result.last, Self.distance(last, point) < spacing {
        continue
      }
      result.append(point)
    }
    return result
  }
}
