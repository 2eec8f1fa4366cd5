import Foundation
import InkCore
import InkFormats
import Testing

/// Files that were made to break a reader.
enum Attack {
  static let xml: [InkFileFormat] = [.inkML, .gestureXML, .xournal, .svg, .tegaki]
  static let json: [InkFileFormat] = [
    .jiix, .excalidraw, .tldraw, .jsonLines, .strokeLines, .quickDraw, .strokeJSON,
  ]

  /// A small file of each format with most of what it may hold.
  static let samples: [(format: InkFileFormat, text: String)] = [
    (
      .inkML,
      """
      <?xml version="1.0"?><ink xmlns="http://www.w3.org/2003/InkML"><context xml:id="c"><traceFormat>
      <channel name="X"/><channel name="Y"/><channel name="T" units="ms"/></traceFormat></context>
      <traceGroup contextRef="#c"><annotation type="truth">é&lt;</annotation><trace id="t">1 2 3,'4 5 "6
      </trace><traceView traceDataRef="#t" from="1" to="2"/></traceGroup></ink>
      """
    ),
    (
      .jiix,
      #"{"type":"Text","version":"3","label":"é","words":[{"label":"é","items":[{"type":"stroke","#
        + #""timestamp":"2020-01-02 03:04:05.678","X":[1,2],"Y":[2,3],"F":[0,1],"T":[0,8]}]}]}"#
    ),
    (
      .jsonLines,
      #"{"label":"\u00e9","writer":"w","quality":"ok","area":{"x":0,"y":0,"width":3,"height":4},"#
        + #""strokes":[{"x":[1,2],"y":[2,3],"t":[0,null],"force":[1,0.5]}]}"# + "\n"
    ),
    (.strokeLines, #"{"label":"é","subject":7,"strokes":[[[1,2,3],[4,5e1,6]],[[1,2]]]}"# + "\n"),
    (.quickDraw, #"{"word":"é","key_id":"1","drawing":[[[1,2],[3,4],[0,8]]]}"# + "\n"),
    (
      .unipen,
      """
      .VERSION 1.0
      .HIERARCHY TEXT WORD
      .COORD X Y T P
      .WRITER_ID w
      .SEGMENT WORD 0-1:0,1:1 GOOD "é\\""
      .PEN_DOWN
      1 2 3 4
      -5 6e1 7 8
      .PEN_UP
      1 2 3 0
      2 2 4 0

      """
    ),
    (
      .gestureXML,
      #"<Gesture Name="é~01" Subject="1"><Stroke><Point X="1" Y="2,5" T="3" Pressure="9"/></Stroke></Gesture>"#
    ),
    (
      .xournal,
      #"<xournal><page height="9"><layer name="l"><stroke tool="pen" width="2 1">1 2 3 4</stroke></layer>"#
        + "<layer><stroke>5 -6</stroke></layer></page></xournal>"
    ),
    (
      .svg,
      #"<svg><g transform="scale(2) rotate(3)" data-label="é"><path stroke="red" d="M1 2C1 2 3 4 5 6zl1-1"/>"#
        + #"</g><polyline points="1,2 3,4"/></svg>"#
    ),
    (
      .excalidraw,
      #"{"type":"excalidraw","elements":[{"id":"a","type":"freedraw","x":1,"y":2,"angle":0.5,"#
        + #""groupIds":["g"],"points":[[1,2],[3,4]],"pressures":[0.5,1]}]}"#
    ),
    (
      .tldraw,
      #"{"tldrawFileFormatVersion":1,"schema":{},"records":[{"typeName":"page","id":"p"},"#
        + #"{"typeName":"shape","id":"a","type":"draw","parentId":"p","x":1,"props":{"isPen":true,"#
        + #""segments":[{"points":[{"x":1,"y":2,"z":1}]},{"path":"AACAPwAAAEAAAAA/ADwAwAAA"}]}}]}"#
    ),
    (
      .strokeJSON,
      #"{"label":"é","lines":[{"points":[{"x":1,"y":2,"t":0,"pressure":0.5},{"x":3,"y":4,"t":9}]},"#
        + #"{"path":[["M",1,2],["Q",3,4,5,6]],"left":1,"top":2,"angle":30}]}"#
    ),
    (.zinnia, "(character (value é)(width 3)(strokes ((1 2)(3 4e1))((5 6))))\n"),
    (
      .tegaki,
      #"<character-collection><writer>w</writer><character><utf8>é</utf8><strokes><stroke>"#
        + #"<point x="1" y="2" timestamp="3" pressure="1"/></stroke></strokes></character>"#
        + "</character-collection>"
    ),
  ]

  /// The samples of all formats, with those that are no text.
  static let all: [(format: InkFileFormat, bytes: [UInt8])] =
    samples.map { ($0.format, Array($0.text.utf8)) } + NoteSamples.all

  /// Reads bytes as a file of a format.
  static func read(_ bytes: [UInt8], _ format: InkFileFormat) -> Outcome {
    Outcome(InkReader(format, bytes: bytes, name: "a"))
  }

  static func read(_ text: String, _ format: InkFileFormat) -> Outcome {
    read(Array(text.utf8), format)
  }

  /// Whether a reader kept its promises: ink is finite and not empty, and errors name the file.
  static func isSound(_ outcome: Outcome) -> Bool {
    outcome.records.allSatisfy { record in
      !record.labeled.ink.isEmpty
        && record.labeled.ink.strokes.allSatisfy { stroke in
          stroke.points.allSatisfy { point in
            point.hasFinitePosition
              && [point.t, point.force, point.azimuth, point.altitude, point.roll].allSatisfy {
                $0?.isFinite ?? true
              }
          }
        }
    } && outcome.failures.allSatisfy { $0.location.path.hasSuffix("a") && !$0.found.isEmpty }
  }
}

@Suite("Attacks by content", .timeLimit(.minutes(1)))
struct AttackTests {
  @Test("There is a sample of each format, and it is read")
  func samples() {
    #expect(Set(Attack.all.map(\.format)) == Set(InkFileFormat.allCases))
    for (format, bytes) in Attack.all {
      let outcome = Attack.read(bytes, format)
      #expect(outcome.failures.isEmpty && !outcome.records.isEmpty, "\(format) \(outcome.failures)")
      #expect(Attack.isSound(outcome), "\(format)")
    }
  }

  // MARK: - Damage at every byte

  @Test(
    "A file that ends anywhere is read as far as it goes, or an error", arguments: Attack.all)
  func truncated(format: InkFileFormat, bytes: [UInt8]) {
    for count in bytes.indices {
      let outcome = Attack.read(Array(bytes[..<count]), format)
      #expect(Attack.isSound(outcome), "\(count) bytes")
      _ = InkFileFormat.of(bytes: Array(bytes[..<count]))
    }
  }

  @Test(
    "Bytes that are no UTF-8, zeros, quotes and brackets anywhere do no harm",
    arguments: Attack.all)
  func damaged(format: InkFileFormat, bytes: [UInt8]) {
    let marks = Array("\"'<>&[]{}().-#e9".utf8)
    let isText = Attack.samples.contains { $0.format == format }
    let damages: [UInt8] = isText ? [0xFF, 0xC3, 0, 0x0A] + marks : [0xFF, 0x7F, 0]
    for damage in damages {
      for index in bytes.indices {
        var replaced = bytes
        replaced[index] = damage
        #expect(Attack.isSound(Attack.read(replaced, format)), "\(damage) at \(index)")
        var inserted = bytes
        inserted.insert(damage, at: index)
        #expect(Attack.isSound(Attack.read(inserted, format)), "\(damage) before \(index)")
      }
    }
  }

  @Test("Bytes by chance do no harm", arguments: Attack.all)
  func random(format: InkFileFormat, sample: [UInt8]) {
    let seed = UInt64.random(in: .min ... .max)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      var bytes = sample
      for _ in 0...generator.index(below: 8) {
        let start = generator.index(below: bytes.count)
        let end = min(bytes.count, start + generator.index(below: 9))
        let from = generator.index(below: bytes.count)
        switch generator.index(below: 3) {
        case 0: bytes[start] = UInt8(truncatingIfNeeded: generator.next())
        case 1: bytes.replaceSubrange(start..<end, with: [])
        default: bytes.insert(contentsOf: Array(bytes[start..<end]), at: from)
        }
        if bytes.isEmpty { bytes = [0] }
      }
      #expect(Attack.isSound(Attack.read(bytes, format)), "seed \(seed)")
    }
  }

  @Test("A label that is no UTF-8 is a typed error", arguments: Attack.samples)
  func encoding(format: InkFileFormat, text: String) throws {
    // UNIPEN is in Latin-1 where it is not in UTF-8.
    guard format != .unipen, text.contains("é") else { return }
    let bytes = Array(text.utf8)
    let index = try #require(bytes.firstIndex(of: 0xC3))
    let outcome = Attack.read(Array(bytes[..<index] + bytes[(index + 1)...]), format)
    #expect(outcome.codes == [.invalidEncoding])
  }

  @Test(
    "Files of nothing, of zeros, of blanks and of marks are typed errors, or hold nothing",
    arguments: InkFileFormat.allCases)
  func nothing(format: InkFileFormat) {
    for bytes: [UInt8] in [
      [], [0], Array(repeating: 0, count: 9999), Array(repeating: 0x20, count: 9999),
      Array(repeating: 0x0A, count: 9999), [0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF, 0],
      [0x1F, 0x8B], Array(repeating: 0xFF, count: 9999),
    ] {
      let outcome = Attack.read(bytes, format)
      #expect(outcome.records.isEmpty)
      #expect(Attack.isSound(outcome))
    }
  }

  // MARK: - Numbers

  @Test(
    "Numbers that are not finite are typed errors, never ink",
    arguments: [
      "nan", "NaN", "inf", "-inf", "Infinity", "1e400", "-1e400", "1e99999999999999999999",
    ])
  func nonFinite(number: String) {
    let texts: [(InkFileFormat, String)] = [
      (.inkML, "<ink><trace>1 \(number)</trace></ink>"),
      (.jiix, #"{"type":"Node","items":[{"type":"stroke","X":[\#(number)],"Y":[2]}]}"#),
      (.jsonLines, #"{"strokes":[{"x":[1],"y":[\#(number)]}]}"#),
      (.jsonLines, #"{"strokes":[{"x":[1],"y":[2],"t":[\#(number)]}]}"#),
      (.strokeLines, #"{"strokes":[[[1,2,\#(number)]]]}"#),
      (.quickDraw, #"{"drawing":[[[1],[\#(number)]]]}"#),
      (.unipen, ".COORD X Y\n.PEN_DOWN\n1 \(number)\n.PEN_UP\n"),
      (.gestureXML, "<Gesture Name='a'><Point X='1' Y='\(number)'/></Gesture>"),
      (.gestureXML, "<Gesture Name='a'><Point X='1' Y='2' Pressure='\(number)'/></Gesture>"),
      (.xournal, "<xournal><stroke>1 \(number)</stroke></xournal>"),
      (.svg, "<svg><path d='M1 \(number)'/></svg>"),
      (.svg, "<svg><polyline points='1 \(number)'/></svg>"),
      (.svg, "<svg><path transform='scale(\(number))' d='M1 2z'/></svg>"),
      (.excalidraw, #"{"elements":[{"type":"freedraw","points":[[1,\#(number)]]}]}"#),
      (.excalidraw, #"{"elements":[{"type":"freedraw","angle":\#(number),"points":[[1,2]]}]}"#),
      (
        .tldraw,
        #"{"records":[{"typeName":"shape","id":"a","type":"draw","rotation":\#(number),"#
          + #""props":{"segments":[{"points":[{"x":1,"y":2}]}]}}]}"#
      ),
      (.zinnia, "(character (value a)(strokes ((1 \(number)))))"),
      (.tegaki, "<character><stroke><point x='1' y='\(number)'/></stroke></character>"),
    ]
    for (format, text) in texts {
      let outcome = Attack.read(text, format)
      #expect(outcome.pattern == [false], "\(format)")
      let codes: [InkFormatError.Code] = [.nonFiniteNumber, .malformed, .wrongType, .emptyInk]
      #expect(outcome.codes.allSatisfy(codes.contains), "\(format)")
    }
  }

  @Test(
    "Values beside the coordinates that are not finite are left out",
    arguments: ["nan", "inf", "1e400"])
  func nonFiniteValues(number: String) {
    for (format, text) in [
      (InkFileFormat.xournal, "<xournal><stroke width='1 \(number)'>1 2 3 4</stroke></xournal>"),
      (.xournal, "<xournal><stroke pressures='1 \(number)'>1 2 3 4</stroke></xournal>"),
      (
        .tegaki,
        "<character><stroke><point x='1' y='2' timestamp='\(number)'/></stroke></character>"
      ),
      (
        .unipen,
        ".POINTS_PER_SECOND \(number)\n.Y_DIM \(number)\n.H_LINE \(number)\n.PEN_DOWN\n1 2\n"
      ),
    ] {
      let outcome = Attack.read(text, format)
      #expect(outcome.pattern == [true], "\(format)")
      #expect(Attack.isSound(outcome), "\(format)")
    }
  }

  @Test("Numbers of many digits are read, and those close to 0 are 0")
  func digits() {
    let long = String(repeating: "1", count: 1_000_000)
    for (format, text) in [
      (InkFileFormat.inkML, "<ink><trace>1 0.\(long)</trace></ink>"),
      (.strokeLines, #"{"strokes":[[[1,0.\#(long)]]]}"#),
      (.svg, "<svg><path stroke='red' d='M1 0.\(long)z'/></svg>"),
      (.unipen, ".PEN_DOWN\n1 0.\(long)\n"), (.zinnia, "(character (strokes ((1 0.\(long)))))"),
      (.xournal, "<xournal><stroke>1 0.\(long)</stroke></xournal>"),
    ] {
      #expect(Attack.read(text, format).pattern == [true], "\(format)")
      let whole = Attack.read(text.replacingOccurrences(of: "0.", with: "9"), format)
      #expect(whole.pattern == [false], "\(format)")
      let small = text.replacingOccurrences(of: long, with: "1e-400")
      #expect(Attack.read(small, format).pattern == [true], "\(format)")
    }
  }
}
