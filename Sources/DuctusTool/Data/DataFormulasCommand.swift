import ArgumentParser
import Files
import FormulaTraining
import Formulas
import Foundation
import InkDatasets

/// `ductus data formulas`: composes labelled formulas.
package struct DataFormulasCommand: AsyncParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "formulas",
    abstract: "Compose handwritten formulas, with their symbols and structure.",
    discussion: """
      A grammar and a list of laws give the formulas. Each has the symbols of one writer, in the \
      places and with the slips of a hand. With --data, two of three formulas have the letters and \
      digits of a person of that data who wrote 15 or more small letters; what the person did not \
      write, and the rest of the formulas, come from virtual writers.

      FOLDER gets an InkML file for each formula: traces, a group for each symbol, LaTeX, and MathML \
      that the groups refer to. Train with it as inkml:FOLDER?unit=formula. Licence and attribution \
      go to FOLDER.sources.json.

      Example:
        ductus data formulas --data 'unipen:unipen?category=1a,1b,1c,1d&area=text&split=train' \\
          --count 10000 --output composed
      """)

  @Option(
    help: ArgumentHelp(
      "Single characters with writing areas, FORMAT:PATH[?key=value&...]; repeatable.",
      valueName: "data"))
  var data: [String] = []

  @Option(
    help: ArgumentHelp(
      "A text file with a formula in LaTeX in each line, in place of the built-in laws; repeatable.",
      valueName: "file"))
  var latex: [String] = []

  @Option(help: ArgumentHelp("The number of formulas.", valueName: "number"))
  var count = 1000

  @Option(help: "The seed of the formulas, the writers and the ink.")
  var seed: UInt64 = 1

  @Option(help: ArgumentHelp("The folder to write; it must not exist.", valueName: "folder"))
  var output: String

  package func validate() throws {
    guard (1...1_000_000).contains(count) else {
      throw ValidationError("--count: expected 1 to 1000000")
    }
  }

  package func run() async throws {
    guard !FileManager.default.fileExists(atPath: output) else {
      throw ToolError.badInput("\(output): expected a new folder, found one that exists")
    }
    let specifications = try data.map { try DataSpecification(parsing: $0) }
    var origins = try specifications.origins()
    origins.append(
      DataOrigin(
        name: "Composed formulas", licence: "Apache-2.0", attribution: "ink made by Ductus"))
    let laws = try latex.isEmpty ? FormulaGrammar.laws() : latex.flatMap(Self.lines)
    var grammar = try FormulaGrammar(laws: laws, seed: seed)
    let composer = try FormulaComposer(letters: try specifications.labeledInk())
    guard data.isEmpty || composer.peopleCount > 0 else {
      throw ToolError.badInput(
        "\(data.joined(separator: " ")): no writer has 15 of the letters from a to z with "
          + "writing areas; take more data, or area=text for UNIPEN")
    }
    let hands = FormulaHands(people: composer.peopleCount, formulas: count, seed: seed)
    // The folder appears when all files are in it.
    let partial = output + ".part"
    try? FileManager.default.removeItem(atPath: partial)
    try FileManager.default.createDirectory(atPath: partial, withIntermediateDirectories: true)
    let interruption = Interruption.listen {
      try? FileManager.default.removeItem(atPath: partial)
    }
    var progress = EvaluationProgress(unit: "formulas")
    var (written, tries) = (0, 0)
    while written < count, tries < 20 * count {
      if interruption.isRaised {
        progress.clear()
        throw ToolError.interrupted(output)
      }
      tries += 1
      let name = "formula-\(written)"
      let record = composer.formula(
        grammar.next(), name: name, hand: hands.hand(of: written), seed: seed)
      guard let record, let text = FormulaFileWriter.text(of: record) else { continue }
      try AtomicFile.write(Data(text.utf8), to: "\(partial)/\(name).inkml")
      written += 1
      progress.show(written)
    }
    progress.clear()
    try DataOrigin.write(origins, besideInk: output)
    try FileManager.default.moveItem(atPath: partial, toPath: output)
    print(
      "\(output): \(written) formulas of \(hands.count) writers, "
        + "\(composer.peopleCount) of them people")
  }

  private static func lines(_ path: String) throws -> [String] {
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw ToolError.badInput("\(path): cannot be read; give a text file with a formula per line")
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
      .filter { !$0.hasPrefix("// ") }
    for (index, line) in lines.enumerated() {
      do {
        _ = try Formula(latex: line)
      } catch {
        throw ToolError.badInput("\(path):\(index + 1): \(error)")
      }
    }
    return lines
  }
}
