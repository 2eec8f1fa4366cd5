import Foundation

extension NormalizedText {
  /// Adds the texts of files and of all files below folders, in the order of their names.
  ///
  /// - Throws: ``LanguageModelError`` where something is not there or cannot be read.
  public mutating func append(contentsOf paths: [String]) throws(LanguageModelError) {
    for path in paths {
      for file in Self.files(path) {
        let mapped = try MappedBytes(path: file)
        withExtendedLifetime(mapped) { append($0.bytes) }
      }
    }
  }

  /// The path itself, or the regular files below it, without hidden ones.
  private static func files(_ path: String) -> [String] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue,
      let names = FileManager.default.enumerator(atPath: path)
    else { return [path] }
    var files: [String] = []
    for case let name as String in names {
      let file = path.hasSuffix("/") ? path + name : path + "/" + name
      let isHidden = name.split(separator: "/").contains { $0.hasPrefix(".") }
      var isNested: ObjCBool = false
      if !isHidden, FileManager.default.fileExists(atPath: file, isDirectory: &isNested),
        !isNested.boolValue
      {
        files.append(file)
      }
    }
    return files.sorted()
  }
}
