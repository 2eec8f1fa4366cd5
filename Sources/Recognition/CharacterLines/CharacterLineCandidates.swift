import Foundation
import InkCore
import LanguageModels

/// Converts the readings of a line of characters to candidates.
struct CharacterLineCandidates {
  private let readings: [CharacterSearch.Reading]
  private let texts: [String]
  private let probabilities: [Double]
  private let ink: Ink
  /// The labels of the model, and after them the Latin words.
  private let labels: [String]

  /// Makes the candidates of readings, best first.
  ///
  /// - Parameter labels: The labels of the model, and after them the Latin words of the groups.
  init(
    _ readings: [CharacterSearch.Reading], of ink: Ink, labels: [String], vocabulary: Vocabulary?,
    temperature: Float
  ) {
    (self.ink, self.labels) = (ink, labels)
    var readings = readings
    if case .boosted(let lexicon, let bonus)? = vocabulary {
      for index in readings.indices {
        let text = readings[index].characters.map { labels[$0.label] }.joined()
        readings[index].score += bonus * Float(Self.count(of: lexicon, in: text))
      }
      readings.sort { $0.score > $1.score }
    }
    self.readings = readings
    texts = readings.map { $0.characters.map { labels[$0.label] }.joined() }
    probabilities = WordConfidences.probabilities(
      readings.map(\.score), temperature: temperature)
  }

  /// The number of words of a lexicon in a text, the longest first, none overlapping another. The text
  /// has no spaces between words.
  private static func count(of lexicon: Lexicon, in text: String) -> Int {
    let scalars = Array(text.unicodeScalars)
    var (place, count) = (0, 0)
    while place < scalars.count {
      var state: Lexicon.State? = lexicon.start
      var end: Int?
      for index in place..<scalars.count {
        state = state.flatMap { lexicon.advance($0, scalars[index]) }
        guard let state else { break }
        if lexicon.isAccepting(state) { end = index + 1 }
      }
      count += end == nil ? 0 : 1
      place = end ?? place + 1
    }
    return count
  }

  /// The result with at most so many candidates.
  func result(count: Int) -> RecognitionResult {
    RecognitionResult(
      candidates: readings.indices.prefix(count).map { index in
        RecognitionCandidate(
          text: texts[index], score: min(0, log(max(probabilities[index], .leastNormalMagnitude))),
          characters: readings[index].characters.flatMap { character in
            character.group.word(character.label)?.characters
              ?? [
                CharacterInk(
                  parts: character.group.strokes.map {
                    CharacterInk.Part(stroke: $0, points: ink.strokes[$0].points.indices)
                  })
              ]
          }, words: words(of: index))
      })
  }

  /// The words of a reading. Their confidences are the sums of the probabilities of the readings that have
  /// the same characters of the same strokes.
  private func words(of index: Int) -> [RecognizedWord] {
    let all = readings.map { reading in
      Set(reading.characters.map { Placed(label: $0.label, strokes: $0.group.strokes) })
    }
    let characters = readings[index].characters
    // A label may be more than one character of Swift's.
    var offset = 0
    let places = characters.map { character in
      defer { offset += labels[character.label].count }
      return offset
    }
    return CharacterWords.ranges(in: characters.map { labels[$0.label] }).flatMap { range in
      let own = characters[range].map { Placed(label: $0.label, strokes: $0.group.strokes) }
      let confidence = zip(all, probabilities).reduce(0) { sum, entry in
        own.allSatisfy(entry.0.contains) ? sum + entry.1 : sum
      }
      let text = characters[range].map { labels[$0.label] }.joined()
      let start = places[range.lowerBound]
      let first = characters[range.lowerBound]
      guard let word = first.group.word(first.label) else {
        return [
          RecognizedWord(
            text: text, characters: start..<(start + text.count), confidence: min(1, confidence))
        ]
      }
      return word.words.map { word in
        var word = word.moved(by: start)
        word.confidence = min(1, confidence)
        return word
      }
    }
  }

  private struct Placed: Hashable {
    var label: Int
    var strokes: [Int]
  }
}

extension CharacterGroups.Group {
  /// The reading as a Latin word that has a label; nil for a character.
  fileprivate func word(_ label: Int) -> RecognitionCandidate? {
    isWord ? options.first { $0.label == label }?.word?.candidate : nil
  }
}

/// The words of a text in a script that writes no spaces.
enum CharacterWords {
  private enum Kind {
    case content, hiragana, latin, other
  }

  /// The ranges of words: a run of kanji, katakana or digits with the hiragana that follow, as Japanese
  /// texts can be divided without a dictionary. Each sign is a word, and so is each run of Latin letters,
  /// which is one of the given texts.
  static func ranges(in characters: [String]) -> [Range<Int>] {
    var result: [Range<Int>] = []
    var last: Kind?
    for (index, character) in characters.enumerated() {
      // A long vowel goes on as the kana before it.
      let kind = character == "ー" ? last ?? .content : kind(of: character)
      let continues: Bool =
        switch (last, kind) {
        case (.content?, .content), (.content?, .hiragana), (.hiragana?, .hiragana): true
        default: false
        }
      if continues, let range = result.popLast() {
        result.append(range.lowerBound..<(index + 1))
      } else {
        result.append(index..<(index + 1))
      }
      last = kind
    }
    return result
  }

  private static func kind(of character: String) -> Kind {
    guard let scalar = character.unicodeScalars.first else { return .other }
    switch scalar.value {
    case 0x3041...0x309F: return .hiragana
    case _ where character.contains { $0.isCased }: return .latin
    default:
      return scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        ? .content : .other
    }
  }
}
