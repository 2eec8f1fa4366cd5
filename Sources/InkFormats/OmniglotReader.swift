import InkCore

/// Reads the strokes of Omniglot (Lake, Salakhutdinov, Tenenbaum, Human-level concept learning through
/// probabilistic program induction, Science 350, 2015): characters of many alphabets, a file
/// `ALPHABET/characterNN/NNNN_DD.txt` for each drawing, with a line `x,y,t` for each point.
///
/// - `START` precedes the first stroke, `BREAK` follows each stroke. `t` is in milliseconds; y
///   grows upward unless `yAxis` says otherwise.
/// - The label is `ALPHABET/NN`, the writer `ALPHABET/DD`: the drawers of each alphabet are
///   numbered, and it is not known who drew in several.
/// - The parts in which Omniglot is distributed share alphabets: of several files with the same
///   alphabet, character and name, the first is read.
///
/// A bad file yields a failure, and reading continues. Files are read in the order of their paths,
/// one at a time; other files of the folder are ignored.
public struct OmniglotReader: Sequence, Sendable {
  /// A record, or the reason why it could not be read.
  public typealias Element = Result<InkRecord, InkFormatError>

  private let files: InkFiles
  private let yAxis: YAxis

  /// Lists the drawings anywhere below a folder, which may contain all alphabets, a part of them or
  /// one alphabet.
  ///
  /// - Throws: ``InkFormatError`` of code `missingFile` if there is no such folder, or no drawing
  ///   in it.
  public init(folder: String, yAxis: YAxis = .up) throws(InkFormatError) {
    var seen: Set<Drawing> = []
    // The folder may itself be that of an alphabet.
    let whole = ByteFile.whole(folder)
    files = try InkFiles(below: folder, extensions: ["txt"]).keeping { path in
      Drawing(path: ByteFile.join(whole, path)).map { seen.insert($0).inserted } ?? false
    }
    guard !files.paths.isEmpty else {
      throw InkFormatError(
        .missingFile, at: SourceLocation(path: folder),
        expected: "files ALPHABET/characterNN/NNNN_DD.txt", found: "none",
        advice: "unpack Omniglot's archives strokes_*.zip in the folder")
    }
    self.yAxis = yAxis
  }

  /// Returns an iterator at the first file.
  public func makeIterator() -> AnyIterator<Element> {
    files.makeIterator { [Self.record(of: $0, path: $1, source: $2, yAxis: yAxis)] }
  }

  /// Returns the record of a file's bytes.
  package static func record(of bytes: [UInt8], path: String, source: String, yAxis: YAxis)
    -> Element
  {
    do throws(InkFormatError) {
      guard let drawing = Drawing(path: ByteFile.whole(path)) else {
        throw InkFormatError(
          .malformed, at: SourceLocation(path: path),
          expected: "a path that ends in ALPHABET/characterNN/NNNN_DD.txt", found: "another",
          advice: "keep the names of files and folders as Omniglot has them")
      }
      let strokes = try OmniglotStrokes(
        parsing: bytes, path: path, sign: yAxis == .up ? -1 : 1)
      return .success(
        InkRecord(
          labeled: LabeledInk(
            ink: strokes.ink, label: "\(drawing.alphabet)/\(drawing.character)",
            writer: "\(drawing.alphabet)/\(drawing.drawer)"),
          location: SourceLocation(path: path), source: source, indexInSource: 0,
          level: .character, notes: strokes.notes))
    } catch {
      return .failure(error)
    }
  }

  /// The parts of a drawing's path.
  private struct Drawing: Hashable {
    var alphabet: Substring
    var character: Substring
    /// The number of the character in all of Omniglot.
    var number: Substring
    var drawer: Substring

    /// nil for a path that is not a drawing's.
    init?(path: String) {
      let parts = path.split(separator: "/")
      guard parts.count >= 3, parts[parts.count - 2].hasPrefix("character") else { return nil }
      let name = parts[parts.count - 1].dropLast(4).split(
        separator: "_", omittingEmptySubsequences: false)
      alphabet = parts[parts.count - 3]
      character = parts[parts.count - 2].dropFirst("character".count)
      guard name.count == 2, Self.isNumber(name[0]), Self.isNumber(name[1]),
        Self.isNumber(character)
      else { return nil }
      (number, drawer) = (name[0], name[1])
    }

    private static func isNumber(_ text: Substring) -> Bool {
      !text.isEmpty && text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }
  }
}

/// The ink of one drawing.
private struct OmniglotStrokes {
  /// The non-empty strokes, with times from 0.
  private(set) var ink = Ink(strokes: [])
  /// The problems that were corrected or noticed.
  var notes: Set<InkRecord.Note> { clock.notes }

  private let sign: Double
  private let lines: LineReader
  private let path: String
  private var clock = LineClock()

  /// Parses a file.
  ///
  /// - Throws: ``InkFormatError`` for a missing `START`, malformed lines, a stroke without `BREAK`,
  ///   and a file without points.
  init(parsing bytes: [UInt8], path: String, sign: Double) throws(InkFormatError) {
    lines = LineReader(bytes: bytes, path: path)
    (self.path, self.sign) = (path, sign)
    guard try nextLine() == "START" else {
      throw error(.malformed, expected: "START in the first line", found: "another text")
    }
    var points: [StrokePoint] = []
    while let line = try nextLine() {
      if line != "BREAK" {
        points.append(try point(line))
      } else if !points.isEmpty {
        ink.strokes.append(Stroke(points: points))
        points = []
      }
    }
    guard points.isEmpty else {
      throw error(.truncated, expected: "BREAK after each stroke", found: "the end of the file")
    }
    guard !ink.isEmpty else {
      throw error(.emptyInk, expected: "at least one point", found: "none")
    }
  }

  /// Returns the next non-empty line, without its carriage return.
  private func nextLine() throws(InkFormatError) -> String? {
    var line: String?
    repeat {
      line = try lines.nextLine { bytes in
        String(decoding: bytes.last == 0x0D ? bytes.dropLast() : bytes[...], as: UTF8.self)
      }
    } while line?.isEmpty == true
    return line
  }

  private mutating func point(_ line: String) throws(InkFormatError) -> StrokePoint {
    let values = line.split(separator: ",", omittingEmptySubsequences: false)
    guard values.count == 3 else {
      throw error(.malformed, expected: "x,y,t or BREAK", found: "\(values.count) values")
    }
    let numbers = values.compactMap { Double($0) }
    guard numbers.count == 3 else {
      throw error(.wrongType, expected: "three numbers x,y,t", found: "another text")
    }
    guard numbers.allSatisfy(\.isFinite), let time = clock.milliseconds(at: numbers[2] / 1000)
    else {
      throw error(.nonFiniteNumber, expected: "finite numbers", found: "another value")
    }
    return StrokePoint(x: numbers[0], y: sign * numbers[1], t: time)
  }

  private func error(
    _ code: InkFormatError.Code, expected: String, found: String
  ) -> InkFormatError {
    InkFormatError(
      code, at: SourceLocation(path: path, line: lines.number), expected: expected, found: found,
      advice: "check that the file is a stroke file of Omniglot, and whole")
  }
}
