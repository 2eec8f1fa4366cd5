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
    if let limit = rules.room.right {
      for line in block.lines
      where line.box.maxX > limit && line.runs.allSatisfy(isTyped) {
        wrap(line, beyond: limit, in: rules.room)
      }
      orderLines(of: block)
    }
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
    guard let start = BoundingBox(holding: words.map(\.box))?.minX else { return [] }
    let isLeftward = TypedGlyphs.isLeftward(line.text)
    let known = Set(words.map(\.id))
    let all = line.block.lines.lazy.flatMap(\.runs).flatMap(\.words).map(\.id)
    let indices = Dictionary(zip(all, 0...)) { first, _ in first }
    var cursor = start
    var previous: TextWord?
    var (runs, added): ([TextRun], [Int]) = ([], [])
    for run in line.runs {
      let converts = run.words.contains { known.contains($0.id) }
      guard converts else {
        // What stays ink, and typed text, stays where it is if there is room.
        let push = cursor > start ? cursor + space - run.box.minX : 0
        if push > 0, cursor > start { move(Set(run.items), dx: push, dy: 0) }
        cursor = run.box.maxX
        previous = run.words.last
        runs.append(run)
        continue
      }
      var parts: [TextRun] = []
      for group in WordGroup.groups(of: run.words) {
        guard group.words.allSatisfy({ known.contains($0.id) }) else {
          let part = makeRun(words: group.words, in: line)
          part.isFixed = run.isFixed
          parts.append(part)
          cursor = max(cursor, part.box.maxX)
          previous = group.words.last
          continue
        }
        for word in group.words {
          let gap = previous.map { word.box.minX - $0.box.maxX } ?? 0
          // A wide gap is meant: columns, or a place that is kept free.
          let isWide = gap > Chosen.wideGap * space
          let x =
            previous == nil || isWide || isLeftward
            ? word.box.minX : cursor + space
          previous = word
          let pieces = typedPieces(of: word, at: x, setting, rules, isLeftward, &missing)
          let style = self.style(of: word)
          for piece in pieces {
            var piece = piece
            (piece.style, piece.number) = (style, makeNumber())
            take(piece)
            added.append(piece.id)
            let part = makeRun([piece.id], in: line)
            if pieces.count == 1 { keep(word, in: part) }
            if let text, let index = indices[word.id] {
              carryDecorations(spans, text, index, to: part)
            }
            parts.append(part)
            cursor = max(cursor, part.box.maxX, piece.advanceEnd)
          }
        }
      }
      dropRun(run)
      // Ink of the run that no word has stays ink.
      let worded = Set(run.words.flatMap(\.items))
      let rest = run.items.filter { !worded.contains($0) && strokes[$0] != nil }
      if !rest.isEmpty { parts.append(makeRun(rest, in: line)) }
      runs += parts
    }
    let gone = Set(words.flatMap(\.items)).subtracting(runs.flatMap(\.items))
    line.runs = isLeftward ? runs : runs.sorted { $0.box.midX < $1.box.midX }
    line.activeRun = runs.last
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

  private func typedPieces(
    of word: TextWord, at x: Double, _ setting: LineSetting, _ rules: SettingRules,
    _ isLeftward: Bool, _ missing: inout Set<Character>
  ) -> [InkStroke] {
    // A label may have spaces: a candidate that splits the word. Then it becomes several words.
    var (result, x) = ([InkStroke](), x)
    let typesetter = Typesetter(fonts: rules.fonts)
    let texts = word.label.split(whereSeparator: \.isWhitespace).map(String.init)
    var forces = forces(of: word)[...]
    for text in texts {
      let set = typesetter.word(text, face: rules.face, size: setting.size)
      missing.formUnion(set.missing)
      let start = isLeftward ? word.box.maxX - set.width : x
      var piece = InkStroke(id: makeItemID(), typed: set, x: start, baseline: setting.baseline)
      piece.setForces(forces.prefix(text.count))
      forces = forces.dropFirst(text.count)
      result.append(piece)
      x += set.width + typesetter.space(rules.face, size: setting.size)
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
  /// The end of the way of the pen of typed text.
  fileprivate var advanceEnd: Double { max(points.first?.x ?? 0, points.last?.x ?? 0) }
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
