import DatasetFiles
import Foundation

/// A public dataset that this version can read, as described by its card in `Datasets/cards`.
public struct PublicDataset: Hashable, Sendable, Codable {
  /// A file to download that holds the dataset or a part of it.
  public struct Archive: Hashable, Sendable, Codable {
    /// The packing of an archive.
    public enum Kind: String, Hashable, Sendable, Codable {
      case zip
      /// A tar file, compressed or not.
      case tar
      /// A file that is not an archive.
      case file
    }

    /// Its address.
    public let address: URL
    /// The packing.
    public let kind: Kind
    /// Its length; nil if nobody has checked it.
    public let bytes: Int?
    /// Its SHA-256 in hexadecimal digits; nil if nobody has checked it.
    public let sha256: String?
    /// The folder in it whose content is used; nil for all of it.
    public let root: String?
    /// The target of the content, relative to the dataset's folder; nil for that folder itself.
    public let path: String?
  }

  /// Its position in the list of datasets, from 1.
  public let place: Int
  /// A short name.
  public let name: String
  /// The content.
  public let content: String
  /// The people who made it.
  public let owner: String
  /// The page on which its owners offer it.
  public let origin: String
  /// The citation.
  public let citation: String
  /// Its licence.
  public let licence: String
  /// The consequences of the licence for published files and models.
  public let shipping: String
  /// The split into training and test.
  public let split: String
  /// Its name as data, with FOLDER or FILE for the place where it is unpacked.
  public let specification: String
  /// The folder in which it is searched for, relative to the folder of all datasets.
  public let folder: String
  /// The form of its files.
  public let layout: String
  /// The number of records of each part, as read by the readers or stated by the owner.
  public let counts: [String: Int]
  /// The expected files in its folder.
  public let files: [ExpectedFiles]
  /// The files that can be downloaded without asking the owner; together they are the dataset.
  public let archives: [Archive]
  /// The instructions for getting it by hand.
  public let access: String

  /// The public datasets that this version reads. Their files come from their owners.
  ///
  /// - Throws: ``DataError`` if the cards, which are resources of this package, are missing.
  public static func all() throws(DataError) -> [PublicDataset] { try cards.get() }

  /// The dataset of a name: that of its card, its folder, or the one that `data list` prints.
  ///
  /// - Throws: ``DatasetInstallError/unknown(name:known:)``, or ``DataError`` where the cards are
  ///   missing.
  public static func named(_ name: String) throws -> PublicDataset {
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
