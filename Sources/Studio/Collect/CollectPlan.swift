import Files
import Foundation

/// One prompt of a session: the label of its sample, and the text that the person sees.
package struct CollectPrompt: Codable, Hashable, Sendable {
  /// The label of the sample.
  package var label: String
  /// The text that is shown; nil if it is the label. A symbol can have a name and a look.
  var show: String?

  package init(label: String, show: String? = nil) {
    self.label = label
    self.show = show
  }

  /// The most characters of a label, and of the text that is shown.
  static let mostCharacters = 500

  /// Returns true if a text can be a label: not empty, not too long, and without control characters.
  static func isUsable(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 8 * mostCharacters && text.count <= mostCharacters
      && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }
}

/// The content of `collect/NAME.session.json`: all that a session needs except its samples.
///
/// The file is replaced as a whole and stays small. Samples are in `collect/NAME.jsonl`, see
/// ``CollectLog``.
package struct CollectPlan: Codable, Hashable, Sendable {
  /// The settings that can change while a session runs.
  package struct Options: Codable, Hashable, Sendable {
    package init() {}

    /// True if guide lines are shown.
    var guides = true
    /// True if the writing area is shown and recorded.
    var area = true
    /// The height of the writing area as a share of the surface.
    var line = 0.6

    package init(guides: Bool = true, area: Bool = true, line: Double = 0.6) {
      self.guides = guides
      self.area = area
      self.line = line
    }

    /// The heights that a writing area may have.
    static let lines = 0.2...0.95
  }

  /// The version of the format.
  var version = 1
  /// The pseudonym of the writer; empty if there is none.
  var writer: String
  var options: Options
  /// The prompts, in their order.
  var prompts: [CollectPrompt]
  /// The prompts that the person skipped, sorted.
  var skipped: [Int] = []
  /// The identifiers of samples that the person deleted, the latest last. A late repetition of a
  /// request does not bring such a sample back.
  var deleted: [String] = []

  /// The most prompts of a session.
  static let mostPrompts = 20_000
  /// The most bytes of a pseudonym.
  static let mostWriterBytes = 100
  /// The most identifiers of deleted samples.
  static let mostDeleted = 500
  /// The most bytes of the file: prompts of the greatest length fill less.
  static let mostBytes = 256 << 20

  /// Reads a plan.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - name: The name of the file in errors.
  /// - Throws: ``StudioError`` of code `unusableFile` for a damaged file.
  init(contentsOf url: URL, name: String) throws(StudioError) {
    let plan: CollectPlan
    do {
      let size = try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
      guard size <= Self.mostBytes else { throw StudioError(.tooLarge, "") }
      plan = try JSONDecoder().decode(CollectPlan.self, from: Data(contentsOf: url))
    } catch {
      throw StudioError(
        .unusableFile,
        "\(name): expected a session, found a damaged file; restore it from a copy, or move it and "
          + "its ink out of the folder collect")
    }
    guard plan.version == 1 else {
      throw StudioError(
        .unusableFile, "\(name): expected version 1, found another; update Ductus")
    }
    guard plan.prompts.count <= Self.mostPrompts,
      plan.skipped.allSatisfy(plan.prompts.indices.contains)
    else {
      throw StudioError(
        .unusableFile, "\(name): expected prompts and skipped prompts that match, found others")
    }
    self = plan
  }

  /// Makes a plan.
  ///
  /// - Throws: ``StudioError`` for a value outside of its range.
  package init(writer: String, options: Options, prompts: [CollectPrompt]) throws(StudioError) {
    let writer = writer.trimmingCharacters(in: .whitespaces)
    guard writer.utf8.count <= Self.mostWriterBytes,
      writer.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else {
      throw StudioError(
        .invalidValue, "expected a pseudonym of at most \(Self.mostWriterBytes) bytes",
        field: "writer")
    }
    guard !prompts.isEmpty else {
      throw StudioError(.invalidValue, "expected at least 1 prompt, found none", field: "source")
    }
    guard prompts.count <= Self.mostPrompts else {
      throw StudioError(
        .invalidValue,
        "expected at most \(Self.mostPrompts) prompts, found \(prompts.count); use fewer "
          + "repetitions or lines", field: "source")
    }
    self.writer = writer
    self.options = try Self.checked(options)
    self.prompts = prompts
  }

  /// Returns options whose values are in their ranges.
  ///
  /// - Throws: ``StudioError``.
  static func checked(_ options: Options) throws(StudioError) -> Options {
    guard Options.lines.contains(options.line) else {
      throw StudioError(
        .invalidValue,
        "expected a share in \(Options.lines.lowerBound) ... \(Options.lines.upperBound)",
        field: "options.line")
    }
    return options
  }

  /// Replaces the file, and returns once it is on the disk.
  ///
  /// - Throws: ``StudioError``; the file is then unchanged.
  func write(to url: URL, name: String) throws(StudioError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let temporary = url.deletingLastPathComponent()
      .appendingPathComponent(".\(url.lastPathComponent).new").path
    // A killed studio may have left it.
    unlink(temporary)
    do {
      try AtomicFile.replace(
        url.path, with: try encoder.encode(self), temporary: temporary, folderSync: .attempted)
    } catch {
      throw StudioError(
        .unusableFile, "\(name): the file cannot be written; check the disk, then try again")
    }
  }
}
