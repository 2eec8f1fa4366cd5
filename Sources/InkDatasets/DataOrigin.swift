import Files
import Foundation
import InkFormats

/// The origin and terms of labelled ink, for the card of a model that is trained on it.
///
/// Ink that was made from other data has its origins in a file next to it, `FILE.sources.json`: an
/// array of objects with the strings `name`, `licence` and `attribution`.
public struct DataOrigin: Hashable, Codable, Sendable {
  /// Its name, with the data specification.
  public var name: String
  /// Its licence, as an SPDX identifier if there is one.
  public var licence: String
  /// The people to credit.
  public var attribution: String

  /// The text for an unknown licence or attribution.
  package static let notStated = "not stated"

  /// Makes an origin.
  package init(
    name: String, licence: String = notStated, attribution: String = notStated
  ) {
    self.name = name
    self.licence = licence
    self.attribution = attribution
  }

  private static let suffix = ".sources.json"
  /// The greatest length of a file of origins.
  private static let mostBytes = 1 << 20

  /// Writes the origins of an ink file next to it. If nothing is known about any of them, no file
  /// remains there.
  ///
  /// - Throws: `InkFormatError` of code `unwritableFile`.
  package static func write(_ origins: [DataOrigin], besideInk path: String) throws(InkFormatError)
  {
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
      try AtomicFile.write(encoder.encode(origins), to: place)
    } catch {
      throw InkFormatError(
        .unwritableFile, at: SourceLocation(path: place), expected: "a writable file",
        found: (error as? FileError).map { String(cString: strerror($0.code)) }
          ?? (error as NSError).localizedDescription,
        advice: "check that the folder exists, its permissions and the free space")
    }
  }

  /// Reads the origins of an ink file or of a folder from the file next to it, or else those of the
  /// ink files below the folder.
  ///
  /// - Throws: ``DataError`` of code `malformedOrigins`.
  static func read(besideInk path: String) throws(DataError) -> [DataOrigin] {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    if let own = try read(path + suffix) { return own }
    guard exists, isFolder.boolValue else { return [] }
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
  /// The origins of the data, at least one: from the specification, or else from a file next to it
  /// or from the catalogue of public datasets.
  ///
  /// - Throws: ``DataError`` if the file next to the data is malformed.
  package func origins() throws(DataError) -> [DataOrigin] {
    let text = text(without: ["licence", "attribution"])
    var origins: [DataOrigin]
    switch format {
    case .starter:
      origins = [
        DataOrigin(
          name: "Ductus starter set (\(text))", licence: "Apache-2.0",
          attribution: "ink made by Ductus")
      ]
    case .ink, .inkML:
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

  /// Finds the data in the name of an origin, as ``origins()`` writes it: `ink:a.jsonl`, `UNIPEN
  /// (unipen:unipen?category=1a)`, or for ink made from other data `UNIPEN (unipen:unipen) as
  /// ink:b.jsonl`. Nil if the name contains none.
  package init?(originName name: String) {
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
    // In a name that consists of the data only, a parenthesis at its end is part of the path.
    guard let start = starts.min() else { return nil }
    let text = start == name.startIndex ? name[start...] : end[start...]
    guard let data = try? DataSpecification(parsing: String(text)) else { return nil }
    self = data
  }

  /// The text of this data without some of its keys.
  package func text(without keys: Set<String>) -> String {
    let halves = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let items = halves.count == 2 ? halves[1].split(separator: "&") : []
    let kept = items.filter { !keys.contains(String($0.prefix { $0 != "=" })) }
    return kept.isEmpty ? String(halves[0]) : "\(halves[0])?\(kept.joined(separator: "&"))"
  }
}

extension DataSpecification {
  /// The name of this data with the selected part, which a command may have chosen, and without
  /// licence and attribution.
  package var textWithSplit: String {
    let named = text(without: ["split", "split-by", "licence", "attribution"])
    let parts =
      (split.map { ["split=\($0.rawValue)"] } ?? [])
      + (splitUnit == .writer ? [] : ["split-by=\(splitUnit.rawValue)"])
    guard !parts.isEmpty else { return named }
    return "\(named)\(named.contains("?") ? "&" : "?")\(parts.joined(separator: "&"))"
  }
}

extension [DataSpecification] {
  /// The origins of all of the data, without duplicates.
  ///
  /// - Throws: ``DataError`` if a file next to the data is malformed.
  package func origins() throws(DataError) -> [DataOrigin] {
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
  /// Returns whether data in this format must be this dataset. False for formats with many users.
  fileprivate func isAlone(in format: DataFormat) -> Bool {
    [.unipen, .iamOnDB, .quickdraw, .flowchart, .omniglot, .tomoe, .kanjivg].contains(format)
      && specification.hasPrefix(format.rawValue + ":")
  }
}
