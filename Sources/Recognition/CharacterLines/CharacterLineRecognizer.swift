import Foundation
import InkCore
import LanguageModels
import Layout

/// Reads texts whose characters do not touch, such as printed Japanese: a character, a line to the right
/// or down, or a page.
///
/// Strokes are cut into groups that may be characters, a ``GlyphClassifier`` reads the groups, and a
/// search finds the best way through them with a language model of characters. Thread-safe.
///
///     let model = try OpenModel.open(japaneseLines)
///     let result = try model.recognizer().recognize(ink)
///     print(result.candidates.first?.text ?? "nothing to read")
public final class CharacterLineRecognizer: Recognizer {
  /// The model in use.
  public let model: CharacterLineModel
  /// The language model in use, or nil.
  public var languageModel: LanguageModel? { language?.model }
  /// The tag of the language, or nil if it is not known.
  public let tag: String?
  /// The weights of the search.
  public let configuration: CharacterLineConfiguration
  /// The allowed characters; nil for all of the model.
  public let alphabet: Alphabet?
  /// The allowed or preferred words; nil for none.
  public let vocabulary: Vocabulary?

  private let classifier: GlyphClassifier
  private let language: LabelSymbols?
  private let allowed: [Int]?
  private let search: CharacterSearch
  private let options: CharacterOptions
  private let latin: LatinWords?

  /// The least readings that are compared to find probabilities.
  private static let leastReadings = 20
  /// The number of characters of the text before the ink that are used.
  static let preContextLength = 20

  /// Makes a recogniser.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - languageModel: The n-gram model of the search, or nil for none.
  ///   - language: The tag of the language, for the answers, or nil.
  ///   - configuration: The weights of the search; nil for the default.
  ///   - alphabet: The allowed characters, or nil for all.
  ///   - vocabulary: The allowed or preferred words, or nil.
  /// - Throws: ``RecognitionError/emptyAlphabet``, ``RecognitionError/unwritableVocabulary``, and
  ///   ``RecognitionError/unusableConfiguration(member:expected:found:)`` for a value out of its range.
  public convenience init(
    model: CharacterLineModel, languageModel: LanguageModel? = nil, language: String? = nil,
    configuration: CharacterLineConfiguration? = nil, alphabet: Alphabet? = nil,
    vocabulary: Vocabulary? = nil
  ) throws(RecognitionError) {
    try self.init(
      model, GlyphClassifier(model: model.glyphs),
      languageModel.map { LabelSymbols($0, labels: model.labels) }, tag: language,
      configuration ?? CharacterLineConfiguration(), alphabet, vocabulary, nil)
  }

  private init(
    _ model: CharacterLineModel, _ classifier: GlyphClassifier, _ language: LabelSymbols?,
    tag: String?, _ configuration: CharacterLineConfiguration, _ alphabet: Alphabet?,
    _ vocabulary: Vocabulary?, _ latin: LatinWords?
  ) throws(RecognitionError) {
    if let fault = configuration.fault {
      throw .unusableConfiguration(
        member: fault.what, expected: fault.expected, found: fault.found)
    }
    let labels = model.labels
    allowed = alphabet.map { alphabet in labels.indices.filter { alphabet.allows(labels[$0]) } }
    guard allowed?.isEmpty != true else { throw .emptyAlphabet }
    var words: LexiconText?
    switch vocabulary {
    case .boosted(_, let bonus)? where !bonus.isFinite:
      throw .unusableConfiguration(
        member: "bonus of the vocabulary", expected: "a finite number", found: "\(bonus)")
    case .closed(let lexicon)?:
      let scalars = Set((allowed ?? Array(labels.indices)).flatMap { labels[$0].unicodeScalars })
      words = LexiconText(lexicon)
      guard words?.canWrite(with: scalars) == true else { throw .unwritableVocabulary }
    default: break
    }
    (self.model, self.classifier, self.language, self.tag) = (model, classifier, language, tag)
    (self.configuration, self.alphabet, self.vocabulary) = (configuration, alphabet, vocabulary)
    self.latin = latin
    search = CharacterSearch(
      configuration: configuration, language: language, words: words, labels: labels)
    options = CharacterOptions(classifier, allowed: allowed)
  }

  /// A recogniser with the same models but another alphabet and vocabulary. Both share their memory.
  ///
  /// - Throws: The errors of the initialiser.
  public func confined(
    to alphabet: Alphabet?, vocabulary: Vocabulary? = nil
  ) throws(RecognitionError) -> CharacterLineRecognizer {
    try CharacterLineRecognizer(
      model, classifier, language, tag: tag, configuration, alphabet, vocabulary,
      latin?.confined(to: alphabet))
  }

  /// A recogniser that also reads Latin words in its lines. Both share their memory.
  ///
  /// - Parameter latin: Opens the recogniser of Latin lines when the first line may have such words; nil
  ///   if there is none.
  /// - Throws: The errors of the initialiser.
  func readingWords(
    by latin: @escaping @Sendable () throws -> LineRecognizer?
  ) throws(RecognitionError) -> CharacterLineRecognizer {
    try CharacterLineRecognizer(
      model, classifier, language, tag: tag, configuration, alphabet, vocabulary,
      LatinWords(latin))
  }

  /// A recogniser with the same models but other weights. Both share their memory.
  ///
  /// - Throws: The errors of the initialiser.
  package func changed(
    to configuration: CharacterLineConfiguration, languageModel: LanguageModel?
  ) throws(RecognitionError) -> CharacterLineRecognizer {
    try CharacterLineRecognizer(
      model, classifier, languageModel.map { LabelSymbols($0, labels: model.labels) } ?? language,
      tag: tag, configuration, alphabet, vocabulary, latin)
  }

  /// Nil, because there is no list of all texts. The labels of the model are the characters.
  public var labels: [String]? { nil }

  /// The calibrated readings of one ink. ``RecognitionContext/layout`` says whether it is a character,
  /// a line or a page; by default the strokes decide. A line that is taller than wide runs down.
  ///
  /// The writing area of the context is one line: its height is the size of a character of a line to the
  /// right, and its width that of a column. A square area is the box of one character.
  ///
  /// - Returns: Candidates, best first. Empty if nothing was written, or no text within alphabet and
  ///   vocabulary fits the ink.
  /// - Throws: `InkError.nonFiniteCoordinate(stroke:point:)`, or `CancellationError` if the task is
  ///   cancelled.
  public func recognize(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
  ) throws -> RecognitionResult {
    var evidence = CharacterEvidence()
    return try recognize(
      ink, context: context, maximumCandidates: maximumCandidates, evidence: &evidence)
  }

  /// The same, with how well its characters and the language explain the ink.
  func recognize(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int,
    evidence: inout CharacterEvidence
  ) throws -> RecognitionResult {
    let count = max(1, maximumCandidates)
    try ink.validate()
    let cleaned = ink.cleaned()
    var arranged = ArrangedInk(cleaned.ink)
    if context.layout != .glyph {
      arranged.dropRepeats()
      _ = arranged.orderByTimes()
    }
    var result: RecognitionResult
    switch context.layout {
    case .glyph: result = try readCharacter(arranged.ink, context, count: count)
    case .auto where Self.isBox(context.writingArea):
      result = try readCharacter(arranged.ink, context, count: count)
    case .line:
      result = try readLine(
        arranged.ink, context, isColumn: Self.isColumn(arranged.ink, context), count: count,
        &evidence)
    case .auto, .page, .formula:
      result = try readPage(arranged, context, count: count, &evidence)
    }
    result.refer(to: ink, cleaned: cleaned, arranged)
    result.language = tag
    return result
  }

  /// Returns whether a writing area is the box of one character.
  private static func isBox(_ area: WritingArea?) -> Bool {
    guard let area else { return false }
    return max(area.width, area.height) <= boxShape * min(area.width, area.height)
  }

  /// The box of a character is no longer than wide by this factor.
  private static let boxShape = 1.4

  func readCharacter(
    _ ink: Ink, _ context: RecognitionContext, count: Int
  ) throws -> RecognitionResult {
    var result = try classifier.recognize(
      ink, context: context, maximumCandidates: count, among: allowed)
    let parts = ink.strokes.enumerated().filter { !$1.points.isEmpty }.map {
      CharacterInk.Part(stroke: $0, points: $1.points.indices)
    }
    for index in result.candidates.indices {
      let candidate = result.candidates[index]
      result.candidates[index].characters = [CharacterInk(parts: parts)]
      result.candidates[index].words = [
        RecognizedWord(text: candidate.text, characters: 0..<1, confidence: exp(candidate.score))
      ]
    }
    if case .closed(let words)? = vocabulary {
      result.candidates.removeAll { !words.contains($0.text) }
    }
    return result
  }

  /// Reads one line.
  func readLine(
    _ ink: Ink, _ context: RecognitionContext, isColumn: Bool, count: Int,
    _ evidence: inout CharacterEvidence
  ) throws -> RecognitionResult {
    guard !ink.isEmpty else { return RecognitionResult(candidates: []) }
    var groups = try readGroups(of: ink, context, isColumn: isColumn)
    func search() throws -> [CharacterSearch.Reading] {
      try self.search.best(
        of: groups, after: String(context.preContext.suffix(Self.preContextLength)),
        count: max(count, Self.leastReadings))
    }
    var readings = try search()
    if let latin, !isColumn, let best = readings.first,
      try latin.add(to: &groups, best, of: ink, configuration, labels: model.labels.count)
    {
      readings = try search()
    }
    if let best = readings.first, let language { evidence.add(best, language) }
    return CharacterLineCandidates(
      readings, of: ink, labels: model.labels + groups.words, vocabulary: vocabulary,
      temperature: configuration.temperature
    ).result(count: count)
  }

  /// Cuts a line into groups, and reads each as a character.
  private func readGroups(
    of ink: Ink, _ context: RecognitionContext, isColumn: Bool
  ) throws -> CharacterGroups {
    let size = context.writingArea.map { isColumn ? $0.width : $0.height }
    var groups = CharacterGroups(ink, isColumn: isColumn, size: size)
    try groups.read { groups in
      try options.read(
        groups.map { group in
          (
            Ink(strokes: group.strokes.map { ink.strokes[$0] }),
            group.isWhole ? context.writingArea : group.area
          )
        }, isColumn: isColumn)
    }
    return groups
  }
}

/// Reading in two steps, so that weights are tuned without reading the ink again.
extension CharacterLineRecognizer {
  /// The groups of a line with the characters that they may be.
  ///
  /// - Throws: As ``recognize(_:context:maximumCandidates:)``.
  package func groups(of ink: Ink, context: RecognitionContext) throws -> CharacterGroups {
    try ink.validate()
    return try readGroups(of: ink, context, isColumn: Self.isColumn(ink, context))
  }

  /// The best texts of groups with their probabilities, best first.
  package func texts(
    of groups: CharacterGroups
  ) throws -> [(text: String, probability: Double)] {
    let readings = try search.best(of: groups, after: "", count: Self.leastReadings)
    let probabilities = WordConfidences.probabilities(
      readings.map(\.score), temperature: configuration.temperature)
    return zip(readings, probabilities).map { reading, probability in
      (reading.characters.map { model.labels[$0.label] }.joined(), probability)
    }
  }
}
