import CDuctus
import DuctusKit

/// The readings of an ink in the form that C reads.
final class CResult: Sendable {
  let candidates: [RecognitionCandidate]
  let texts: [CText]
  /// The texts of the words of each candidate.
  let wordTexts: [[CText]]
  let lines: [RecognizedLine]
  let lineTexts: [CText]

  init(_ reading: RecognitionAnswer.Reading) {
    candidates = reading.result.candidates
    texts = candidates.map { CText($0.text) }
    wordTexts = candidates.map { $0.words.map { CText($0.text) } }
    lines = reading.lines
    lineTexts = lines.map { CText($0.text) }
  }

  /// Returns the candidate of a handle; nil for NULL and for an index out of range.
  static func candidate(_ result: OpaquePointer?, _ index: Int64) -> RecognitionCandidate? {
    Handle.object(result, CResult.self)?.candidates[safe: index]
  }
}

/// `ductus_result_free`.
@_cdecl("ductus_result_free")
package func ductusResultFree(_ result: OpaquePointer?) { Handle.free(result, CResult.self) }

/// `ductus_result_count`.
@_cdecl("ductus_result_count")
package func ductusResultCount(_ result: OpaquePointer?) -> Int64 {
  Int64(Handle.object(result, CResult.self)?.candidates.count ?? 0)
}

/// `ductus_result_text`.
@_cdecl("ductus_result_text")
package func ductusResultText(
  _ result: OpaquePointer?, _ candidate: Int64
) -> UnsafePointer<CChar>? {
  Handle.object(result, CResult.self)?.texts[safe: candidate]?.pointer
}

/// `ductus_result_score`.
@_cdecl("ductus_result_score")
package func ductusResultScore(_ result: OpaquePointer?, _ candidate: Int64) -> Double {
  CResult.candidate(result, candidate)?.score ?? 0
}

/// `ductus_result_character_count`.
@_cdecl("ductus_result_character_count")
package func ductusResultCharacterCount(_ result: OpaquePointer?, _ candidate: Int64) -> Int64 {
  Int64(CResult.candidate(result, candidate)?.characters.count ?? 0)
}

/// `ductus_result_character_spans`.
@_cdecl("ductus_result_character_spans")
package func ductusResultCharacterSpans(
  _ result: OpaquePointer?, _ candidate: Int64, _ character: Int64,
  _ target: UnsafeMutablePointer<ductus_span>?, _ capacity: Int64
) -> Int64 {
  guard let ink = CResult.candidate(result, candidate)?.characters[safe: character] else {
    return -1
  }
  for (index, part) in ink.parts.prefix(Int(max(0, capacity))).enumerated() {
    target?[index] = ductus_span(
      stroke: Int64(part.stroke), start: Int64(part.points.lowerBound),
      end: Int64(part.points.upperBound))
  }
  return Int64(ink.parts.count)
}

/// `ductus_result_word_count`.
@_cdecl("ductus_result_word_count")
package func ductusResultWordCount(_ result: OpaquePointer?, _ candidate: Int64) -> Int64 {
  Int64(CResult.candidate(result, candidate)?.words.count ?? 0)
}

/// `ductus_result_word`.
@_cdecl("ductus_result_word")
package func ductusResultWord(
  _ result: OpaquePointer?, _ candidate: Int64, _ word: Int64,
  _ target: UnsafeMutablePointer<ductus_word>?
) -> Int32 {
  guard let word = CResult.candidate(result, candidate)?.words[safe: word], let target else {
    return -1
  }
  target.pointee = ductus_word(
    start: Int64(word.characters.lowerBound), end: Int64(word.characters.upperBound),
    confidence: word.confidence)
  return 0
}

/// `ductus_result_word_text`.
@_cdecl("ductus_result_word_text")
package func ductusResultWordText(
  _ result: OpaquePointer?, _ candidate: Int64, _ word: Int64
) -> UnsafePointer<CChar>? {
  Handle.object(result, CResult.self)?.wordTexts[safe: candidate]?[safe: word]?.pointer
}

/// `ductus_result_line_count`.
@_cdecl("ductus_result_line_count")
package func ductusResultLineCount(_ result: OpaquePointer?) -> Int64 {
  Int64(Handle.object(result, CResult.self)?.lines.count ?? 0)
}

/// `ductus_result_line_text`.
@_cdecl("ductus_result_line_text")
package func ductusResultLineText(_ result: OpaquePointer?, _ line: Int64) -> UnsafePointer<CChar>?
{
  Handle.object(result, CResult.self)?.lineTexts[safe: line]?.pointer
}

/// `ductus_result_line_strokes`.
@_cdecl("ductus_result_line_strokes")
package func ductusResultLineStrokes(
  _ result: OpaquePointer?, _ line: Int64, _ target: UnsafeMutablePointer<Int64>?,
  _ capacity: Int64
) -> Int64 {
  guard let line = Handle.object(result, CResult.self)?.lines[safe: line] else { return -1 }
  for (index, stroke) in line.strokes.prefix(Int(max(0, capacity))).enumerated() {
    target?[index] = Int64(stroke)
  }
  return Int64(line.strokes.count)
}
