import Files
import Foundation

/// Finds parts that a bundle shares with another model and does not have in its own folder.
///
/// A part is found by its SHA-256: in the bundles beside the one that is opened, then in the folders
/// that the program has named with ``add(folders:)``. A folder may hold bundles, or be a model store
/// with its parts in `blobs/`. Length and hash of a found file are checked, so that a wrong file is
/// never used. Parts that are open are shared in memory, and are hashed once. Thread-safe.
///
///     let shipped = try PretrainedModels()
///     SharedParts.add { [shipped.folder, ModelManager.defaultStorage] }
///     let czech = try OpenModel.open(URL(fileURLWithPath: "cs.ductus"))
package enum SharedParts {
  /// Names folders to search. They need not exist.
  ///
  /// - Parameter folders: Called when a part is searched.
  package static func add(folders: @escaping @Sendable () -> [URL]) {
    known.withLock { $0.folders.append(folders) }
  }

  /// The bytes of a shared part from a known folder; nil if no file there has its hash.
  ///
  /// - Parameter part: The entry of a manifest.
  package static func data(of part: ModelManifest.Part) -> Data? {
    mapping(of: part, near: nil).map { Data($0.data) }
  }

  /// The mapped bytes of a part.
  ///
  /// - Parameter bundle: The folder of a bundle; the bundles beside it are searched first.
  static func mapping(of part: ModelManifest.Part, near bundle: URL?) -> MappedBytes? {
    if let open = known.withLock({ $0.mappings[part.sha256]?.mapping }),
      open.bytes.count == part.length
    {
      return open
    }
    let beside = bundle.map { [$0.standardizedFileURL.deletingLastPathComponent()] } ?? []
    let sources = known.withLock { $0.folders }
    for folder in beside + sources.flatMap({ $0() }) {
      for path in places(of: part, in: folder) {
        guard let mapping = checked(part, at: path) else { continue }
        return known.withLock { known in
          // Another thread may have been faster.
          if let open = known.mappings[part.sha256]?.mapping { return open }
          known.mappings = known.mappings.filter { $0.value.mapping != nil }
          known.mappings[part.sha256] = Weak(mapping: mapping)
          return mapping
        }
      }
    }
    return nil
  }

  /// The files that may be the part: the blob of a store, then the files of bundles whose manifest
  /// names the hash. The model that the part comes from is tried first.
  private static func places(
    of part: ModelManifest.Part, in folder: URL
  ) -> some Sequence<String> {
    let blob = folder.appendingPathComponent("blobs/\(part.sha256)").path
    let blobs = FileSystem.kind(of: blob) == .file ? [blob] : []
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let origin = part.sharedWith.map { "\($0).ductus" }
    let bundles = names.filter { $0.hasSuffix(".ductus") && !$0.hasPrefix(".") }.sorted {
      ($0 == origin ? 0 : 1, $0) < ($1 == origin ? 0 : 1, $1)
    }
    // Lazy: the first manifest is nearly always the right one.
    let files = bundles.lazy.compactMap { name -> String? in
      let bundle = folder.appendingPathComponent(name)
      guard let manifest = try? ModelBundle.manifest(of: bundle),
        let same = manifest.parts.first(where: { $0.sha256 == part.sha256 })
      else { return nil }
      let path = bundle.appendingPathComponent(same.name).path
      return FileSystem.kind(of: path) == .file ? path : nil
    }
    return [AnySequence(blobs), AnySequence(files)].lazy.joined()
  }

  private static func checked(_ part: ModelManifest.Part, at path: String) -> MappedBytes? {
    let mapping = try? FileSystem.mapping(of: path) { length throws(ModelFormatError.Reason) in
      guard length == part.length else {
        throw .partLength(expected: part.length, found: length)
      }
    }
    guard let mapping, mapping.bytes.count == part.length,
      ModelBundle.sha256(mapping.bytes) == part.sha256
    else { return nil }
    return mapping
  }

  private struct Weak {
    weak var mapping: MappedBytes?
  }

  /// The named folders, and the mappings in use.
  private struct Known {
    var folders: [@Sendable () -> [URL]] = []
    var mappings: [String: Weak] = [:]
  }

  private static let known = Guarded(Known())
}
