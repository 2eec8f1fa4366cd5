import Foundation
import InkCore
import InkFormats
import Recognition

extension FuzzTarget {
  /// The name of the input in errors.
  private static let path = "input"

  static func see(
    _ elements: some Sequence<Result<InkRecord, InkFormatError>>, _ canary: Canary
  ) {
    for element in elements {
      switch element {
      case .success(let record):
        check(record.labeled.ink)
        canary.see(record.labeled.label)
      case .failure(let error): _ = error.description
      }
    }
  }

  /// The guarantees of every reader for the inks it returns.
  private static func check(_ ink: Ink) {
    precondition(!ink.isEmpty, "an empty ink was read")
    for point in ink.strokes.lazy.flatMap(\.points) {
      precondition(point.x.isFinite && point.y.isFinite, "a coordinate is not finite")
      precondition(point.t?.isFinite ?? true, "a time is not finite")
      precondition(point.force?.isFinite ?? true, "a force is not finite")
    }
  }

  static func unipen(_ bytes: [UInt8], _ canary: Canary) {
    // The input is the segment file, and also the file that it includes.
    let reader = UNIPENReader(folder: "", segmentFiles: ["1a/x/input.dat"]) { path in
      path.hasPrefix("/include/") ? Array(bytes.prefix(bytes.count / 2)) : bytes
    }
    see(reader, canary)
  }

  static func gestureXML(_ bytes: [UInt8], _ canary: Canary) {
    see([GestureXMLReader.record(of: bytes, path: path, source: path, yAxis: .down)], canary)
  }

  static func inkML(_ bytes: [UInt8], _ canary: Canary) {
    see(InkMLReader.records(of: bytes, path: path, source: path, yAxis: .down), canary)
  }

  static func strokeNDJSON(_ bytes: [UInt8], _ canary: Canary) {
    see(InkReader(.strokeLines, bytes: bytes, name: path), canary)
  }

  static func quickDraw(_ bytes: [UInt8], _ canary: Canary) {
    see(InkReader(.quickDraw, bytes: bytes, name: path), canary)
  }

  static func inkJSONLines(_ bytes: [UInt8], _ canary: Canary) {
    see(InkReader(.jsonLines, bytes: bytes, name: path), canary)
  }

  static func jiix(_ bytes: [UInt8], _ canary: Canary) {
    see(JIIXReader.records(of: bytes, path: path, source: path, yAxis: .down), canary)
    guard let block = try? JIIXBlock(parsing: Data(bytes)) else { return }
    canary.see(block.label ?? "")
    guard let written = try? block.json() else { preconditionFailure("it cannot be written") }
    let again = try? JIIXBlock(parsing: written)
    precondition(again == block, "a written block differs when it is read again")
  }

  static func omniglot(_ bytes: [UInt8], _ canary: Canary) {
    let element = OmniglotReader.record(
      of: bytes, path: "Alphabet/character01/0001_01.txt", source: path, yAxis: .up)
    see([element], canary)
    for point in (try? element.get())?.labeled.ink.strokes.flatMap(\.points) ?? [] {
      canary.see(point.x)
    }
  }

  static func iamStrokes(_ bytes: [UInt8], _ canary: Canary) {
    guard let strokes = try? IAMOnDBStrokes(parsing: bytes, path: path) else { return }
    check(strokes.ink)
    for point in strokes.ink.strokes.lazy.flatMap(\.points) { canary.see(point.x) }
  }

  static func iamTexts(_ bytes: [UInt8], _ canary: Canary) {
    let lines = try? IAMOnDBTranscription.lines(of: bytes, path: path)
    for line in lines ?? [] { canary.see(line) }
  }

  static func iamTask(_ bytes: [UInt8], _ canary: Canary) {
    guard let labels = try? IAMOnDBTaskLabels(parsing: bytes, path: path) else { return }
    for name in labels.texts.keys { canary.see(name) }
  }

  static func iamWriters(_ bytes: [UInt8], _ canary: Canary) {
    let table = try? IAMOnDBWriters.table(of: bytes, path: path)
    for writer in (table ?? [:]).values { canary.see(writer) }
    if let writer = try? IAMOnDBWriters.writer(of: bytes, path: path) { canary.see(writer) }
  }

  /// A request of another program: what is read keeps its limits, and what is refused says where.
  static func exchange(_ bytes: [UInt8], _ canary: Canary) {
    _ = RecognitionRequest.identifier(in: bytes)
    do throws(ExchangeError) {
      let request = try RecognitionRequest(parsing: bytes)
      for point in request.ink.strokes.lazy.flatMap(\.points) {
        precondition(
          point.x.magnitude <= 1e9 && point.y.magnitude <= 1e9, "a coordinate is out of range")
      }
      precondition((1...100).contains(request.maximumCandidates), "candidates are out of range")
      canary.see(request.preContext)
    } catch {
      precondition(!error.message.isEmpty, "an error without a message")
    }
  }

  /// A line that a program of `exec:COMMAND` answered.
  static func programAnswer(_ bytes: [UInt8], _ canary: Canary) {
    do throws(ExchangeError) {
      let answer = try RecognitionAnswer(parsing: bytes)
      if case .number(let digits)? = answer.id { precondition(!digits.isEmpty, "an empty number") }
      switch answer.content {
      case .failure(let error):
        canary.see(error.message)
      case .reading(let reading):
        for candidate in reading.result.candidates {
          precondition(candidate.score <= 0, "a score is above 0")
          for word in candidate.words {
            precondition((0...1).contains(word.confidence), "a confidence is out of range")
          }
          canary.see(candidate.text)
        }
        for line in reading.lines { canary.see(line.text) }
      }
    } catch {
      precondition(!error.description.isEmpty, "an error without a message")
    }
  }
}
