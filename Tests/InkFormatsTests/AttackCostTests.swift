import Foundation
import InkCore
import InkFormats
import Testing

/// Small files that would take all time or memory of a reader that is not careful.
@Suite("Attacks by cost", .timeLimit(.minutes(1)))
struct AttackCostTests {
  private static let many = 100_000

  private func repeated(_ text: String, _ count: Int = many) -> String {
    String(repeating: text, count: count)
  }

  // MARK: - XML

  @Test(
    "Entities are never declared, and none but the predefined ones are known", arguments: Attack.xml
  )
  func entities(format: InkFileFormat) throws {
    let sample = try #require(Attack.samples.first { $0.format == format }).text
    var laughs = "<!ENTITY l0 'ha'>"
    for level in 1...9 {
      laughs += "<!ENTITY l\(level) '\(repeated("&l\(level - 1);", 10))'>"
    }
    for declarations in [
      laughs, "<!ENTITY l9 SYSTEM 'file:///etc/passwd'>",
      "<!ENTITY % p SYSTEM 'file:///dev/zero'> %p;",
      "<!ATTLIST g a CDATA 'v'>", "",
    ] {
      let text =
        "<!DOCTYPE a [\(declarations)]>\n" + sample.replacingOccurrences(of: "é", with: "&l9;")
      #expect(Attack.read(text, format).codes == [.malformed])
    }
    // Without declarations the entities are unknown.
    let unknown = Attack.read(sample.replacingOccurrences(of: "é", with: "&l9;"), format)
    #expect(format == .xournal || unknown.codes == [.malformed])
    let type = Attack.read("<!DOCTYPE a SYSTEM \"/dev/zero\">" + sample, format)
    #expect(type.pattern.contains(true))
  }

  @Test("Elements that nest without end are a typed error with the line", arguments: Attack.xml)
  func nestedElements(format: InkFileFormat) {
    let outcome = Attack.read("\n" + repeated("<g>"), format)
    #expect(outcome.codes == [.nestingTooDeep])
    #expect(outcome.failures.first?.location.line == 2)
  }

  @Test("Tags of many attributes, and without an end, are typed errors", arguments: Attack.xml)
  func attributes(format: InkFileFormat) {
    let many = (0..<Self.many).map { " k\($0)=''" }.joined()
    #expect(Attack.read("<g\(many)/>", format).codes == [.malformed])
    #expect(Attack.read("<\(repeated("g", 1 << 20))", format).codes == [.truncated])
    #expect(Attack.read("<g a=\"\(repeated("v", 1 << 20))", format).codes == [.truncated])
    #expect(Attack.read("<!-- \(repeated("- ", 1 << 19))", format).codes == [.truncated])
    #expect(Attack.read("<![CDATA[\(repeated("]", 1 << 20))", format).codes == [.truncated])
    #expect(Attack.read("<?\(repeated("?", 1 << 20))", format).codes == [.truncated])
  }

  @Test("Values of many entities are decoded, and ampersands alone are a typed error")
  func ampersands() {
    let decoded = Attack.read(
      "<Gesture Name='\(repeated("&amp;", 1 << 20))'><Point X='1' Y='2'/></Gesture>", .gestureXML)
    #expect(decoded.labels.map(\.utf8.count) == [1 << 20])
    for value in [
      repeated("&", 1 << 20), "&" + repeated("a", 1 << 20), "&#" + repeated("0", 1 << 20),
    ] {
      #expect(Attack.read("<Gesture Name='\(value)'/>", .gestureXML).codes == [.malformed])
    }
  }

  @Test("Many errors in one file take the time of one")
  func manyErrors() {
    let characters = Attack.read(
      "<a>" + repeated("<character>\n</character>") + "</a>", .tegaki)
    #expect(characters.failures.count == Self.many)
    #expect(characters.failures.last?.location.line == Self.many + 1)
    let group = "<traceGroup><annotation type='truth'>a</annotation><trace></trace></traceGroup>\n"
    let groups = Attack.read("<ink><trace>1 2</trace>" + repeated(group) + "</ink>", .inkML)
    #expect(groups.failures.count == Self.many)
    let view = "<traceGroup><annotation type='truth'>a</annotation><traceView traceDataRef='#b'/>"
    let views = Attack.read(
      "<ink><trace>1 2</trace>" + repeated(view + "</traceGroup>\n") + "</ink>", .inkML)
    #expect(views.failures.last?.location.line == Self.many)
  }

  @Test("Views of views of InkML that multiply are typed errors, with traces in them or not")
  func views() {
    for trace in ["<trace>1 2</trace>", ""] {
      let groups = (1...60).map { level in
        """
        <traceGroup id="g\(level)"><annotation type="truth">a</annotation>
        <traceView traceDataRef="#g\(level - 1)"/><traceView traceDataRef="#g\(level - 1)"/></traceGroup>
        """
      }.joined()
      let outcome = Attack.read(
        "<ink><trace>1 2</trace><traceGroup id=\"g0\">\(trace)</traceGroup>\(groups)</ink>", .inkML)
      #expect(outcome.codes.contains(.nestingTooDeep))
    }
  }

  @Test("Parts of a long trace that are viewed many times are a typed error")
  func parts() {
    let views = repeated(
      "<traceGroup><annotation type='truth'>a</annotation><traceView traceDataRef='t' from='2'/>"
        + "</traceGroup>", 1000)
    let outcome = Attack.read(
      "<ink><trace id='t'>\(repeated("1 2,", 20_000))</trace>\(views)</ink>", .inkML)
    #expect(outcome.pattern.first == true)
    #expect(outcome.codes.last == .nestingTooDeep)
  }

  @Test("Contexts of InkML that name each other many times end")
  func contexts() {
    let contexts = (0..<40).map { level in
      let next = "#c\(level + 1)"
      return """
        <context xml:id="c\(level)" contextRef="\(next)" inkSourceRef="\(next)" traceFormatRef="\(next)"/>
        """
    }.joined()
    let traces = repeated("<trace contextRef='#c0'>1 2</trace>", 1000)
    let outcome = Attack.read("<ink>\(contexts)<context xml:id='c40'/>\(traces)</ink>", .inkML)
    #expect(outcome.records.first?.labeled.ink.strokes.count == 1000)
    let circle = "<context xml:id='c' contextRef='#c' inkSourceRef='#c' traceFormatRef='#c'/>"
    #expect(
      Attack.read("<ink>\(circle)\(traces.replacingOccurrences(of: "c0", with: "c"))</ink>", .inkML)
        .pattern == [true])
  }

  // MARK: - SVG

  @Test("Path data and transforms of many parts are read")
  func longPaths() {
    let path = Attack.read("<svg><path stroke='red' d='M0 0\(repeated("l1 1"))'/></svg>", .svg)
    #expect(path.records.first?.labeled.ink.pointCount == Self.many + 1)
    for data in ["M0 0\(repeated("z"))", "M0 0L1 1\(repeated("z"))"] {
      #expect(Attack.read("<svg><path stroke='red' d='\(data)'/></svg>", .svg).pattern == [true])
    }
    for text in [repeated("translate(1 1)"), repeated(" ,", 1 << 20)] {
      let outcome = Attack.read(
        "<svg><path stroke='red' transform='\(text)' d='M1 1z'/></svg>", .svg)
      #expect(outcome.pattern == [true])
    }
    for text in [repeated("scale("), repeated("("), repeated(")"), repeated("translate(1 1 ")] {
      let outcome = Attack.read(
        "<svg><path stroke='red' transform='\(text)' d='M1 1z'/></svg>", .svg)
      #expect(outcome.codes == [.malformed])
    }
  }

  @Test("Short commands that draw too many points are a typed error")
  func curves() {
    let path = "<path stroke='red' d='M0 0a\(repeated("1 1 0 001 1 ", 200_000))'/>"
    #expect(Attack.read("<svg>\(path)</svg>", .svg).codes == [.tooLarge])
    let some = "<path stroke='red' d='M0 0T\(repeated("1 1 ", 5000))'/>"
    #expect(Attack.read("<svg>\(repeated(some, 120))</svg>", .svg).codes == [.tooLarge])
  }

  // MARK: - JSON and S-expressions

  @Test(
    "Arrays and objects that nest without end are typed errors",
    arguments: Attack.json, ["[", #"{"a":"#, #"[{"elements":"#])
  func nestedValues(format: InkFileFormat, text: String) {
    let key = [.jsonLines: "strokes", .strokeLines: "strokes", .quickDraw: "drawing"][format]
    for key in [key ?? "elements", "records", "x"] {
      let outcome = Attack.read("{\"\(key)\":\(repeated(text))", format)
      let codes: [InkFormatError.Code] = [.nestingTooDeep, .wrongType]
      #expect(outcome.failures.count == 1 && outcome.codes.allSatisfy(codes.contains))
    }
    #expect(throws: InkFormatError.self) {
      try JIIXBlock(parsing: Data("{\"elements\":\(self.repeated(text))".utf8))
    }
  }

  @Test("Long keys, strings and runs of blanks are read", arguments: Attack.json)
  func longStrings(format: InkFileFormat) throws {
    let sample = try #require(Attack.samples.first { $0.format == format }).text
    let long = repeated("k", 1 << 22)
    for member in [
      "\"\(long)\":1,", "\"k\":\"\(long)\",", "\"k\":\"\(repeated("\\u0041", 1 << 19))\",",
      repeated(" ", 1 << 22), (0..<Self.many).map { "\"k\($0)\":[]," }.joined(),
    ] {
      let outcome = Attack.read("{" + member + sample.dropFirst(), format)
      #expect(outcome.failures.isEmpty && !outcome.records.isEmpty)
    }
  }

  @Test("Groups of drawings as many as strokes take the time of one each")
  func groups() {
    let elements = (0..<50_000).map {
      #"{"type":"freedraw","groupIds":["g\#($0)"],"points":[[1,2]]}"#
    }.joined(separator: ",")
    let excalidraw = Attack.read("{\"elements\":[\(elements)]}", .excalidraw)
    #expect(excalidraw.records.first?.labeled.ink.strokes.count == 50_000)
    let shapes = (0..<50_000).map {
      #"{"typeName":"shape","id":"g\#($0)"},{"typeName":"shape","id":"\#($0)","type":"draw","#
        + #""parentId":"g\#($0)","props":{"segments":[{"points":[{"x":1,"y":2}]}]}}"#
    }.joined(separator: ",")
    let tldraw = Attack.read("{\"records\":[\(shapes)]}", .tldraw)
    #expect(tldraw.records.map(\.labeled.ink.strokes.count).reduce(0, +) == 50_000)
  }

  @Test("Expressions that nest without end, or never end, are typed errors with their line")
  func expressions() {
    for text in ["(", "(a ", "(character", "(character "] {
      let outcome = Attack.read("\n(character \(repeated(text))", .zinnia)
      #expect(outcome.records.isEmpty)
      #expect(outcome.failures.first?.location.line == 2)
    }
  }

  // MARK: - UNIPEN

  @Test("A hierarchy of many levels costs no time for each segment")
  func hierarchy() {
    let levels = (0..<Self.many).map { " L\($0)" }.joined()
    let segments = (0..<20_000).map { ".SEGMENT L\(Self.many - 1 - $0)\n" }.joined()
    let outcome = Attack.read(".HIERARCHY\(levels)\n\(segments).PEN_DOWN\n1 2\n", .unipen)
    #expect(outcome.pattern.count == 20_000)
  }

  @Test("Ranges that repeat the pen data, in one segment or in many, are typed errors")
  func ranges() {
    let pens = repeated(".PEN_UP\n0 0\n", 5000) + repeated(".PEN_DOWN\n1 2\n", 10)
    let spans = Array(repeating: "0-5009", count: 5000).joined(separator: ",")
    let one = Attack.read(pens + ".SEGMENT WORD \(spans) OK \"a\"\n", .unipen)
    #expect(one.codes == [.rangeOutOfBounds])
    let ink = ".PEN_DOWN\n" + repeated("1 2\n", 20_000)
    let many = Attack.read(ink + repeated(".SEGMENT WORD 0 OK \"a\"\n", 5000), .unipen)
    #expect(many.pattern.first == true)
    #expect(many.codes.last == .rangeOutOfBounds)
  }

  @Test("Lines that are no points do not take the memory of points")
  func badLines() {
    let columns = "X Y" + repeated(" Z", 30)
    let bytes = Array(".COORD \(columns)\n.PEN_DOWN\n\(repeated("x\n", 1 << 21))".utf8)
    let document = try? UNIPENParser.document(root: "", file: "a") { _ in bytes }
    #expect(document?.values.count == 32)
    #expect(document?.componentDefects.count == 1)
  }
}
