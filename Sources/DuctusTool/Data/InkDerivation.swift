import InkCore
import InkDatasets
import InkFormats

/// Writes inks that are made from labelled ones to a file, with progress on the terminal.
package struct InkDerivation {
  /// The file to write.
  let output: String
  /// The data as it was named, for errors.
  let data: [String]
  /// What the new inks are, for errors.
  let unit: String

  /// The inks that were read, and what became of them.
  struct Counts {
    /// Inks that were read.
    var inks = 0
    /// New inks.
    var written = 0
    /// Inks from which none was made.
    var unused = 0
    /// Records that could not be read, or whose ink is unusable.
    var leftOut = 0
  }

  /// Writes what a body makes of each ink.
  ///
  /// - Parameters:
  ///   - specifications: The data.
  ///   - note: Words about the counts, for the line at the end.
  ///   - body: Makes new inks of the ink with a number, from 1.
  /// - Throws: ``ToolError`` or the errors of the body.
  func run(
    _ specifications: [DataSpecification], note: (Counts) -> String,
    _ body: (_ ink: LabeledInk, _ number: Int) throws -> [LabeledInk]
  ) throws {
    let origins = try specifications.origins()
    let sources = try specifications.map { try $0.records() }
    do {
      let writer = try InkJSONLinesWriter(path: output)
      let counts = try write(sources, to: writer, body)
      try writer.finish(output, from: origins)
      writer.say(
        "\(output): \(counts.written)\(note(counts)), \(counts.leftOut) bad records left out")
    } catch let error as InkFormatError where error.code == .unwritableFile {
      throw ToolError.failed(String(describing: error))
    }
  }

  private func write(
    _ sources: [DataRecords], to writer: InkJSONLinesWriter,
    _ body: (LabeledInk, Int) throws -> [LabeledInk]
  ) throws -> Counts {
    let interruption = writer.listenForInterruption()
    var progress = EvaluationProgress(unit: "inks")
    var failures = FailurePrinter()
    var counts = Counts()
    for source in sources {
      for element in source {
        if interruption?.isRaised == true {
          progress.clear()
          throw ToolError.interrupted(output)
        }
        let labeled: LabeledInk
        do throws(InkFormatError) {
          labeled = try element.get().labeled
        } catch {
          failures.add(error)
          counts.leftOut += 1
          continue
        }
        counts.inks += 1
        do {
          let made = try body(labeled, counts.inks)
          for ink in made { try writer.write(ink) }
          counts.written += made.count
          if made.isEmpty { counts.unused += 1 }
        } catch is InkError {
          counts.leftOut += 1
        }
        progress.show(counts.inks)
      }
    }
    progress.clear()
    failures.finish()
    sources.forEach { $0.tellMismatches() }
    guard counts.written > 0 else {
      throw ToolError.nothingToWrite(output, data: data, unit: unit, leftOut: counts.leftOut)
    }
    return counts
  }
}
