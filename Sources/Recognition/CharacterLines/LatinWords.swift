import Files
import Foundation
import InkCore
import LanguageModels

/// The Latin words in rows of characters: runs of strokes that characters do not explain, read by a
/// network of Latin lines.
///
/// Such a reading becomes one more group of the line, so that the search compares it with the characters of
/// these strokes. Thread-safe; the network is opened when a line has a doubtful run.
final class LatinWords: Sendable {
  private let open: @Sendable () throws -> LineRecognizer?
  private let opened = Guarded<LineRecognizer??>(nil)

  // The weights are chosen by hand on lines of Benchmarks/experiments/mixed-lines.

  /// A character whose shape has a smaller ln p is doubtful. A run is read if this difference, less what is
  /// certain between its characters, is above the second number; it ends where it falls by the third.
  private static let (usual, doubt, fall): (Float, Float, Float) = (-0.8, 0.5, 0.7)
  /// The score of a word, of each of its characters, and of each space in it.
  private static let (wordBonus, characterBonus, spaceBonus): (Float, Float, Float) = (-3, 1, -3)
  /// The weights of ln p of its characters by the network, and of the text by its language.
  private static let (networkWeight, languageWeight): (Float, Float) = (6, 0.65)
  /// Other ends of a run are tried if its score is at most this much below that of its characters, and its
  /// characters have this mean probability.
  private static let (near, sure): (Float, Float) = (10, 0.65)
  /// So many gaps before and after an end are tried.
  private static let reach = 3
  /// The readings of a run that the search tries.
  private static let most = 3
  /// The share of letters and digits in a word.
  private static let lettersShare = 0.8

  /// Makes the reader.
  ///
  /// - Parameter open: Opens the recogniser of Latin lines; nil if there is none.
  init(_ open: @escaping @Sendable () throws -> LineRecognizer?) { self.open = open }

  /// The reader within an alphabet.
  func confined(to alphabet: Alphabet?) -> LatinWords {
    guard let alphabet else { return self }
    return LatinWords { [self] in
      // An alphabet without Latin letters allows no words.
      try reader().flatMap { try? $0.confined(to: alphabet) }
    }
  }

  private func reader() throws -> LineRecognizer? {
    if let known = opened.withLock({ $0 }) { return known }
    let made = try open()
    opened.withLock { $0 = .some(made) }
    return made
  }

  /// Adds the Latin words of a line to its groups.
  ///
  /// - Parameters:
  ///   - reading: The best reading of the line as characters.
  ///   - ink: The ink of the line, a row.
  ///   - configuration: The weights of the search.
  ///   - labels: The number of labels of the model.
  /// - Returns: True if words were added.
  /// - Throws: The errors of opening the recogniser, and `CancellationError`.
  func add(
    to groups: inout CharacterGroups, _ reading: CharacterSearch.Reading, of ink: Ink,
    _ configuration: CharacterLineConfiguration, labels: Int
  ) throws -> Bool {
    let runs = Self.runs(in: reading, configuration)
    guard !runs.isEmpty, let reader = try reader() else { return false }
    let known = Self.known(reading)
    let count = groups.words.count
    for run in runs {
      let gaps =
        reading.characters[run.lowerBound].group
        .start..<reading.characters[run.upperBound - 1].group.end
      /// Reads a run; returns by how much its score is above that of its characters.
      func gain(_ gaps: Range<Int>) throws -> (gain: Float, certainty: Float)? {
        try Task.checkCancellation()
        return try Self.add(gaps, to: &groups, of: ink, reader, labels: labels).map {
          ($0.score - (known[gaps.upperBound] - known[gaps.lowerBound]), $0.certainty)
        }
      }
      guard let first = try gain(gaps), first.gain > -Self.near, first.certainty > Self.sure
      else { continue }
      // The word may be longer or shorter by a few pieces or a character.
      let before = run.lowerBound > 0 ? reading.characters[run.lowerBound - 1].group.start : nil
      let after =
        run.upperBound < reading.characters.count
        ? reading.characters[run.upperBound].group.end : nil
      var best = (start: gaps.lowerBound, gain: first.gain)
      for start in Self.places(near: gaps.lowerBound, before, in: 0..<gaps.upperBound) {
        guard let found = try gain(start..<gaps.upperBound), found.gain > best.gain else {
          continue
        }
        best = (start, found.gain)
      }
      let ends = (best.start + 1)..<groups.gaps.count
      for end in Self.places(near: gaps.upperBound, after, in: ends) {
        _ = try gain(best.start..<end)
      }
    }
    return groups.words.count > count
  }

  /// The runs of characters with doubtful shapes, as ranges of characters.
  private static func runs(
    in reading: CharacterSearch.Reading, _ configuration: CharacterLineConfiguration
  ) -> [Range<Int>] {
    var result: [Range<Int>] = []
    var (start, sum): (Int, Float) = (0, 0)
    var best: (end: Int, sum: Float) = (0, 0)
    for (index, character) in reading.characters.enumerated() {
      let group = character.group
      let shape = group.options.first { $0.label == character.label }?.score ?? 0
      let beyond = max(0, group.extent - configuration.largestExtent)
      sum += usual - shape + configuration.extentLoss * beyond
      if sum > best.sum { best = (index + 1, sum) }
      guard sum <= 0 || best.sum - sum > fall || index + 1 == reading.characters.count else {
        continue
      }
      if best.sum > doubt { result.append(start..<best.end) }
      (start, sum, best) = (index + 1, 0, (index + 1, 0))
    }
    return result
  }

  /// The score of the characters before each gap. What a character adds is divided among its pieces.
  private static func known(_ reading: CharacterSearch.Reading) -> [Float] {
    var result: [Float] = [0]
    for (_, group, score) in reading.characters {
      let pieces = max(1, group.end - group.start)
      for _ in 0..<pieces { result.append((result.last ?? 0) + score / Float(pieces)) }
    }
    return result
  }

  /// The gaps near one, without that one.
  private static func places(near gap: Int, _ other: Int?, in range: Range<Int>) -> [Int] {
    Set((gap - reach)...(gap + reach)).union(other.map { [$0] } ?? []).subtracting([gap])
      .filter(range.contains).sorted()
  }

  /// Reads a run of strokes between two gaps, and adds it if there are words in it.
  ///
  /// - Returns: The score of the best reading, and the mean probability of its characters; nil without
  ///   words.
  private static func add(
    _ gaps: Range<Int>, to groups: inout CharacterGroups, of ink: Ink,
    _ reader: LineRecognizer, labels: Int
  ) throws -> (score: Float, certainty: Float)? {
    let strokes = groups.strokes[gaps].joined().sorted()
    let part = Ink(strokes: strokes.map { ink.strokes[$0] })
    guard let run = try reader.readRun(part, count: most) else { return nil }
    let certainty = log(max(run.certainty, .leastNormalMagnitude))
    let readings = run.candidates.filter { hasWords($0.text) }.map { candidate in
      let spaces = candidate.text.count { $0 == " " }
      let score =
        wordBonus + spaceBonus * Float(spaces)
        + Float(candidate.text.count) * (characterBonus + networkWeight * certainty)
        + languageWeight * run.language + Float(candidate.score)
      var candidate = candidate
      candidate.renumberStrokes(strokes)
      return (CharacterGroups.Word(candidate: candidate, language: run.language), score)
    }
    guard let best = readings.first else { return nil }
    groups.add(gaps, readings, labels: labels)
    return (best.1, run.certainty)
  }

  /// Returns whether a text is of words: letters, and few signs.
  private static func hasWords(_ text: String) -> Bool {
    let written = text.filter { $0 != " " }
    let letters = written.count { $0.isLetter || $0.isNumber }
    return written.contains { $0.isLetter }
      && Double(letters) >= lettersShare * Double(written.count)
  }
}
