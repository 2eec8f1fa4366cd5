import Foundation
import InkFormats

/// The files that some data is read from, by name, size and times: what tells whether the data is
/// still the same, without reading it.
package struct DataFootprint: Hashable, Sendable {
  /// The bytes of all files.
  package private(set) var bytes = 0
  /// The SHA-256 of names, sizes and times, hexadecimal.
  package private(set) var digest = ""

  /// Takes the footprint of files.
  ///
  /// - Parameter extra: Content that counts, too.
  /// - Returns: nil if one of them is no regular file that can be seen.
  fileprivate init?(files: [String], extra: String) {
    var lines = [extra]
    for path in files {
      var status = stat()
      guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
      bytes += Int(status.st_size)
      #if canImport(Darwin)
        let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
      #else
        let (modified, changed) = (status.st_mtim, status.st_ctim)
      #endif
      lines.append(
        "\(path)\0\(status.st_size) \(modified.tv_sec).\(modified.tv_nsec) "
          + "\(changed.tv_sec).\(changed.tv_nsec)\n")
    }
    digest = DataHasher.sha256(Data(lines.joined().utf8))
  }
}

extension DataSpecification {
  /// The ending of folders with indexes, which are no data.
  package static let indexEnding = ".ductus-index"

  /// The file or folder of the data, where it is found now.
  package var place: String { Self.locate(path) }

  /// All keys and values that decide which records the data has, beside its files.
  package var settings: String {
    var copy = self
    copy.keeper = PoolReference()
    // A dictionary has another order in each process.
    copy.relabels = nil
    let relabels = (relabels ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }
    return "\(copy) \(relabels)"
  }

  /// The footprint of the data; nil if its files cannot be told, as with ink that is made and with
  /// pipes.
  package func footprint() -> DataFootprint? {
    guard format != .starter else { return nil }
    // Finding the place looks for files: once, not for each file.
    let place = place
    var status = stat()
    guard stat(place, &status) == 0 else { return nil }
    var files: [String] = []
    if status.st_mode & S_IFMT == S_IFDIR {
      let listing = FolderListing(of: place)
      guard listing.unlisted == nil, listing.misnamed.isEmpty else { return nil }
      files = listing.files.filter { !$0.contains(Self.indexEnding + "/") }.sorted()
        .map { place + "/" + $0 }
    } else {
      // Files of other formats may name further files.
      let alone: Set<DataFormat> = [.ink, .ndjson, .quickdraw, .tomoe, .kanjivg]
      guard alone.contains(format) else { return nil }
      files = [place]
    }
    for name in [texts, decisions] {
      if let name { files.append(Self.locate(name)) }
    }
    var parts = ""
    if let splits {
      guard let table = try? SplitFile(named: splits) else { return nil }
      parts = (table.sources.map { "\($0)\t\($1)" } + table.writers.map { "\($0)\t\($1)" })
        .sorted().joined(separator: "\n")
    }
    return DataFootprint(files: files, extra: parts)
  }
}
