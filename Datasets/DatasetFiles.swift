import Files
import Foundation

/// The files of this folder: cards of public datasets, split tables, the text of the starter set, and
/// the letters of languages.
package enum DatasetFiles {
  /// The folders among the resources.
  package enum Folder: String, Sendable {
    /// Cards of public datasets, as JSON.
    case cards
    /// Split tables.
    case splits
    /// Prototypes and words of the starter set.
    case starter
    /// Letters and quotation marks of languages.
    case languages
  }

  /// The bytes of a file.
  ///
  /// - Throws: ``DatasetFilesError`` if it cannot be read.
  package static func data(_ name: String, in folder: Folder) throws(DatasetFilesError) -> Data {
    let file = try url(of: folder).appendingPathComponent(name)
    guard let data = FileManager.default.contents(atPath: file.path) else {
      throw DatasetFilesError(places: [file.path])
    }
    return data
  }

  /// The text of a file, without the line break at its end.
  ///
  /// - Throws: ``DatasetFilesError`` if it cannot be read.
  package static func text(_ name: String, in folder: Folder) throws(DatasetFilesError) -> String {
    let text = String(decoding: try data(name, in: folder), as: UTF8.self)
    return text.last == "\n" ? String(text.dropLast()) : text
  }

  /// The names of the files of a folder, sorted.
  ///
  /// - Throws: ``DatasetFilesError`` if there is no such folder.
  package static func names(in folder: Folder) throws(DatasetFilesError) -> [String] {
    let place = try url(of: folder)
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: place.path) else {
      throw DatasetFilesError(places: [place.path])
    }
    return names.filter { !$0.hasPrefix(".") }.sorted()
  }

  /// The location of a folder on the disk.
  ///
  /// - Throws: ``DatasetFilesError`` if it does not exist.
  package static func url(of folder: Folder) throws(DatasetFilesError) -> URL {
    let places = ResourceFolder.places(
      of: folder.rawValue, in: "DatasetFiles", marker: Marker.self)
    guard let place = ResourceFolder.first(of: places) else {
      throw DatasetFilesError(places: places.map(\.path))
    }
    return place
  }
}

/// A class of this module, used to find its bundle.
private final class Marker {}

/// An error for missing resources of this package.
package struct DatasetFilesError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The places that were searched.
  package let places: [String]

  /// The message: what was expected, where, and what to do.
  package var description: String {
    "files of Datasets not found: expected them in one of \(places.joined(separator: ", ")); "
      + "keep the resources of DatasetFiles beside the executable"
  }
}
