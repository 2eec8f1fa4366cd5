import Files
import Foundation

/// The files of this folder: cards of public datasets, split tables, and the text of the starter set.
package enum DatasetFiles {
  /// The folders among the resources.
  package enum Folder: String, Sendable {
    /// Cards of public datasets, as JSON.
    case cards
    /// Split tables.
    case splits
    /// Prototypes and words of the starter set.
    case starter
  }

  /// The bytes of a file.
  ///
  /// - Throws: ``DatasetFilesError`` where it cannot be read.
  package static func data(_ name: String, in folder: Folder) throws(DatasetFilesError) -> Data {
    let file = try url(of: folder).appendingPathComponent(name)
    guard let data = FileManager.default.contents(atPath: file.path) else {
      throw DatasetFilesError(places: [file.path])
    }
    return data
  }

  /// A file as text. The text ends without the line break that ends the file.
  ///
  /// - Throws: ``DatasetFilesError`` where it cannot be read.
  package static func text(_ name: String, in folder: Folder) throws(DatasetFilesError) -> String {
    let text = String(decoding: try data(name, in: folder), as: UTF8.self)
    return text.last == "\n" ? String(text.dropLast()) : text
  }

  /// The names of the files of a folder, sorted.
  ///
  /// - Throws: ``DatasetFilesError`` where there is no such folder.
  package static func names(in folder: Folder) throws(DatasetFilesError) -> [String] {
    let place = try url(of: folder)
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: place.path) else {
      throw DatasetFilesError(places: [place.path])
    }
    return names.filter { !$0.hasPrefix(".") }.sorted()
  }

  /// Where a folder lies on disk.
  ///
  /// - Throws: ``DatasetFilesError`` where it is not there.
  package static func url(of folder: Folder) throws(DatasetFilesError) -> URL {
    let places = ResourceFolder.places(
      of: folder.rawValue, in: "DatasetFiles", marker: Marker.self)
    guard let place = ResourceFolder.first(of: places) else {
      throw DatasetFilesError(places: places.map(\.path))
    }
    return place
  }
}

/// A class of this module, by which its bundle is found.
private final class Marker {}

/// A file that comes with this package is missing.
package struct DatasetFilesError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where it was looked for.
  package let places: [String]

  /// What was looked for, where, and what to do.
  package var description: String {
    "the files of Datasets: expected them in one of \(places.joined(separator: ", ")), found none; "
      + "keep the resources of DatasetFiles beside the executable"
  }
}
