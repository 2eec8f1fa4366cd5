import Foundation

/// Writing language-model files.
public enum LanguageModelWriter {
  /// Writes a model so that a file of this name is there whole or not at all.
  ///
  /// The bytes go to a file beside it that begins with the magic of an unfinished file; when they
  /// are on the disk, the magic is set and the file renamed.
  ///
  /// - Throws: ``LanguageModelError`` with the operation that failed.
  public static func write(_ bytes: [UInt8], to path: String) throws(LanguageModelError) {
    let temporary = "\(path).\(getpid()).unfinished"
    do throws(LanguageModelError.Reason) {
      try writeUnfinished(bytes, to: temporary)
      guard rename(temporary, path) == 0 else { throw .system(operation: "renaming", code: errno) }
      syncFolder(of: path)
    } catch {
      unlink(temporary)
      throw LanguageModelError(error, file: path)
    }
  }

  private static func writeUnfinished(
    _ bytes: [UInt8], to path: String
  ) throws(LanguageModelError.Reason) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .system(operation: "creating", code: errno) }
    defer { close(descriptor) }
    let magicCount = NGramFileLayout.magic.count
    try write(NGramFileLayout.unfinishedMagic[...], to: descriptor, at: 0)
    try write(bytes[min(magicCount, bytes.count)...], to: descriptor, at: magicCount)
    guard fsync(descriptor) == 0 else { throw .system(operation: "syncing", code: errno) }
    try write(bytes[..<min(magicCount, bytes.count)], to: descriptor, at: 0)
    guard fsync(descriptor) == 0 else { throw .system(operation: "syncing", code: errno) }
  }

  private static func write(
    _ bytes: ArraySlice<UInt8>, to descriptor: Int32, at offset: Int
  ) throws(LanguageModelError.Reason) {
    let code = bytes.withUnsafeBytes { raw -> Int32 in
      var written = 0
      while written < raw.count {
        let count = pwrite(
          descriptor, raw.baseAddress.map { $0 + written }, raw.count - written,
          off_t(offset + written))
        if count < 0 && errno == EINTR { continue }
        if count <= 0 { return count < 0 ? errno : EIO }
        written += count
      }
      return 0
    }
    guard code == 0 else { throw .system(operation: "writing", code: code) }
  }

  /// Puts the new name on the disk. A failure is no loss: the file is whole under either name.
  private static func syncFolder(of path: String) {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let descriptor = open(folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}
