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
    /// All alternatives with their probabilities.
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
      // Pages with many probable hits come first, and others only if those are too few.
      for tier in [7, 5, 4, 2, 1] {
        let rows = try Self.candidates(query, tier, wanted, database)
        for row in rows where seen.insert(row["id"]).inserted {
          if let hit = Self.hit(row, query, readings) { hits.append(hit) }
        }
        if hits.count >= wanted { break }
      }
      return Array(
        hits.sorted {
          ($0.score, $0.changed, $1.path, $1.page) > ($1.score, $1.changed, $0.path, $0.page)
        }.prefix(limit))
    }
  }

  /// Pages on which the full-text table has all words in a tier or a higher one.
  private static func candidates(
    _ query: SearchQuery, _ tier: Int, _ limit: Int, _ database: Database
  ) throws -> [Row] {
    func any(_ word: SearchQuery.Word, from tier: Int) -> String {
      // Only letters and digits are in a form.
      let tiers = (tier...IndexTerms.tiers.count).map {
        "\"\($0)\(word.form)\"" + (word.isPrefix ? " *" : "")
      }
      return "(" + tiers.joined(separator: " OR ") + ")"
    }
    var match = query.terms.flatMap(\.words).map { any($0, from: tier) }.joined(separator: " AND ")
    let excluded = query.excluded.filter { $0.words.count == 1 }.flatMap(\.words)
    for word in excluded { match = "(\(match)) NOT \(any(word, from: 4))" }
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
    _ row: Row, _ query: SearchQuery, _ readings: Readings
  ) -> SearchHit? {
    let language: String? = row["language"]
    let bytes = [UInt8](row["words"] as Data)
    var search = PageSearch(query, language: language, readings)
    bytes.withUnsafeBufferPointer { search.scan($0) }
    guard let result = search.result() else { return nil }
    let places = result.places.sorted {
      ($0.probability, $1.first) > ($1.probability, $0.first)
    }
    guard let best = places.first else { return nil }
    let words = PageCoding.words(bytes) ?? []
    let line = words.indices.contains(best.first) ? words[best.first].line : -1
    let text = words.filter {
      $0.line == line && ($0.alternatives.first?.probability ?? 0) >= leastShown
    }
    .sorted { $0.box.minX < $1.box.minX }
    .compactMap(\.alternatives.first?.text).joined(separator: " ")
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
  private var number = 0

  init(_ query: SearchQuery, language: String?, _ readings: InkIndex.Readings) {
    (self.query, self.language, self.readings) = (query, language, readings)
    terms = query.terms + query.excluded
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
      if let first = term.words.first, let (probability, text) = match(first, word, bytes) {
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
