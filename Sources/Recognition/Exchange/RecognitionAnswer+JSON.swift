import Foundation

extension RecognitionAnswer {
  /// The answer as one line of JSON, without a newline. O(bytes).
  public var json: [UInt8] {
    var text = JSONText()
    append(to: &text)
    return text.bytes
  }

  /// Returns several answers as one JSON array, by default on one line.
  ///
  /// - Parameters:
  ///   - answers: The answers, in the order of the array.
  ///   - onLines: True to write each answer on a line of its own.
  public static func json(_ answers: [RecognitionAnswer], onLines: Bool = false) -> [UInt8] {
    var text = JSONText()
    let end = onLines ? "\n" : ""
    text.list(answers, "[" + end, end + "]", separator: "," + end) { $1.append(to: &$0) }
    return text.bytes
  }

  private func append(to text: inout JSONText) {
    text.raw(#"{"id":"#)
    switch id {
    case .string(let id)?: text.string(id)
    case .number(let digits)?: text.raw(digits)
    case nil: text.raw("null")
    }
    if let index { text.raw(#","index":\#(index)"#) }
    switch content {
    case .failure(let error):
      text.raw(#","error":{"code":"\#(error.code.rawValue)","message":"#)
      text.string(error.message)
      text.raw(#","field":"#)
      if let field = error.field { text.string(field) } else { text.raw("null") }
      text.raw("}}")
    case .reading(let reading):
      reading.append(to: &text)
      text.raw("}")
    }
  }
}

extension RecognitionAnswer.Reading {
  fileprivate func append(to text: inout JSONText) {
    text.raw(#","model":"#)
    text.string(model)
    text.raw(#","candidates":"#)
    text.list(result.candidates, "[", "]") { $1.append(to: &$0, spans: includesSpans) }
    if !lines.isEmpty || includesSpans {
      text.raw(#","lines":"#)
      text.list(lines, "[", "]") { $1.append(to: &$0, spans: includesSpans) }
    }
    if !result.drawing.isEmpty || includesSpans {
      text.raw(#","drawing":"#)
      text.list(result.drawing, "[", "]") { $0.raw("\($1)") }
    }
    appendPage(to: &text)
    text.raw(#","unreadStrokes":\#(result.unreadStrokes)"#)
    if let language = result.language {
      text.raw(#","language":"#)
      text.string(language)
    }
    if result.languageIsDefault { text.raw(#","languageIsDefault":true"#) }
  }
}

extension RecognitionAnswer.Reading {
  /// Appends blocks, edges and marks: for a page, and where there is more than text.
  private func appendPage(to text: inout JSONText) {
    let isPlain = result.blocks.allSatisfy { $0.kind == .text } && result.marks.isEmpty
    guard !result.blocks.isEmpty, !lines.isEmpty || !isPlain || !result.edges.isEmpty else {
      return
    }
    text.raw(#","blocks":"#)
    text.list(result.blocks, "[", "]") { $1.append(to: &$0) }
    text.raw(#","edges":"#)
    text.list(result.edges, "[", "]") { $1.append(to: &$0) }
    text.raw(#","marks":"#)
    text.list(result.marks, "[", "]") { text, mark in
      text.raw(#"{"kind":"\#(mark.kind.rawValue)","strokes":"#)
      text.list(mark.strokes, "[", "]") { $0.raw("\($1)") }
      text.raw(#","words":"#)
      text.list(mark.words, "[", "]") { text, place in
        guard result.lines.indices.contains(place.line),
          let best = result.lines[place.line].candidates.first,
          best.words.indices.contains(place.word)
        else { return text.raw("null") }
        text.raw(#"{"line":\#(place.line),"word":\#(place.word),"text":"#)
        text.string(best.words[place.word].text)
        text.raw("}")
      }
      text.raw("}")
    }
  }
}

extension RecognizedBlock {
  fileprivate func append(to text: inout JSONText) {
    text.raw(#"{"kind":"\#(kind.rawValue)","bounds":"#)
    if let bounds {
      text.raw(#"{"x":\#(bounds.minX),"y":\#(bounds.minY),"#)
      text.raw(#""width":\#(bounds.width),"height":\#(bounds.height)}"#)
    } else {
      text.raw("null")
    }
    text.raw(#","angle":\#(angle),"strokes":"#)
    text.list(strokes, "[", "]") { $0.raw("\($1)") }
    text.raw(#","lines":"#)
    text.list(lines, "[", "]") { $0.raw("\($1)") }
    if kind == .table {
      text.raw(#","rows":"#)
      text.list(rows, "[", "]") { text, row in
        text.list(row, "[", "]") { text, cell in
          text.list(cell, "[", "]") { $0.raw("\($1)") }
        }
      }
      text.raw(#","columns":\#(rows.first?.count ?? 0)"#)
    }
    if let formula {
      text.raw(#","text":"#)
      text.string(formula.text)
      formula.append(to: &text)
    }
    if heading > 0 { text.raw(#","heading":\#(heading)"#) }
    if let language {
      text.raw(#","language":"#)
      text.string(language)
    }
    text.raw("}")
  }
}

extension RecognizedEdge {
  fileprivate func append(to text: inout JSONText) {
    func place(_ block: Int?) -> String { block.map(String.init) ?? "null" }
    text.raw(#"{"from":\#(place(from)),"to":\#(place(to)),"#)
    text.raw(#""arrow":"\#(arrow.rawValue)","strokes":"#)
    text.list(strokes, "[", "]") { $0.raw("\($1)") }
    text.raw("}")
  }
}

extension RecognizedLine {
  fileprivate func append(to json: inout JSONText, spans: Bool) {
    json.raw(#"{"text":"#)
    json.string(text)
    json.raw(#","block":\#(block)"#)
    if level > 0 { json.raw(#","level":\#(level)"#) }
    json.raw(#","strokes":"#)
    json.list(strokes, "[", "]") { $0.raw("\($1)") }
    json.raw(#","words":"#)
    if let best = candidates.first { best.appendWords(to: &json) } else { json.raw("[]") }
    json.raw(#","candidates":"#)
    json.list(candidates, "[", "]") { $1.append(to: &$0, spans: spans) }
    json.raw("}")
  }
}

extension RecognitionCandidate {
  fileprivate func append(to json: inout JSONText, spans: Bool) {
    json.raw(#"{"text":"#)
    json.string(text)
    json.raw(#","score":\#(score),"probability":\#(exp(score))"#)
    formula?.append(to: &json)
    if spans {
      json.raw(#","words":"#)
      appendWords(to: &json)
      json.raw(#","characters":"#)
      json.list(characters, "[", "]") { json, character in
        json.list(character.parts, "[", "]") { json, part in
          let points = part.points
          json.raw(#"{"stroke":\#(part.stroke),"start":\#(points.lowerBound),"#)
          json.raw(#""end":\#(points.upperBound)}"#)
        }
      }
    }
    json.raw("}")
  }

  /// Appends the words of this candidate as an array.
  fileprivate func appendWords(to json: inout JSONText) {
    json.list(words, "[", "]") { json, word in
      json.raw(#"{"text":"#)
      json.string(word.text)
      let range = word.characters
      json.raw(#","start":\#(range.lowerBound),"end":\#(range.upperBound)"#)
      json.raw(#","confidence":\#(word.confidence),"strokes":"#)
      json.list(strokes(of: word), "[", "]") { $0.raw("\($1)") }
      if let formula = word.formula {
        json.raw(#","formula":{"text":"#)
        json.string(formula.text)
        formula.append(to: &json)
        json.raw("}")
      }
      json.raw("}")
    }
  }
}

extension RecognizedFormula {
  /// Appends the members of a formula, without its text.
  fileprivate func append(to json: inout JSONText) {
    json.raw(#","latex":"#)
    json.string(latex)
    json.raw(#","mathml":"#)
    json.string(mathML)
    if let result {
      json.raw(#","result":{"text":"#)
      json.string(result.text)
      json.raw(#","latex":"#)
      json.string(result.latex)
      json.raw("}")
    }
    if let isTrue { json.raw(#","isTrue":\#(isTrue)"#) }
    json.raw(#","symbols":"#)
    json.list(symbols, "[", "]") { json, symbol in
      json.raw(#"{"symbol":"#)
      json.string(symbol.symbol)
      json.raw(#","strokes":"#)
      json.list(symbol.strokes, "[", "]") { $0.raw("\($1)") }
      json.raw(#","confidence":\#(symbol.confidence)"#)
      if !symbol.candidates.isEmpty {
        json.raw(#","candidates":"#)
        json.list(symbol.candidates, "[", "]") { $0.string($1) }
      }
      json.raw("}")
    }
  }
}

/// Writes JSON into bytes, one member after another.
struct JSONText {
  private(set) var bytes: [UInt8] = []

  /// Appends text that is already JSON.
  mutating func raw(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  /// Appends a string with its quotation marks.
  mutating func string(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case UInt8(ascii: "\n"): raw("\\n")
      case 0..<0x20, 0x7F:
        let digits = String(byte, radix: 16)
        raw("\\u00" + (digits.count == 1 ? "0" : "") + digits)
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Appends elements with a separator between them.
  mutating func list<Element>(
    _ elements: some Sequence<Element>, _ begin: String, _ end: String, separator: String = ",",
    _ append: (inout JSONText, Element) -> Void
  ) {
    raw(begin)
    var isFirst = true
    for element in elements {
      if !isFirst { raw(separator) }
      isFirst = false
      append(&self, element)
    }
    raw(end)
  }
}
