import Foundation
import InkCore
import Layout
import Typesetting

/// The rules by which text and formulas are set.
struct SettingRules {
  var state: ConversionState
  var face: FontFace
  var fonts: any FontProvider
  /// The guides of the page, or nil.
  var guides: Guides?
  /// The room of a line.
  var room: LineRoom
  /// True if formulas that end with = get their results.
  var answersFormulas: Bool
}

// Replaces handwriting that was read by typed text. Runs inside one step of the history.
extension Document {
  /// Returns true if a block has words of ink that were read, among some ink.
  ///
  /// - Parameter items: The ink that counts; nil for all.
  func hasConvertibleText(_ block: BlockNode, items: Set<Int>? = nil) -> Bool {
    block.lines.contains { line in
      line.runs.contains { !convertibleWords(of: $0, items).isEmpty }
    }
  }

  private func convertibleWords(of run: TextRun, _ items: Set<Int>?) -> [TextWord] {
    guard run.state == .current, !isTyped(run) else { return [] }
    return run.words.filter { word in
      !word.label.isEmpty && word.items.contains { strokes[$0] != nil }
        && (items.map { $0.isSuperset(of: word.items) } ?? true)
    }
  }

  /// Makes typed text of the words of a block that were read from ink: on its baseline, in its size,
  /// with spaces of the font. Words keep their ids, candidates and decorations. O(ink of the block).
  ///
  /// - Parameters:
  ///   - items: The ink that is converted; nil for all. A word is converted as a whole.
  ///   - missing: The characters that the fonts lack are added here.
  /// - Returns: The new items.
  func convertText(
    of block: BlockNode, items: Set<Int>? = nil, _ rules: SettingRules,
    missing: inout Set<Character>
  ) -> [Int] {
    var settings = settings(of: block, items, rules)
    if rules.state == .edit { level(&settings, of: block, rules) }
    var added: [Int] = []
    for line in block.lines {
      guard let setting = settings[line.id] else { continue }
      let spans = decorationSpans(of: block)
      let text = spans.isEmpty ? nil : BlockText(block)
      added += convert(line, items, setting, rules, spans, text, &missing)
    }
    orderLines(of: block)
    refresh(block)
    for line in block.lines where line.runs.allSatisfy(isTyped) {
      let frame = frame(of: line)
      guard let limit = rules.room.end(frame), frame.end(line.box) > limit else { continue }
      wrap(line, beyond: limit, in: rules.room)
    }
    orderLines(of: block)
    return added
  }

  // MARK: - Sizes

  /// Returns the sizes and baselines of the lines that have words to convert. Lines of the same
  /// level have one size, unless one is much larger than the others.
  private func settings(
    of block: BlockNode, _ items: Set<Int>?, _ rules: SettingRules
  ) -> [Int: LineSetting] {
    var settings: [Int: LineSetting] = [:]
    var sizes: [Int: [Double]] = [:]
    for line in block.lines {
      let words = line.runs.flatMap { convertibleWords(of: $0, items) }
      guard !words.isEmpty else { continue }
      // Ink that is written beside typed text joins its line, in its size and on its baseline.
      if let beside = typedSetting(of: line) {
        settings[line.id] = beside
        continue
      }
      let setting = LineSetting(of: words, within: line.box, face: rules.face, fonts: rules.fonts)
      settings[line.id] = setting
      sizes[line.role.heading, default: []].append(setting.size)
    }
    for line in block.lines where typedSetting(of: line) == nil {
      guard let own = settings[line.id]?.size,
        let usual = LineSetting.median(sizes[line.role.heading] ?? []),
        rules.state == .edit || abs(own / usual - 1) < Chosen.likeSize
      else { continue }
      settings[line.id]?.size = usual
    }
    return settings
  }

  /// Returns the size and the baseline of the typed text of a line; nil if it has none.
  private func typedSetting(of line: TextLine) -> LineSetting? {
    let typed = line.items.compactMap { strokes[$0] }.filter { $0.typed != nil }
    guard let first = typed.max(by: { $0.points.count < $1.points.count }) else { return nil }
    return LineSetting(size: first.fontSize, baseline: first.points[0].y)
  }

  /// Puts lines onto the guides of the page, from top to bottom, no two onto one.
  private func level(
    _ settings: inout [Int: LineSetting], of block: BlockNode, _ rules: SettingRules
  ) {
    guard let guides = rules.guides, block.frame == nil else { return }
    var last = -1
    for line in block.lines where typedSetting(of: line) == nil {
      guard let setting = settings[line.id] else { continue }
      let first = guides.row(0).baseline
      let row = Int(((setting.baseline - first) / guides.spacing).rounded())
      // Cells of a table are beside each other.
      let next = line.role.cell == nil ? max(row, last + 1, 0) : max(row, 0)
      settings[line.id]?.baseline = guides.row(next).baseline
      settings[line.id]?.size = min(setting.size, Chosen.sizeOfRow * guides.spacing)
      last = next
    }
  }

  // MARK: - Lines

  private func convert(
    _ line: TextLine, _ items: Set<Int>?, _ setting: LineSetting, _ rules: SettingRules,
    _ spans: [DecorationSpan], _ text: BlockText?, _ missing: inout Set<Character>
  ) -> [Int] {
    let typesetter = Typesetter(fonts: rules.fonts)
    let space = typesetter.space(rules.face, size: setting.size)
    let words = line.runs.flatMap { run in convertibleWords(of: run, items) }
    let frame = frame(of: line)
    guard let start = BoundingBox(holding: words.map(\.box)).map(frame.start) else { return [] }
    let known = Set(words.map(\.id))
    let all = line.block.lines.lazy.flatMap(\.runs).flatMap(\.words).map(\.id)
    let indices = Dictionary(zip(all, 0...)) { first, _ in first }
    // Words of both directions are set in the order of their places, and kept in logical order, which
    // is the order of the places if all have one direction.
    let hasBoth = Set(words.map { WritingDirection(of: $0.label) ?? frame.direction }).count > 1
    func placed<Value>(_ values: [Value], _ box: (Value) -> BoundingBox?) -> [(Int, Value)] {
      guard hasBoth || frame.isMirrored else { return values.enumerated().map { ($0, $1) } }
      return values.enumerated().sorted { one, other in
        let places = [one, other].map { box($0.element).map(frame.middle) ?? 0 }
        return places[0] == places[1] ? one.offset < other.offset : places[0] < places[1]
      }.map { ($0.offset, $0.element) }
    }
    var cursor = start
    var previous: TextWord?
    var (runs, added): ([(key: [Int], run: TextRun)], [Int]) = ([], [])
    for (place, run) in placed(line.runs, \.box) {
      let converts = run.words.contains { known.contains($0.id) }
      guard converts else {
        // What stays ink, and typed text, stays where it is if there is room.
        let push = cursor > start ? cursor + space - frame.start(run.box) : 0
        if push > 0, cursor > start { move(Set(run.items), dx: frame.x(push), dy: 0) }
        cursor = frame.end(run.box)
        previous = run.words.last
        runs.append(([place], run))
        continue
      }
      for (group, words) in placed(
        WordGroup.groups(of: run.words).map(\.words),
        {
          BoundingBox(holding: $0.map(\.box))
        })
      {
        guard words.allSatisfy({ known.contains($0.id) }) else {
          let part = makeRun(words: words, in: line)
          part.isFixed = run.isFixed
          runs.append(([place, group], part))
          cursor = max(cursor, frame.end(part.box))
          previous = words.last
          continue
        }
        for (index, word) in placed(words, \.box) {
          let gap = previous.map { frame.start(word.box) - frame.end($0.box) } ?? 0
          // A wide gap is meant: columns, or a place that is kept free.
          let isWide = gap > Chosen.wideGap * space
          let x = previous == nil || isWide ? frame.start(word.box) : cursor + space
          previous = word
          let pieces = typedPieces(of: word, at: x, setting, rules, frame, &missing)
          let style = self.style(of: word)
          for (part, piece) in pieces.enumerated() {
            var piece = piece
            (piece.style, piece.number) = (style, makeNumber())
            take(piece)
            added.append(piece.id)
            let run = makeRun([piece.id], in: line)
            if pieces.count == 1 { keep(word, in: run) }
            if let text, let index = indices[word.id] {
              carryDecorations(spans, text, index, to: run)
            }
            runs.append(([place, group, index, part], run))
            cursor = max(cursor, frame.end(run.box), piece.advanceEnd(frame))
          }
        }
      }
      dropRun(run)
      // Ink of the run that no word has stays ink.
      let worded = Set(run.words.flatMap(\.items))
      let rest = run.items.filter { !worded.contains($0) && strokes[$0] != nil }
      if !rest.isEmpty { runs.append(([place, .max], makeRun(rest, in: line))) }
    }
    let gone = Set(words.flatMap(\.items)).subtracting(runs.flatMap(\.run.items))
    line.runs = runs.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.run)
    line.activeRun = line.runs.last
    orderRuns(of: line)
    forget(gone)
    measureAll(line)
    return added
  }

  /// Takes ink out of the document whose runs are gone.
  private func forget(_ items: Set<Int>) {
    for item in items { places[item] = nil }
    textLosses += 1
    remove(items)
  }

  /// Sets a word.
  ///
  /// - Parameter x: Where it begins in the frame of its line.
  private func typedPieces(
    of word: TextWord, at x: Double, _ setting: LineSetting, _ rules: SettingRules,
    _ frame: ReadingFrame, _ missing: inout Set<Character>
  ) -> [InkStroke] {
    // A label may have spaces: a candidate that splits the word. Then it becomes several words. A
    // formula stays one.
    var result: [InkStroke] = []
    let typesetter = Typesetter(fonts: rules.fonts)
    let parts = word.label.split(whereSeparator: \.isWhitespace).map(String.init)
    let texts = word.formula == nil ? parts : [parts.joined(separator: Self.fixedSpace)]
    let sets = texts.map { typesetter.word($0, face: rules.face, size: setting.size) }
    let space = typesetter.space(rules.face, size: setting.size)
    let starts = LineSetting.starts(
      of: texts, widths: sets.map(\.width),
      gaps: [Double](repeating: space, count: max(0, texts.count - 1)), frame)
    var forces = forces(of: word)[...]
    for (set, start) in zip(sets, starts) {
      missing.formUnion(set.missing)
      let left = frame.isMirrored ? -(x + start + set.width) : x + start
      var piece = InkStroke(id: makeItemID(), typed: set, x: left, baseline: setting.baseline)
      piece.setForces(forces.prefix(set.text.count))
      forces = forces.dropFirst(set.text.count)
      result.append(piece)
    }
    return result
  }

  /// The look of the ink of a word if all of it has one.
  private func style(of word: TextWord) -> StrokeStyle? {
    let styles = Set(word.items.compactMap { strokes[$0] }.map(\.style))
    return styles.count == 1 ? styles.first ?? nil : nil
  }

  /// Gives a typed word the id, the candidates and the choice of the word of ink.
  func keep(_ word: TextWord, in run: TextRun) {
    guard run.words.count == 1 else { return }
    run.words[0].id = word.id
    run.words[0].candidates = word.candidates
    run.words[0].isChosen = word.isChosen
    run.words[0].formula = word.formula.map(\.withoutInk)
    run.words[0].formulas = word.formulas.map(\.withoutInk)
    for (index, character) in word.characters.enumerated()
    where index < run.words[0].characters.count
      && run.words[0].characters.count == word.characters.count
    {
      run.words[0].characters[index].id = character.id
      run.words[0].characters[index].candidates = character.candidates
    }
  }

  /// Decorates typed characters as those of the word of ink were.
  private func carryDecorations(
    _ spans: [DecorationSpan], _ text: BlockText, _ word: Int, to run: TextRun
  ) {
    guard text.words.indices.contains(word), let typed = run.words.first else { return }
    let range = text.words[word]
    for span in spans {
      let own = span.characters.clamped(to: range)
      guard !own.isEmpty else { continue }
      let whole = own.count == range.count || typed.characters.count != range.count
      let characters =
        whole
        ? typed.characters[...]
        : typed.characters[own.lowerBound - range.lowerBound..<own.upperBound - range.lowerBound]
      decorate(
        InkAnchor(characters.flatMap(\.parts)), with: span.kind, style: span.style)
    }
  }
}

extension InkStroke {
  /// The end of the way of the pen of typed text in a frame.
  fileprivate func advanceEnd(_ frame: ReadingFrame) -> Double {
    max(frame.x(points.first?.x ?? 0), frame.x(points.last?.x ?? 0))
  }
}

/// Numbers that were chosen and not derived.
private enum Chosen {
  /// The greatest difference of the sizes of two lines of one size, as a share. Chosen by hand on
  /// pages of IAM-OnDB.
  static let likeSize = 0.3
  /// A gap between words that stays as wide as it was, in spaces of the font.
  static let wideGap = 7.0
  /// The size of a font in rows of the guides.
  static let sizeOfRow = 0.6
}
