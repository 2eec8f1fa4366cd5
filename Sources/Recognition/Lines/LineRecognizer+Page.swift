import InkCore
import Layout

/// Reading of pages: the lines are found, read one after the other, and put together.
extension LineRecognizer {
  /// Reads ink whose lines are to be found.
  ///
  /// With a choice of languages, each line adds to the evidence. Lines that were read before the
  /// language was clear are read again.
  ///
  /// - Throws: ``InkError/nonFiniteCoordinate(stroke:point:)``, or `CancellationError` if the task is
  ///   cancelled.
  func readPage(
    _ arranged: ArrangedInk, _ context: RecognitionContext, count: Int,
    _ timings: inout LineTimings, _ choice: LanguageChoice? = nil
  ) throws -> RecognitionResult {
    let ink = arranged.ink
    guard !ink.isEmpty else { return RecognitionResult(candidates: []) }
    let start = ContinuousClock.now
    let layout = pageLayout(of: arranged, context)
    timings.features += ContinuousClock.now - start
    let isOne = layout.lines.count == 1
    var context = context
    // A writing area is one line: it says nothing about a page of several.
    if !isOne { context.writingArea = nil }
    var result = RecognitionResult(candidates: [], drawing: layout.drawing)
    let before = context.preContext
    var languages: [(language: String?, context: RecognitionContext)] = []
    for (block, lines) in layout.blocks.enumerated() {
      for line in lines.lines {
        try Task.checkCancellation()
        let strokes = Ink(strokes: line.strokes.map { ink.strokes[$0] })
        var read = try readLine(strokes, context, count: count, &timings, choice)
        languages.append((choice?.reader.language, context))
        for index in read.candidates.indices {
          read.candidates[index].renumberStrokes(line.strokes)
        }
        result.unreadStrokes += read.unreadStrokes
        result.lines.append(
          RecognizedLine(block: block, strokes: line.strokes, candidates: read.candidates))
        let text = result.lines.map(\.text).filter { !$0.isEmpty }
        context.preContext =
          text.isEmpty ? before : Self.preContext(before, text.suffix(Self.contextLines))
      }
    }
    if let choice {
      for (index, read) in languages.enumerated() where read.language != choice.reader.language {
        let strokes = result.lines[index].strokes
        var again = try choice.reader.readLine(
          Ink(strokes: strokes.map { ink.strokes[$0] }), read.context, count: count, &timings)
        for candidate in again.candidates.indices {
          again.candidates[candidate].renumberStrokes(strokes)
        }
        result.lines[index].candidates = again.candidates
      }
    }
    result.candidates = PageCandidates.joined(result.lines.map(\.candidates), count: count)
    result.add(
      PageStructure(ink, layout: layout, kinds: arranged.kinds), of: ink, angle: arranged.angle)
    return result
  }

  /// The number of preceding lines that can contribute to the pre-context; each has at least one
  /// character.
  private static let contextLines = preContextLength

  private static func preContext(_ before: String, _ lines: ArraySlice<String>) -> String {
    let start = before.isEmpty || before.last?.isWhitespace == true ? before : before + " "
    return start + lines.joined(separator: " ") + " "
  }

  /// The lines of an ink: as they are found, or all in one if the writing area says that it is one.
  private func pageLayout(of arranged: ArrangedInk, _ context: RecognitionContext) -> PageLayout {
    Self.pageLayout(of: arranged, context, model.pipeline.direction)
  }

  private static func pageLayout(
    of arranged: ArrangedInk, _ context: RecognitionContext, _ direction: WritingDirection
  ) -> PageLayout {
    let ink = arranged.ink
    let layout = PageLayout(
      ink, direction: direction, isOrdered: arranged.isOrdered, kinds: arranged.kinds)
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
    return pageLayout(of: ArrangedInk(labeled.ink), context, direction).lines.map(\.strokes)
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
    let lines = pageLayout(of: arranged, context).lines
    let area = lines.count == 1 ? context.writingArea : nil
    return try lines.map { line in
      try readGreedily(Ink(strokes: line.strokes.map { arranged.ink.strokes[$0] }), area: area)
    }.joined(separator: "\n")
  }
}

extension RecognitionCandidate {
  /// Replaces the index of each stroke by the number at that index.
  fileprivate mutating func renumberStrokes(_ strokes: [Int]) {
    for character in characters.indices {
      for part in characters[character].parts.indices {
        let stroke = characters[character].parts[part].stroke
        characters[character].parts[part].stroke = strokes[stroke]
      }
    }
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
      RecognizedWord(
        text: word.text,
        characters: (word.characters.lowerBound + offset)..<(word.characters.upperBound + offset),
        confidence: word.confidence)
    }
    return result
  }
}
