import Foundation
import InkFormats

/// Where labelled ink comes from and on what terms: what the card of a model that is trained on it
/// must say.
///
/// Ink that was made of other data carries its origins in a file beside it, `FILE.sources.json`: an
/// array of objects with the strings `name`, `licence` and `attribution`.
public struct DataOrigin: Hashable, Codable, Sendable {
  /// What it is called, with how it was named as data.
  public var name: String
  /// Its licence, as an SPDX identifier where there is one.
  public var licence: String
  /// Whom to name.
  public var attribution: String

  /// What stands for a licence or attribution that nobody named.
  public static let notStated = "not stated"

  /// Makes an origin.
  public init(
    name: String, licence: String = notStated, attribution: String = notStated
  ) {
    self.name = name
    self.licence = licence
    self.attribution = attribution
  }

  private static let suffix = ".sources.json"
  /// A larger file is none of ours.
  private static let mostBytes = 1 << 20

  /// Writes the origins of an ink file beside it; where nothing is known of any of them, no file is
  /// left there.
  ///
  /// - Throws: `InkFormatError` of code `unwritableFile`.
  public static func write(_ origins: [DataOrigin], besideInk path: String) throws(InkFormatError) {
    let place = path + suffix
    do {
      guard origins.contains(where: { $0.licence != notStated || $0.attribution != notStated })
      else {
        if FileManager.default.fileExists(atPath: place) {
          try FileManager.default.removeItem(atPath: place)
        }
        return
      }
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      try encoder.encode(origins).write(to: URL(fileURLWithPath: place), options: .atomic)
    } catch {
      throw InkFormatError(
        .unwritableFile, at: SourceLocation(path: place), expected: "a writable file",
        found: (error as NSError).localizedDescription,
        advice: "check that the folder is there, its permissions and the space left")
    }
  }

  /// The origins of an ink file, or of the ink files below a folder, where files beside them tell.
  ///
  /// - Throws: ``DataError`` of code `malformedOrigins`.
  static func read(besideInk path: String) throws(DataError) -> [DataOrigin] {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    guard exists, isFolder.boolValue else { return try read(path + suffix) ?? [] }
    var result: [DataOrigin] = []
    for name in FolderListing(of: path).files.sorted() where name.hasSuffix(".jsonl" + suffix) {
      result += try read(path + "/" + name) ?? []
    }
    return result
  }

  private static func read(_ place: String) throws(DataError) -> [DataOrigin]? {
    guard FileManager.default.fileExists(atPath: place) else { return nil }
    let data = FileManager.default.contents(atPath: place)
    guard let data, data.count <= mostBytes,
      let origins = try? JSONDecoder().decode([DataOrigin].self, from: data)
    else {
      throw DataError(
        .malformedOrigins, in: place,
        expected: "an array of objects with the strings name, licence and attribution",
        found: data.map { "\($0.count) bytes of something else" } ?? "a file that cannot be read")
    }
    return origins
  }
}

extension DataSpecification {
  /// Where the data comes from: what the specification says, else what a file beside it or the
  /// catalogue of public datasets says. At least one.
  ///
  /// - Throws: ``DataError`` where the file beside the data is not what it should be.
  public func origins() throws(DataError) -> [DataOrigin] {
    let text = text(without: ["licence", "attribution"])
    var origins: [DataOrigin]
    switch format {
    case .starter:
      origins = [
        DataOrigin(
          name: "Ductus starter set (\(text))", licence: "Apache-2.0",
          attribution: "ink made by Ductus")
      ]
    case .ink:
      origins = try DataOrigin.read(besideInk: Self.locate(path)).map {
        DataOrigin(
          name: "\($0.name) as \(text)", licence: $0.licence, attribution: $0.attribution)
      }
    default:
      origins = try PublicDataset.all().filter { $0.isAlone(in: format) }.map {
        DataOrigin(name: "\($0.name) (\(text))", licence: $0.licence, attribution: $0.citation)
      }
    }
    if origins.isEmpty { origins = [DataOrigin(name: text)] }
    for index in origins.indices {
      if let licence { origins[index].licence = licence }
      if let attribution { origins[index].attribution = attribution }
    }
    return origins
  }

  /// The data in the name of an origin, as ``origins()`` writes it: `ink:a.jsonl`,
  /// `UNIPEN (unipen:unipen?category=1a)`, or of ink that was made of other data
  /// `UNIPEN (unipen:unipen) as ink:b.jsonl`. Nil where the name holds none.
  public init?(originName name: String) {
    if let last = name.ranges(of: " as ").last,
      let data = try? DataSpecification(parsing: String(name[last.upperBound...]))
    {
      self = data
      return
    }
    let end = name.hasSuffix(")") ? name.dropLast() : name[...]
    let starts = DataFormat.allCases.compactMap { format -> String.Index? in
      let ranges = end.ranges(of: "\(format.rawValue):")
      let first = ranges.first { range in
        range.lowerBound == end.startIndex
          || " (".contains(end[end.index(before: range.lowerBound)])
      }
      return first?.lowerBound
    }
    // Of a name that is the data alone, a bracket at its end is a part of the path.
    guard let start = starts.min() else { return nil }
    let text = start == name.startIndex ? name[start...] : end[start...]
    guard let data = try? DataSpecification(parsing: String(text)) else { return nil }
    self = data
  }

  /// The text that names this data without some of its keys.
  public func text(without keys: Set<String>) -> String {
    let halves = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let items = halves.count == 2 ? halves[1].split(separator: "&") : []
    let kept = items.filter { !keys.contains(String($0.prefix { $0 != "=" })) }
    return kept.isEmpty ? String(halves[0]) : "\(halves[0])?\(kept.joined(separator: "&"))"
  }
}

extension [DataSpecification] {
  /// Where all of the data comes from, each origin once.
  ///
  /// - Throws: ``DataError`` where a file beside the data is not what it should be.
  public func origins() throws(DataError) -> [DataOrigin] {
    var result: [DataOrigin] = []
    for specification in self {
      for origin in try specification.origins() where !result.contains(origin) {
        result.append(origin)
      }
    }
    return result
  }
}

extension PublicDataset {
  /// Whether data in this format is this dataset: formats that many use tell nothing.
  fileprivate func isAlone(in format: DataFormat) -> Bool {
    [.unipen, .iamOnDB, .quickdraw, .flowchart, .omniglot].contains(format)
      && specification.hasPrefix(format.rawValue + ":")
  }
}
