import ArgumentParser
import Foundation
import InkDatasets
import InkFormats
import Recognition

/// `ductus data synth`: synthesises labelled ink and writes it as JSON Lines.
package struct DataSynthCommand: AsyncParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "synth",
    abstract: "Synthesise labelled ink of virtual writers.",
    discussion: """
      The sets are starter:characters, starter:latin (also letters with marks), starter:shapes, \
      starter:gestures, starter:words, starter:sketches, starter:hiragana, starter:katakana, \
      starter:japanese, starter:cyrillic, starter:greek, starter:georgian, starter:hebrew, \
      starter:armenian and starter:arabic. The same set, seed \
      and count give the \
      same bits. With /dev/null as output nothing is written, which measures the synthesis alone.
      --script names the set of a script by its code, its name or a language: Hebr, hebrew and he are \
      starter:hebrew.

      Example:
        ductus data synth --data 'starter:words?style=joined' --count 1000 \\
          --output words.jsonl
      """)

  @Option(help: ArgumentHelp("The set, starter:NAME[?key=value&...].", valueName: "data"))
  var data: String?

  @Option(
    help: ArgumentHelp(
      "The script whose characters to make, instead of --data: Hebr, hebrew, he.",
      valueName: "tag"))
  var script: String?

  @Option(name: .shortAndLong, help: ArgumentHelp("The file to write.", valueName: "file"))
  var output: String

  @Option(help: "Inks of all parts together; default: the count= of the data, or 20000.")
  var count: Int?

  @Option(help: "Random seed; default: the seed= of the data, or 1.")
  var seed: UInt64?

  package func validate() throws {
    guard (data == nil) != (script == nil) else {
      throw ValidationError("expected either '--data' or '--script'")
    }
    if let script, SetScript.named(script) == nil {
      let known = SetScript.all.map { "\($0.code) (\($0.set))" }.joined(separator: ", ")
      throw ValidationError(
        "'--script' must be one of \(known), or a language of one; found '\(script)'")
    }
    try InkJSONLinesWriter.check(output: output)
    if let count, count < 0 { throw ValidationError("'--count' must be 0 or more") }
  }

  package func run() async throws {
    let set = script.flatMap(SetScript.named).map { "starter:\($0.set)" }
    var specification = try DataSpecification(parsing: data ?? set ?? "")
    guard specification.format == .starter else {
      throw ValidationError(
        "'--data' must name a set such as starter:characters; to copy other data, use "
          + "'ductus data convert'")
    }
    if let count { specification.starter.count = count }
    if let seed { specification.starter.seed = seed }
    do {
      try write(specification)
    } catch let error as InkFormatError where error.code == .unwritableFile {
      throw ToolError.failed(String(describing: error))
    }
  }

  /// The number of inks between two checks for Ctrl-C.
  private static let stride = 256

  private func write(_ specification: DataSpecification) throws {
    let records = try specification.records()
    let expected = specification.limit ?? specification.starter.count
    let writer = output == "/dev/null" ? nil : try InkJSONLinesWriter(path: output)
    let interruption = Interruption.listen { [path = writer?.temporaryPath] in
      if let path { unlink(path) }
    }
    var progress = ProgressLine()
    let started = ContinuousClock.now
    var count = 0
    for element in records {
      let labeled = try element.get().labeled
      try writer?.write(labeled)
      count += 1
      guard count.isMultiple(of: Self.stride) else { continue }
      if interruption.isRaised {
        progress.clear()
        throw ToolError.interrupted(output)
      }
      progress.show(expected.map { Double(count) / Double(max(1, $0)) }, rate(count, started))
    }
    try writer?.finish(output, from: specification.origins())
    progress.clear()
    let text = "\(output): \(count) records made, \(rate(count, started))"
    if let writer { writer.say(text) } else { print(text) }
  }

  private func rate(_ count: Int, _ started: ContinuousClock.Instant) -> String {
    let seconds = max(1e-9, (ContinuousClock.now - started) / .seconds(1))
    return "\(Int(60 * Double(count) / seconds)) inks/minute"
  }
}

/// A script with a set of its characters.
private struct SetScript {
  /// The four-letter code (ISO 15924).
  var code: String
  /// The name of the set.
  var set: String

  static let all = [
    SetScript(code: "Arab", set: "arabic"), SetScript(code: "Armn", set: "armenian"),
    SetScript(code: "Cyrl", set: "cyrillic"), SetScript(code: "Geor", set: "georgian"),
    SetScript(code: "Grek", set: "greek"), SetScript(code: "Hebr", set: "hebrew"),
    SetScript(code: "Hira", set: "hiragana"), SetScript(code: "Jpan", set: "japanese"),
    SetScript(code: "Kana", set: "katakana"), SetScript(code: "Latn", set: "latin"),
  ]

  /// The script with a code or a name, or that of a language; nil for another one.
  static func named(_ name: String) -> SetScript? {
    let name = name.lowercased()
    if let found = all.first(where: { $0.code.lowercased() == name || $0.set == name }) {
      return found
    }
    let code = (try? LanguageTag(parsing: name))?.impliedScript
    return all.first { $0.code == code }
  }
}
