import Downloads
import Foundation
import ModelFormat

extension ModelManager {
  /// Downloads the catalogue and checks its signature, its expiry, and that its version is not
  /// lower than a version seen before.
  ///
  /// - Throws: ``ModelStoreError``.
  public func catalog() async throws(ModelStoreError) -> Catalog {
    try await catalog(DownloadConditions())
  }

  func catalog(
    _ conditions: DownloadConditions
  ) async throws(ModelStoreError) -> Catalog {
    guard let catalogURL, !trustedKeys.isEmpty else { throw .noCatalog }
    let url = catalogURL.appendingPathComponent(Catalog.fileName)
    let place = url.absoluteString
    let downloader = downloader(conditions)
    var bytes = Data()
    for attempt in 1...3 {
      let signature = try await downloader.data(
        at: catalogURL.appendingPathComponent(Catalog.signatureName),
        maximumLength: ModelSignature.maximumLength)
      bytes = try await downloader.data(at: url, maximumLength: Catalog.maximumLength)
      do throws(ModelStoreError) {
        try check(signature, of: bytes, place)
        break
      } catch {
        // A new catalogue may have been published between the two requests.
        guard attempt < 3 else { throw error }
      }
    }
    let catalog: Catalog
    do throws(ModelFormatError.Reason) {
      catalog = try Catalog(parsing: bytes)
    } catch {
      throw .malformedCatalog(url: place, reason: "\(error)")
    }
    guard let expiry = catalog.expiryDate, expiry > now() else {
      throw .expired(url: place, date: catalog.expires)
    }
    try storage.note(catalog: place, version: catalog.version)
    return catalog
  }

  private func check(
    _ signature: Data, of bytes: Data, _ place: String
  ) throws(ModelStoreError) {
    guard let signature = try? ModelSignature(fileContents: signature) else {
      throw .signatureInvalid(place, reason: "\(Catalog.signatureName) is not a signature")
    }
    guard trustedKeys.contains(signature.key) else {
      throw .signatureInvalid(
        place, reason: "signed by \(signature.key.fingerprint), which is not trusted")
    }
    guard signature.isValid(for: bytes) else {
      throw .signatureInvalid(place, reason: "the signature does not match the catalogue")
    }
  }

  func downloader(_ conditions: DownloadConditions) -> BlobDownloader {
    BlobDownloader(
      storage: storage,
      downloader: Downloader(
        transport: transport, configuration: configuration, conditions: conditions))
  }
}
