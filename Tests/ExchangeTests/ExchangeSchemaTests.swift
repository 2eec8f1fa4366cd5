import Foundation
import InkCore
import Recognition
import Testing

/// The schema describes what the writer of answers writes: no more and no less.
@Suite("Schema of answers")
struct ExchangeSchemaTests {
  /// An answer with every member of a reading.
  static let full: RecognitionAnswer = {
    let parts = [CharacterInk.Part(stroke: 0, points: 0..<4)]
    var candidate = RecognitionCandidate(
      text: "a \"b\"", score: -0.5,
      characters: Array(repeating: CharacterInk(parts: parts), count: 5),
      words: [
        RecognizedWord(text: "a", characters: 0..<1, confidence: 0.75),
        RecognizedWord(text: "\"b\"", characters: 2..<5, confidence: 1),
      ])
    let formula = RecognizedFormula(
      text: "½", latex: #"\frac { 1 } { 2 }"#, mathML: "<math/>",
      symbols: [.init(symbol: "-", strokes: [1], confidence: 0.5, candidates: ["-", "1"])],
      result: .init(text: "1/2", latex: "0 . 5"), isTrue: true)
    candidate.formula = formula
    candidate.words[0].formula = formula
    var line = RecognizedLine(block: 1, strokes: [0, 2], candidates: [candidate])
    line.level = 2
    var result = RecognitionResult(candidates: [candidate])
    result.lines = [line, line]
    let box = BoundingBox(minX: 0, minY: 0, maxX: 9, maxY: 5)
    result.blocks = [
      RecognizedBlock(kind: .text, bounds: box, angle: 20, strokes: [0], lines: [0]),
      RecognizedBlock(kind: .table, bounds: nil, strokes: [2], lines: [1], rows: [[[1], []]]),
    ]
    result.blocks.append(RecognizedBlock(kind: .formula, bounds: nil, strokes: [6]))
    result.blocks[2].formula = formula
    (result.blocks[0].heading, result.blocks[0].language) = (1, "fr")
    result.edges = [
      RecognizedEdge(from: 0, to: 1, arrow: .end, strokes: [3]),
      RecognizedEdge(from: nil, to: nil, arrow: .none, strokes: [4]),
    ]
    result.marks = [
      RecognizedMark(
        kind: .tickBox, strokes: [5], words: [RecognizedMark.Word(line: 1, word: 1)])
    ]
    (result.drawing, result.unreadStrokes, result.language) = ([1], 3, "de,en")
    result.languageIsDefault = true
    return RecognitionAnswer(
      id: .string("x"), index: 7,
      .reading(.init(model: "m", result: result, lines: [line, line], includesSpans: true)))
  }()

  static let answers: [RecognitionAnswer] =
    [
      full,
      RecognitionAnswer(
        id: .number("12"), .reading(.init(model: "m", result: RecognitionResult(candidates: [])))),
      RecognitionAnswer(
        id: nil,
        .reading(.init(model: "m", result: RecognitionResult(candidates: []), includesSpans: true))),
    ]
    + ExchangeError.Code.allCases.map {
      RecognitionAnswer(id: nil, .failure(ExchangeError($0, "expected x", field: "strokes[0]")))
    } + [RecognitionAnswer(id: nil, .failure(ExchangeError(.failed, "")))]

  @Test("Every answer that is written matches the schema")
  func written() throws {
    var schema = try Schema()
    for answer in Self.answers {
      let json = try JSONSerialization.jsonObject(with: Data(answer.json))
      let faults = schema.faults(of: json, as: "Answer")
      #expect(faults.isEmpty, "\(faults)")
    }
    let list = try JSONSerialization.jsonObject(
      with: Data(RecognitionAnswer.json(Self.answers, onLines: true)))
    #expect((list as? [Any])?.count == Self.answers.count)
  }

  @Test("Every member of the schema of answers is written by some answer")
  func complete() throws {
    var schema = try Schema()
    for answer in Self.answers {
      let json = try JSONSerialization.jsonObject(with: Data(answer.json))
      _ = schema.faults(of: json, as: "Answer")
    }
    let names = [
      "Reading", "Candidate", "Word", "Formula", "Part", "Line", "Block", "Bounds", "Edge", "Mark",
      "Symbol",
      "Failure", "Error",
    ]
    for name in names {
      let members = try #require(schema.members(of: name))
      let missing = members.filter { !schema.seen.contains("\(name).\($0)") }
      #expect(missing.isEmpty, "\(name): \(missing.sorted())")
    }
  }

  @Test("A member or a type that the schema does not know is found")
  func unknown() throws {
    var schema = try Schema()
    for wrong in [
      #"{"id":1,"model":"m","candidates":[],"unreadStrokes":0,"extra":1}"#,
      #"{"id":1,"model":"m","candidates":[]}"#,
      #"{"id":1,"model":"m","candidates":[{"text":1,"score":0,"probability":1}],"unreadStrokes":0}"#,
      #"{"id":1,"error":{"code":"other","message":"","field":null}}"#,
    ] {
      let json = try JSONSerialization.jsonObject(with: Data(wrong.utf8))
      #expect(!schema.faults(of: json, as: "Answer").isEmpty, "\(wrong)")
    }
  }

  @Test("Words have start and end, in candidates and in lines")
  func words() throws {
    let json = try JSONSerialization.jsonObject(with: Data(Self.full.json)) as? [String: Any]
    let line = try #require((json?["lines"] as? [[String: Any]])?.first)
    let word = try #require((line["words"] as? [[String: Any]])?.last)
    #expect(word["start"] as? Int == 2 && word["end"] as? Int == 5)
    #expect(json?["index"] as? Int == 7)
  }
}

/// The part of JSON Schema that ``ExchangeSchema`` uses. Objects may have described members alone.
private struct Schema {
  private let definitions: [String: [String: Any]]
  /// The members that occurred, as DEFINITION.MEMBER.
  private(set) var seen: Set<String> = []

  init() throws {
    let document = try JSONSerialization.jsonObject(with: Data(ExchangeSchema.document().utf8))
    definitions = try #require(
      (document as? [String: Any])?["$defs"] as? [String: [String: Any]])
  }

  func members(of name: String) -> [String]? {
    (definitions[name]?["properties"] as? [String: Any]).map { Array($0.keys) }
  }

  mutating func faults(of value: Any, as name: String) -> [String] {
    guard let schema = definitions[name] else { return ["no definition \(name)"] }
    return faults(of: value, schema, name)
  }

  private mutating func faults(of value: Any, _ schema: [String: Any], _ name: String) -> [String] {
    if let reference = schema["$ref"] as? String {
      return faults(of: value, as: String(reference.split(separator: "/").last ?? ""))
    }
    if let choices = (schema["oneOf"] ?? schema["anyOf"]) as? [[String: Any]] {
      let all = choices.map { faults(of: value, $0, name) }
      return all.contains(where: \.isEmpty) ? [] : all.min { $0.count < $1.count } ?? []
    }
    var found: [String] = []
    if let type = schema["type"] {
      let types = type as? [String] ?? [type as? String ?? ""]
      if !types.contains(where: { Self.has(value, type: $0) }) {
        found.append("\(name): \(value) is not \(types)")
      }
    }
    if let values = schema["enum"] as? [String], !values.contains(value as? String ?? "") {
      found.append("\(name): \(value) is not one of the values")
    }
    if let items = schema["items"] as? [String: Any], let array = value as? [Any] {
      for element in array { found += faults(of: element, items, name) }
    }
    guard let object = value as? [String: Any],
      let properties = schema["properties"] as? [String: [String: Any]]
    else { return found }
    for key in schema["required"] as? [String] ?? [] where object[key] == nil {
      found.append("\(name): \(key) is missing")
    }
    for (key, member) in object {
      guard let property = properties[key] else {
        found.append("\(name): \(key) is not described")
        continue
      }
      seen.insert("\(name).\(key)")
      found += faults(of: member, property, "\(name).\(key)")
    }
    return found
  }

  private static func has(_ value: Any, type: String) -> Bool {
    switch type {
    case "null": value is NSNull
    case "string": value is String
    case "array": value is [Any]
    case "object": value is [String: Any]
    case "integer": (value as? NSNumber).map { $0.doubleValue == $0.doubleValue.rounded() } ?? false
    case "number": value is NSNumber
    case "boolean": value is Bool
    default: false
    }
  }
}
