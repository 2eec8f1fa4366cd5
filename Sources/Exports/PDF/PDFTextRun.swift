import InkCore
import InkEditor

/// A word, or the space after it, in the invisible text of a PDF. Lengths are in millimetres.
struct PDFTextRun {
  /// The graphemes from left to right.
  var signs: [Character]
  /// The left end of the baseline in the frame of the line.
  var start: Double
  var baseline: Double
  var width: Double
  /// The size of the font.
  var size: Double
  /// The reach of the text from the baseline.
  var reach: TextReach
  /// The map from the frame of the line to the page.
  var transform: PlaneTransform

  private var end: Double { start + width }

  /// Returns the words of a line that have a place, with the spaces between them.
  static func runs(of line: ExportLine) -> [PDFTextRun] {
    var words: [(word: ExportWord, box: BoundingBox, angle: Double)] = []
    // Typed words are drawn, and found by what is drawn.
    for word in line.words where !word.text.isEmpty && word.style == nil {
      if let place = word.place { words.append((word, place.box, place.angle)) }
    }
    let shape = TextLineShape(words.map { ($0.word.text, $0.box) })
    var runs: [PDFTextRun] = []
    for (word, box, angle) in words {
      let run = PDFTextRun(word.text, ExportPlace(box, angle: angle), in: shape)
      if word.followsSpace, let last = runs.last { runs.append(last.space(before: run)) }
      runs.append(run)
    }
    return runs
  }

  /// The least width of a sign as a share of the size: a vertical line has none.
  private static let leastWidth = 0.05
  /// A word that is this many times as high as wide is written downward, if it has several signs.
  private static let downward = 2.0

  private init(_ text: String, _ place: ExportPlace, in line: TextLineShape) {
    signs = Self.visualOrder(text)
    transform = place.transform
    var box = place.box
    if signs.count > 1, box.height > Self.downward * box.width, box.height > line.size {
      // Written from top to bottom: the same box in a frame that is turned by a right angle.
      transform = PlaneTransform.rotation(.pi / 2).then(transform)
      box = BoundingBox(minX: box.minY, minY: -box.maxX, maxX: box.maxY, maxY: -box.minX)
      (size, baseline) = (max(box.height, 0.1), box.maxY)
    } else {
      size = line.size
      // A word that ends above the baseline, such as a dash, has one of its own near it.
      baseline = min(line.baseline(at: box.midX), box.maxY)
    }
    reach = TextReach(up: (baseline - box.minY) / size, down: (box.maxY - baseline) / size)
    width = max(box.width, Self.leastWidth * Double(signs.count) * size)
    start = box.midX - width / 2
  }

  /// Returns the space between this word and the next one; a narrow one behind this word if they
  /// touch.
  private func space(before next: PDFTextRun) -> PDFTextRun {
    var space = self
    space.signs = [" "]
    let (from, to) = next.start > end ? (end, next.start) : (next.end, start)
    if to > from, next.transform == transform {
      (space.start, space.width) = (from, to - from)
    } else {
      (space.start, space.width) = (end, Self.leastWidth * size)
    }
    return space
  }

  /// Returns the graphemes of a word from left to right. PDF has no direction of writing: viewers turn
  /// words of scripts that are written from right to left.
  static func visualOrder(_ text: String) -> [Character] {
    let signs = Array(text)
    return BidirectionalOrder.signs(of: text).map { signs[$0] }
  }
}

/// The baseline of a line of writing and the size that its text has.
struct TextLineShape {
  /// The size of the font, millimetres.
  let size: Double
  private let slope: Double
  private let level: Double

  /// Letters that reach below the baseline.
  private static let low = Set("gjpqyQJþçşğ,;()[]{}|/_§µβγζηξρφχψßƒ")
  /// The size beyond the tallest word. Larger text looks less spaced: viewers keep more lines whole,
  /// because handwriting has wider gaps than print. Beyond 1.5, they join lines. Found on 60 pages of
  /// IAM-OnDB with poppler.
  private static let room = 1.4
  /// A stroke that is this many times as high as most words does not make the text larger.
  private static let tallest = 2.0

  /// Fits the baseline to the words of a line. O(words²).
  init(_ words: [(text: String, box: BoundingBox)]) {
    let heights = words.map(\.box.height).sorted()
    let usual = max(heights.isEmpty ? 1 : heights[heights.count / 2], 0.1)
    let standing = words.filter { word in
      !word.text.contains(where: Self.low.contains) && word.box.height > usual / 3
    }
    let feet = (standing.isEmpty ? words : standing).map { (x: $0.box.midX, y: $0.box.maxY) }
    // The median of the slopes between words (Theil–Sen): a few words off the line do not matter.
    var slopes: [Double] = []
    for (index, one) in feet.enumerated() {
      for other in feet[(index + 1)...] where abs(other.x - one.x) > usual {
        slopes.append((other.y - one.y) / (other.x - one.x))
      }
    }
    slopes.sort()
    let slope = feet.count < 3 || slopes.isEmpty ? 0 : slopes[slopes.count / 2]
    let levels = feet.map { $0.y - slope * $0.x }.sorted()
    let level = levels.isEmpty ? 0 : levels[levels.count / 2]
    let needed = words.map { word in
      let baseline = min(level + slope * word.box.midX, word.box.maxY)
      return max(baseline - word.box.minY, (word.box.maxY - baseline) / TextReach.mostDown)
    }.filter(\.isFinite).max()
    size = Self.room * min(max(needed ?? usual, usual), Self.tallest * usual)
    (self.slope, self.level) = (slope, level)
  }

  /// The height of the baseline at a place.
  func baseline(at x: Double) -> Double { level + slope * x }
}
