import Files
import Foundation
import InkCore
import InkFormats
import InkSearch

/// A folder of notes of Xournal++ whose handwriting is known, and an index of it.
final class NotesFolder: Sendable {
  let path: String
  let indexFile: URL
  /// The pages that were read, by the number of their first point.
  private let calls = Guarded<[Int]>([])
  /// What a page says: words with their alternatives, by the number of its first point.
  private let readings = Guarded<[Int: [[PageWord.Alternative]]]>([:])

  init() throws {
    let base =
      URL(fileURLWithPath: NSTemporaryDirectory()).standardizedFileURL.path
      + "/ink-search-\(UUID().uuidString)"
    path = base + "/notes"
    indexFile = URL(fileURLWithPath: base + "/index.sqlite")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(
      atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path)
  }

  /// The numbers of the pages that were read since the last call.
  func takeCalls() -> [Int] {
    calls.withLock { calls in
      defer { calls = [] }
      return calls.sorted()
    }
  }

  /// Says what a page of a number says: words that are sure.
  func say(_ number: Int, _ text: String) {
    say(number, text.split(separator: " ").map { [.init(String($0), probability: 1)] })
  }

  func say(_ number: Int, _ words: [[PageWord.Alternative]]) {
    readings.withLock { $0[number] = words }
  }

  /// Writes a note with a page for each number, and typed text on the first.
  func write(_ name: String, pages: [Int], typed: String = "") throws {
    var text = "<xournal>"
    for (index, page) in pages.enumerated() {
      text += "<page width=\"100\" height=\"100\"><layer>"
      if index == 0, !typed.isEmpty { text += "<text x=\"1\" y=\"2\" size=\"10\">\(typed)</text>" }
      text += "<stroke tool=\"pen\" width=\"1\">\(page) 1 50 5</stroke></layer></page>"
    }
    try write(name, text + "</xournal>")
  }

  func write(_ name: String, _ text: String) throws {
    let url = URL(fileURLWithPath: path + "/" + name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  /// Brings the index up to date.
  ///
  /// - Parameters:
  ///   - choice: The model; its name is a word on each page.
  ///   - index: The file of the index, other than the usual one.
  ///   - whileReading: Called with the number of each page before it is read.
  @discardableResult
  func update(
    _ choice: ReadingChoice? = nil, index file: URL? = nil,
    isCancelled: @escaping @Sendable () -> Bool = { false },
    whileReading: @escaping @Sendable (Int) -> Void = { _ in }
  ) throws -> NotesIndexer.Summary {
    let index = try InkIndex(at: file ?? indexFile, isWritten: true)
    let indexer = NotesIndexer(index, workers: 2, choice: choice) { [calls, readings] choice in
      { record in
        let number = Int(record.labeled.ink.strokes.first?.points.first?.x ?? -1)
        whileReading(number)
        calls.withLock { $0.append(number) }
        var words = readings.withLock { $0[number] ?? [] }
        if let model = choice.model { words.append([.init(model, probability: 1)]) }
        return (
          words.enumerated().map { place, alternatives in
            PageWord(
              alternatives: alternatives,
              box: BoundingBox(
                minX: Double(10 * place), minY: 0, maxX: Double(10 * place + 8), maxY: 5),
              line: 100)
          } + PageWord.words(of: [], ink: Ink(), texts: record.texts),
          number % 2 == 0 ? "de" : "en"
        )
      }
    }
    return try indexer.update(path, isCancelled: isCancelled)
  }

  /// The files and pages that a query finds, best first.
  func search(_ query: String, readings: InkIndex.Readings = .all) throws -> [String] {
    let index = try InkIndex(at: indexFile)
    return try index.search(SearchQuery(query), readings: readings).map {
      "\($0.path.dropFirst(path.count + 1)) \($0.page)"
    }
  }

  func faults() throws -> [String] { try InkIndex(at: indexFile).faults() }
}
