import CDuctus
import CInterface
import Foundation
import Testing

@Suite struct CInterfaceTests {
  /// A ring drawn in 40 steps.
  private func ring() -> OpaquePointer {
    let ink = ductusInkNew()
    let points = (0...40).map { step -> ductus_point in
      let angle = Double(step) * 2 * .pi / 40
      return ductus_point(
        x: 50 + 30 * sin(angle), y: 50 - 30 * cos(angle), t: 10 * Double(step), force: .nan)
    }
    #expect(ductusInkAddStroke(ink, points, 41, nil) == 0)
    return ink
  }

  private func message(_ error: OpaquePointer?) -> String {
    String(cString: ductusErrorMessage(error))
  }

  @Test("A ring is read as a letter or digit, with spans")
  func ringIsRead() throws {
    var error: OpaquePointer?
    let recognizer = ductusRecognizerOpen("latin-lines", &error)
    #expect(recognizer != nil, "\(message(error))")
    defer { ductusRecognizerFree(recognizer) }
    #expect(ductusRecognizerModel(recognizer).map { String(cString: $0) } == "latin-lines")
    let ink = ring()
    defer { ductusInkFree(ink) }
    var options = ductusOptionsDefault()
    options.candidates = 3
    let result = ductusRecognize(recognizer, ink, &options, &error)
    defer { ductusResultFree(result) }
    #expect(result != nil, "\(message(error))")
    #expect(ductusResultCount(result) == 3)
    let text = try #require(ductusResultText(result, 0).map { String(cString: $0) })
    #expect(["o", "O", "0"].contains(text))
    #expect(ductusResultScore(result, 0) <= 0)
    #expect(ductusResultCharacterCount(result, 0) == 1)
    var span = ductus_span()
    #expect(ductusResultCharacterSpans(result, 0, 0, &span, 1) == 1)
    #expect(span.stroke == 0 && span.start == 0 && span.end == 41)
    #expect(ductusResultLineCount(result) == 1)
  }

  @Test("Hostile arguments give errors and never a crash")
  func hostile() {
    var error: OpaquePointer?
    func expectError(_ code: ductus_code, line: Int = #line) {
      #expect(ductusErrorCode(error) == Int32(code.rawValue), "line \(line): \(message(error))")
      ductusErrorFree(error)
      error = nil
    }
    #expect(ductusRecognizerOpen("", &error) == nil)
    expectError(DUCTUS_INVALID_ARGUMENT)
    #expect(ductusRecognizerOpen("none", &error) == nil)
    expectError(DUCTUS_UNKNOWN_MODEL)
    #expect(ductusRecognizerOpen("/none.ductus", &error) == nil)
    expectError(DUCTUS_UNUSABLE_MODEL)
    #expect(ductusRecognizerOpen([CChar(bitPattern: 0xFF), 0], &error) == nil)
    expectError(DUCTUS_INVALID_ARGUMENT)
    let ink = ductusInkNew()
    var point = ductus_point(x: .nan, y: 0, t: .nan, force: .nan)
    #expect(ductusInkAddPoints(ink, &point, 1, &error) == -1)
    expectError(DUCTUS_INVALID_ARGUMENT)
    #expect(ductusInkAddPoints(ink, &point, -1, &error) == -1)
    expectError(DUCTUS_INVALID_ARGUMENT)
    #expect(ductusInkAddPoints(ink, nil, 5, &error) == -1)
    expectError(DUCTUS_INVALID_ARGUMENT)
    #expect(ductusInkAddPoints(nil, &point, 1, &error) == -1)
    expectError(DUCTUS_INVALID_ARGUMENT)
    #expect(ductusInkAddPoints(ink, &point, .max, &error) == -1)
    expectError(DUCTUS_TOO_LARGE)
    #expect(ductusInkStrokeCount(ink) == 0)
    #expect(ductusRecognize(nil, ink, nil, &error) == nil)
    expectError(DUCTUS_INVALID_ARGUMENT)
    #expect(ductusInkRemoveLastStroke(ink, &error) == -1)
    expectError(DUCTUS_INVALID_ARGUMENT)
    #expect(ductusInksRead("/none.jsonl", &error) == nil)
    expectError(DUCTUS_UNREADABLE_FILE)
    #expect(ductusModelVerify("none", nil, &error) == -1)
    expectError(DUCTUS_UNKNOWN_MODEL)
    #expect(ductusResultText(nil, 0) == nil)
    #expect(ductusResultCount(nil) == 0)
    #expect(ductusInkPointCount(ink, .min) == 0)
    ductusInkFree(ink)
    ductusInkFree(nil)
    ductusErrorFree(nil)
    ductusStringFree(nil)
  }

  @Test("Options of another size or out of range are refused")
  func options() throws {
    let recognizer = try #require(ductusRecognizerOpen("latin-lines", nil))
    defer { ductusRecognizerFree(recognizer) }
    let ink = ring()
    defer { ductusInkFree(ink) }
    let changes: [(inout ductus_options) -> Void] = [
      { $0.size = 3 }, { $0.candidates = -1 }, { $0.candidates = 1_000_000 }, { $0.layout = 9 },
      { $0.area = (0, 0, -1, 5) }, { $0.area = (.nan, 0, 1, 5) }, { $0.word_count = -3 },
      { $0.word_count = 3 }, { $0.word_bonus = .infinity },
    ]
    for (index, change) in changes.enumerated() {
      var options = ductusOptionsDefault()
      change(&options)
      var error: OpaquePointer?
      #expect(ductusRecognize(recognizer, ink, &options, &error) == nil, "\(index)")
      #expect(ductusErrorCode(error) == Int32(DUCTUS_INVALID_ARGUMENT.rawValue), "\(index)")
      ductusErrorFree(error)
    }
  }

  @Test("JSON requests are answered, and models are listed and verified")
  func jsonAndModels() throws {
    let recognizer = try #require(ductusRecognizerOpen("en", nil))
    defer { ductusRecognizerFree(recognizer) }
    let answer = try #require(ductusRecognizeJSON(recognizer, #"{"id":5,"strokes":[]}"#))
    defer { ductusStringFree(answer) }
    #expect(String(cString: answer).hasPrefix(#"{"id":5,"model":"latin-lines""#))
    let models = ductusModelsList(nil)
    defer { ductusModelsFree(models) }
    let names = (0..<ductusModelsCount(models)).compactMap {
      ductusModelsIdentifier(models, $0).map { String(cString: $0) }
    }
    #expect(names.contains("latin-lines") && names.contains("shapes"))
    var signer: UnsafeMutablePointer<CChar>?
    #expect(ductusModelVerify("shapes", &signer, nil) == 0)
    #expect(signer != nil)
    ductusStringFree(signer)
  }

  @Test("The inks of a file are read with their labels")
  func inks() throws {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("inks-\(UUID().uuidString).jsonl")
    defer { try? FileManager.default.removeItem(at: file) }
    let lines = """
      {"label":"a","strokes":[{"x":[1,2],"y":[3,4],"t":[0,5]}]}
      {"label":"b"}
      {"label":"c","strokes":[]}
      """
    try Data(lines.utf8).write(to: file)
    let inks = try #require(ductusInksRead(file.path, nil))
    defer { ductusInksFree(inks) }
    #expect(ductusInksCount(inks) == 1)
    #expect(ductusInksRejected(inks) == 2)
    #expect(ductusInksLabel(inks, 0).map { String(cString: $0) } == "a")
    #expect(ductusInksLabel(inks, 1) == nil)
    let ink = try #require(ductusInksInk(inks, 0))
    defer { ductusInkFree(ink) }
    var points = [ductus_point](repeating: ductus_point(), count: 2)
    #expect(ductusInkPoints(ink, 0, &points, 2, nil) == 2)
    #expect(points[1].x == 2 && points[1].y == 4 && points[1].t == 5 && points[1].force.isNaN)
  }

  @Test("Inks become the pages of a file, which is written as a whole")
  func export() throws {
    var error: OpaquePointer?
    let recognizer = ductusRecognizerOpen("latin-lines", &error)
    defer { ductusRecognizerFree(recognizer) }
    let inks: [OpaquePointer?] = [ring(), ring()]
    defer { for ink in inks { ductusInkFree(ink) } }
    func text(_ format: String, _ count: Int64, _ options: ductus_export_options) -> String {
      var options = options
      let file = ductusExport(recognizer, inks, count, format, &options, &error)
      defer { ductusFileFree(file) }
      let bytes = UnsafeBufferPointer(
        start: ductusFileBytes(file), count: Int(ductusFileSize(file)))
      return String(decoding: bytes, as: UTF8.self)
    }
    var options = ductusExportOptionsDefault()
    let pdf = text("pdf", 2, options)
    #expect(pdf.hasPrefix("%PDF"), "\(message(error))")
    #expect(pdf.components(separatedBy: "/MediaBox").count == 3)
    options.scale = 0.5
    let svg = text("svg", 1, options)
    // 60 units and a margin of 10 mm on each side.
    #expect(svg.contains("width=\"50mm\""), "\(svg.prefix(200))")
    #expect(["o", "O", "0"].contains(String(text("text", 1, options).prefix(1))))
    #expect(text("jiix", 1, options).contains("\"Raw Content\""))
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("c-\(UUID().uuidString).html").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let file = ductusExport(recognizer, inks, 1, "html", nil, &error)
    defer { ductusFileFree(file) }
    #expect(ductusFileWrite(file, path, &error) == 0)
    #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("<!DOCTYPE html>"))
    func expectError(_ code: ductus_code, line: Int = #line) {
      #expect(ductusErrorCode(error) == Int32(code.rawValue), "line \(line): \(message(error))")
      ductusErrorFree(error)
      error = nil
    }
    #expect(ductusFileWrite(file, "/nowhere-at-all/a", &error) == -1)
    expectError(DUCTUS_FAILED)
    #expect(ductusFileWrite(nil, path, &error) == -1)
    expectError(DUCTUS_INVALID_ARGUMENT)
    for format in ["doc", "", nil] {
      #expect(ductusExport(recognizer, inks, 1, format, nil, &error) == nil)
      expectError(DUCTUS_INVALID_ARGUMENT)
    }
    #expect(ductusExport(recognizer, inks, 2, "svg", nil, &error) == nil)
    expectError(DUCTUS_INVALID_ARGUMENT)
    for count in [0, -1, Int64.max] {
      #expect(ductusExport(recognizer, inks, count, "pdf", nil, &error) == nil)
      expectError(DUCTUS_INVALID_ARGUMENT)
    }
    #expect(ductusExport(recognizer, [nil], 1, "pdf", nil, &error) == nil)
    expectError(DUCTUS_INVALID_ARGUMENT)
    #expect(ductusExport(nil, inks, 1, "pdf", nil, &error) == nil)
    expectError(DUCTUS_INVALID_ARGUMENT)
    options.scale = -1
    #expect(ductusExport(recognizer, inks, 1, "pdf", &options, &error) == nil)
    expectError(DUCTUS_INVALID_ARGUMENT)
    options = ductusExportOptionsDefault()
    options.size = 8
    #expect(ductusExport(recognizer, inks, 1, "pdf", &options, &error) == nil)
    expectError(DUCTUS_INVALID_ARGUMENT)
    #expect(ductusFileBytes(nil) == nil && ductusFileSize(nil) == 0)
    ductusFileFree(nil)
  }
}
