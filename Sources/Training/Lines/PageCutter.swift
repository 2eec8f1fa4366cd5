import InkCore
import Layout
import Recognition

/// Cuts a page with a known text into its lines, whether or not the text has line breaks.
///
/// `PageLayout` finds the lines of the ink, and the model reads each. The words of the text are then
/// divided among the lines so that the readings need the fewest edits (dynamic programming over the
/// gaps between words). The order of the words is known, so the readings may have many errors.
package struct PageCutter {
  private let recognizer: LineRecognizer

  /// The most edits per character between the reading of a line and its words; with more, the line
  /// is left out.
  private static let mostErrors = 0.5
  /// The most characters of the words of a line, as a multiple of those of its reading, and in
  /// addition. It limits the time, and a reading may lack most of a line.
  private static let (longest, additional) = (3, 20)

  init(recognizer: LineRecognizer) {
    self.recognizer = recognizer
  }

  /// A line of a page: its strokes in reading order, its words and the edits between its reading
  /// and its words.
  struct Line {
    var strokes: [Int]
    var text: String
    var edits: Int
  }

  /// The lines of a page with the text of each, as ink of the same writer. Lines that are read as
  /// different texts are left out. Nil if the ink is one line.
  ///
  /// - Throws: `InkError.nonFiniteCoordinate(stroke:point:)`.
  func lines(of page: LabeledInk) throws -> [LabeledInk]? {
    guard let lines = try aligned(page) else { return nil }
    return lines.filter {
      !$0.text.isEmpty && Double($0.edits) <= Self.mostErrors * Double($0.text.count)
    }.map { line in
      var cut = page
      cut.takeStrokes(line.strokes)
      cut.label = line.text
      cut.writingArea = nil
      return cut
    }
  }

  /// All lines of a page with their words; nil if the ink is one line. O(lines · words ·
  /// characters · characters of a line).
  func aligned(_ page: LabeledInk) throws -> [Line]? {
    try page.ink.validate()
    let direction = recognizer.model.pipeline.direction
    let strokes = PageLayout(page.ink, direction: direction).linesWithDrawing(of: page.ink)
    guard strokes.count > 1 else { return nil }
    let readings = try strokes.map { line in
      Array(try recognizer.readGreedily(Ink(strokes: line.map { page.ink.strokes[$0] })))
    }
    let words = page.label.split(whereSeparator: \.isWhitespace).map { Array($0) }
    let parts = Self.divide(words, among: readings)
    let lines = zip(strokes, parts).map { strokes, part in
      Line(
        strokes: strokes,
        text: words[part.words].map { String($0) }.joined(separator: " "), edits: part.edits)
    }
    return Self.joinedScraps(lines, of: page.ink)
  }

  /// Divides words among readings, in order, with the fewest edits in all. Words at the end are left
  /// out if the readings are much too short for them.
  package static func divide(
    _ words: [[Character]], among readings: [[Character]]
  ) -> [(words: Range<Int>, edits: Int)] {
    let none = Int.max / 2
    // For each line, the fewest edits up to the end of each word, and the first word of the line.
    var best = [[0] + [Int](repeating: none, count: words.count)]
    var starts: [[(first: Int, edits: Int)]] = []
    for (number, reading) in readings.enumerated() {
      var row = [Int](repeating: none, count: words.count + 1)
      var start = [(first: Int, edits: Int)](repeating: (0, none), count: words.count + 1)
      for first in 0...words.count where best[number][first] < none {
        for (count, edits) in prefixEdits(of: words[first...], reading).enumerated() {
          let sum = best[number][first] + edits
          if sum < row[first + count] {
            row[first + count] = sum
            start[first + count] = (first, edits)
          }
        }
      }
      best.append(row)
      starts.append(start)
    }
    // The lines may be too short for all words: the last ones are then left out.
    var end = words.count
    if let last = best.last, last[end] >= none {
      end = last.lastIndex { $0 < none } ?? 0
    }
    var result: [(words: Range<Int>, edits: Int)] = []
    for line in readings.indices.reversed() {
      let start = starts[line][end]
      result.append((start.first..<end, start.edits))
      end = start.first
    }
    return result.reversed()
  }

  /// The edits between a reading and the first 0, 1, 2 … words of a text.
  private static func prefixEdits(
    of words: ArraySlice<[Character]>, _ reading: [Character]
  ) -> [Int] {
    var row = Array(0...reading.count)
    var result = [reading.count]
    var length = 0
    let limit = longest * reading.count + additional
    for word in words {
      let text = length == 0 ? word : [" "] + word
      length += text.count
      guard length <= limit else { break }
      for character in text {
        var diagonal = row[0]
        row[0] += 1
        for place in reading.indices {
          let cost = min(
            diagonal + (reading[place] == character ? 0 : 1), min(row[place], row[place + 1]) + 1)
          diagonal = row[place + 1]
          row[place + 1] = cost
        }
      }
      result.append(row[reading.count])
    }
    return result
  }

  /// Gives the strokes of lines without words, such as a row of dots, to the nearest line.
  private static func joinedScraps(_ lines: [Line], of ink: Ink) -> [Line] {
    func box(_ strokes: [Int]) -> BoundingBox? {
      Ink(strokes: strokes.map { ink.strokes[$0] }).boundingBox
    }
    var result = lines.filter { !$0.text.isEmpty }
    let boxes = result.map { box($0.strokes) }
    for scrap in lines where scrap.text.isEmpty {
      guard let own = box(scrap.strokes) else { continue }
      let nearest = boxes.indices.min {
        (boxes[$0]?.gap(to: own) ?? .infinity) < (boxes[$1]?.gap(to: own) ?? .infinity)
      }
      if let nearest {
        result[nearest].strokes = (result[nearest].strokes + scrap.strokes).sorted()
      }
    }
    return result
  }
}
