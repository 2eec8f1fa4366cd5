import Files
import Foundation
import InkCore
import LanguageModels
import Layout

/// Reads text in that of several scripts whose language explains it best.
///
/// A network reads one script, so another one reads something else: Russian words become words that
/// no language has. Scripts that are named are tried for each line, and for each word that the language
/// of its line does not explain. Scripts that nobody named are
/// tried for the whole ink, and only if no language of the usual one explains it and its network is not
/// sure of the letters either. Thread-safe.
///
///     let both = ScriptRecognizer(german, always: [russian])
///     let result = try both.recognize(page)
///     print(result.blocks.map(\.language))
public final class ScriptRecognizer: Recognizer, Sendable {
  /// The recogniser that reads first.
  public var first: any Recognizer { usual }
  private let usual: any ScriptReader
  private let others: @Sendable () throws -> [any ScriptReader]
  private let opened = Guarded<[any ScriptReader]?>(nil)
  /// True if the others only read what the first one does not explain.
  private let isAutomatic: Bool

  /// The mean ln p of a character above which a text is one of the usual script.
  static let plain = -2.4
  /// The additional mean ln p that an unnamed script needs, and the additional ln p of the text.
  private static let (margin, evidence) = (0.3, 8.0)
  /// The mean ln p of a character below which no unnamed script is read, however badly the usual one
  /// explains the text: Latin alphabets and code, read as Georgian or Greek, are below. The language
  /// models of characters have thousands of them.
  private static let (possible, possibleOfCharacters) = (-3.0, -3.5)
  /// A text of the usual script has so many characters, at least this mean ln p of a character, and this
  /// mean probability of a character by the network. Of the validation lines below ``plain``, 60 % of those
  /// in Latin letters have them, and none of 490 in five other scripts.
  private static let (sureCharacters, sureMean, sureCertainty) = (16, -3.1, Float(0.88))
  /// The same probability for a text without letters. The words of other scripts that are read as digits
  /// are below.
  private static let sureCertaintyOfNumbers: Float = 0.96
  /// By so much formulas that are read as words lower the mean ln p of a character.
  private static let lossOfFormulas = 0.5
  /// The fewest strokes for each sign that the usual script reads with which the characters of a
  /// script that nobody named are found. Latin capitals and code have 1.0 to 1.7.
  private static let strokesOfSign = 2
  /// So many strokes show the script of an ink for which nothing is named. If there are letters in it,
  /// their mean ln p may be so much below that of the whole ink.
  private static let (firstStrokes, lossOfPart) = (200, 0.3)
  /// No letter has so many strokes.
  private static let strokesOfLetter = 8
  /// The fewest characters that show a script that nobody named: `me` is also a word in Russian.
  private static let leastCharacters = 8

  /// Makes a recogniser of scripts that all may occur.
  ///
  /// - Parameters:
  ///   - first: The recogniser that finds the lines of pages.
  ///   - others: Recognisers of other scripts.
  package init(_ first: any ScriptReader, always others: [any ScriptReader]) {
    (usual, isAutomatic) = (first, false)
    self.others = { others }
  }

  /// Makes a recogniser that tries other scripts where the first one is in doubt.
  ///
  /// - Parameters:
  ///   - first: The recogniser of the usual script.
  ///   - others: Opens those of other scripts, once.
  package init(
    _ first: any ScriptReader, inDoubt others: @escaping @Sendable () throws -> [any ScriptReader]
  ) {
    (usual, self.others, isAutomatic) = (first, others, true)
  }

  /// Nil, because there is no list of all texts.
  public var labels: [String]? { nil }

  /// The direction of the script that is read first.
  public var direction: WritingDirection { usual.direction }

  /// Reads one ink; see ``LineRecognizer/recognize(_:context:maximumCandidates:)``.
  ///
  /// - Throws: The errors of that method, and those of opening a model.
  public func recognize(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
  ) throws -> RecognitionResult {
    let read = try usual.explained(ink, context: context, maximumCandidates: maximumCandidates)
    if isAutomatic {
      guard hasNoWords(read, ink) || read.mean < Self.plain, !isSureOfScript(read, ink) else {
        return read.result
      }
      return try best(than: read, ink, context, maximumCandidates).reading.result
    }
    guard !read.result.lines.isEmpty else {
      return try best(than: read, ink, context, maximumCandidates).reading.result
    }
    return try readLines(of: read.result, ink, context, maximumCandidates)
  }

  /// Reads each line of a page in its script.
  private func readLines(
    of page: RecognitionResult, _ ink: Ink, _ context: RecognitionContext, _ count: Int
  ) throws -> RecognitionResult {
    var result = page
    var context = context
    if page.lines.count > 1 { context.writingArea = nil }
    context.layout = .line
    // The formulas of the page were found already.
    context.formulas = nil
    var languages: [Int: String] = [:]
    var isChanged = false
    for (index, line) in page.lines.enumerated()
    where !line.candidates.isEmpty && line.candidates.first?.hasFormulas != true {
      try Task.checkCancellation()
      let angle = page.blocks.indices.contains(line.block) ? page.blocks[line.block].angle : 0
      let upright = Ink(strokes: line.strokes.map { ink.strokes[$0] })
        .rotated(by: -Int(angle.rounded()))
      let own = try usual.explained(upright, context: context, maximumCandidates: count)
      let (found, reader) = try best(than: own, upright, context, count)
      let language = found.result.language
      let isOther = language != nil && language != own.result.language
      let mixed = try mixed(found.result.candidates, by: reader, upright, context)
      guard isOther || mixed != nil else { continue }
      var candidates = mixed ?? found.result.candidates
      for index in candidates.indices { candidates[index].renumberStrokes(line.strokes) }
      result.lines[index].candidates = candidates
      isChanged = true
      if isOther { languages[index] = language }
    }
    guard isChanged else { return result }
    result.candidates = PageCandidates.joined(
      result.lines.map(\.candidates), count: max(1, count))
    if !languages.isEmpty { name(languages, in: &result) }
    return result
  }

  /// The candidates of a line with words of other scripts; nil if there are none, or if single
  /// characters are read, whose texts have no spaces.
  private func mixed(
    _ line: [RecognitionCandidate], by reader: any ScriptReader, _ ink: Ink,
    _ context: RecognitionContext
  ) throws -> [RecognitionCandidate]? {
    guard !(reader is CharacterLineRecognizer) else { return nil }
    let others = try ([usual] + readers()).filter {
      $0 !== reader && !($0 is CharacterLineRecognizer)
    }
    var context = context
    // The line before the word is not the text before it.
    context.preContext = ""
    return try Self.mixed(line, by: reader, others: others, ink, context)
  }

  /// Returns whether hardly anything is read as words: ink is then a drawing, a formula, or characters that look
  /// like none of the letters.
  private func hasNoWords(_ reading: ExplainedResult, _ ink: Ink) -> Bool {
    Self.strokesOfLetter * reading.characters < ink.strokes.count
  }

  /// Returns whether the text is surely of the usual script, though no language explains it plainly:
  /// labels, code, names, words that the network alone misreads, and numbers.
  private func isSureOfScript(_ reading: ExplainedResult, _ ink: Ink) -> Bool {
    guard let certainty = reading.certainty else { return false }
    if reading.characters >= Self.sureCharacters, !hasNoWords(reading, ink) {
      return reading.mean > Self.sureMean && certainty > Self.sureCertainty
    }
    let text = reading.result.candidates.first?.text ?? ""
    let signs = text.count { !$0.isWhitespace }
    return certainty > Self.sureCertaintyOfNumbers && !text.contains { $0.isLetter }
      && ink.strokes.count <= Self.strokesOfLetter * signs
  }

  /// The best of a reading and those of other scripts.
  private func best(
    than known: ExplainedResult, _ ink: Ink, _ context: RecognitionContext, _ count: Int
  ) throws -> (reading: ExplainedResult, reader: any ScriptReader) {
    guard isAutomatic else { return try bestNamed(than: known, ink, context, count) }
    var best = (reading: known, reader: usual)
    let hasNoWords = self.hasNoWords(known, ink)
    // A few letters among signs say nothing about the script.
    let isUnread = known.characters < Self.leastCharacters
    let improvement = known.characters > 0 ? known.mean + Self.margin : Self.plain
    var least = isUnread ? Self.plain : improvement
    // Finding formulas takes longer than reading, and hardly changes how well words are explained.
    var withoutFormulas = context
    withoutFormulas.formulas = nil
    for other in try readers() {
      let readsCharacters = other is CharacterLineRecognizer
      // Numbers and small drawings have no letters in any script.
      if !readsCharacters, known.characters == 0, ink.strokes.count < Self.leastCharacters {
        continue
      }
      if ink.strokes.count > Self.firstStrokes {
        // A drawing of thousands of strokes would take a minute.
        let start = Ink(strokes: Array(ink.strokes.prefix(Self.firstStrokes)))
        let part = try other.explained(
          start, context: withoutFormulas, maximumCandidates: 1,
          leastCharacters: Self.leastCharacters)
        let isStrict = readsCharacters || known.characters == 0
        let needed = min(least, Self.plain) - (isStrict ? 0 : Self.lossOfPart)
        guard part.mean > needed || !isStrict && part.characters < Self.leastCharacters else {
          continue
        }
      }
      let possible = readsCharacters ? Self.possibleOfCharacters : Self.possible
      if readsCharacters, best.reader === usual { least = improvement }
      var reading = try other.explained(
        ink, context: withoutFormulas, maximumCandidates: count,
        leastCharacters: Self.leastCharacters)
      if context.formulas != nil, !readsCharacters {
        let needed = max(possible, min(least, Self.plain)) - Self.lossOfFormulas
        guard reading.mean > needed else { continue }
        reading = try other.explained(
          ink, context: context, maximumCandidates: count, leastCharacters: Self.leastCharacters)
      }
      guard reading.characters >= Self.leastCharacters, reading.mean > possible else { continue }
      // The few words of ink without words say little, however well a language explains them.
      let isClear = hasNoWords && readsCharacters && reading.mean >= Self.plain
      let gain = (reading.mean - known.mean) * Double(reading.characters)
      let isPossible =
        !readsCharacters || reading.mean >= Self.plain || hasManyStrokes(ink, known)
      guard isClear || reading.mean > least && gain > Self.evidence && isPossible else { continue }
      best = (reading, other)
      least = reading.mean
      // A text that a script explains needs no other one.
      if reading.mean >= Self.plain { break }
    }
    return best
  }

  /// The best of a reading and those of other scripts, all of which were named.
  private func bestNamed(
    than known: ExplainedResult, _ ink: Ink, _ context: RecognitionContext, _ count: Int
  ) throws -> (reading: ExplainedResult, reader: any ScriptReader) {
    var best = (reading: known, reader: usual)
    for other in try readers() {
      let reading = try other.explained(ink, context: context, maximumCandidates: count)
      let gain = (reading.mean - known.mean) * Double(reading.characters)
      guard reading.characters > 0, reading.mean > best.reading.mean, gain > 0 else { continue }
      best = (reading, other)
    }
    return best
  }

  /// Returns whether the ink has more strokes than the signs need that the usual script has read.
  private func hasManyStrokes(_ ink: Ink, _ reading: ExplainedResult) -> Bool {
    let signs = reading.result.candidates.first?.text.count { !$0.isWhitespace } ?? 0
    return ink.strokes.count >= Self.strokesOfSign * signs
  }

  private func readers() throws -> [any ScriptReader] {
    if let known = opened.withLock({ $0 }) { return known }
    let made = try others()
    return opened.withLock { opened in
      if let opened { return opened }
      opened = made
      return made
    }
  }

  /// Names the languages of lines: that of the whole result if all lines agree, else those of blocks.
  private func name(
    _ languages: [Int: String], in result: inout RecognitionResult
  ) {
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

extension ScriptRecognizer {
  /// Returns the recogniser within limits. Scripts in which nothing could be read are left out.
  ///
  /// - Throws: The error of the first script if nothing can be read in any.
  func confined(
    to alphabet: Alphabet?, vocabulary: Vocabulary?
  ) throws(RecognitionError) -> any Recognizer {
    var limited: [any ScriptReader] = []
    var failure: RecognitionError?
    for (index, reader) in ([usual] + ((try? readers()) ?? [])).enumerated() {
      do throws(RecognitionError) {
        let confined = try reader.confined(to: alphabet, vocabulary: vocabulary)
        guard let reader = confined as? any ScriptReader else { continue }
        limited.append(reader)
        // An unnamed script is only used if the usual one cannot read within the limits.
        if index == 0, isAutomatic { break }
      } catch {
        failure = failure ?? error
      }
    }
    guard let first = limited.first else { throw failure ?? .emptyAlphabet }
    return limited.count == 1 ? first : ScriptRecognizer(first, always: Array(limited.dropFirst()))
  }
}
