import Downloads
import Foundation

/// Downloads parts of models into the store, completely or not at all.
struct BlobDownloader: Sendable {
  let storage: ModelStorage
  let downloader: Downloader

  /// Downloads and checks bytes in memory.
  func data(_ blob: Catalog.Blob, at url: URL) async throws(ModelStoreError) -> Data {
    do throws(DownloadError) {
      return try await downloader.data(length: blob.length, sha256: blob.sha256, at: url)
    } catch {
      throw ModelStoreError(error)
    }
  }

  /// Downloads at most `maximumLength` bytes into memory; retries after transient errors.
  func data(at url: URL, maximumLength: Int) async throws(ModelStoreError) -> Data {
    do throws(DownloadError) {
      return try await downloader.data(at: url, maximumLength: maximumLength)
    } catch {
      throw ModelStoreError(error)
    }
  }

  /// Downloads a part into the store.
  ///
  /// - Parameter progress: Called with the bytes downloaded so far, and whether they have just come
  ///   from the network.
  func fetch(
    length: Int, hash: String, at url: URL, progress: @Sendable (Int, Bool) -> Void
  ) async throws(ModelStoreError) {
    let place = DownloadPlace(
      partial: storage.partial(hash).path, finished: storage.blob(hash).path)
    do throws(DownloadError) {
      try await downloader.fetch(
        ExpectedBytes(length: length, sha256: hash), at: url, to: place
      ) { progress($0.bytes, $0.isNew) }
    } catch {
      throw ModelStoreError(error)
    }
  }
}
