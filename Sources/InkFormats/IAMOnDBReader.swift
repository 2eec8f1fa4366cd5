import InkCore

/// Reads IAM-OnDB: English lines of text written on a whiteboard.
///
/// M. Liwicki, H. Bunke, IAM-OnDB, an on-line English sentence database acquired from handwritten
/// text on a whiteboard, ICDAR 2005. The folder holds
///
/// - `lineStrokes/**/FORM-NN.xml`: the strokes of line NN of a form, counted from 1;
/// - `ascii/**/FORM.txt`, in the same folders: the texts. Line NN is the NN-th that is not blank
///   after `CSR:`;
/// - `trainset.txt`, `testset_v.txt`, `testset_t.txt`, `testset_f.txt`: the forms of the parts,
///   here or in `splits/`;
/// - `writers.tsv`, or `original/**/strokes*.xml`: the writers. A form may have none;
/// - `t2_labels.mlf`: the texts of the benchmark task. Where it is there, a line whose text differs
///   from it in more than spaces is a failure.
///
/// Labels are as in the file, crossed-out marks (`#`, `%`) and spaces included, in ISO 8859-1. Those of
/// forms whose name ends in a digit are rows of tokens, and noted (``InkRecord/Note/spacedTokens``).
/// Times are milliseconds since the line's first point; a clock that runs backward is mended and
/// noted. y grows downward unless `yAxis` says otherwise. Lines have no writing area.
///
/// A stroke file without a text, a text without a stroke file, texts that disagree and forms of a
/// part without any stroke file are failures, one per line or form; reading goes on. Forms and
/// lines are read in order, one file at a time; memory grows with the number of files, and with the
/// texts of `t2_labels.mlf`.
public struct IAMOnDBReader: Sequence, Sendable {
  /// A record, or why there is none.
  public typealias Element = Result<InkRecord, InkFormatError>

  /// The folder.
  public let folder: String
  /// The names of the forms, in reading order.
  public var forms: [String] { selected.map(\.name) }

  private let selected: [IAMOnDBForm]
  /// What is wrong with the list of files, before any is read.
  private let faults: [InkFormatError]
  private let writers: IAMOnDBWriters
  private let taskLabels: IAMOnDBTaskLabels?
  private let yAxis: YAxis

  /// Lists the files of a folder, and reads the files that hold for all lines.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - part: The part of the benchmark task to read, or nil for all forms.
  ///   - yAxis: Where y points.
  /// - Throws: ``InkFormatError`` where there is no such folder, no stroke file, no file of the part, or where the
  ///   files of the parts, of the writers or of the task's texts are malformed.
  public init(
    folder: String, part: IAMOnDBPart? = nil, yAxis: YAxis = .down
  ) throws(InkFormatError) {
    self.folder = folder
    self.yAxis = yAxis
    writers = try IAMOnDBWriters(folder: folder)
    let labels = Self.find("t2_labels.mlf", in: folder)
    taskLabels =
      ByteFile.exists(labels)
      ? try IAMOnDBTaskLabels(parsing: ByteFile.bytes(of: labels), path: labels) : nil
    let strokes = ByteFile.join(folder, "lineStrokes")
    let listing = IAMOnDBForm.group(
      try ByteFile.files(below: strokes, extensions: ["xml"]), folder: strokes)
    if let part {
      let path = Self.find(part.rawValue, in: folder)
      (selected, faults) = Self.select(
        from: listing.forms, named: try ByteFile.bytes(of: path), path: path)
    } else {
      (selected, faults) = listing
    }
  }

  /// An iterator at the first line.
  public func makeIterator() -> AnyIterator<Element> {
    var nextFault = 0
    var nextForm = 0
    var lines: IAMOnDBLines?
    return AnyIterator { () -> Element? in
      if nextFault < faults.count {
        defer { nextFault += 1 }
        return .failure(faults[nextFault])
      }
      while true {
        if let element = lines?.next() { return element }
        guard nextForm < selected.count else { return nil }
        lines = IAMOnDBLines(
          of: selected[nextForm], in: folder, writers: writers, taskLabels: taskLabels,
          yAxis: yAxis)
        nextForm += 1
      }
    }
  }

  private static func find(_ name: String, in folder: String) -> String {
    let inner = ByteFile.join(folder, "splits/" + name)
    return ByteFile.exists(inner) ? inner : ByteFile.join(folder, name)
  }

  /// The forms that a part names, one per line, and those of them that have no stroke file.
  private static func select(
    from forms: [IAMOnDBForm], named bytes: [UInt8], path: String
  ) -> (forms: [IAMOnDBForm], faults: [InkFormatError]) {
    let known = Set(forms.map(\.name))
    var names: Set<String> = []
    var faults: [InkFormatError] = []
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let name = Latin1.string(Latin1.trimmed(line))
      guard !name.isEmpty, names.insert(name).inserted, !known.contains(name) else { continue }
      faults.append(
        InkFormatError(
          .missingFile, at: SourceLocation(path: path, line: index + 1),
          expected: "stroke files of the form in lineStrokes", found: "none",
          advice: "unpack all of the dataset"))
    }
    return (forms.filter { names.contains($0.name) }, faults)
  }
}
