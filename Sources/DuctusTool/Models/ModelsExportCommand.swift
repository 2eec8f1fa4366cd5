import ArgumentParser
import Foundation
import InkDatasets
import ModelFormat
import OnnxFormat
import Recognition

/// `ductus models export`.
package struct ModelsExportCommand: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write the network of a model for other runtimes.",
    discussion: """
      Writes NAME.onnx, and NAME.json beside it with the inputs, the outputs, the labels and the \
      features. The features are computed outside of the network; Examples/python/read_onnx.py \
      does it for lines. Language models, character models and the search are not in the file. \
      --examples also writes NAME.examples.safetensors: the inputs and outputs of the network for \
      some inks, to check another runtime with.

      Example:
        ductus models export latin-lines --format onnx --output lines.onnx
      """)

  /// The formats of networks.
  package enum Format: String, ExpressibleByArgument, CaseIterable {
    case onnx
  }

  @Argument(help: ArgumentHelp("A bundle, or an installed model.", valueName: "model"))
  var model: String

  @Option(help: "The format of the file.")
  var format: Format

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The file to write, NAME.onnx.", valueName: "file"))
  var output: String

  @Option(
    help: ArgumentHelp(
      "Also write what the network makes of these inks; repeatable.", valueName: "data"))
  var examples: [String] = []

  package func validate() throws {
    guard output.hasSuffix(".onnx"), output != ".onnx" else {
      throw ValidationError("--output \(output): expected NAME.onnx")
    }
    try OutputFile(path: output, option: "--output").check()
  }

  package func run() throws {
    guard !ProgramOptions.isProgram(model) else {
      throw OnnxError.notExpressible(model: model, reason: "it is a program, not a network")
    }
    for suffix in [".ngram", ".safetensors"] where model.hasSuffix(suffix) {
      throw OnnxError.notExpressible(model: model, reason: "it is a language model")
    }
    let opened = try ModelLibrary.local.open(model)
    let export = try OnnxExport(of: opened)
    let examples = try exampleBytes(opened)
    let name = String(output.dropLast(".onnx".count))
    try OutputFile.write(Data(export.file), to: output)
    try OutputFile(path: name + ".json", option: "--output").write(json: export.description)
    if let examples {
      try OutputFile.write(examples, to: name + ".examples.safetensors")
    }
    var text =
      "\(output): \(export.file.count / 1000) kB, opset \(export.description.opset), "
      + "described in \(name).json"
    if !export.leftOut.isEmpty {
      text += "; not in it: \(export.leftOut.joined(separator: ", "))"
    }
    print(text)
  }

  /// The examples as a file; nil if none are asked for.
  private func exampleBytes(_ model: OpenModel) throws -> Data? {
    guard !examples.isEmpty else { return nil }
    var result = OnnxExamples(of: model)
    for name in examples {
      for case .success(let record) in try DataSpecification(parsing: name).records() {
        try result.add(record.labeled.ink, area: record.labeled.writingArea)
      }
    }
    guard result.count > 0 else { throw ToolError.noLabelledInk(examples) }
    return try result.serialized()
  }
}
