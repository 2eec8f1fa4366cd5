import DatasetFiles
import Foundation

/// A public dataset that this version reads, as its card in `Datasets/cards` describes it.
public struct PublicDataset: Hashable, Sendable, Codable {
  /// A file to download that holds the dataset or a part of it.
  public struct Archive: Hashable, Sendable, Codable {
    /// How an archive is packed.
    public enum Kind: String, Hashable, Sendable, Codable {
      case zip
      /// A tar file, compressed or not.
      case tar
      /// A file that is used as it is.
      case file
    }

    /// Its address.
    public let address: URL
    /// How it is packed.
    public let kind: Kind
    /// Its length; nil where nobody has checked it.
    public let bytes: Int?
    /// Its SHA-256 in hexadecimal digits; nil where nobody has checked it.
    public let sha256: String?
    /// The folder in it whose content is taken; nil for all of it.
    public let root: String?
    /// Where that goes, relative to the dataset's folder; nil for that folder itself.
    public let path: String?
  }

  /// Its position in the list of datasets, from 1.
  public let place: Int
  /// A short name.
  public let name: String
  /// What it holds.
  public let content: String
  /// Who made it.
  public let owner: String
  /// Where its owners offer it.
  public let origin: String
  /// How to cite it.
  public let citation: String
  /// Its licence.
  public let licence: String
  /// What the licence means for files and models that are given away.
  public let shipping: String
  /// How it is split into training and test.
  public let split: String
  /// How to name it as data, with FOLDER or FILE for where it is unpacked.
  public let specification: String
  /// The folder that it is looked for in, relative to the folder of all datasets.
  public let folder: String
  /// The form of its files.
  public let layout: String
  /// The number of records of each part: what the readers read, or what the owner states.
  public let counts: [String: Int]
  /// What lies in its folder.
  public let files: [ExpectedFiles]
  /// The files that can be downloaded without asking the owner; together they are the dataset.
  public let archives: [Archive]
  /// How to get it by hand.
  public let access: String

  /// The public datasets that this version reads. Their files come from their owners.
  ///
  /// - Throws: ``DataError`` where the cards, which are resources of this package, are missing.
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
