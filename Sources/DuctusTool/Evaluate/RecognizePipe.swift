import Files
import Foundation
import InkCore
import LanguageModels
import Recognition

/// `ductus recognize -` reads a JSON object per line from standard input and writes one per line to
/// standard output, in order, each as soon as its request is read.
package struct RecognizePipe {
  package init() {}

  /// The defaults of members that a request leaves out.
  package var defaults = RecognitionRequest(ink: Ink())
  /// The lexicon that ``defaults`` names.
  var lexicon: Lexicon?
  /// The limits of a request.
  var limits = ExchangeLimits()

  /// Answers lines until the input ends or the reader of the output goes away.
  ///
  /// - Throws: ``ToolError`` if the model of the command line cannot be opened, or the input cannot
  ///   be read.
  package func run(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO) throws {
    // A reader that goes away causes an error of writing, and does not end the process.
    signal(SIGPIPE, SIG_IGN)
    let service = RecognitionService.ofCommandLine(defaults, lexicon: lexicon, limits: limits)
    try service.readerOfCommandLine()
    StartMark.opened.note()
    var lines = RequestLines(descriptor: input, limit: limits.bytes)
    var isFirst = true
    while let line = try lines.next() {
      var answer: RecognitionAnswer
      switch line {
      case .whole(let bytes): answer = service.answer(bytes)
      case .tooLong(let start):
        answer = RecognitionAnswer(
          id: RecognitionRequest.identifier(in: start), .failure(.tooManyBytes(limits)))
      }
      var text = answer.json
      text.append(UInt8(ascii: "\n"))
      let code = text.withUnsafeBytes { Descriptor.writeAll(output, $0) }
      if code == EPIPE { return }
      guard code == 0 else {
        throw ToolError.failed("standard output: \(String(cString: strerror(code)))")
      }
      if isFirst { StartMark.answered.note() }
      isFirst = false
    }
  }
}

extension RecognitionRequest {
  /// The name of the model or the language, for errors.
  var modelName: String { model ?? language ?? ModelLibrary.usualModel }
}

extension RecognitionService {
  /// The name of the lexicon of the command line.
  private static let lexiconOption = "--lexicon"

  /// Makes the service of `recognize`, whose requests may name paths of models and lexicons.
  ///
  /// - Parameters:
  ///   - defaults: The defaults of members that a request leaves out.
  ///   - lexicon: The lexicon of the command line.
  ///   - options: The language models of the command line.
  ///   - limits: The limits of a request.
  static func ofCommandLine(
    _ defaults: RecognitionRequest, lexicon: Lexicon?, options: ReadingOptions = ReadingOptions(),
    limits: ExchangeLimits = ExchangeLimits()
  ) -> RecognitionService {
    var configuration = Configuration(limits: limits, defaults: defaults)
    configuration.options = options
    configuration.openLexicon = { try Lexicon(words: WordList.words(of: $0)) }
    if let lexicon {
      configuration.lexicons[lexiconOption] = lexicon
      configuration.defaults.lexicon = .named(lexiconOption)
    }
    return RecognitionService(library: .local, configuration: configuration)
  }

  /// Opens the recogniser of the command line.
  ///
  /// - Throws: ``ToolError`` that names the model or the option.
  @discardableResult
  func readerOfCommandLine() throws(ToolError) -> ModelReader {
    do throws(ExchangeError) {
      return try preparedReader()
    } catch {
      // The message about a model names it, and that about an alphabet begins with its name.
      let isNamed = ["model", "language"].contains(error.field)
      let option = error.field.flatMap { isNamed ? nil : "--\($0): " } ?? ""
      throw .badInput(option + error.message)
    }
  }
}

/// The lines of a descriptor, each held in memory up to a limit.
struct RequestLines {
  /// A line without its end.
  enum Line: Equatable {
    /// All of it.
    case whole([UInt8])
    /// The beginning of one beyond the limit; the rest is skipped.
    case tooLong([UInt8])
  }

  private let descriptor: Int32
  private let limit: Int
  private var pending: [UInt8] = []
  private var chunk = [UInt8](repeating: 0, count: 1 << 16)
  private var unread: Range<Int> = 0..<0
  private var isAtEnd = false

  init(descriptor: Int32, limit: Int) {
    self.descriptor = descriptor
    self.limit = limit
  }

  /// The next line; nil at the end.
  ///
  /// - Throws: ``ToolError`` if reading fails.
  mutating func next() throws -> Line? {
    var isTooLong = false
    while true {
      if unread.isEmpty, try !fill() {
        guard !pending.isEmpty || isTooLong else { return nil }
        return take(isTooLong)
      }
      let end = newline()
      if !isTooLong {
        pending.append(contentsOf: chunk[unread.lowerBound..<(end ?? unread.upperBound)])
        isTooLong = pending.count > limit
      }
      unread = (end.map { $0 + 1 } ?? unread.upperBound)..<unread.upperBound
      if end != nil { return take(isTooLong) }
    }
  }

  private mutating func take(_ isTooLong: Bool) -> Line {
    defer { pending = [] }
    return isTooLong ? .tooLong(pending) : .whole(pending)
  }

  private func newline() -> Int? {
    chunk.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress,
        let found = memchr(base + unread.lowerBound, 0x0A, unread.count)
      else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }

  /// Reads the available bytes; returns false at the end.
  private mutating func fill() throws -> Bool {
    guard !isAtEnd else { return false }
    let count = chunk.withUnsafeMutableBytes { Descriptor.read(descriptor, into: $0) }
    guard count >= 0 else {
      throw ToolError.failed("standard input: \(String(cString: strerror(errno)))")
    }
    isAtEnd = count == 0
    unread = 0..<count
    return count > 0
  }
}
