import Foundation
import InkCore
import InkFormats
import Testing

@Suite("Labelled-ink JSON Lines")
struct InkJSONLinesTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func read(_ text: String) throws -> Outcome {
    Outcome(try InkReader(.jsonLines, path: folder.write(text, to: "i.jsonl")))
  }

  private func roundTrip(_ inks: [LabeledInk]) throws -> [LabeledInk] {
    let path = folder.path + "/out.jsonl"
    let writer = try InkJSONLinesWriter(path: path)
    for ink in inks { try writer.write(ink) }
    try writer.finish()
    let outcome = Outcome(try InkReader(.jsonLines, path: path))
    #expect(outcome.failures.isEmpty)
    return outcome.records.map(\.labeled)
  }

  @Test("random inks come back bit for bit")
  func roundTrip() throws {
    let seed = UInt64.random(in: .min ... .max)
    var generator = SeededGenerator(seed: seed)
    let inks = (0..<300).map { _ in RandomInk.next(&generator) }
    let back = try roundTrip(inks)
    #expect(back == inks, "seed \(seed)")
  }

  @Test("hard doubles come back bit for bit")
  func hardDoubles() throws {
    let values = [
      0, -0.0, .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude, 0.1, 1 / 3,
      1e22, 1e23,
      9_007_199_254_740_991, -2_147_483_648, 2_147_483_648, 123_456_789.123456789, 1e-7,
    ]
    let ink = LabeledInk(
      ink: Ink(strokes: [Stroke(points: values.map { StrokePoint(x: $0, y: -$0, t: $0) })]),
      label: "")
    let back = try #require(try roundTrip([ink]).first?.ink.strokes.first?.points)
    #expect(back.map(\.x.bitPattern) == values.map(\.bitPattern))
    #expect(back.map(\.y.bitPattern) == values.map { (-$0).bitPattern })
  }

  @Test("the written line is the documented one")
  func form() throws {
    let path = folder.path + "/form.jsonl"
    let writer = try InkJSONLinesWriter(path: path)
    try writer.write(
      LabeledInk(
        ink: Ink(strokes: [
          Stroke(points: [StrokePoint(x: 1, y: 2.5, t: 0), StrokePoint(x: -3, y: 0, force: 1)])
        ]), label: "a\"\\\n", writer: "w1",
        writingArea: WritingArea(width: 300, height: 80), quality: .good))
    try writer.finish()
    #expect(
      try String(contentsOfFile: path, encoding: .utf8)
        == #"{"label":"a\"\\\u000a","writer":"w1","quality":"good","area":{"x":0.0,"y":0.0,"#
        + #""width":300.0,"height":80.0},"strokes":[{"x":[1,-3],"y":[2.5,0.0],"t":[0.0,null],"#
        + #""force":[null,1]}]}"# + "\n")
  }

  @Test("where y grows upward, areas are turned over with their ink")
  func upward() throws {
    let line =
      #"{"label":"a","area":{"x":1,"y":10,"width":300,"height":80},"strokes":[{"x":[2],"y":[30]}]}"#
    let reader = try InkReader(.jsonLines, path: folder.write(line, to: "up.jsonl"), yAxis: .up)
    let labeled = try #require(Outcome(reader).records.first?.labeled)
    #expect(labeled.ink.strokes[0].points[0].y == -30)
    #expect(labeled.writingArea == (try WritingArea(x: 1, y: -90, width: 300, height: 80)))
  }

  @Test("unknown keys are ignored, and null stands for what is missing")
  func unknownKeys() throws {
    let outcome = try read(
      #"{"new":[{"a":1}],"label":"a","writer":null,"quality":null,"area":null,"#
        + #""strokes":[{"x":[1],"y":[2],"t":null,"force":[null],"hover":[1]}]}"#)
    #expect(
      outcome.records.first?.labeled
        == LabeledInk(ink: Ink(strokes: [Stroke(points: [StrokePoint(x: 1, y: 2)])]), label: "a"))
  }

  @Test(
    "malformed lines are typed errors, and reading goes on",
    arguments: [
      (#"{"label":"a"}"#, InkFormatError.Code.missingKey),
      (#"{"label":"a","strokes":[{"x":[1]}]}"#, .missingKey),
      (#"{"label":"a","strokes":[{"y":[1]}]}"#, .missingKey),
      (#"{"label":"a","strokes":[{"x":[1,2],"y":[1]}]}"#, .unequalLengths),
      (#"{"label":"a","strokes":[{"x":[1],"y":[1],"t":[]}]}"#, .unequalLengths),
      (#"{"label":"a","strokes":[{"x":[1],"y":[1],"force":[1,2]}]}"#, .unequalLengths),
      (#"{"label":"a","strokes":[{"x":[null],"y":[1]}]}"#, .wrongType),
      (#"{"label":"a","strokes":[[1,2]]}"#, .wrongType),
      (#"{"label":"a","strokes":[{"x":[NaN],"y":[1]}]}"#, .nonFiniteNumber),
      (#"{"label":"a","strokes":[]}"#, .emptyInk),
      (#"{"label":"a","quality":"fine","strokes":[{"x":[1],"y":[2]}]}"#, .malformed),
      (#"{"label":"a","area":{"width":1},"strokes":[{"x":[1],"y":[2]}]}"#, .missingKey),
      (#"{"label":"a","area":{"width":1,"height":0},"strokes":[]}"#, .malformed),
    ])
  func malformed(line: String, code: InkFormatError.Code) throws {
    let outcome = try read(line + "\n" + #"{"label":"b","strokes":[{"x":[1],"y":[2]}]}"#)
    #expect(outcome.codes == [code])
    #expect(outcome.labels == ["b"])
  }

  @Test("an ink with NaN or infinity is refused, and the lines around it stay whole")
  func nonFinite() throws {
    let path = folder.path + "/out.jsonl"
    let writer = try InkJSONLinesWriter(path: path)
    let good = LabeledInk(
      ink: Ink(strokes: [Stroke(points: [StrokePoint(x: 1, y: 2)])]), label: "a")
    var bad = good
    bad.ink.strokes[0].points[0].y = .infinity
    try writer.write(good)
    let error = #expect(throws: InkFormatError.self) { try writer.write(bad) }
    #expect(error?.code == .nonFiniteNumber)
    try writer.write(good)
    try writer.finish()
    #expect(Outcome(try InkReader(.jsonLines, path: path)).labels == ["a", "a"])
  }

  @Test("the file appears when the writer finishes, and nothing stays if it does not")
  func atomicity() throws {
    let path = try folder.write("before", to: "out.jsonl")
    do {
      let writer = try InkJSONLinesWriter(path: path)
      try writer.write(LabeledInk(ink: Ink(), label: "a"))
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "before")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["out.jsonl"])
  }

  @Test("a path that cannot take a file is a typed error of the writer, before anything is written")
  func unwritable() throws {
    try link("circle", to: "circle")
    for path in ["/no/such/folder/out.jsonl", folder.path, folder.path + "/circle"] {
      let error = #expect(throws: InkFormatError.self) { try InkJSONLinesWriter(path: path) }
      #expect(error?.code == .unwritableFile, "\(path)")
    }
  }

  private static let one = LabeledInk(
    ink: Ink(strokes: [Stroke(points: [StrokePoint(x: 1, y: 2)])]), label: "a")

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/" + name, withDestinationPath: target)
  }

  @Test("a link stays, and what it leads to is written", arguments: [true, false])
  func links(isThere: Bool) throws {
    if isThere { try folder.write("before", to: "there/out.jsonl") }
    try FileManager.default.createDirectory(
      atPath: folder.path + "/there", withIntermediateDirectories: true)
    try link("there/second", to: "out.jsonl")
    try link("first", to: "there/second")
    let writer = try InkJSONLinesWriter(path: folder.path + "/first")
    try writer.write(Self.one)
    try writer.finish()
    #expect(writer.writesFile)
    let manager = FileManager.default
    #expect(
      try manager.destinationOfSymbolicLink(atPath: folder.path + "/first") == "there/second")
    #expect(
      try manager.contentsOfDirectory(atPath: folder.path + "/there").sorted()
        == ["out.jsonl", "second"])
    #expect(
      Outcome(try InkReader(.jsonLines, path: folder.path + "/there/out.jsonl")).labels == ["a"])
  }

  @Test("what is written goes to a temporary file that is told")
  func temporaryPath() throws {
    let writer = try InkJSONLinesWriter(path: folder.path + "/out.jsonl")
    let temporary = try #require(writer.temporaryPath)
    #expect(FileManager.default.fileExists(atPath: temporary))
    try writer.finish()
    #expect(!FileManager.default.fileExists(atPath: temporary))
    #expect(try InkJSONLinesWriter(path: "/dev/null").temporaryPath == nil)
  }

  @Test("a pipe gets the lines and stays a pipe, behind a link too", arguments: ["pipe", "link"])
  func pipe(name: String) throws {
    let path = folder.path + "/pipe"
    #expect(mkfifo(path, 0o600) == 0)
    try link("link", to: path)
    // Opened for both, so that the writer does not wait; one line fits into the pipe.
    let descriptor = open(path, O_RDWR | O_NONBLOCK)
    try #require(descriptor >= 0)
    let reader = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    let writer = try InkJSONLinesWriter(path: folder.path + "/" + name)
    try writer.write(Self.one)
    try writer.finish()
    #expect(!writer.writesFile)
    #expect(
      String(decoding: reader.availableData, as: UTF8.self)
        == #"{"label":"a","strokes":[{"x":[1],"y":[2]}]}"# + "\n")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["link", "pipe"])
  }
}

/// Inks with every optional value present, absent or mixed.
enum RandomInk {
  static func next(_ generator: inout SeededGenerator) -> LabeledInk {
    let labels = ["a", "", "\"\\/", "e\u{301}", "😀", "\u{0}\t\u{7F}\u{2028}", "two words"]
    let strokes = (0...generator.index(below: 4)).map { _ -> Stroke in
      let mask = generator.index(below: 32)
      return Stroke(
        points: (0...generator.index(below: 9)).map { _ in point(&generator, mask: mask) })
    }
    return LabeledInk(
      ink: Ink(strokes: strokes), label: labels[generator.index(below: labels.count)],
      writer: generator.index(below: 2) == 0 ? nil : "w\(generator.index(below: 5))",
      writingArea: generator.index(below: 2) == 0
        ? nil
        : try? WritingArea(
          x: number(&generator), y: number(&generator), width: 1e-3 + abs(number(&generator)),
          height: 1e-3 + abs(number(&generator))),
      quality: [nil, .good, .ok, .bad][generator.index(below: 4)])
  }

  private static func point(_ generator: inout SeededGenerator, mask: Int) -> StrokePoint {
    func value(_ bit: Int) -> Double? {
      mask >> bit & 1 == 1 && generator.index(below: 5) > 0 ? number(&generator) : nil
    }
    return StrokePoint(
      x: number(&generator), y: number(&generator), t: value(0), force: value(1),
      azimuth: value(2), altitude: value(3), roll: value(4))
  }

  private static func number(_ generator: inout SeededGenerator) -> Double {
    switch generator.index(below: 4) {
    case 0: return Double(generator.index(below: 2000) - 1000)
    case 1: return Double(generator.uniform(-1000...1000))
    case 2: return (Double(generator.index(below: 2_000_000)) - 1e6) / 1000
    default:
      let value = Double(bitPattern: generator.next())
      return value.isFinite ? value : 0.5
    }
  }
}
