/// The constants of the editor that were chosen and not derived.
///
/// ``Tuning/table`` gives the unit of each, the data that it was measured on, and how it was
/// chosen. The figures for that data are in docs/results/Editor.md. Constants of line
/// grouping are in `Layout`.
enum Tuning {
  /// The margin around a block of a text document that still belongs to it, in millimetres.
  static let blockMargin = 2.0
  /// The least width of a node that holds a text, in widths of the text.
  static let shareOfTextInNode = 0.9
  /// The least overlap of blocks that are side by side, as a share of the smaller height.
  static let besideShare = 0.5
  /// The margin around a block's box in which it is hit, in millimetres.
  static let hitDistance = 2.0
  /// The greatest movement of a tap, in millimetres.
  static let tapDistance = 2.0
  /// Refused ink smaller than this is too small, in row heights.
  static let tooSmall = 0.15
  /// Refused ink taller than this is too big, in row heights.
  static let tooBig = 3.0
  /// Refused ink with more points than this is too long.
  static let tooLong = 20_000
  /// The most strokes of a batch with gestures.
  static let mostGestureStrokes = 20

  /// The guide in which words are corrected.
  enum SmartGuide {
    static let tapReach = 2.0
    static let longestLabel = 500
    static let longestUserWord = 64
    static let userWordBonus = 3.0
    static let reranked = 10
  }

  /// Ink and the shapes around it.
  enum Shapes {
    static let dashLength = 4.0
    static let shareOfNode = 0.9
    static let headReach = 0.2
    static let headStrokes = 2
    static let headShare = 1.2
    static let edgeStrokes = 3
    static let enclosedShare = 0.25
    static let contentHeight = 2.6
    static let edgeOfNode = 0.06
    static let connection = 0.7
    static let dashGap = 2.0
  }

  /// The looks of ink in raw content.
  enum RawContent {
    static let certainText = 4
    static let textHeight = 4.0
    static let expectedHeight = 3.6
    static let drawingGap = 1.0
    static let groupGap = 2.0
  }

  /// The runs and blocks of text that a stroke may continue.
  enum Text {
    static let overlap = 0.3
    static let continuation = 1.2
    static let separation = 0.3
    static let blockGap = 2.5
    static let blockGapBeside = 5.0
    static let coverage = 0.5
    static let leastWidth = 0.01
    static let endOfLine = 0.5
    static let contextLength = 20
    /// The lines written last that are looked at again when a new one begins.
    static let revisedLines = 4
  }

  /// The ink that may be a shape.
  enum Finder {
    static let leastShapeProbability = 0.1
    static let mostStrokes = 6
    static let nearness = 0.25
    static let leastProbability = 0.6
    static let freeProbability = 0.8
    static let closedDeviation = 0.1
    static let lineDeviation = 0.07
    static let arrowDeviation = 0.15
    static let strokeDeviation = 0.12
    static let size = 2.0
    static let connectingSize = 0.5
    static let connectingProbability = 0.3
    static let contentInset = 0.12
    static let closedSize = 1.2
    static let freeSize = 2.6
    static let freeWinding = 3.0
    static let bentWinding = 2.0
    static let bentSize = 3.0
    static let mostParts = 5
    static let endReach = 0.7
    static let closedGap = 0.4
    static let closedHead = 0.3
  }

  /// The fit of ideal forms.
  enum Fit {
    static let samplesPerStroke = 48
    static let cornerPasses = 6
    static let turns = 6
    static let turn = 2.5
    static let shortLine = 0.5
    static let capsuleCorners = 32
    static let headWeight = 1.0 / 3
    static let headLength = 0.4
    static let cornerDeviation = 0.06
    static let outlineTolerance = 0.01
  }

  /// The eraser.
  enum Eraser {
    static let pathStep = 0.5
    static let inkStep = 0.125
    /// The most points that are added to a stroke, or to a step of the eraser's path.
    static let mostSteps = 10_000.0
  }

  /// The memory of the history.
  enum History {
    static let mostSteps = 100
    static let mostStrokes = 250_000
    static let leastRemoved = 1000
  }

  /// Characters of no particular font.
  enum Font {
    static let ascender = 0.75
    static let descender = 0.22
    static let narrow = 0.25
    static let slim = 0.32
    static let small = 0.53
    static let capital = 0.68
    static let wide = 0.85
  }

  /// The looks of a stroke.
  enum Ink {
    static let plainWinding = 5.0
  }

  /// The drawing of ink.
  enum Drawing {
    /// The greatest distance of the drawn line from the curve.
    static let flatness = 0.01
    /// The greatest step along the edge of a turn that is drawn without an arc.
    static let roundness = 0.03
    /// The width that a marker gains when it lies flat.
    static let tiltGain = 2.0
    /// The rise of the edge of a nib that is not rolled.
    static let nibAngle = 0.7
    /// The thickness of a nib.
    static let nibThickness = 0.2
    /// The share of a piece that the inner side of a turn may take without an arc.
    static let fold = 0.8
    /// The side of a cell of the index of strokes: about the size of a word.
    static let cell = 16.0
    /// The usual width of ink, and its share at force 0 for a pen.
    static let inkWidth = 0.6
    static let penShare = 0.45
    static let guideWidth = 0.2
    static let frameWidth = 0.3
    static let frameDash = 1.5
    static let shapeWidth = 0.4
    /// The angle between an arrow and each side of its head.
    static let headAngle = 0.5
  }

  /// The rows of guides.
  enum GuideRow {
    /// The place of the baseline in a row.
    static let baseline = 0.75
    /// The tallest line of ink that is read with its row.
    static let tallest = 1.5
    /// The smallest line of ink that is read with its row.
    static let smallest = 0.5
  }
}

extension Tuning {
  /// One constant of the table.
  struct Entry: Sendable {
    var name: String
    var value: Double
    var unit: String
    /// The data that it was measured on.
    var measuredOn: String
    /// The figure that it was chosen by, or a note that there is none.
    var chosenBy: String
  }

  private static let pages = "flow charts and notes of evaluate --through editor"
  private static let texts = "lines of evaluate --through editor, with inserted and replaced words"
  private static let fields = "nothing yet"
  private static let growth = "growth of evaluate --through editor: a page of 500 words"
  private static let memory = "9.9 MB for the history of the page; the aim is 40 MB"
  private static let drawing = "pages of IAM-OnDB as SVG in a browser"
  private static let byEye = "by eye, at up to eight times the size of paper"
  private static let byHand = "by hand; no search is recorded"

  /// All constants, by where they are used.
  static let table: [Entry] = [
    Entry(
      name: "blockMargin", value: Double(blockMargin), unit: "millimetres", measuredOn: fields,
      chosenBy: byHand),
    Entry(
      name: "shareOfTextInNode", value: Double(shareOfTextInNode), unit: "widths of the text",
      measuredOn: fields,
      chosenBy: byHand),
    Entry(
      name: "besideShare", value: Double(besideShare), unit: "share of the smaller height",
      measuredOn: fields,
      chosenBy: byHand),
    Entry(
      name: "hitDistance", value: Double(hitDistance), unit: "millimetres", measuredOn: fields,
      chosenBy: byHand),
    Entry(
      name: "tapDistance", value: Double(tapDistance), unit: "millimetres", measuredOn: fields,
      chosenBy: byHand),
    Entry(
      name: "tooSmall", value: Double(tooSmall), unit: "row heights", measuredOn: fields,
      chosenBy: byHand),
    Entry(
      name: "tooBig", value: Double(tooBig), unit: "row heights", measuredOn: fields,
      chosenBy: byHand),
    Entry(
      name: "tooLong", value: Double(tooLong), unit: "points", measuredOn: fields,
      chosenBy: byHand),
    Entry(
      name: "SmartGuide.tapReach", value: Double(SmartGuide.tapReach), unit: "millimetres",
      measuredOn: fields, chosenBy: byHand),
    Entry(
      name: "SmartGuide.longestLabel", value: Double(SmartGuide.longestLabel), unit: "characters",
      measuredOn: fields, chosenBy: byHand),
    Entry(
      name: "SmartGuide.longestUserWord", value: Double(SmartGuide.longestUserWord),
      unit: "characters",
      measuredOn: fields, chosenBy: byHand),
    Entry(
      name: "SmartGuide.userWordBonus", value: Double(SmartGuide.userWordBonus),
      unit: "natural logarithms",
      measuredOn: fields, chosenBy: byHand),
    Entry(
      name: "SmartGuide.reranked", value: Double(SmartGuide.reranked), unit: "candidates",
      measuredOn: fields, chosenBy: byHand),
    Entry(
      name: "Shapes.dashLength", value: Double(Shapes.dashLength), unit: "heights of letters",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "Shapes.shareOfNode", value: Double(Shapes.shareOfNode),
      unit: "share of the node's sides",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "Shapes.headReach", value: Double(Shapes.headReach), unit: "heights of letters",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "Shapes.headStrokes", value: Double(Shapes.headStrokes), unit: "strokes",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "Shapes.headShare", value: Double(Shapes.headShare), unit: "share of the line's extent",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "Shapes.edgeStrokes", value: Double(Shapes.edgeStrokes), unit: "strokes",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "Shapes.enclosedShare", value: Double(Shapes.enclosedShare),
      unit: "share of the shape's sides",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "Shapes.contentHeight", value: Double(Shapes.contentHeight), unit: "heights of letters",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "Shapes.edgeOfNode", value: Double(Shapes.edgeOfNode),
      unit: "share of the node's sides",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "Shapes.connection", value: Double(Shapes.connection), unit: "heights of letters",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "RawContent.certainText", value: Double(RawContent.certainText), unit: "strokes",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "RawContent.textHeight", value: Double(RawContent.textHeight),
      unit: "heights of letters",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "RawContent.expectedHeight", value: Double(RawContent.expectedHeight),
      unit: "millimetres",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "RawContent.drawingGap", value: Double(RawContent.drawingGap),
      unit: "heights of letters",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "Text.overlap", value: Double(Text.overlap), unit: "share of the stroke's width",
      measuredOn: texts, chosenBy: byHand),
    Entry(
      name: "Text.continuation", value: Double(Text.continuation), unit: "line heights",
      measuredOn: texts, chosenBy: byHand),
    Entry(
      name: "Text.separation", value: Double(Text.separation), unit: "line heights",
      measuredOn: texts, chosenBy: byHand),
    Entry(
      name: "Text.blockGap", value: Double(Text.blockGap), unit: "line heights",
      measuredOn: texts, chosenBy: byHand),
    Entry(
      name: "Text.contextLength", value: Double(Text.contextLength), unit: "characters",
      measuredOn: texts, chosenBy: byHand),
    Entry(
      name: "Text.revisedLines", value: Double(Text.revisedLines), unit: "lines",
      measuredOn: texts, chosenBy: byHand),
    Entry(
      name: "Finder.leastShapeProbability", value: Double(Finder.leastShapeProbability),
      unit: "probability",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "Finder.mostStrokes", value: Double(Finder.mostStrokes), unit: "strokes",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "Finder.nearness", value: Double(Finder.nearness), unit: "share of the larger size",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "Finder.leastProbability", value: Double(Finder.leastProbability), unit: "probability",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "Finder.freeProbability", value: Double(Finder.freeProbability), unit: "probability",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "Finder.closedDeviation", value: Double(Finder.closedDeviation),
      unit: "mean distance over size",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "Finder.lineDeviation", value: Double(Finder.lineDeviation),
      unit: "mean distance over size",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "Finder.arrowDeviation", value: Double(Finder.arrowDeviation),
      unit: "mean distance over size",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "Finder.strokeDeviation", value: Double(Finder.strokeDeviation),
      unit: "mean distance over the smaller side",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "Finder.size", value: Double(Finder.size), unit: "heights of letters",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "Finder.connectingSize", value: Double(Finder.connectingSize),
      unit: "share of the least size",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "Finder.connectingProbability", value: Double(Finder.connectingProbability),
      unit: "probability",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "Finder.contentInset", value: Double(Finder.contentInset),
      unit: "share of the shape's sides",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "Finder.closedSize", value: Double(Finder.closedSize), unit: "heights of letters",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "Finder.freeSize", value: Double(Finder.freeSize), unit: "heights of letters",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "Finder.freeWinding", value: Double(Finder.freeWinding),
      unit: "path length over diagonal",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "Finder.bentWinding", value: Double(Finder.bentWinding),
      unit: "path length over diagonal",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "Finder.bentSize", value: Double(Finder.bentSize), unit: "heights of letters",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "Finder.mostParts", value: Double(Finder.mostParts), unit: "strokes",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "Finder.endReach", value: Double(Finder.endReach), unit: "heights of letters",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "Finder.closedGap", value: Double(Finder.closedGap), unit: "share of the extent",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "Finder.closedHead", value: Double(Finder.closedHead), unit: "share of the line",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "Fit.samplesPerStroke", value: Double(Fit.samplesPerStroke), unit: "samples",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "Ink.plainWinding", value: Double(Ink.plainWinding), unit: "path length over extent",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "mostGestureStrokes", value: Double(mostGestureStrokes), unit: "strokes",
      measuredOn: fields, chosenBy: byHand),
    Entry(
      name: "Shapes.dashGap", value: Double(Shapes.dashGap), unit: "heights of letters",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "RawContent.groupGap", value: Double(RawContent.groupGap), unit: "heights of letters",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "Text.blockGapBeside", value: Double(Text.blockGapBeside), unit: "line heights",
      measuredOn: texts, chosenBy: byHand),
    Entry(
      name: "Text.coverage", value: Double(Text.coverage), unit: "share of the stroke's width",
      measuredOn: texts, chosenBy: byHand),
    Entry(
      name: "Text.leastWidth", value: Double(Text.leastWidth), unit: "millimetres",
      measuredOn: fields, chosenBy: byHand),
    Entry(
      name: "Text.endOfLine", value: Double(Text.endOfLine), unit: "line heights",
      measuredOn: texts, chosenBy: byHand),
    Entry(
      name: "Fit.turns", value: Double(Fit.turns), unit: "steps to each side", measuredOn: pages,
      chosenBy: byHand),
    Entry(
      name: "Fit.turn", value: Double(Fit.turn), unit: "degrees", measuredOn: pages,
      chosenBy: byHand),
    Entry(
      name: "Fit.shortLine", value: Double(Fit.shortLine), unit: "share of the size",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "Fit.capsuleCorners", value: Double(Fit.capsuleCorners), unit: "corners",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "Fit.cornerPasses", value: Double(Fit.cornerPasses), unit: "passes",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "Fit.headWeight", value: Double(Fit.headWeight), unit: "share of the line's extent",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "Fit.headLength", value: Double(Fit.headLength), unit: "share of the line's extent",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "Fit.cornerDeviation", value: Double(Fit.cornerDeviation), unit: "share of the size",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "Fit.outlineTolerance", value: Double(Fit.outlineTolerance),
      unit: "mean distance over size",
      measuredOn: pages, chosenBy: byHand),
    Entry(
      name: "Eraser.pathStep", value: Double(Eraser.pathStep), unit: "radii of the eraser",
      measuredOn: fields, chosenBy: byHand),
    Entry(
      name: "Eraser.inkStep", value: Double(Eraser.inkStep), unit: "radii of the eraser",
      measuredOn: fields, chosenBy: byHand),
    Entry(
      name: "Eraser.mostSteps", value: Double(Eraser.mostSteps), unit: "points",
      measuredOn: fields, chosenBy: byHand),
    Entry(
      name: "History.mostSteps", value: Double(History.mostSteps), unit: "changes",
      measuredOn: growth, chosenBy: memory),
    Entry(
      name: "History.mostStrokes", value: Double(History.mostStrokes),
      unit: "strokes in all states",
      measuredOn: growth, chosenBy: memory),
    Entry(
      name: "History.leastRemoved", value: Double(History.leastRemoved), unit: "strokes",
      measuredOn: growth, chosenBy: memory),
    Entry(
      name: "Font.ascender", value: Double(Font.ascender), unit: "sizes of the font",
      measuredOn: fields, chosenBy: "by hand, as in common sans-serif fonts"),
    Entry(
      name: "Font.descender", value: Double(Font.descender), unit: "sizes of the font",
      measuredOn: fields, chosenBy: "by hand, as in common sans-serif fonts"),
    Entry(
      name: "Font.narrow", value: Double(Font.narrow), unit: "sizes of the font",
      measuredOn: fields, chosenBy: "by hand, as in common sans-serif fonts"),
    Entry(
      name: "Font.slim", value: Double(Font.slim), unit: "sizes of the font",
      measuredOn: fields, chosenBy: "by hand, as in common sans-serif fonts"),
    Entry(
      name: "Font.small", value: Double(Font.small), unit: "sizes of the font",
      measuredOn: fields, chosenBy: "by hand, as in common sans-serif fonts"),
    Entry(
      name: "Font.capital", value: Double(Font.capital), unit: "sizes of the font",
      measuredOn: fields, chosenBy: "by hand, as in common sans-serif fonts"),
    Entry(
      name: "Font.wide", value: Double(Font.wide), unit: "sizes of the font",
      measuredOn: fields, chosenBy: "by hand, as in common sans-serif fonts"),
    Entry(
      name: "Drawing.flatness", value: Double(Drawing.flatness), unit: "millimetres",
      measuredOn: drawing, chosenBy: byEye),
    Entry(
      name: "Drawing.roundness", value: Double(Drawing.roundness), unit: "millimetres",
      measuredOn: drawing, chosenBy: byEye),
    Entry(
      name: "Drawing.tiltGain", value: Double(Drawing.tiltGain), unit: "widths",
      measuredOn: drawing, chosenBy: byEye),
    Entry(
      name: "Drawing.nibAngle", value: Double(Drawing.nibAngle), unit: "radians",
      measuredOn: drawing, chosenBy: byEye),
    Entry(
      name: "Drawing.nibThickness", value: Double(Drawing.nibThickness), unit: "widths",
      measuredOn: drawing, chosenBy: byEye),
    Entry(
      name: "Drawing.fold", value: Double(Drawing.fold), unit: "share of the piece",
      measuredOn: drawing, chosenBy: byEye),
    Entry(
      name: "Drawing.cell", value: Double(Drawing.cell), unit: "millimetres",
      measuredOn: "bench --only drawing", chosenBy: byHand),
    Entry(
      name: "Drawing.inkWidth", value: Double(Drawing.inkWidth), unit: "millimetres",
      measuredOn: drawing, chosenBy: byEye),
    Entry(
      name: "Drawing.penShare", value: Double(Drawing.penShare), unit: "widths",
      measuredOn: drawing, chosenBy: byEye),
    Entry(
      name: "Drawing.guideWidth", value: Double(Drawing.guideWidth), unit: "millimetres",
      measuredOn: drawing, chosenBy: byEye),
    Entry(
      name: "Drawing.frameWidth", value: Double(Drawing.frameWidth), unit: "millimetres",
      measuredOn: drawing, chosenBy: byEye),
    Entry(
      name: "Drawing.frameDash", value: Double(Drawing.frameDash), unit: "millimetres",
      measuredOn: drawing, chosenBy: byEye),
    Entry(
      name: "Drawing.shapeWidth", value: Double(Drawing.shapeWidth), unit: "millimetres",
      measuredOn: drawing, chosenBy: byEye),
    Entry(
      name: "Drawing.headAngle", value: Double(Drawing.headAngle), unit: "radians",
      measuredOn: drawing, chosenBy: byEye),
    Entry(
      name: "GuideRow.baseline", value: Double(GuideRow.baseline), unit: "row heights",
      measuredOn: fields, chosenBy: byHand),
    Entry(
      name: "GuideRow.tallest", value: Double(GuideRow.tallest), unit: "row heights",
      measuredOn: fields, chosenBy: byHand),
    Entry(
      name: "GuideRow.smallest", value: Double(GuideRow.smallest), unit: "row heights",
      measuredOn: fields, chosenBy: byHand),
  ]
}
