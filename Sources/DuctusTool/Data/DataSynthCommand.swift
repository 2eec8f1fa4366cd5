import ArgumentParser
import Foundation
import InkDatasets
import InkFormats

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

      Example:
        ductus data synth --data 'starter:words?style=joined' --count 1000 \\
          --output words.jsonl
      """)

  @Option(help: ArgumentHelp("The set, starter:NAME[?key=value&...].", valueName: "data"))
  var data: String

  @Option(name: .shortAndLong, help: ArgumentHelp("The file to write.", valueName: "file"))
  var output: String

  @Option(help: "Inks of all parts together; default: the count= of the data, or 20000.")
  var count: Int?

  @Option(help: "Random seed; default: the seed= of the data, or 1.")
  var seed: UInt64?

  package func validate() throws {
    try InkJSONLinesWriter.check(output: output)
    if let count, count < 0 { throw ValidationError("'--count' must be 0 or more") }
  }

  package func run() async throws {
    var specification = try DataSpecification(parsing: data)
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
