import InkCore

/// Reads IAM-OnDB: English lines of text written on a whiteboard.
///
/// M. Liwicki, H. Bunke, IAM-OnDB, an on-line English sentence database acquired from handwritten
/// text on a whiteboard, ICDAR 2005. The folder contains
///
/// - `lineStrokes/**/FORM-NN.xml`: the strokes of line NN of a form, counted from 1;
/// - `ascii/**/FORM.txt`, in the same folders: the texts. Line NN is the NN-th non-blank line after
///   `CSR:`;
/// - `trainset.txt`, `testset_v.txt`, `testset_t.txt`, `testset_f.txt`: the forms of the parts,
///   here or in `splits/`;
/// - `writers.tsv`, or `original/**/strokes*.xml`: the writers. A form may have none;
/// - `t2_labels.mlf`: the texts of the benchmark task. If it exists, a line whose text differs from
///   it in more than spaces is a failure.
///
/// Labels are those of the file in ISO 8859-1, including crossed-out marks (`#`, `%`) and spaces.
/// Forms whose name ends in a digit have rows of tokens as texts, which are noted
/// (``InkRecord/Note/spacedTokens``). Times are milliseconds since the line's first point; a clock
/// that runs backward is corrected and noted. y grows downward unless `yAxis` says otherwise. Lines
/// have no writing area.
///
/// A stroke file without a text, a text without a stroke file, contradicting texts, and forms of a
/// part without any stroke file are failures, one per line or form; reading continues. Forms and
/// lines are read in order, one file at a time. Memory grows with the number of files, and with the
/// texts of `t2_labels.mlf`.
///
///     for record in try IAMOnDBReader(folder: "iam-ondb", part: .val1) {
///       print(try record.get().labeled.label)
///     }
public struct IAMOnDBReader: Sequence, Sendable {
  /// A record, or the reason why it could not be read.
  public typealias Element = Result<InkRecord, InkFormatError>

  /// The folder.
  public let folder: String
  /// The names of the forms, in the order of reading.
  public var forms: [String] { selected.map(\.name) }

  private let selected: [IAMOnDBForm]
  /// Errors in the list of files, before any file is read.
  private let faults: [InkFormatError]
  private let writers: IAMOnDBWriters
  private let taskLabels: IAMOnDBTaskLabels?
  private let yAxis: YAxis

  /// Lists the files of a folder, and reads those that apply to all lines.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - part: The part of the benchmark task to read, or nil for all forms.
  ///   - yAxis: The direction of y.
  /// - Throws: ``InkFormatError`` if there is no such folder, no stroke file or no file of the
  ///   part, or if the files of the parts, of the writers or of the task's texts are malformed.
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

  /// Returns an iterator at the first line.
  public func makeIterator() -> AnyIterator<Element> {
    AnyIterator(
      FileRecords(of: 1 + selected.count) { [self] number in
        guard number > 0 else { return faults.map { .failure($0) } }
        return Array(
          IteratorSequence(
            IAMOnDBLines(
              of: selected[number - 1], in: folder, writers: writers, taskLabels: taskLabels,
              yAxis: yAxis)))
      })
  }

  private static func find(_ name: String, in folder: String) -> String {
    let inner = ByteFile.join(folder, "splits/" + name)
    return ByteFile.exists(inner) ? inner : ByteFile.join(folder, name)
  }

  /// Returns the forms listed in a part, one per line, and those of them without a stroke file.
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

/// The stroke files of a form of IAM-OnDB.
struct IAMOnDBForm: Hashable, Sendable {
  /// The form's name, such as `a01-000u`.
  var name: String
  /// The folder below `lineStrokes` and `ascii`, such as `a01/a01-000`.
  var folder: String
  /// The stroke files by the number of their line, from 1: paths relative to `lineStrokes`.
  var files: [Int: String]

  /// True if the texts are rows of tokens. Forms named after one writer's copy have a letter after
  /// their number, and natural texts. In the others almost every closing mark is separated by a
  /// space, as in the corpus from which they were copied.
  var hasSpacedTokens: Bool { name.last?.isNumber == true }

  /// Groups stroke files, `FOLDER/FORM-NN.xml`, by their forms.
  ///
  /// - Parameters:
  ///   - paths: The paths relative to `lineStrokes`, sorted.
  ///   - folder: The path of `lineStrokes`, for errors.
  /// - Returns: The forms in the order of their paths, and an error for each file that belongs to
  ///   none.
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

/// A part of the IAM-OnDB benchmark task, named by its file.
public enum IAMOnDBPart: String, Hashable, Sendable, CaseIterable {
  /// The training set.
  case train = "trainset.txt"
  /// The first validation set.
  case val1 = "testset_v.txt"
  /// The second validation set.
  case val2 = "testset_t.txt"
  /// The final test set.
  case test = "testset_f.txt"
}

/// Reads the lines of one form of IAM-OnDB, one stroke file at a time.
struct IAMOnDBLines: IteratorProtocol {
  typealias Element = Result<InkRecord, InkFormatError>

  /// The values that all lines of the form share.
  private struct Context {
    var texts: [String]
    var writer: (_ line: Int) -> String?
  }

  private let form: IAMOnDBForm
  private let folder: String
  private let textPath: String
  private let taskLabels: IAMOnDBTaskLabels?
  private let yAxis: YAxis
  private let context: Result<Context, InkFormatError>
  /// The numbers of the lines with strokes, a text or both.
  private let numbers: [Int]
  private var position = 0

  /// Reads the form's texts and its writer. An error in them is the failure of each line.
  init(
    of form: IAMOnDBForm, in folder: String, writers: IAMOnDBWriters,
    taskLabels: IAMOnDBTaskLabels?, yAxis: YAxis
  ) {
    self.form = form
    self.folder = folder
    self.taskLabels = taskLabels
    self.yAxis = yAxis
    let path = ByteFile.join(folder, "ascii/\(form.folder)/\(form.name).txt")
    textPath = path
    var numbers = Set(form.files.keys)
    do throws(InkFormatError) {
      let texts = try IAMOnDBTranscription.lines(of: try ByteFile.bytes(of: path), path: path)
      numbers.formUnion(texts.indices.map { $0 + 1 })
      context = .success(Context(texts: texts, writer: try writers.lookup(form)))
    } catch {
      context = .failure(error)
    }
    self.numbers = numbers.sorted()
  }

  mutating func next() -> Element? {
    guard position < numbers.count else { return nil }
    defer { position += 1 }
    do throws(InkFormatError) {
      return .success(try record(numbers[position], context.get()))
    } catch {
      return .failure(error)
    }
  }

  private func record(_ number: Int, _ context: Context) throws(InkFormatError) -> InkRecord {
    guard let file = form.files[number] else {
      throw InkFormatError(
        .missingFile, at: SourceLocation(path: textPath),
        expected: "a stroke file of each of the \(context.texts.count) lines of text",
        found: "none of line \(number)", advice: "unpack all of the dataset")
    }
    let path = ByteFile.join(folder, "lineStrokes/" + file)
    guard number <= context.texts.count else {
      throw InkFormatError(
        .missingTranscription, at: SourceLocation(path: path),
        expected: "line \(number) of the form's texts", found: "\(context.texts.count) lines",
        advice: "correct \(textPath)")
    }
    let text = context.texts[number - 1]
    let line = file.dropLast(".xml".count).split(separator: "/").last ?? ""
    if let taskLabels, taskLabels.agree(with: text, line: String(line)) == false {
      throw InkFormatError(
        .mismatchedTranscription, at: SourceLocation(path: path),
        expected: "the text of t2_labels.mlf", found: "another in the form's texts",
        advice: "correct \(textPath)")
    }
    let strokes = try IAMOnDBStrokes(
      parsing: try ByteFile.bytes(of: path), path: path, sign: yAxis == .up ? -1 : 1)
    return InkRecord(
      labeled: LabeledInk(ink: strokes.ink, label: text, writer: context.writer(number)),
      location: SourceLocation(path: path), source: "lineStrokes/" + file, indexInSource: 0,
      level: .text, notes: strokes.notes.union(form.hasSpacedTokens ? [.spacedTokens] : []))
  }
}
