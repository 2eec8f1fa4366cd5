import InkCore

/// Makes new words of the beginnings and ends of words that one writer wrote: `wander` and `holdout`,
/// written with a pen lift behind their `d`, make `wandout`. Both sides of the seam follow a character
/// that they followed on paper too.
///
/// A network that meets the same few thousand words again and again learns them by heart, where it
/// should learn what letters look like: what words there are is what a language model knows better.
struct WordSplicing {
  /// A word and the line that it was cut out of.
  typealias Word = (line: Int, word: CutWord)

  /// A seam of one of the words.
  private struct Place {
    var word: Int
    var seam: InkSeam
  }

  private struct Side: Hashable {
    var writer: String
    var before: Character
  }

  /// The words as they were written.
  let words: [Word]
  private let seed: UInt64
  private let share: Float
  /// The seams of all words of a writer behind the same character.
  private var places: [Side: [Place]] = [:]
  private let writers: [String]

  /// Prepares words that were cut out of the lines of a set. O(seams).
  ///
  /// - Parameter share: The probability that a word that can be parted gets the end of one drawn at random.
  init(_ words: [Word], of set: LineTrainingSet, seed: UInt64, share: Float) {
    self.words = words
    self.seed = seed
    self.share = share
    writers = words.map { set.writerOfWords(of: $0.line) }
    for index in words.indices {
      for seam in words[index].word.seams {
        places[side(of: index, seam), default: []].append(Place(word: index, seam: seam))
      }
    }
  }

  /// Whether the words differ between epochs.
  var isOn: Bool { share > 0 }

  /// The words of an epoch: some as they are, others with the end of another, or of their own again.
  /// Depends on seed, epoch and words only. O(points).
  func words(of epoch: Int) -> [Word] {
    guard isOn else { return words }
    return words.indices.map { index in
      var generator = SeededGenerator(seed: seed, 5, UInt64(epoch), UInt64(index))
      let (line, word) = words[index]
      guard generator.uniform() < share, !word.seams.isEmpty else { return words[index] }
      let seam = word.seams[generator.index(below: word.seams.count)]
      let others = places[side(of: index, seam)] ?? []
      let other = others[generator.index(below: others.count)]
      guard other.word != index else { return words[index] }
      let spliced = word.spliced(at: seam, with: words[other.word].word, at: other.seam)
      // Of `"But` and `end".` marks alone may be left.
      return spliced.isWord ? (line, spliced) : words[index]
    }
  }

  private func side(of index: Int, _ seam: InkSeam) -> Side {
    let before = words[index].word.text.dropFirst(seam.characters - 1).first ?? " "
    return Side(writer: writers[index], before: before)
  }
}
