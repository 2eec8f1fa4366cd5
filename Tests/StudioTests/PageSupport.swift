import FlyingFox
import Foundation
import InkEditor
import InkFormats
import PretrainedModels
import Recognition
import Studio
import Testing

/// Pages of a folder that is removed after use, with the models that ship.
final class PageFolder: Sendable {
  let project: Project
  let pages: Pages
  let engine: Engine

  init(patience: Double = 60) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("pages-\(UInt64.random(in: 0 ... .max))")
    project = try Project(at: folder)
    engine = try Self.engine()
    pages = Pages(project: project, engine: engine, patience: patience)
  }

  deinit { try? FileManager.default.removeItem(at: project.root) }

  static func engine() throws -> Engine {
    Pages.engine(models: try PretrainedModels(), defaultModel: "latin-lines")
  }

  func file(_ name: String) throws -> URL {
    try project.folder(Pages.folder).appendingPathComponent(name + PagePackage.suffix)
  }
}

/// Real ink as strokes of a page.
enum PageInk {
  /// The words "hello world" of the examples, one stroke after the other, about 8 mm high.
  static func hello(x: Double = 20, y: Double = 20) throws -> [PageStroke] {
    let path = URL(fileURLWithPath: #filePath)
      .appendingPathComponent("../../../Examples/hello.jsonl").standardized.path
    let record = try #require(try Array(InkReader(.jsonLines, path: path)).first?.get())
    let box = try #require(record.labeled.ink.boundingBox)
    return record.labeled.ink.strokes.enumerated().map { index, stroke in
      PageStroke(
        x: stroke.points.map { x + ($0.x - box.minX) / 5 },
        y: stroke.points.map { y + ($0.y - box.minY) / 5 },
        t: stroke.points.indices.map { Double($0 * 10) },
        time: 1_700_000_000_000 + Double(index) * 1000)
    }
  }

  /// A rectangle in one stroke.
  static func rectangle(x: Double, y: Double, width: Double, height: Double) -> PageStroke {
    let corners = [(0.0, 0.0), (1, 0), (1, 1), (0, 1), (0, 0)]
    var stroke = PageStroke(x: [], y: [])
    for (from, to) in zip(corners, corners.dropFirst()) {
      for step in 0..<12 {
        let share = Double(step) / 12
        stroke.x.append(x + width * (from.0 + (to.0 - from.0) * share))
        stroke.y.append(y + height * (from.1 + (to.1 - from.1) * share))
      }
    }
    stroke.x.append(x)
    stroke.y.append(y)
    return stroke
  }

  /// A command for each stroke, as a client sends them.
  static func commands(_ strokes: [PageStroke], prefix: String = "s") -> [PageCommand] {
    strokes.enumerated().map {
      PageCommand(id: "\(prefix)-\($0)", action: .strokes([$1]))
    }
  }
}

/// A client of a page: sends texts, and waits for the answers that it asks for.
final class PageTestClient: Sendable {
  private let input: AsyncStream<WSMessage>.Continuation
  private let output: AsyncStream<WSMessage>

  /// One answer of the studio, decoded.
  struct Answer: Decodable, Sendable {
    struct Ink: Decodable, Sendable {
      var id: Int
      var x: [Double]
      var path: String
      var line: Double?
    }
    struct Block: Decodable, Sendable {
      var id: String
      var type: String
    }
    var type: String
    var id: String?
    var code: String?
    var name: String?
    var serial: Int?
    var epoch: String?
    var isFirst: Bool?
    var isComplete: Bool?
    var revision: Int?
    var unread: Int?
    var language: String?
    var ink: [Ink]?
    var gone: [Int]?
    var blocks: [Block]?
    var selection: Selection?
    var colors: [Color]?

    struct Selection: Decodable, Sendable {
      var items: [Int]
      var isPartial: Bool
      var box: [Double]?
      var types: [String]
    }
    struct Color: Decodable, Sendable {
      var id: Int
      var color: String?
    }
  }

  init(_ pages: Pages, _ name: String) async throws {
    let (stream, input) = AsyncStream.makeStream(of: WSMessage.self)
    self.input = input
    output = try await PageSocket(name: name, pages: pages).makeMessages(for: stream)
  }

  func send(_ text: String) { input.yield(.text(text)) }

  func send(_ command: PageCommand) throws {
    send(String(decoding: try JSONEncoder().encode(command), as: UTF8.self))
  }

  /// Returns the next answer; nil at the end.
  func next() async throws -> Answer? {
    var iterator = output.makeAsyncIterator()
    guard case .text(let text)? = await iterator.next() else { return nil }
    return try JSONDecoder().decode(Answer.self, from: Data(text.utf8))
  }

  /// Returns the first answer for which a condition holds; confirms changes unless told otherwise.
  func first(
    confirms: Bool = true, where holds: (Answer) -> Bool
  ) async throws -> Answer {
    while let answer = try await next() {
      if confirms, answer.type == "changes", let serial = answer.serial {
        send(#"{"type": "seen", "serial": \#(serial)}"#)
      }
      if holds(answer) { return answer }
    }
    throw CancellationError()
  }

  func close() { input.finish() }
}
