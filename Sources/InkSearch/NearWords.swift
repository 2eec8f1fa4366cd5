/// Words that are spelled nearly as those of a query, where the writing was read without certainty: a
/// misread word is found though no reading has it.
///
/// The full-text table has each uncertain word without one or two of its letters. Two words that differ
/// in up to two letters share such a rest (Garbe 2012, symmetric deletion), so that a query looks for
/// its own rests.
package enum NearWords {
  /// Words that were read with this probability or a higher one are not misread.
  package static let sure = 0.98
  /// The alternatives of a word that count.
  package static let mostAlternatives = 8
  /// The fewest letters of a word of the index.
  private static let fewest = 3
  /// The fewest letters of a word of the index that two letters are left out of.
  private static let fewestForTwo = 5
  /// The most letters: longer words have too many rests.
  private static let most = 24
  /// Begins the terms of rests; those of words begin with their tier, from 1.
  private static let mark = "0"

  /// The part of the probability that the alternatives of a word leave which goes to a word that differs
  /// by so many letters. Fitted on val1 of IAM-OnDB.
  private static let shares = [0, 0.15, 0.02]

  /// The letters in which a word of a query may differ; 0 if it is looked for as it is.
  static func reach(of form: String) -> Int {
    switch form.count {
    case 6...most: 2
    case 4...5: 1
    default: 0
    }
  }

  /// Returns the terms of the uncertain words of a page.
  static func terms(of words: [PageWord]) -> Set<String> {
    var terms: Set<String> = []
    for word in words {
      guard let best = word.alternatives.first, best.probability < sure else { continue }
      for alternative in word.alternatives.prefix(mostAlternatives) {
        let form = FoldedText.form(of: alternative.text)
        guard (fewest...most).contains(form.count) else { continue }
        terms.formUnion(rests(of: form, without: form.count >= fewestForTwo ? 2 : 1))
      }
    }
    return terms
  }

  /// Returns the terms of a word without up to so many letters. O(letters to that power).
  static func rests(of form: String, without count: Int) -> Set<String> {
    var all: Set<String> = [mark + form]
    var last: Set<[Character]> = [Array(form)]
    for _ in 0..<count {
      var next: Set<[Character]> = []
      for letters in last {
        for index in letters.indices {
          var rest = letters
          rest.remove(at: index)
          next.insert(rest)
        }
      }
      for rest in next where !rest.isEmpty { all.insert(mark + String(rest)) }
      last = next
    }
    return all
  }

  /// Returns the probability that a word is another one that no alternative has.
  ///
  /// - Parameters:
  ///   - distance: The letters in which the other one differs from an alternative; 0 if it differs from
  ///     it in marks alone.
  ///   - alternative: The probability of the alternative.
  ///   - best: The probability of the best one.
  ///   - all: The sum of all.
  static func probability(
    distance: Int, alternative: Double, best: Double, all: Double
  ) -> Double {
    guard shares.indices.contains(distance), all > 0 else { return 0 }
    return shares[max(1, distance)] * max(0, 1 - best) * alternative / all
  }

  /// The letters of a word, for distances.
  struct Letters {
    let scalars: [UInt32]
    /// A bit for each letter that there is.
    private let set: UInt64

    init(_ form: String) { self.init(form.unicodeScalars.map(\.value)) }

    init(_ scalars: [UInt32]) {
      self.scalars = scalars
      set = scalars.reduce(0) { $0 | 1 << UInt64($1 & 63) }
    }

    /// Returns the least number of letters to change, add or remove that makes this word another one;
    /// nil if it is above a limit. O(letters × limit).
    func distance(to other: Letters, limit: Int) -> Int? {
      guard abs(scalars.count - other.scalars.count) <= limit,
        (set ^ other.set).nonzeroBitCount <= 2 * limit
      else { return nil }
      var row = Array(0...other.scalars.count)
      for (place, letter) in scalars.enumerated() {
        var diagonal = row[0]
        row[0] = place + 1
        var least = row[0]
        for (index, another) in other.scalars.enumerated() {
          let change = diagonal + (letter == another ? 0 : 1)
          diagonal = row[index + 1]
          row[index + 1] = min(change, diagonal + 1, row[index] + 1)
          least = min(least, row[index + 1])
        }
        guard least <= limit else { return nil }
      }
      return row[other.scalars.count] <= limit ? row[other.scalars.count] : nil
    }
  }
}
