import Foundation
import GRDB
import InkCore

/// A page that a query found.
public struct SearchHit: Sendable, Encodable {
  /// A place on the page.
  public struct Place: Sendable, Encodable {
    /// The text there, as it was read.
    public var text: String
    /// The probability that it is what was looked for.
    public var probability: Double
    /// The box on the page, in the unit of the ink: x, y, width, height.
    public var box: [Double]
    /// True for typed text.
    public var isTyped: Bool
  }

  /// The file.
  public var path: String
  /// The number of the page, from 1.
  public var page: Int
  /// The expected number of hits, weighted by how probable it is that the page has all that was
  /// looked for.
  public var score: Double
  /// The line of the most probable place, as it was read.
  public var line: String
  /// The places, the most probable first; at most ``mostPlaces``.
  public var places: [Place]
  /// The format of the file.
  public var format: String
  /// When the file was changed.
  public var changed: Date
  /// The language of the page.
  public var language: String?

  /// The most places of a hit.
  public static let mostPlaces = 20
}

extension InkIndex {
  /// The readings of a word that count.
  public enum Readings: Sendable {
    /// All alternatives with their probabilities, and words that are spelled nearly so.
    case all
    /// The best one alone, as if it were sure; to compare.
    case best
  }

  /// So many pages are looked at closely for each that is asked for, and no fewer than ``fewest``.
  private static let perResult = 4
  private static let fewest = 200

  /// Returns the pages that a query finds, best first.
  ///
  /// - Parameters:
  ///   - query: What to look for.
  ///   - limit: The most pages.
  ///   - readings: What counts.
  /// - Throws: ``InkSearchError``.
  public func search(
    _ query: SearchQuery, limit: Int = 50, readings: Readings = .all
  ) throws(InkSearchError) -> [SearchHit] {
    guard limit > 0 else { return [] }
    let wanted = max(
      Self.fewest, limit.multipliedReportingOverflow(by: Self.perResult).partialValue)
    return try read { database in
      var hits: [SearchHit] = []
      var seen: Set<Int64> = []
      func add(from tier: Int, near: Int = 0) throws {
        guard hits.count < wanted else { return }
        let rows = try Self.candidates(query, tier, near: near, wanted, database)
        for row in rows where seen.insert(row["id"]).inserted {
          if let hit = Self.hit(row, query, readings, near: near > 0) { hits.append(hit) }
        }
      }
      // Pages with many probable hits come first, and others only if those are too few.
      for tier in [8, 6, 5, 3, 2, 1] { try add(from: tier) }
      let reach = query.terms.flatMap(\.words).map(\.reach).max() ?? 0
      // Words that are spelled nearly so are less probable than any that was read.
      if readings == .all, reach > 0, hits.count < limit {
        for near in 1...reach { try add(from: 1, near: near) }
      }
      return Array(
        hits.sorted {
          ($0.score, $0.changed, $1.path, $1.page) > ($1.score, $1.changed, $0.path, $0.page)
        }.prefix(limit))
    }
  }

  /// Pages on which the full-text table has all words in a tier or a higher one, or words that differ in
  /// up to `near` letters.
  private static func candidates(
    _ query: SearchQuery, _ tier: Int, near: Int, _ limit: Int, _ database: Database
  ) throws -> [Row] {
    func any(_ word: SearchQuery.Word, from tier: Int, near: Int) -> String {
      // Only letters and digits are in a form.
      var terms = (tier...IndexTerms.tiers.count).map {
        "\"\($0)\(word.form)\"" + (word.isPrefix ? " *" : "")
      }
      let reach = min(near, word.reach)
      if reach > 0 {
        terms += NearWords.rests(of: word.form, without: reach).sorted().map { "\"\($0)\"" }
      }
      return "(" + terms.joined(separator: " OR ") + ")"
    }
    var match = query.terms.flatMap(\.words).map { any($0, from: tier, near: near) }
      .joined(separator: " AND ")
    let excluded = query.excluded.filter { $0.words.count == 1 }.flatMap(\.words)
    for word in excluded {
      match = "(\(match)) NOT \(any(word, from: IndexTerms.probable, near: 0))"
    }
    let conditions = query.filter.conditions
    let arguments: [any DatabaseValueConvertible] = [match] + conditions.arguments + [limit]
    let filter = conditions.sql.map { " AND \($0)" }.joined()
    return try Row.fetchAll(
      database,
      sql: """
        SELECT page.id, page.number, page.language, page.words, file.path, file.format,
          file.changed, folder.path AS folder
        FROM term JOIN page ON page.id = term.rowid JOIN file ON file.id = page.file
          JOIN folder ON folder.id = file.folder
        WHERE term MATCH ?\(filter) ORDER BY term.rowid DESC LIMIT ?
        """, arguments: StatementArguments(arguments))
  }

  /// Scores a page by its words; nil if it has not what was looked for.
  private static func hit(
    _ row: Row, _ query: SearchQuery, _ readings: Readings, near: Bool
  ) -> SearchHit? {
    let language: String? = row["language"]
    let bytes = [UInt8](row["words"] as Data)
    var search = PageSearch(query, language: language, readings, near: near)
    bytes.withUnsafeBufferPointer { search.scan($0) }
    guard let result = search.result() else { return nil }
    let places = result.places.sorted {
      ($0.probability, $1.first) > ($1.probability, $0.first)
    }
    guard let best = places.first else { return nil }
    let words = PageCoding.words(bytes) ?? []
    let line = words.indices.contains(best.first) ? words[best.first].line : -1
    let text = PageWord.text(
      of: words.filter {
        $0.line == line && ($0.alternatives.first?.probability ?? 0) >= leastShown
      })
    let number: Int = row["number"]
    let changed: Int64 = row["changed"]
    return SearchHit(
      path: path(row), page: number + 1,
      score: result.score, line: text,
      places: places.prefix(SearchHit.mostPlaces).map { place in
        SearchHit.Place(
          text: place.text, probability: place.probability,
          box: [place.box.minX, place.box.minY, place.box.width, place.box.height],
          isTyped: place.isTyped)
      }, format: row["format"], changed: Date(timeIntervalSince1970: Double(changed) / 1e9),
      language: language)
  }
}

/// Looks for the terms of a query on a page.
struct PageSearch {
  /// A place where a term may stand.
  struct Place {
    /// The first word, by its number on the page.
    var first: Int
    var text: String
    var probability: Double
    var box: BoundingBox
    var isTyped: Bool
  }

  private let query: SearchQuery
  private let language: String?
  private let readings: InkIndex.Readings
  /// The places of each term, then of each excluded one.
  private var places: [[Place]]
  /// For terms of several words: the places of rows that have begun, by the words that were found.
  private var open: [[(count: Int, place: Place)]]
  private let terms: [SearchQuery.Term]
  /// The letters of each term that may be spelled otherwise, and in how many of them.
  private let near: [(letters: NearWords.Letters, reach: Int)?]
  private var number = 0

  init(
    _ query: SearchQuery, language: String?, _ readings: InkIndex.Readings, near isNear: Bool
  ) {
    (self.query, self.language, self.readings) = (query, language, readings)
    terms = query.terms + query.excluded
    near = terms.map { term in
      guard isNear, term.words.count == 1, let word = term.words.first, word.reach > 0 else {
        return nil
      }
      return (NearWords.Letters(word.form), word.reach)
    }
    places = terms.map { _ in [] }
    open = terms.map { _ in [] }
  }

  mutating func scan(_ bytes: UnsafeBufferPointer<UInt8>) {
    _ = PageCoding.scan(bytes) { word in take(word, bytes) }
  }

  private mutating func take(
    _ word: borrowing PageCoding.RawWord, _ bytes: UnsafeBufferPointer<UInt8>
  ) {
    defer { number += 1 }
    for (index, term) in terms.enumerated() {
      var next: [(count: Int, place: Place)] = []
      // A row goes on with this word.
      for (count, place) in open[index] {
        guard let (probability, text) = match(term.words[count], word, bytes) else { continue }
        var place = place
        place.probability *= probability
        place.text += " " + text
        place.box.formUnion(word.box)
        if count + 1 == term.words.count {
          places[index].append(place)
        } else {
          next.append((count + 1, place))
        }
      }
      if let first = term.words.first,
        let (probability, text) = match(first, word, bytes) ?? nearMatch(index, word, bytes)
      {
        let place = Place(
          first: number, text: text, probability: probability, box: word.box,
          isTyped: word.isTyped)
        if term.words.count == 1 { places[index].append(place) } else { next.append((1, place)) }
      }
      open[index] = next
    }
  }

  /// The probability that a word is what is looked for, and its most probable text of these.
  private func match(
    _ word: SearchQuery.Word, _ found: borrowing PageCoding.RawWord,
    _ bytes: UnsafeBufferPointer<UInt8>
  ) -> (Double, String)? {
    var sum = 0.0
    var best: (probability: Double, text: Range<Int>)?
    for index in found.alternatives.indices {
      let (text, probability) = found.alternatives[index]
      guard Self.agrees(word, bytes, text, language) else { continue }
      sum += probability
      if probability > best?.probability ?? 0 { best = (probability, text) }
      if readings == .best { break }
    }
    if readings == .best {
      guard let first = found.alternatives.first, let best, best.text == first.text else {
        return nil
      }
      return (1, String(decoding: bytes[best.text], as: UTF8.self))
    }
    guard let best else { return nil }
    return (min(1, sum), String(decoding: bytes[best.text], as: UTF8.self))
  }

  /// The probability that a word is a term that none of its alternatives has, and the nearest of these.
  private func nearMatch(
    _ term: Int, _ found: borrowing PageCoding.RawWord, _ bytes: UnsafeBufferPointer<UInt8>
  ) -> (Double, String)? {
    guard let (letters, reach) = near[term], let first = found.alternatives.first,
      first.probability < NearWords.sure
    else { return nil }
    var all = 0.0
    for index in found.alternatives.indices { all += found.alternatives[index].probability }
    var best: (probability: Double, text: Range<Int>)?
    for index in found.alternatives.indices.prefix(NearWords.mostAlternatives) {
      let (text, probability) = found.alternatives[index]
      guard abs(text.count - letters.scalars.count) <= 4 * reach,
        let distance = Self.letters(of: bytes, text).distance(to: letters, limit: reach)
      else { continue }
      let share = NearWords.probability(
        distance: distance, alternative: probability, best: first.probability, all: all)
      if share > best?.probability ?? 0 { best = (share, text) }
    }
    return best.map { ($0.probability, String(decoding: bytes[$0.text], as: UTF8.self)) }
  }

  /// The letters of a text of the index.
  private static func letters(
    of bytes: UnsafeBufferPointer<UInt8>, _ text: Range<Int>
  ) -> NearWords.Letters {
    var scalars: [UInt32] = []
    scalars.reserveCapacity(text.count)
    for index in text {
      switch bytes[index] {
      case 0x61...0x7A, 0x30...0x39: scalars.append(UInt32(bytes[index]))
      case 0x41...0x5A: scalars.append(UInt32(bytes[index] | 0x20))
      default:
        return NearWords.Letters(
          FoldedText.form(of: String(decoding: bytes[text], as: UTF8.self)))
      }
    }
    return NearWords.Letters(scalars)
  }

  /// Returns whether a text of the index is a word of the query. Words of ASCII letters, which most are, are
  /// compared byte by byte.
  private static func agrees(
    _ word: SearchQuery.Word, _ bytes: UnsafeBufferPointer<UInt8>, _ text: Range<Int>,
    _ language: String?
  ) -> Bool {
    var form = word.form.utf8.makeIterator()
    var isSimple = true
    var isEqual = true
    for index in text {
      let byte = bytes[index]
      let lower: UInt8
      switch byte {
      case 0x61...0x7A, 0x30...0x39: lower = byte
      case 0x41...0x5A: lower = byte | 0x20
      default:
        isSimple = false
        lower = 0
      }
      guard isSimple else { break }
      guard isEqual else { continue }
      guard let next = form.next() else {
        isEqual = word.isPrefix
        if isEqual { break }
        continue
      }
      if next != lower { isEqual = false }
    }
    if isSimple {
      return isEqual && (word.isPrefix || form.next() == nil)
        && text.count >= word.form.utf8.count
    }
    let string = String(decoding: bytes[text], as: UTF8.self)
    let forms = FoldedText.forms(of: string)
    let isFound = forms.contains { word.isPrefix ? $0.hasPrefix(word.form) : $0 == word.form }
    return isFound
      && (word.isPrefix
        || MarkedLetters.agree(query: word.text, word: string, language: language))
  }

  /// The score and the places; nil if a term is missing or an excluded one is probable.
  func result() -> (score: Double, places: [Place])? {
    let found = places.prefix(query.terms.count)
    var sure = 1.0
    var expected = 0.0
    for list in found {
      guard !list.isEmpty else { return nil }
      sure *= 1 - list.reduce(1) { $0 * (1 - $1.probability) }
      expected += list.reduce(0) { $0 + $1.probability }
    }
    for list in places.dropFirst(query.terms.count)
    where 1 - list.reduce(1, { $0 * (1 - $1.probability) }) >= 0.5 {
      return nil
    }
    let count = Double(query.terms.count)
    // For one word this is the expected number of hits.
    let score = count == 1 ? expected : sure * expected / count
    return (score, found.flatMap { $0 })
  }
}
