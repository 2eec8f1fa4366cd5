import ArgumentParser
import Foundation
import ModelFormat
import OnnxFormat
import Recognition

/// `ductus models import`.
package struct ModelsImportCommand: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Make a model of an ONNX file that 'models export' wrote.",
    discussion: """
      The network gets the same bits. Language models and character models are not in ONNX files: \
      add them with 'ductus models pack'. Networks of other programs cannot be imported, because \
      their features are not known.

      Example:
        ductus models import lines.onnx --output lines.ductus
      """)

  @Argument(help: ArgumentHelp("The file to read, NAME.onnx.", valueName: "file"))
  var file: String

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The folder to write, NAME.ductus.", valueName: "dir"))
  var output: String

  package func run() throws {
    let url = URL(fileURLWithPath: output)
    try TrainingOutput.check(url, named: output)
    guard let bytes = FileManager.default.contents(atPath: file) else {
      throw ToolError.badInput("\(file): expected an ONNX file, found no readable file")
    }
    let writer = try OnnxImport.bundle([UInt8](bytes), path: file)
    // A bundle whose parts do not match never appears at the place of the output.
    let draft = FileManager.default.temporaryDirectory
      .appendingPathComponent("ductus-import-\(UUID().uuidString).ductus")
    defer { try? FileManager.default.removeItem(at: draft) }
    do {
      _ = try OpenModel(writer.write(to: draft))
    } catch let error as ModelError {
      throw OnnxError.malformed(
        path: file, found: "a network that does not match its description (\(error))")
    }
    let written = try writer.write(to: url)
    print(
      "\(output): \(written.manifest.identifier) version \(written.manifest.modelVersion), "
        + "\(written.byteCount / 1000) kB")
  }
}
