/// Notebooks as a reMarkable tablet stores them: `ID.content` beside a folder `ID` of pages.
package enum StoredNotebooks {
  /// Returns the files of a folder without the pages of stored notebooks, which are parts of their
  /// `ID.content`. Pages whose notebook is not there, or is damaged, stay. O(files).
  ///
  /// - Parameter files: Paths below the folder.
  package static func withoutPages(_ files: [String], in folder: String) -> [String] {
    let notebooks = Set(
      files.filter { file in
        file.hasSuffix(ending)
          && RemarkableReader.isContent(ByteFile.start(of: file, in: folder, count: 1 << 12))
      }.map { $0.dropLast(ending.count) })
    guard !notebooks.isEmpty else { return files }
    return files.filter { file in
      guard file.hasSuffix(".rm"), let slash = file.lastIndex(of: "/") else { return true }
      return !notebooks.contains(file[..<slash])
    }
  }

  private static let ending = ".content"
}
