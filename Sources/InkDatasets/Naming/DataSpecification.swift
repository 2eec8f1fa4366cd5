import Foundation
import InkFormats

/// The source of writing areas.
public enum AreaSource: String, Hashable, Sendable, Codable, CaseIterable {
  /// Estimated from the other segments of the same file (UNIPEN), or as recorded in the file.
  case form
  /// From descenders to capitals, estimated from the other segments of the same file and their
  /// labels (UNIPEN), ruled (`starter`), or as recorded in the file.
  case text
  /// Only as recorded in the file; for UNIPEN from its guide lines.
  case guides
  /// No writing areas.
  case none
}

/// Names data and the part of it to use: `FORMAT:PATH[?key=value&...]`, or `PATH[?key=value&...]`
/// where the content of the file or folder tells the format.
///
///     let training = try DataSpecification(
///       parsing: "unipen:unipen?category=1a&splits=unipen&split=train")
///     for record in try training.records() { … }
///
/// Values are percent-encoded. Every format takes these keys:
///
/// - `split=train|val|test|all`: the part to use; all where neither this nor `splits` nor `fold`
///   is given. `iam-ondb` has the official parts `train`, `val1`, `val2` and `test`, the final test
///   set; its `val` is `val1`.
/// - `splits=FILE`: a split file, see ``SplitFile``, or the name of one that comes with the package:
///   `unipen`. Without one, writers are split by the hash of their ids, see ``WriterSplit``.
/// - `split-by=writer|ink|mixed`: `writer` makes parts and folds of whole writers, and `ink` of
///   single inks. `mixed` makes the test part of whole writers and the others of single inks, see
///   ``SplitUnit``.
/// - `fold=K/N`: holds out every N-th writer as test.
/// - `every=N`: each N-th good record of those selected, the first included.
/// - `limit=N`: the first N good records after all else.
/// - `labels=REGEX`, `writers=REGEX`: records whose whole label or writer matches.
/// - `relabel=A:B,C:D`: records labelled A are labelled B, and so on, after `labels=` has selected
///   them; `*:B` labels all others B.
/// - `texts=FILE`: a table of texts for ink without labels, see ``TextTable``.
/// - `decisions=FILE`: decisions about single records, which drop or relabel them before all other
///   keys select, see ``DecisionFile``. Parts stay as they are without it: what is dropped still
///   counts where writers are split.
/// - `unit=page|file|group|line|word|stroke`: what one record is, where a format holds several levels.
///   `unit=line` cuts labelled pages of other formats into lines: the label has as many lines as the
///   ink, separated by line breaks. A page with another number of lines is a failure.
/// - `y=up|down`: where y points, if not as the format says.
/// - `area=form|text|guides|none`: see ``AreaSource``; `form` where nothing is named, so that words and
///   texts of UNIPEN have no areas, whatever its guide lines say.
/// - `area-scale=X`, `area-scale=A-B`: writing areas that are X times as tall, about the same
///   middle, or so many times as is drawn for each ink from A ... B, as often below as above their
///   geometric mean: to measure what a wrong area costs.
/// - `licence=TEXT`, `attribution=TEXT`: of data that is in no catalogue and has no file beside it
///   that says so (``DataOrigin``), for the card of a model that is trained on it.
///
/// `unipen` also takes `category=1a,1b` and `level=NAME`, a level of its hierarchy; `iam-ondb` and `omniglot`, whose readers note things, take
/// `with-note=NOTE` and `without-note=NOTE`: records with or without that `InkRecord.Note`; `starter` the keys of ``StarterOptions``, and its path is
/// `characters`, `latin`, `shapes`, `gestures`, `words`, `sketches`, `hiragana`, `katakana` or `japanese`.
///
/// `tomoe`, `kanjivg`, `tegaki`, `zinnia` and `ink` also take `population=N` and `seed=N`: N virtual
/// writers write each label once, in forms that the data has. Parts are by virtual writer. With
/// `compose=kana` they also write the voiced and small kana that the data lacks. Relative paths that do not exist in the working folder
/// are looked for in the folder that the environment variable `INK_DATASETS` names.
public struct DataSpecification: Hashable, Sendable {
  /// The text this was parsed from.
  public let text: String
  /// The format.
  public var format: DataFormat
  /// The file or folder, as given.
  public var path: String
  /// UNIPEN's categories, or nil for all.
  package var categories: [String]?
  /// The level of UNIPEN's segments, or nil for all.
  public var level: String?
  /// The unit of one record, or nil for the choice of the format.
  public var unit: InkUnit?
  /// The table of texts, as given.
  public var texts: String?
  /// The file of decisions, as given.
  public var decisions: String?
  /// The part to use, or nil where none was named.
  public var split: DataSplit?
  /// The split file, as given.
  public var splits: String?
  /// The units of parts and folds, unless a split file or official parts determine them.
  package var splitUnit: SplitUnit = .writer
  /// The fold held out.
  public var fold: DataFold?
  /// The interval of selected records.
  public var every = 1
  /// The largest number of good records.
  public var limit: Int?
  /// A regular expression that whole labels match.
  public var labels: String?
  /// A regular expression that whole writer ids match.
  public var writers: String?
  /// The note that a record must have; nil for any.
  package var requiredNote: InkRecord.Note?
  /// The note that a record must not have; nil for none.
  package var excludedNote: InkRecord.Note?
  /// New labels by old ones; `*` for all others. Nil to keep the labels.
  package var relabels: [String: String]?
  /// The direction of y, or nil for that of the format.
  package var yAxis: YAxis?
  /// The source of writing areas.
  public var area: AreaSource = .form
  /// The factors for the heights of writing areas, within 0.01 ... 100, with uniform logarithms.
  package var areaScale: ClosedRange<Double> = 1...1
  /// The licence of the data, or nil if none is given.
  public var licence: String?
  /// The people to credit, or nil if nobody is named.
  public var attribution: String?
  /// The options of synthetic ink; for `starter`, and the seed of virtual writers.
  public var starter = StarterOptions()
  /// The number of virtual writers of the characters of the data; nil for its own ink.
  package var virtualWriters: Int?
  /// True if virtual writers also write kana that the data lacks.
  package var composesKana = false
  /// What keeps the records between readings.
  var keeper = PoolReference()

  /// Parses a specification. Only one without a format opens the file, in order to find the format.
  ///
  /// - Throws: ``DataError`` with the valid formats, keys or values.
  public init(parsing text: String) throws(DataError) {
    let named = text.firstIndex(of: ":").flatMap { colon in
      DataFormat(rawValue: String(text[..<colon])).map { (format: $0, colon: colon) }
    }
    let rest: Substring
    if let named {
      self.text = text
      format = named.format
      rest = text[text.index(after: named.colon)...]
    } else {
      format = try Self.format(ofPathIn: text)
      self.text = "\(format.rawValue):\(text)"
      rest = text[...]
    }
    let question = rest.firstIndex(of: "?") ?? rest.endIndex
    path = String(rest[..<question])
    guard !path.isEmpty else {
      throw DataError(
        .malformedSpecification, in: "data \(text)", expected: "a path after \(format.rawValue):",
        found: "none")
    }
    guard question < rest.endIndex else { return }
    var seen: Set<String> = []
    let query = rest[rest.index(after: question)...]
    for item in query.split(separator: "&", omittingEmptySubsequences: true) {
      let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let key = String(pair[0])
      guard format.keys.contains(key) else {
        throw DataError(
          .unknownKey, in: "data \(text)",
          expected: "one of the keys \(format.keys.joined(separator: ", "))", found: key)
      }
      guard seen.insert(key).inserted else {
        throw DataError(
          .repeatedKey, in: "data \(text)", expected: "the key \(key) once", found: "it again")
      }
      let encoded = pair.count == 2 ? String(pair[1]) : ""
      guard let value = encoded.removingPercentEncoding, !value.isEmpty else {
        throw invalid(key, "a percent-encoded value", encoded)
      }
      try set(key, to: value)
    }
    try checkVirtualWriters(seen)
  }

  /// Checks the keys beside `population`, if the ink of the data is not the starter set's.
  private func checkVirtualWriters(_ keys: Set<String>) throws(DataError) {
    guard format != .starter else { return }
    if virtualWriters == nil {
      for key in ["compose", "seed"] where keys.contains(key) {
        throw DataError(
          .invalidValue, in: "data \(text), key \(key)",
          expected: "population=N beside it: it is for virtual writers", found: "no population")
      }
    } else {
      for key in ["fold", "split-by", "splits", "writers"] where keys.contains(key) {
        throw DataError(
          .invalidValue, in: "data \(text), key population",
          expected: "no \(key)= beside it: parts are by virtual writer", found: key)
      }
    }
  }

  /// Returns the format of the file or folder of a specification that names no format.
  private static func format(ofPathIn text: String) throws(DataError) -> DataFormat {
    let name = String(text.prefix { $0 != "?" })
    let path = locate(name)
    guard !name.isEmpty, FileManager.default.fileExists(atPath: path) else {
      if let colon = text.firstIndex(of: ":"), !text[..<colon].contains("/") {
        return try format(named: String(text[..<colon]))
      }
      throw DataError(
        .malformedSpecification, in: "data \(text)",
        expected: "FORMAT:PATH[?key=value&...] or the path of a file or folder",
        found: "no format, and no file at the path")
    }
    let found: InkFileFormat
    do throws(InkFormatError) {
      found = try InkFileFormat.of(fileOrFolder: path)
    } catch {
      throw unknownContent(text, error.found)
    }
    return try format(named: found.rawValue)
  }

  private static func unknownContent(_ text: String, _ found: String) -> DataError {
    let available = DataFormat.allCases.map(\.rawValue).joined(separator: ", ")
    return DataError(
      .unknownFormat, in: "data \(text)",
      expected: "ink of a format that the content tells, or FORMAT:PATH with one of \(available)",
      found: found)
  }

  private static func format(named name: String) throws(DataError) -> DataFormat {
    if let format = DataFormat(rawValue: name) { return format }
    let available = DataFormat.allCases.map(\.rawValue).joined(separator: ", ")
    throw DataError(
      .unknownFormat, in: "data format", expected: "one of \(available)", found: "\"\(name)\"")
  }

  private func invalid(_ key: String, _ expected: String, _ found: String) -> DataError {
    DataError(
      .invalidValue, in: "data \(text), key \(key)", expected: expected, found: "\"\(found)\"")
  }

  private mutating func set(_ key: String, to value: String) throws(DataError) {
    switch key {
    case "category":
      let names = value.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      for name in names
      where name.isEmpty || !name.utf8.allSatisfy({ ($0 | 0x20) > 0x60 || (48...57).contains($0) })
      {
        throw invalid(key, "categories such as 1a,1b", value)
      }
      categories = names
    case "level": level = value
    case "unit":
      guard let unit = format.units.first(where: { $0.rawValue == value }) else {
        let names = format.units.map(\.rawValue).joined(separator: ", ")
        throw invalid(key, "one of \(names)", value)
      }
      self.unit = unit
    case "texts": texts = value
    case "decisions": decisions = value
    case "split":
      guard let split = format.splits.first(where: { $0.rawValue == value }) else {
        let names = format.splits.map(\.rawValue).joined(separator: ", ")
        throw invalid(key, "one of \(names)", value)
      }
      self.split = split
    case "splits": splits = value
    case "split-by": splitUnit = try choice(key, value)
    case "fold":
      guard let fold = DataFold(parsing: value) else {
        throw invalid(key, "K/N with N at least 2 and K in 0 ... N", value)
      }
      self.fold = fold
    case "every": every = try number(key, value, in: 1...1_000_000_000)
    case "limit":
      guard let limit = Int(value), limit >= 0 else {
        throw invalid(key, "a whole number, 0 or more", value)
      }
      self.limit = limit
    case "labels": labels = try expression(key, value)
    case "writers": writers = try expression(key, value)
    case "with-note": requiredNote = try choice(key, value)
    case "without-note": excludedNote = try choice(key, value)
    case "relabel": relabels = try renamings(key, value)
    case "y": yAxis = try choice(key, value)
    case "area": area = try choice(key, value)
    case "area-scale":
      guard let scale = Self.factors(parsing: value) else {
        throw invalid(key, "X or A-B, numbers from 0.01 to 100", value)
      }
      areaScale = scale
    case "licence": licence = value
    case "attribution": attribution = value
    default: try setStarter(key, to: value)
    }
  }

  private mutating func setStarter(_ key: String, to value: String) throws(DataError) {
    switch key {
    case "count": starter.count = try number(key, value, in: 0...1_000_000_000)
    case "seed":
      guard let seed = UInt64(value) else { throw invalid(key, "a whole number", value) }
      starter.seed = seed
    case "population":
      if format == .starter {
        starter.population = try number(key, value, in: 10...1_000_000_000)
      } else {
        virtualWriters = try number(key, value, in: 1...1_000_000)
      }
    case "compose":
      guard value == "kana" else { throw invalid(key, "kana", value) }
      composesKana = true
    case "words": starter.words = value
    case "style": starter.style = try choice(key, value)
    case "length":
      guard let length = StarterOptions.length(parsing: value) else {
        throw invalid(key, "N or A-B in 1 ... 100", value)
      }
      starter.length = length
    default: break
    }
  }

  /// Parses the factors of `X` or `A-B`; nil unless they are in 0.01 ... 100 and in order.
  private static func factors(parsing text: String) -> ClosedRange<Double>? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Double($0) }
    guard parts.count <= 2, let first = parts.first ?? nil, let last = parts.last ?? nil,
      0.01 <= first, first <= last, last <= 100
    else { return nil }
    return first...last
  }

  private func renamings(_ key: String, _ text: String) throws(DataError) -> [String: String] {
    var result: [String: String] = [:]
    for item in text.split(separator: ",", omittingEmptySubsequences: false) {
      let pair = item.split(separator: ":", omittingEmptySubsequences: false)
      guard pair.count == 2, !pair[0].isEmpty, !pair[1].isEmpty,
        result.updateValue(String(pair[1]), forKey: String(pair[0])) == nil
      else { throw invalid(key, "OLD:NEW,... with each OLD once", text) }
    }
    return result
  }

  private func number(
    _ key: String, _ text: String, in range: ClosedRange<Int>
  ) throws(DataError) -> Int {
    guard let number = Int(text), range.contains(number) else {
      throw invalid(key, "a whole number in \(range.lowerBound) ... \(range.upperBound)", text)
    }
    return number
  }

  private func choice<Value: RawRepresentable<String> & CaseIterable>(
    _ key: String, _ text: String
  ) throws(DataError) -> Value {
    guard let value = Value(rawValue: text) else {
      let names = Value.allCases.map(\.rawValue).joined(separator: ", ")
      throw invalid(key, "one of \(names)", text)
    }
    return value
  }

  private func expression(_ key: String, _ text: String) throws(DataError) -> String {
    guard (try? Regex(text)) != nil else { throw invalid(key, "a regular expression", text) }
    return text
  }
}

extension DataSpecification {
  /// A copy that uses this part of the data.
  package func withSplit(_ split: DataSplit) -> DataSpecification {
    var copy = self
    copy.split = split
    return copy
  }

  /// A copy that uses a part of the data if a split file or a fold is given without one.
  ///
  /// Commands use it to select the part for a role: `train` for training data, `test` for
  /// evaluation.
  package func withDefaultSplit(_ split: DataSplit) -> DataSpecification {
    guard self.split == nil, splits != nil || fold != nil else { return self }
    var copy = self
    copy.split = split
    return copy
  }

  /// The part to use: the given one, or all.
  ///
  /// - Throws: ``DataError`` of code `missingSplit` if a split file or a fold is given without a
  ///   part, because all of it would mix training and test, or if a fold is given with an official
  ///   validation set, which folds do not have.
  package func resolvedSplit() throws(DataError) -> DataSplit {
    if let split {
      guard fold == nil || split != .val1 && split != .val2 else {
        throw DataError(
          .missingSplit, in: "data \(text)",
          expected: "split=train, split=val, split=test or split=all beside fold=",
          found: "split=\(split.rawValue)")
      }
      return split
    }
    guard splits == nil, fold == nil else {
      throw DataError(
        .missingSplit, in: "data \(text)",
        expected: "split=train, split=val, split=test or split=all beside splits= or fold=",
        found: "no split")
    }
    return .all
  }

  /// Finds a file or folder. The path is used as given if it exists or is absolute; otherwise it is
  /// searched below the folder in `INK_DATASETS`. A leading `~/` is the home folder.
  package static func locate(
    _ path: String, environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> String {
    if path.hasPrefix("~/"), let home = environment["HOME"] { return home + path.dropFirst() }
    guard !path.hasPrefix("/"), !FileManager.default.fileExists(atPath: path),
      let folder = environment["INK_DATASETS"], !folder.isEmpty
    else { return path }
    let candidate = folder + "/" + path
    return FileManager.default.fileExists(atPath: candidate) ? candidate : path
  }
}
