import Foundation
import InkCore

extension RecognitionAnswer {
  /// Reads the answer of another program: one JSON object of the protocol of `ductus recognize -`.
  ///
  /// An answer has `id` and either `candidates` or `error`. A candidate has `text` and `score` or
  /// `probability`. All other members may be missing, and members that are not known are skipped.
  /// O(bytes).
  ///
  /// - Throws: ``ExchangeError`` with the member that is wrong.
  package init(parsing bytes: [UInt8]) throws(ExchangeError) {
    self = try bytes.withUnsafeBufferPointer { buffer throws(ExchangeError) in
      var scanner = ExchangeScanner(buffer)
      let answer = try RecognitionAnswer(&scanner)
      try scanner.end(of: "answer")
      return answer
    }
  }

  private init(_ scanner: inout ExchangeScanner) throws(ExchangeError) {
    guard scanner.next() == UInt8(ascii: "{") else {
      _ = try scanner.isWhole()
      throw .invalid("an object")
    }
    var id: RecognitionRequest.Identifier?
    var failure: ExchangeError?
    var candidates: [RecognitionCandidate]?
    var reading = Reading(model: "", result: RecognitionResult(candidates: []))
    try scanner.object { (scanner, key) throws(ExchangeError) in
      do throws(ExchangeError) {
        switch key {
        case "id": id = try RecognitionRequest.identifier(&scanner)
        case "error": failure = try scanner.failure()
        case "candidates":
          candidates = try scanner.elements { (members) throws(ExchangeError) in
            try members.candidate()
          }
        case "model": reading.model = try scanner.text(upTo: .max) ?? ""
        case "lines":
          reading.lines = try scanner.elements { (members) throws(ExchangeError) in
            try members.line()
          }
        case "drawing": reading.result.drawing = try scanner.indices()
        case "blocks":
          reading.result.blocks = try scanner.elements { (members) throws(ExchangeError) in
            try members.blockOfPage()
          }
        case "edges":
          reading.result.edges = try scanner.elements { (members) throws(ExchangeError) in
            try members.edge()
          }
        // The words of marks are references, which no figure uses.
        case "marks":
          reading.result.marks = try scanner.elements(without: "words") {
            (members) throws(ExchangeError) in
            try members.mark()
          }
        case "unreadStrokes": reading.result.unreadStrokes = try scanner.count() ?? 0
        case "language": reading.result.language = try scanner.text(upTo: .max)
        default: try scanner.skip()
        }
      } catch {
        throw error.within(key)
      }
    }
    if let failure {
      self.init(id: id, .failure(failure))
      return
    }
    guard let candidates else {
      throw ExchangeError(
        .missingField, "expected an array of candidates, found none", field: "candidates")
    }
    reading.result.candidates = candidates
    reading.result.lines = reading.lines
    self.init(id: id, .reading(reading))
  }
}

/// The members of an object of an answer, of whatever kind. They are filled while it is read.
private struct AnswerMembers {
  var text: String?
  var score: Double?
  var probability: Double?
  var words: [RecognizedWord] = []
  var candidates: [RecognitionCandidate] = []
  var strokes: [Int] = []
  var lines: [Int] = []
  var kind: String?
  var block = 0
  var level = 0
  var start = 0
  var end = 0

  func candidate() throws(ExchangeError) -> RecognitionCandidate {
    guard let score = score ?? probability.map({ log($0) }) else {
      throw .missing("score", "a number of at most 0")
    }
    return RecognitionCandidate(text: try someText(), score: score, words: words)
  }

  func line() throws(ExchangeError) -> RecognizedLine {
    var line = RecognizedLine(block: block, strokes: strokes, candidates: candidates)
    if candidates.isEmpty, let text, !text.isEmpty {
      line.candidates = [RecognitionCandidate(text: text, score: 0, words: words)]
    }
    line.level = level
    return line
  }

  func word() throws(ExchangeError) -> RecognizedWord {
    guard let probability else { throw .missing("confidence", "a number from 0 to 1") }
    guard start <= end else { throw .invalid("a start of at most the end") }
    return RecognizedWord(text: try someText(), characters: start..<end, confidence: probability)
  }

  func blockOfPage() throws(ExchangeError) -> RecognizedBlock {
    RecognizedBlock(
      kind: try named(RecognizedBlock.Kind.self), bounds: nil, strokes: strokes, lines: lines)
  }

  func edge() throws(ExchangeError) -> RecognizedEdge {
    RecognizedEdge(from: nil, to: nil, arrow: .none, strokes: strokes)
  }

  func mark() throws(ExchangeError) -> RecognizedMark {
    RecognizedMark(kind: try named(RecognizedMark.Kind.self), strokes: strokes, words: [])
  }

  private func someText() throws(ExchangeError) -> String {
    guard let text else { throw .missing("text", "a string") }
    return text
  }

  private func named<Kind: RawRepresentable & CaseIterable>(
    _ type: Kind.Type
  ) throws(ExchangeError) -> Kind where Kind.RawValue == String {
    guard let kind = kind.flatMap({ Kind(rawValue: $0) }) else {
      throw ExchangeError(
        .invalidValue, "expected " + Kind.allCases.map(\.rawValue).joined(separator: ", "),
        field: "kind")
    }
    return kind
  }
}

extension ExchangeError {
  fileprivate static func missing(_ field: String, _ expected: String) -> ExchangeError {
    ExchangeError(.missingField, "expected \(expected), found none", field: field)
  }
}

extension ExchangeScanner {
  /// Reads an array of objects; null is an empty one.
  ///
  /// - Parameter skipped: The name of a member that is not read.
  fileprivate mutating func elements<Element>(
    without skipped: String? = nil, _ make: (AnswerMembers) throws(ExchangeError) -> Element
  ) throws(ExchangeError) -> [Element] {
    if try isNull() { return [] }
    guard next() == UInt8(ascii: "[") else { try refuse("an array") }
    var elements: [Element] = []
    try array { (scanner) throws(ExchangeError) in
      do throws(ExchangeError) {
        try scanner.expectObject()
        var members = AnswerMembers()
        try scanner.object { (scanner, key) throws(ExchangeError) in
          do throws(ExchangeError) {
            if key == skipped { return try scanner.skip() }
            try scanner.read(key, into: &members)
          } catch {
            throw error.within(key)
          }
        }
        elements.append(try make(members))
      } catch {
        throw error.within("[\(elements.count)]")
      }
    }
    return elements
  }

  private mutating func read(
    _ key: String, into members: inout AnswerMembers
  ) throws(ExchangeError) {
    switch key {
    case "text": members.text = try text(upTo: .max)
    case "score":
      members.score = try double("a number of at most 0", -Double.greatestFiniteMagnitude...0)
    case "probability", "confidence":
      members.probability = try double("a number from 0 to 1", 0...1)
    case "words":
      members.words = try elements { (members) throws(ExchangeError) in try members.word() }
    case "candidates":
      members.candidates = try elements { (members) throws(ExchangeError) in
        try members.candidate()
      }
    case "strokes": members.strokes = try indices()
    case "lines": members.lines = try indices()
    case "kind": members.kind = try text(upTo: ExchangeLimits.nameLength)
    case "block": members.block = try count() ?? 0
    case "level": members.level = try count() ?? 0
    case "start": members.start = try count() ?? 0
    case "end": members.end = try count() ?? 0
    default: try skip()
    }
  }

  /// Reads a whole number from 0; nil for null.
  fileprivate mutating func count() throws(ExchangeError) -> Int? {
    let expected = "a whole number from 0"
    guard let value = try double(expected, 0...1e15) else { return nil }
    guard let count = Int(exactly: value) else { throw .invalid(expected) }
    return count
  }

  /// Reads an array of whole numbers; null is an empty one.
  fileprivate mutating func indices() throws(ExchangeError) -> [Int] {
    if try isNull() { return [] }
    guard next() == UInt8(ascii: "[") else { try refuse("an array of whole numbers") }
    var indices: [Int] = []
    try array { (scanner) throws(ExchangeError) in
      guard let index = try scanner.count() else { throw .invalid("a whole number from 0") }
      indices.append(index)
    }
    return indices
  }

  /// Reads an error object. An unknown code counts as `failed`.
  fileprivate mutating func failure() throws(ExchangeError) -> ExchangeError? {
    if try isNull() { return nil }
    try expectObject()
    var failure = ExchangeError(.failed, "")
    try object { (scanner, key) throws(ExchangeError) in
      switch key {
      case "code":
        let code = try scanner.text(upTo: .max)
        failure.code = code.flatMap { ExchangeError.Code(rawValue: $0) } ?? .failed
      case "message": failure.message = try scanner.text(upTo: .max) ?? ""
      case "field": failure.field = try scanner.text(upTo: .max)
      default: try scanner.skip()
      }
    }
    return failure
  }
}
