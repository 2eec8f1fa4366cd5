import Files
import Foundation
import InkCore
import LanguageModels
import ModelFormat
import ModelStore
import PretrainedModels
import Recognition

/// `ductus recognize -` reads a JSON object per line from standard input and writes one per line to
/// standard output, in order, each as soon as its request is read.
struct RecognizePipe {
  /// The defaults of members that a request leaves out.
  var defaults = RecognitionRequest(ink: Ink())
  /// The lexicon that ``defaults`` names.
  var lexicon: Lexicon?
  /// The limits of a request.
  var limits = ExchangeLimits()

  /// The name of the lexicon of the command line.
  static let lexiconOption = "--lexicon"

  /// Answers lines until the input ends or the reader of the output goes away.
  ///
  /// - Throws: ``ToolError`` if the model of the command line cannot be opened, or the input cannot
  ///   be read.
  func run(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO) throws {
    // A reader that goes away causes an error of writing, and does not end the process.
    signal(SIGPIPE, SIG_IGN)
    let service = makeService()
    try prepare(service, defaults.model ?? defaults.language ?? ModelLocation.defaultModel)
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

  private func makeService() -> RecognitionService {
    var configuration = RecognitionService.Configuration(
      defaultModel: ModelLocation.defaultModel, limits: limits, defaults: defaults)
    if let lexicon {
      configuration.lexicons[Self.lexiconOption] = lexicon
      configuration.defaults.lexicon = .named(Self.lexiconOption)
    }
    configuration.packs = { try LocalModels.provider().packs(sharing: $0) }
    configuration.openLexicon = { try Lexicon(words: WordList.words(of: $0)) }
    return RecognitionService(finder: LocatedBundles(), configuration: configuration)
  }

  private func prepare(_ service: RecognitionService, _ name: String) throws {
    do throws(ExchangeError) {
      try service.prepare(model: name)
    } catch {
      throw ToolError.badInput("\(name): \(error.message)")
    }
  }
}

/// The models of this machine: bundles by their path, installed models and those that ship.
struct LocatedBundles: BundleFinder {
  func bundle(of name: String) throws -> URL? {
    if name.contains("/") || name.hasSuffix(".ductus") { return URL(fileURLWithPath: name) }
    if let url = try? ModelLocation.url(of: name) { return url }
    return try ProvidedBundles(try LocalModels.provider()).bundle(of: name)
  }
}

/// The models that are available without a download.
enum LocalModels {
  /// Returns the installed models, followed by those that ship.
  ///
  /// - Throws: `ModelStoreError` if there is a store that cannot be read.
  static func provider() throws -> any ModelProvider {
    var providers: [any ModelProvider] = []
    let store = ModelManager.defaultStorage
    // A manager creates its folder, so use one only if the store exists.
    if FileManager.default.fileExists(atPath: store.path) {
      providers.append(try ModelManager(storage: store))
    }
    if let shipped = try? PretrainedModels() { providers.append(shipped) }
    return CombinedModels(providers)
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
