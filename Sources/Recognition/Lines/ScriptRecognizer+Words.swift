import InkCore

/// Words of another script in a line.
extension ScriptRecognizer {
  /// The fewest letters that show the script of a word.
  private static let leastLetters = 3
  /// The additional mean ln p of a character that another script needs, and the additional ln p of the
  /// word. A name is improbable in its own language, too.
  private static let (wordMargin, wordEvidence) = (0.7, 4.0)
  /// The same ln p for a word that its own language explains.
  private static let plainEvidence = 8.0

  /// A line with its words, each in that of several scripts whose language explains it best.
  ///
  /// - Parameters:
  ///   - line: The candidates of the line, all in one script. Each that has the same words, by their
  ///     strokes, gets the words of other scripts.
  ///   - reader: The reader of these candidates.
  ///   - others: The readers of other scripts.
  ///   - ink: The ink of the line.
  /// - Returns: The candidates; nil if no word is of another script.
  static func mixed(
    _ line: [RecognitionCandidate], by reader: any ScriptReader, others: [any ScriptReader],
    _ ink: Ink, _ context: RecognitionContext
  ) throws -> [RecognitionCandidate]? {
    guard let best = line.first else { return nil }
    var found: [[Int]: RecognitionCandidate] = [:]
    for word in words(of: best) where word.letters >= leastLetters {
      try Task.checkCancellation()
      let part = Ink(strokes: word.strokes.map { ink.strokes[$0] })
      let own = try reader.explained(part, context: context, maximumCandidates: 1)
      let evidence = own.mean < plain ? wordEvidence : plainEvidence
      var least = own.mean + wordMargin
      for other in others {
        let reading = try other.explained(part, context: context, maximumCandidates: 1)
        let gain = (reading.mean - own.mean) * Double(reading.characters)
        guard reading.characters >= leastLetters, reading.mean > least, gain > evidence,
          var candidate = reading.result.candidates.first
        else { continue }
        candidate.renumberStrokes(word.strokes)
        found[word.strokes] = candidate
        least = reading.mean
      }
    }
    guard !found.isEmpty else { return nil }
    var texts: Set<String> = []
    return line.compactMap { candidate in
      let changed = candidate.replacing(found, words: words(of: candidate))
      return texts.insert(changed.text).inserted ? changed : nil
    }
  }

  /// Words that share no stroke with another one.
  struct Word {
    /// The characters of the candidate.
    var characters: Range<Int>
    /// Ascending.
    var strokes: [Int]
    /// The number of letters.
    var letters: Int
  }

  /// The words of a candidate; those that share strokes are one.
  private static func words(of candidate: RecognitionCandidate) -> [Word] {
    var result: [Word] = []
    let text = Array(candidate.text)
    for word in candidate.words {
      let strokes = candidate.strokes(of: word)
      let letters = text[word.characters.clamped(to: text.indices)].count { $0.isLetter }
      if let last = result.last, !Set(last.strokes).isDisjoint(with: strokes) {
        result[result.count - 1] = Word(
          characters: last.characters.lowerBound..<word.characters.upperBound,
          strokes: Set(last.strokes).union(strokes).sorted(), letters: last.letters + letters)
      } else if !strokes.isEmpty {
        result.append(Word(characters: word.characters, strokes: strokes, letters: letters))
      }
    }
    return result
  }
}

extension RecognitionCandidate {
  /// The candidate with other readings of some words, by their strokes.
  fileprivate func replacing(
    _ readings: [[Int]: RecognitionCandidate], words: [ScriptRecognizer.Word]
  ) -> RecognitionCandidate {
    var result = RecognitionCandidate(text: "", score: score)
    result.formula = formula
    let text = Array(self.text)
    var start = 0
    /// Adds characters that stay.
    func keep(_ end: Int) {
      let offset = result.characters.count - start
      result.text += String(text[start..<end])
      result.characters += characters[start..<end]
      result.words += self.words.filter {
        start <= $0.characters.lowerBound && $0.characters.upperBound <= end
      }
      .map { $0.moved(by: offset) }
      start = end
    }
    guard characters.count == text.count else { return self }
    for word in words {
      guard let reading = readings[word.strokes], reading.characters.count == reading.text.count
      else { continue }
      keep(word.characters.lowerBound)
      let offset = result.characters.count
      result.text += reading.text
      result.characters += reading.characters
      result.words += reading.words.map { $0.moved(by: offset) }
      start = word.characters.upperBound
    }
    keep(text.count)
    return result
  }
}

extension RecognizedWord {
  func moved(by offset: Int) -> RecognizedWord {
    var word = self
    word.characters = (characters.lowerBound + offset)..<(characters.upperBound + offset)
    return word
  }
}
