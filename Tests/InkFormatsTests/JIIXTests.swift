import Foundation
import InkFormats
import Testing

@Suite("JIIX")
struct JIIXTests {
  private func parse(_ json: String) throws -> JIIXBlock {
    try JIIXBlock(parsing: Data(json.utf8))
  }

  @Test("points are read as pairs and as flat arrays, and written as pairs")
  func points() throws {
    let expected = JIIXPoints([JIIXPoint(x: 1, y: 2), JIIXPoint(x: 3, y: 4)])
    let pairs = try parse(
      #"{"type":"Node","version":"3","points":[{"x":1,"y":2},{"x":3,"y":4}]}"#)
    let flat = try parse(#"{"type":"Node","version":"3","points":[1,2,3,4]}"#)
    #expect(pairs.points == expected && flat == pairs)
    let written = String(decoding: try flat.json(), as: UTF8.self)
    #expect(written == #"{"points":[{"x":1,"y":2},{"x":3,"y":4}],"type":"Node","version":"3"}"#)
  }

  @Test("malformed documents are refused with what is wrong")
  func malformed() throws {
    for (json, code) in [
      ("", InkFormatError.Code.malformed), ("[]", .malformed), ("{}", .malformed),
      (#"{"type":"Text"}"#, .malformed), (#"{"type":"Text","version":3}"#, .malformed),
      (#"{"type":"Text","version":"2"}"#, .malformed),
      (#"{"type":"Node","version":"3","points":[1,2,3]}"#, .malformed),
      (
        #"{"type":"Drawing","version":"3","items":[{"type":"stroke","X":[1],"Y":[1,2]}]}"#,
        .unequalLengths
      ),
      (#"{"type":"Drawing","version":"3","items":[{"type":"stroke","X":[1]}]}"#, .unequalLengths),
      (String(repeating: #"{"elements":["#, count: 200), .nestingTooDeep),
    ] {
      do throws(InkFormatError) {
        _ = try JIIXBlock(parsing: Data(json.utf8))
        Issue.record("\(json.prefix(60)) was read")
      } catch {
        #expect(error.code == code, "\(json.prefix(60))")
        #expect(!error.found.isEmpty)
      }
    }
  }

  @Test("ranges of strokes are as few as can be")
  func ranges() {
    let ranges = JIIXRange.ranges(ofStrokes: [5, 1, 2, 3, 9])
    #expect(ranges.map(\.from.stroke) == [1, 5, 9])
    #expect(ranges.map(\.to.stroke) == [3, 5, 9])
    #expect(JIIXRange.strokes(of: ranges) == [1, 2, 3, 5, 9])
    #expect(JIIXRange.ranges(ofStrokes: []).isEmpty)
  }

  @Test("what is written reads the same")
  func roundTrip() throws {
    var word = JIIXWord(label: "é\n\"")
    word.candidates = ["é", "e"]
    word.boundingBox = JIIXBox(x: 1, y: 2, width: 3, height: 4.5)
    var stroke = JIIXStroke(id: "7")
    stroke.X = [1, 2.5]
    stroke.Y = [0, -1]
    stroke.T = [0, 8]
    word.items = [stroke]
    var root = JIIXBlock(type: "Text")
    root.version = JIIXBlock.currentVersion
    root.words = [word]
    root.lines = [JIIXLine(firstChar: 0, lastChar: 2, baselineY: 9, xHeight: 2)]
    #expect(try JIIXBlock(parsing: root.json()) == root)
    #expect(try JIIXBlock(parsing: root.json(prettyPrinted: true)) == root)
  }
}
