import InkCore

/// Reads the lines of one form of IAM-OnDB, one stroke file at a time.
struct IAMOnDBLines: IteratorProtocol {
  typealias Element = Result<InkRecord, InkFormatError>

  /// What holds for all lines of the form.
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
  /// The numbers of the lines that have strokes, a text or both.
  private let numbers: [Int]
  private var position = 0

  /// Reads the form's texts and its writer. What is wrong with them is the failure of each line.
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
