/// The stroke files of a form of IAM-OnDB.
struct IAMOnDBForm: Hashable, Sendable {
  /// The form's name, such as `a01-000u`.
  var name: String
  /// The folder below `lineStrokes` and `ascii`, such as `a01/a01-000`.
  var folder: String
  /// The stroke files by the number of their line, from 1: paths relative to `lineStrokes`.
  var files: [Int: String]

  /// Whether the texts are rows of tokens. Forms of which one writer's copy is named have a letter behind
  /// their number, and texts as people write them; of the others nearly every closing mark stands apart,
  /// as in the corpus that they were copied from.
  var hasSpacedTokens: Bool { name.last?.isNumber == true }

  /// Groups stroke files, `FOLDER/FORM-NN.xml`, by their forms.
  ///
  /// - Parameters:
  ///   - paths: The paths relative to `lineStrokes`, sorted.
  ///   - folder: The path of `lineStrokes`, for errors.
  /// - Returns: The forms in the order of their paths, and an error per file that is of none.
  static func group(
    _ paths: [String], folder: String
  ) -> (forms: [IAMOnDBForm], faults: [InkFormatError]) {
    var forms: [IAMOnDBForm] = []
    var indexes: [String: Int] = [:]
    var faults: [InkFormatError] = []
    for path in paths {
      let stem = path.dropLast(".xml".count)
      let start = stem.lastIndex(of: "/").map { stem.index(after: $0) } ?? stem.startIndex
      guard let dash = stem[start...].lastIndex(of: "-"), dash > start,
        let number = Int(stem[stem.index(after: dash)...]), number > 0
      else {
        faults.append(stray(path, in: folder))
        continue
      }
      let key = String(stem[..<dash])
      let index = indexes[key] ?? forms.count
      if index == forms.count {
        indexes[key] = index
        forms.append(
          IAMOnDBForm(
            name: String(stem[start..<dash]), folder: String(stem[..<start].dropLast()), files: [:]
          ))
      }
      if forms[index].files[number] == nil {
        forms[index].files[number] = path
      } else {
        faults.append(stray(path, in: folder))
      }
    }
    return (forms, faults)
  }

  private static func stray(_ path: String, in folder: String) -> InkFormatError {
    InkFormatError(
      .malformed, at: SourceLocation(path: ByteFile.join(folder, path)),
      expected: "one file FORM-NN.xml for line NN of a form", found: "another name",
      advice: "rename or remove the file")
  }
}
