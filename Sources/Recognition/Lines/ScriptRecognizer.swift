import Files
import Foundation
import InkCore

/// Reads each line in that of several scripts in which it is most probable.
///
/// A network reads one script, so each line is read by several, and the reading with the highest
/// calibrated probability is taken. The first recogniser finds the lines of a page. Thread-safe.
///
///     let both = ScriptRecognizer(german, always: [russian])
///     let result = try both.recognize(page)
///     print(result.blocks.map(\.language))
public final class ScriptRecognizer: Recognizer, Sendable {
  /// The recogniser that reads first.
  public let first: any Recognizer
  private let others: @Sendable () throws -> [any Recognizer]
  private let opened = Guarded<[any Recognizer]?>(nil)
  /// True if the others read only what the first one reads with doubt.
  private let isAutomatic: Bool

  /// The mean confidence of the words of a line below which it may be of another script. Lines in
  /// their own script are rarely below, lines of another one are rarely above.
  private static let doubt = 0.5
  /// The evidence that another script needs more if nobody named it, in natural logarithms.
  private static let margin = 2.0
  /// The fewest letters that show a script that nobody named.
  private static let leastLetters = 4

  /// Makes a recogniser of scripts that all may occur.
  ///
  /// - Parameters:
  ///   - first: The recogniser that finds the lines of pages.
  ///   - others: Recognisers of other scripts.
  public init(_ first: any Recognizer, always others: [any Recognizer]) {
    (self.first, isAutomatic) = (first, false)
    self.others = { others }
  }

  /// Makes a recogniser that tries other scripts where the first one is in doubt.
  ///
  /// - Parameters:
  ///   - first: The recogniser of the usual script.
  ///   - others: Opens those of other scripts, once.
  @usableFromInline package init(
    _ first: any Recognizer, inDoubt others: @escaping @Sendable () throws -> [any Recognizer]
  ) {
    (self.first, self.others, isAutomatic) = (first, others, true)
  }

  /// Nil, because there is no list of all texts.
  public var labels: [String]? { nil }

  /// Reads one ink; see ``LineRecognizer/recognize(_:context:maximumCandidates:)``.
  ///
  /// - Throws: The errors of that method, and those of opening a model.
  public func recognize(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
  ) throws -> RecognitionResult {
    var result = try first.recognize(ink, context: context, maximumCandidates: maximumCandidates)
    guard !result.lines.isEmpty else {
      guard mayDiffer(result.candidates) else { return result }
      for other in try readers() {
        let reading = try other.recognize(
          ink, context: context, maximumCandidates: maximumCandidates)
        if isBetter(reading.candidates, than: result.candidates) { result = reading }
      }
      return result
    }
    var languages: [Int: String?] = [:]
    for index in result.lines.indices where mayDiffer(result.lines[index].candidates) {
      try Task.checkCancellation()
      let strokes = result.lines[index].strokes
      let block = result.lines[index].block
      let angle = result.blocks.indices.contains(block) ? result.blocks[block].angle : 0
      let line = Ink(strokes: strokes.map { ink.strokes[$0] }).rotated(by: -angle * .pi / 180)
      var part = context
      if result.lines.count > 1 { part.writingArea = nil }
      part.layout = .line
      for other in try readers() {
        var reading = try other.recognize(
          line, context: part, maximumCandidates: maximumCandidates)
        guard isBetter(reading.candidates, than: result.lines[index].candidates) else { continue }
        for candidate in reading.candidates.indices {
          reading.candidates[candidate].renumberStrokes(strokes)
        }
        result.lines[index].candidates = reading.candidates
        languages[index] = reading.language
      }
    }
    if !languages.isEmpty { take(languages, in: &result, count: maximumCandidates) }
    return result
  }

  /// Returns the recogniser within limits. Scripts in which nothing could be read are left out.
  ///
  /// - Throws: The error of the first script if nothing can be read in any.
  func confined(
    to alphabet: Alphabet?, vocabulary: Vocabulary?
  ) throws(RecognitionError) -> any Recognizer {
    var limited: [any Recognizer] = []
    var failure: RecognitionError?
    for (index, reader) in ([first] + ((try? readers()) ?? [])).enumerated() {
      do {
        limited.append(try reader.confined(to: alphabet, vocabulary: vocabulary))
        // An unnamed script is only used if the usual one cannot read within the limits.
        if index == 0, isAutomatic { break }
      } catch {
        failure = failure ?? error
      }
    }
    guard let first = limited.first else { throw failure ?? .emptyAlphabet }
    return limited.count == 1 ? first : ScriptRecognizer(first, always: Array(limited.dropFirst()))
  }

  private func readers() throws -> [any Recognizer] {
    if let known = opened.withLock({ $0 }) { return known }
    let made = try others()
    return opened.withLock { opened in
      if let opened { return opened }
      opened = made
      return made
    }
  }

  /// Returns whether another script may explain the ink of a line better.
  private func mayDiffer(_ candidates: [RecognitionCandidate]) -> Bool {
    guard isAutomatic else { return true }
    guard let best = candidates.first, !best.words.isEmpty,
      best.text.count(where: \.isLetter) >= Self.leastLetters
    else { return false }
    let sum = best.words.reduce(0) { $0 + $1.confidence }
    return sum / Double(best.words.count) < Self.doubt
  }

  private func isBetter(
    _ candidates: [RecognitionCandidate], than known: [RecognitionCandidate]
  ) -> Bool {
    guard let best = candidates.first else { return false }
    guard let old = known.first else { return true }
    return best.score > old.score + (isAutomatic ? Self.margin : 0)
  }

  /// Names the languages of lines: that of the whole result if all lines agree, else those of blocks.
  private func take(
    _ languages: [Int: String?], in result: inout RecognitionResult, count: Int
  ) {
    result.candidates = PageCandidates.joined(
      result.lines.map(\.candidates), count: max(1, count))
    let written = result.lines.indices.filter { !result.lines[$0].candidates.isEmpty }
    let found = Set(written.map { languages[$0] ?? result.language })
    if found.count == 1, let one = found.first {
      (result.language, result.languageIsDefault) = (one, false)
      return
    }
    for (line, language) in languages {
      let block = result.lines[line].block
      if result.blocks.indices.contains(block) { result.blocks[block].language = language }
    }
  }
}
