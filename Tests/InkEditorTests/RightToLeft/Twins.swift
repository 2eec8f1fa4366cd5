import Foundation
import InkCore
import InkEditor
import Recognition
import TestSamples
import Testing
import Typesetting

/// Reads mirrored ink as ``FakeReader`` reads the original, with letters from right to left.
struct MirroredReader: Recognizer {
  private let reader = FakeReader(keepsLog: false)

  /// Latin letters and their counterparts, which are as high and hang as low in the rules of gestures.
  static let letters: [Character: Character] = Dictionary(
    uniqueKeysWithValues: zip("cmnorsuvwCMNORSUVW", "אבגדהוזחטلاآأإكکطظ"))

  static func mapped(_ text: String) -> String { String(text.map { letters[$0] ?? $0 }) }

  var labels: [String]? { nil }
  var direction: WritingDirection { .rightToLeft }

  func recognize(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
  ) throws -> RecognitionResult {
    var result = try reader.recognize(
      ink.turned(.rightToLeft), context: context, maximumCandidates: maximumCandidates)
    for index in result.candidates.indices {
      result.candidates[index].text = Self.mapped(result.candidates[index].text)
    }
    return result
  }
}

/// A font whose letters are all alike, and the same from both sides.
struct EvenFont: FontProvider {
  func metrics(of face: FontFace) -> FaceMetrics { BundledFont().metrics(of: face) }

  func glyphs(of text: String, in face: FontFace) -> [GlyphMetrics?] {
    text.map { sign in
      sign == " "
        ? GlyphMetrics(advance: 0.3, left: 0, bottom: 0, right: 0, top: 0)
        : GlyphMetrics(advance: 0.6, left: 0.05, bottom: 0, right: 0.55, top: 0.7)
    }
  }
}

/// Two editors to which the same happens: one from left to right, and one that is its mirror image.
/// Whatever the first does with a page, the second does with the mirrored page.
struct Twins {
  let left: Desk
  let right: Desk

  static let width = 200.0
  /// Places are multiples of one part of this of a millimetre. A mirrored place is then exact: no
  /// decision depends on how it was rounded.
  static let grain = 1024.0

  init(type: String, configure: (Editor) throws -> Void = { _ in }) throws {
    func set(_ editor: Editor) throws {
      editor.fonts = EvenFont()
      for key in ["text.margin.left", "text.margin.right"] {
        try editor.configuration.set(key, to: 15)
      }
      try configure(editor)
    }
    let models = LoadedModels()
    models.setText(MirroredReader(), bundle: "en_US")
    models.setShapes(FakeShapes())
    left = try Desk(type: type, configure: set)
    right = try Desk(type: type, models: models, configure: set)
  }

  /// Draws strokes, and the mirrored strokes, each after the editor has looked at the one before: the
  /// structure of a page that is found early depends on the threads.
  func draw(_ strokes: [[StrokePoint]]) throws {
    let strokes = strokes.map { points in
      points.map { point in
        var point = point
        point.x = (point.x * Self.grain).rounded() / Self.grain
        return point
      }
    }
    for points in strokes {
      try left.draw([points])
      try right.draw([
        points.map { point in
          var point = point
          point.x = Self.width - point.x
          return point
        }
      ])
      try both { try $0.editor.waitUntilIdle() }
    }
  }

  func write(_ text: String, x: Double = 20, y: Double = 15) throws {
    try draw(Pen.strokes(text, x: x, y: y))
  }

  /// Does the same with both.
  func both(_ body: (Desk) throws -> Void) throws {
    try body(left)
    try body(right)
  }

  /// Checks that the pages are mirror images, and returns the text from left to right.
  @discardableResult
  func compare(_ comment: Comment? = nil, at location: SourceLocation = #_sourceLocation) throws
    -> String
  {
    let text = try left.text()
    let mirrored = try right.text()
    #expect(mirrored == MirroredReader.mapped(text), comment, sourceLocation: location)
    let (words, others) = (try Self.words(left), try Self.words(right))
    #expect(words.count == others.count, comment, sourceLocation: location)
    for (word, other) in zip(words, others) {
      #expect(other.label == MirroredReader.mapped(word.label), comment, sourceLocation: location)
      let box = BoundingBox(
        minX: Self.width - other.box.maxX, minY: other.box.minY,
        maxX: Self.width - other.box.minX, maxY: other.box.maxY)
      for (one, two) in [
        (word.box.minX, box.minX), (word.box.maxX, box.maxX), (word.box.minY, box.minY),
        (word.box.maxY, box.maxY),
      ] {
        // Points are stored as multiples of a thousandth of a millimetre.
        #expect(abs(one - two) < 0.01, comment, sourceLocation: location)
      }
    }
    #expect(
      try left.root.children.count == right.root.children.count, comment, sourceLocation: location)
    return text
  }

  private static func words(_ desk: Desk) throws -> [TextWord] {
    let root = try desk.root
    return root.words + root.children.flatMap(\.words)
  }
}
