import Foundation
import ModelFormat
import Recognition

/// Writes catalogues: a folder that any web server or CDN can host.
///
/// Blobs are written first and the catalogue last, each by rename. Blobs of earlier catalogues
/// stay, so that running downloads continue.
///
///     let key = try SigningKey(contentsOf: URL(fileURLWithPath: "publisher"))
///     let catalog = try CatalogPublisher(key: key).publish([bundle], to: folder)
///     print(catalog.version)
public struct CatalogPublisher: Sendable {
  private let key: SigningKey
  private let lifetime: TimeInterval

  /// Makes a publisher.
  ///
  /// - Parameters:
  ///   - key: The private key of the publisher.
  ///   - lifetime: Seconds until the catalogue expires. Publish again before that.
  public init(key: SigningKey, lifetime: TimeInterval = 90 * 86_400) {
    self.key = key
    self.lifetime = lifetime
  }

  /// Publishes models. They replace models of the same identifier in the existing catalogue; the
  /// others stay.
  ///
  /// Unsigned bundles are signed with the publisher's key, in the catalogue only.
  ///
  /// - Returns: The catalogue.
  /// - Throws: `ModelFormatError`, or ``ModelStoreError/downgradeRefused(_:known:offered:)`` for a
  ///   model with a lower version than in the catalogue, or with the same version but different
  ///   content.
  @discardableResult
  public func publish(_ bundles: [URL], to folder: URL, now: Date = Date()) throws -> Catalog {
    let blobs = folder.appendingPathComponent("blobs/sha256")
    try FileManager.default.createDirectory(at: blobs, withIntermediateDirectories: true)
    let old = try existing(in: folder)
    var entries = old?.entries ?? []
    for url in bundles {
      let entry = try publish(try ModelBundle.open(url), to: blobs)
      if let index = entries.firstIndex(where: { $0.identifier == entry.identifier }) {
        let known = entries[index]
        guard
          entry.version > known.version
            || entry.version == known.version && entry.manifest == known.manifest
        else {
          throw ModelStoreError.downgradeRefused(
            entry.identifier, known: known.version, offered: entry.version)
        }
        entries[index] = entry
      } else {
        entries.append(entry)
      }
    }
    let catalog = Catalog(
      formatVersion: Catalog.currentFormatVersion, version: (old?.version ?? 0) + 1,
      expires: now.addingTimeInterval(lifetime).formatted(.iso8601),
      entries: entries.sorted { $0.identifier < $1.identifier })
    let path = folder.appendingPathComponent(Catalog.fileName).path
    do throws(ModelFormatError.Reason) {
      let bytes = try catalog.serialized()
      let signature = try key.signature(of: bytes)
      try FileSystem.replace(
        folder.appendingPathComponent(Catalog.signatureName).path, with: signature.fileContents)
      try FileSystem.replace(path, with: bytes)
    } catch {
      throw ModelFormatError(error, path: path)
    }
    return catalog
  }

  /// Returns the signer of the catalogue in a folder; nil if there is no catalogue or no readable
  /// signature. Does not verify the signature.
  public static func signer(of folder: URL) -> VerifyingKey? {
    let bytes = try? Data(contentsOf: folder.appendingPathComponent(Catalog.signatureName))
    return bytes.flatMap { try? ModelSignature(fileContents: $0) }?.key
  }

  private func existing(in folder: URL) throws -> Catalog? {
    let url = folder.appendingPathComponent(Catalog.fileName)
    guard FileManager.default.fileExists(atPath: url.path) else { return nil }
    do throws(ModelFormatError.Reason) {
      return try Catalog(
        parsing: FileSystem.contents(of: url.path) { length throws(ModelFormatError.Reason) in
          guard length <= Catalog.maximumLength else {
            throw .manifestTooLong(bytes: length, maximum: Catalog.maximumLength)
          }
        })
    } catch {
      throw ModelFormatError(error, path: url.path)
    }
  }

  private func publish(_ bundle: ModelBundle, to blobs: URL) throws -> Catalog.Entry {
    let manifest = bundle.manifest
    // Do not publish a model that apps cannot open.
    _ = try OpenModel(bundle).recognizer()
    for tag in manifest.languages { _ = try LanguageTag(parsing: tag) }
    do throws(ModelFormatError.Reason) {
      for part in manifest.parts {
        let bytes: Data
        do throws(ModelFormatError) {
          bytes = try bundle.data(for: part.name)
        } catch {
          throw error.reason
        }
        _ = try Self.write(bytes, to: blobs)
      }
      let signature: ModelSignature
      if let known = bundle.signature {
        signature = known
      } else {
        signature = try key.signature(of: bundle.manifestBytes)
      }
      let card = try? Data(contentsOf: bundle.url.appendingPathComponent(ModelBundle.cardName))
      return Catalog.Entry(
        identifier: manifest.identifier, name: manifest.name, kind: manifest.kind.rawValue,
        version: manifest.modelVersion, languages: manifest.languages,
        manifest: try Self.write(bundle.manifestBytes, to: blobs),
        signature: try Self.write(signature.fileContents, to: blobs),
        card: try Self.write(card ?? Data(manifest.modelCard.utf8), to: blobs),
        parts: manifest.parts)
    } catch {
      throw ModelFormatError(error, path: blobs.path)
    }
  }

  private static func write(
    _ bytes: Data, to blobs: URL
  ) throws(ModelFormatError.Reason) -> Catalog.Blob {
    let blob = Catalog.Blob(length: bytes.count, sha256: ModelBundle.sha256(bytes))
    let path = blobs.appendingPathComponent(blob.sha256).path
    if FileSystem.kind(of: path) == nil { try FileSystem.replace(path, with: bytes) }
    return blob
  }
}
