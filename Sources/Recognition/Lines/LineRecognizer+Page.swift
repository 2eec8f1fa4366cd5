import InkCore
import Layout

/// Reading of pages: the lines are found, read by the network in batches, searched one after the
/// other, and put together.
extension LineRecognizer {
  /// Reads ink whose lines are to be found.
  ///
  /// With a choice of languages, the lines of a batch add to the evidence before the first of them is
  /// searched. Lines that were read before the language was clear are read again.
  ///
  /// - Parameter formulas: The formulas inside of its lines.
  /// - Throws: ``InkError/nonFiniteCoordinate(stroke:point:)``, or `CancellationError` if the task is
  ///   cancelled.
  func readPage(
    _ arranged: ArrangedInk, _ context: RecognitionContext, count: Int,
    _ timings: inout LineTimings, _ choice: LanguageChoice? = nil,
    formulas: [ReadInlineFormula] = []
  ) throws -> RecognitionResult {
    let ink = arranged.ink
    guard !ink.isEmpty else { return RecognitionResult(candidates: []) }
    let start = ContinuousClock.now
    let direction = model.pipeline.direction
    let arranged = arranged.with(formulas.map(\.place))
    let layout = pageLayout(of: arranged, context)
    timings.features += ContinuousClock.now - start
    let isOne = layout.lines.count == 1
    var context = context
    // A writing area is one line: it says nothing about a page of several.
    if !isOne { context.writingArea = nil }
    var result = RecognitionResult(candidates: [], drawing: layout.drawing)
    let before = context.preContext
    var read: [PageLine] = []
    let lines = layout.blocks.enumerated().flatMap { block, lines in
      lines.lines.map { line in
        guard line.formulas.isEmpty else {
          return Self.line(line, line.formulas.map { formulas[$0] }, of: block, in: ink)
        }
        let upright = Ink(strokes: line.strokes.map { ink.strokes[$0] }).rotated(by: -lines.angle)
        return WrittenLine(block: block, all: line.strokes, strokes: line.strokes, ink: upright)
      }
    }
    var outputs: [LineOutput?] = []
    var words: [String?] = []
    for (index, line) in lines.enumerated() {
      try Task.checkCancellation()
      if index == outputs.count {
        let batch = lines[index...].prefix(Self.batch).map(\.ink)
        let found = try self.outputs(of: batch, area: context.writingArea, &timings)
        words += try found.map { output in
          guard let choice, let output else { return nil }
          return try hear(output, choice)
        }
        outputs += found
      }
      context.preContext = Self.preContext(before, result.lines[...])
      let found = try readLine(
        line.ink, context, count: count, &timings, choice, known: outputs[index])
      outputs[index] = nil
      read.append(
        PageLine(
          ink: line.ink, strokes: line.strokes, context: context, reader: choice?.reader,
          words: line.ink.isEmpty ? nil : words[index] ?? choice?.lastLine))
      result.unreadStrokes += found.unreadStrokes
      result.lines.append(
        RecognizedLine(block: line.block, strokes: line.all, candidates: []))
      result.lines[index].take(found.candidates, of: line.strokes)
    }
    let languages = try choice.map {
      try readAgain(&result.lines, read, $0, after: before, count: count, &timings)
    }
    for (index, line) in lines.enumerated() {
      for formula in line.formulas { result.lines[index].insert(formula, of: ink) }
    }
    result.candidates = PageCandidates.joined(result.lines.map(\.candidates), count: count)
    result.add(
      PageStructure(ink, layout: layout, kinds: arranged.kinds, direction: direction), of: ink,
      angle: arranged.angle, direction: direction)
    for (line, language) in (languages ?? [:]) {
      result.blocks[result.lines[line].block].language = language
    }
    if direction != .topToBottom { result.markItems(in: ink, direction: direction) }
    return result
  }

  /// A line that is to be read.
  private struct WrittenLine {
    var block: Int
    /// All its strokes, in reading order.
    var all: [Int]
    /// The strokes that are read as text.
    var strokes: [Int]
    /// The ink of these, upright.
    var ink: Ink
    /// The formulas between its words.
    var formulas: [ReadInlineFormula] = []
  }

  /// A line with formulas.
  private static func line(
    _ line: PageLayout.Line, _ formulas: [ReadInlineFormula], of block: Int, in ink: Ink
  ) -> WrittenLine {
    let own = Set(formulas.flatMap(\.place.strokes))
    let strokes = line.strokes.filter { !own.contains($0) }
    return WrittenLine(
      block: block, all: line.strokes, strokes: strokes,
      ink: closed(strokes, around: formulas, of: ink), formulas: formulas)
  }

  /// The lines that the network reads at once. More are hardly faster, and each takes about 1 MB.
  private static let batch = 8

  /// The network's output for each of a few lines; nil for one without points, and for a single one,
  /// which needs no batch.
  private func outputs(
    of lines: [Ink], area: WritingArea?, _ timings: inout LineTimings
  ) throws -> [LineOutput?] {
    let written = lines.indices.filter { !lines[$0].isEmpty }
    guard written.count > 1 else { return lines.map { _ in nil } }
    let found = try memories.withMemory { memory in
      try memory.run(model, written.map { lines[$0] }, area: area, &timings)
    }
    var result: [LineOutput?] = lines.map { _ in nil }
    for (index, output) in zip(written, found) { result[index] = output }
    return result
  }

  /// Adds the text of a line, as the network alone reads it, to the evidence for a language.
  ///
  /// - Returns: Its words.
  private func hear(_ output: LineOutput, _ choice: LanguageChoice) throws -> String {
    let line = memories.withMemory { heard($0.take(output), $0) }
    try choice.add(line.text, peaks: line.peaks)
    return choice.lastLine
  }

  /// A line of a page while the language of the page is not known yet.
  private struct PageLine {
    var ink: Ink
    /// The strokes of the page that are read as text.
    var strokes: [Int]
    var context: RecognitionContext
    /// The recogniser that has read it.
    var reader: LineRecognizer?
    /// Its words as the network alone reads them.
    var words: String?
  }

  /// Reads those lines again that were read in another language than that of their block, or after
  /// other text than now precedes them.
  ///
  /// - Parameter before: The text before the page.
  /// - Returns: The language of each line whose block has another one than the page.
  private func readAgain(
    _ lines: inout [RecognizedLine], _ read: [PageLine], _ choice: LanguageChoice,
    after before: String, count: Int, _ timings: inout LineTimings
  ) throws -> [Int: String?] {
    var others: [Int: String?] = [:]
    let blocks = Dictionary(grouping: lines.indices) { lines[$0].block }
    for (_, places) in blocks.sorted(by: { $0.key < $1.key }) {
      let words = places.compactMap { read[$0].words }.filter { !$0.isEmpty }
      let reader =
        blocks.count > 1
        ? try choice.reader(ofPart: words.joined(separator: " ")) : choice.reader
      for line in places {
        if reader !== choice.reader { others[line] = reader.language }
        var context = read[line].context
        context.preContext = Self.preContext(before, lines[..<line])
        guard read[line].reader !== reader || !context.isAfterSameText(as: read[line].context)
        else { continue }
        let again = try reader.readLine(read[line].ink, context, count: count, &timings)
        lines[line].take(again.candidates, of: read[line].strokes)
      }
    }
    return others
  }

  /// The number of preceding lines that can contribute to the pre-context; each has at least one
  /// character.
  private static let contextLines = preContextLength

  /// The text before a line: what precedes the page, and the lines read so far.
  private static func preContext(_ before: String, _ lines: ArraySlice<RecognizedLine>) -> String {
    let text = lines.reversed().lazy.map(\.text).filter { !$0.isEmpty }.prefix(contextLines)
    guard !text.isEmpty else { return before }
    let start = before.isEmpty || before.last?.isWhitespace == true ? before : before + " "
    return start + text.reversed().joined(separator: " ") + " "
  }

  /// The lines of an ink: as they are found, or all in one if the writing area says that it is one.
  private func pageLayout(of arranged: ArrangedInk, _ context: RecognitionContext) -> PageLayout {
    Self.pageLayout(of: arranged, context, model.pipeline.direction)
  }

  private static func pageLayout(
    of arranged: ArrangedInk, _ context: RecognitionContext, _ direction: WritingDirection,
    findsStructure: Bool = true
  ) -> PageLayout {
    let ink = arranged.ink
    let layout =
      arranged.turned.isEmpty
      ? PageLayout(
        ink, direction: direction, isOrdered: arranged.isOrdered, kinds: arranged.kinds,
        findsStructure: findsStructure && direction != .topToBottom, formulas: arranged.formulas)
      : PageLayout(
        ink, turned: arranged.turned, isOrdered: arranged.isOrdered, kinds: arranged.kinds,
        formulas: arranged.formulas, direction: direction)
    guard context.layout == .auto, let box = ink.boundingBox else { return layout }
    let isLine = context.writingArea.map { box.height < areaHeights * $0.height } ?? false
    guard layout.lines.isEmpty || isLine && layout.lines.count > 1 else { return layout }
    let strokes =
      arranged.isOrdered
      ? Array(ink.strokes.indices) : PageLayout.orderByPlace(of: ink, direction: direction)
    let line = PageLayout.Line(strokes: strokes, box: box)
    return PageLayout(blocks: [PageLayout.Block(lines: [line], box: box)], drawing: [])
  }

  /// The strokes of each row of a labelled ink, as it is read if nobody knows its layout.
  package static func rows(of labeled: LabeledInk, direction: WritingDirection) -> [[Int]] {
    let context = RecognitionContext(writingArea: labeled.writingArea)
    return pageLayout(
      of: ArrangedInk(labeled.ink), context, direction, findsStructure: false
    ).lines.map(\.strokes)
  }

  /// The strokes of each row, as this recogniser reads the ink if nobody knows its layout.
  package func rows(of labeled: LabeledInk) -> [[Int]] {
    Self.rows(of: labeled, direction: model.pipeline.direction)
  }

  /// Ink no taller than this many writing areas is one line.
  private static let areaHeights = 1.6

  /// The best text of the network alone, for each line of a page.
  ///
  /// - Throws: As ``recognize(_:context:maximumCandidates:)``.
  package func readGreedily(_ ink: Ink, context: RecognitionContext) throws -> String {
    guard context.layout == .auto || context.layout == .page, !ink.isEmpty else {
      return try readGreedily(ink, area: context.writingArea)
    }
    try ink.validate()
    let arranged = try arranged(ink, context)
    let layout = pageLayout(of: arranged, context)
    let area = layout.lines.count == 1 ? context.writingArea : nil
    return try layout.blocks.flatMap { block in
      try block.lines.map { line in
        let ink = Ink(strokes: line.strokes.map { arranged.ink.strokes[$0] })
        return try readGreedily(ink.rotated(by: -block.angle), area: area)
      }
    }.joined(separator: "\n")
  }
}

extension RecognitionContext {
  /// Returns whether the text before the ink ends as that of another one, as far as it is used.
  fileprivate func isAfterSameText(as other: RecognitionContext) -> Bool {
    let length = LineRecognizer.preContextLength
    return preContext.suffix(length) == other.preContext.suffix(length)
  }
}

extension RecognizedLine {
  /// Takes over the readings of its text, whose strokes are counted in some strokes of the line.
  fileprivate mutating func take(_ readings: [RecognitionCandidate], of strokes: [Int]) {
    candidates = readings
    for index in candidates.indices { candidates[index].renumberStrokes(strokes) }
  }

  /// Puts a formula into each reading; without one, the formula is the reading.
  mutating func insert(_ formula: ReadInlineFormula, of ink: Ink) {
    if candidates.isEmpty { candidates = [RecognitionCandidate(text: "", score: 0)] }
    for index in candidates.indices { candidates[index].insert(formula, of: ink) }
  }
}

extension RecognitionCandidate {
  /// Replaces the index of each stroke by the number at that index.
  mutating func renumberStrokes(_ strokes: [Int]) {
    for character in characters.indices {
      for part in characters[character].parts.indices {
        let stroke = characters[character].parts[part].stroke
        characters[character].parts[part].stroke = strokes[stroke]
      }
    }
    mapFormulas { $0.map { strokes[$0] } }
  }
}

/// The best readings of a page, from the readings of its lines.
package enum PageCandidates {
  /// Joins the readings of lines with line breaks. Lines without readings are left out. The score is
  /// the sum of the scores, as if lines were independent. O(lines · count²).
  ///
  /// - Parameter count: The most readings of the page, at least 1.
  package static func joined(_ lines: [[RecognitionCandidate]], count: Int)
    -> [RecognitionCandidate]
  {
    let lines = lines.filter { !$0.isEmpty }
    guard let first = lines.first else { return [] }
    if lines.count == 1 { return first }
    // The best choices so far: for each line the number of its reading, and the score of all.
    var choices: [(readings: [Int], score: Double)] = [([], 0)]
    for line in lines {
      var next: [(readings: [Int], score: Double)] = []
      for (rank, choice) in choices.enumerated() {
        // A choice of rank r with reading k is not among the best `count` if (r+1)(k+1) is above it.
        for reading in line.indices.prefix(count / (rank + 1)) {
          next.append((choice.readings + [reading], choice.score + line[reading].score))
        }
      }
      next.sort { $0.score > $1.score }
      choices = Array(next.prefix(count))
    }
    return choices.map { choice in
      zip(choice.readings, lines).dropFirst().reduce(lines[0][choice.readings[0]]) {
        $0.joined(by: $1.1[$1.0])
      }
    }
  }
}

extension RecognitionCandidate {
  /// The reading of two lines.
  fileprivate func joined(by next: RecognitionCandidate) -> RecognitionCandidate {
    var result = self
    result.text += "\n" + next.text
    result.score += next.score
    let offset = text.count + 1
    result.characters.append(CharacterInk(parts: []))
    result.characters += next.characters
    result.words += next.words.map { word in
      var word = word
      let range = word.characters
      word.characters = (range.lowerBound + offset)..<(range.upperBound + offset)
      return word
    }
    return result
  }
}
