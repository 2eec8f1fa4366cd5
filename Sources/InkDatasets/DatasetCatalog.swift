import DatasetFiles
import Foundation

/// A public dataset that this version can read, as described by its card in `Datasets/cards`.
package struct PublicDataset: Hashable, Sendable, Codable {
  /// A file to download that holds the dataset or a part of it.
  package struct Archive: Hashable, Sendable, Codable {
    /// The packing of an archive.
    package enum Kind: String, Hashable, Sendable, Codable {
      case zip
      /// A tar file, compressed or not.
      case tar
      /// A file that is not an archive.
      case file
    }

    /// Its address.
    package let address: URL
    /// The packing.
    package let kind: Kind
    /// Its length; nil if nobody has checked it.
    package let bytes: Int?
    /// Its SHA-256 in hexadecimal digits; nil if nobody has checked it.
    package let sha256: String?
    /// The folder in it whose content is used; nil for all of it.
    package let root: String?
    /// The target of the content, relative to the dataset's folder; nil for that folder itself.
    package let path: String?
  }

  /// Its position in the list of datasets, from 1.
  package let place: Int
  /// A short name.
  package let name: String
  /// The content.
  package let content: String
  /// The people who made it.
  package let owner: String
  /// The page on which its owners offer it.
  package let origin: String
  /// The citation.
  package let citation: String
  /// Its licence.
  package let licence: String
  /// The consequences of the licence for published files and models.
  package let shipping: String
  /// The split into training and test.
  package let split: String
  /// Its name as data, with FOLDER or FILE for the place where it is unpacked.
  package let specification: String
  /// The folder in which it is searched for, relative to the folder of all datasets.
  package let folder: String
  /// The form of its files.
  package let layout: String
  /// The number of records of each part, as read by the readers or stated by the owner.
  package let counts: [String: Int]
  /// The expected files in its folder.
  package let files: [ExpectedFiles]
  /// The files that can be downloaded without asking the owner; together they are the dataset.
  package let archives: [Archive]
  /// The instructions for getting it by hand.
  package let access: String

  /// The public datasets that this version reads. Their files come from their owners.
  ///
  /// - Throws: ``DataError`` if the cards, which are resources of this package, are missing.
  package static func all() throws(DataError) -> [PublicDataset] { try cards.get() }

  /// The dataset of a name: that of its card, its folder, or the one that `data list` prints.
  ///
  /// - Throws: ``DatasetInstallError/unknown(name:known:)``, or ``DataError`` where the cards are
  ///   missing.
  package static func named(_ name: String) throws -> PublicDataset {
    let datasets = try all()
    let wanted = name.lowercased()
    guard
      let found = datasets.first(where: {
        [$0.folder, $0.name.lowercased(), $0.format].contains(wanted)
      })
    else { throw DatasetInstallError.unknown(name: name, known: datasets.map(\.folder)) }
    return found
  }

  /// The format that reads it, as `--data` names it.
  private var format: String {
    String(specification.prefix { $0 != ":" })
  }

  private static let cards = Result { () throws(DataError) in
    do {
      return try DatasetFiles.names(in: .cards).map { name in
        try JSONDecoder().decode(Self.self, from: DatasetFiles.data(name, in: .cards))
      }.sorted { $0.place < $1.place }
    } catch {
      throw DataError(
        .missingResources, in: "Datasets/cards", expected: "the cards of public datasets",
        found: "\(error)")
    }
  }
}
