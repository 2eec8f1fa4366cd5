import ArgumentParser
import Evaluation
import Files
import Foundation
import InkDatasets
import ModelFormat
import Recognition
import Training

/// `ductus models average`.
package struct ModelsAverageCommand: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "average",
    abstract: "Average the weights of line models.",
    discussion: """
      Averaging a model and one that continues from it (ductus train lines --from) often \
      generalises better than either; one may have narrower layers or fewer symbols. Models that were trained \
      independently cannot be averaged. Language models and character models are left out: add \
      them with 'ductus models pack' and tune the result.

      Example:
        ductus models average english.ductus further.ductus \\
          --validation 'iam-ondb:iam-ondb?split=val1' --output mean.ductus
      """)

  @Argument(help: ArgumentHelp("Two or more bundles or installed models.", valueName: "model"))
  var models: [String]

  @Option(help: ArgumentHelp("Data to score the result on; repeatable.", valueName: "data"))
  var validation: [String]

  @Option(
    help: ArgumentHelp(
      "The share of each model, such as 1,2; default: equal shares.", valueName: "numbers"))
  var shares: String?

  @Option(help: ArgumentHelp("The folder to write, NAME.ductus.", valueName: "folder"))
  var output: String

  private var parsedShares: [Float]? {
    shares.map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map { Float($0) ?? -1 }
    }
  }

  package func validate() throws {
    guard models.count > 1 else {
      throw ValidationError("\(models[0]): expected two models or more, found one")
    }
    if let parsed = parsedShares,
      parsed.count != models.count || !parsed.allSatisfy({ $0 >= 0 && $0.isFinite })
        || !parsed.contains(where: { $0 > 0 })
    {
      throw ValidationError(
        "--shares \(shares ?? ""): expected \(models.count) numbers of 0 or more, not all 0")
    }
  }

  package func run() throws {
    let url = URL(fileURLWithPath: output)
    try TrainingOutput.check(url, named: output)
    let validation = try validation.map {
      try DataSpecification(parsing: $0).withDefaultSplit(.val)
    }
    let inputs = try models.map { try ModelLibrary.local.url(of: $0) }
    guard !inputs.contains(where: { $0.standardizedFileURL.path == url.standardizedFileURL.path })
    else { throw ToolError.averageOverInput(output) }
    let opened = try inputs.map { try OpenModel.open($0) }
    let (bundles, parts) = (opened.map(\.bundle), try opened.map { try $0.line() })
    guard var model = LineModel.average(of: parts, shares: parsedShares),
      let widest = zip(bundles, parts).first(where: {
        $1.network.architecture == model.network.architecture
      })?.0
    else {
      throw ToolError.unlikeModels(models)
    }
    try model.tune(on: validation)
    let figures = try ValidationFigures(of: model, on: validation)
    guard let figure = figures.headline else { throw ToolError.noLabelledInk(self.validation) }
    let manifest = manifest(widest.manifest, bundles, figures, at: url)
    let written = try model.bundle(manifest).write(to: url)
    print(
      "\(output): \(written.byteCount / 1000) kB, "
        + String(format: "\(figure.name) %.2f %%", 100 * figure.value))
  }

  /// The manifest of the model whose layers the average has, with the data of all models and new
  /// figures.
  private func manifest(
    _ widest: ModelManifest, _ bundles: [ModelBundle], _ figures: ValidationFigures,
    at url: URL
  ) -> ModelManifest {
    var result = widest
    (result.identifier, result.name) = (url.modelIdentifier, url.modelName)
    (result.version, result.languages) = (nil, [])
    result.data = bundles.flatMap(\.manifest.data).reduce(into: []) { all, source in
      if !all.contains(source) { all.append(source) }
    }
    result.metrics = figures.metrics(of: output)
    result.training?.command = ShellQuoting.command(Array(CommandLine.arguments.dropFirst()))
    result.training?.validationHash = figures.dataHash
    return result
  }
}

extension ToolError {
  /// The error if the output would replace an input.
  fileprivate static func averageOverInput(_ output: String) -> ToolError {
    .badInput(
      "\(output): this is one of the models; choose another folder for --output")
  }

  /// The error for models that cannot be averaged.
  fileprivate static func unlikeModels(_ models: [String]) -> ToolError {
    .badInput(
      "\(models.joined(separator: ", ")): expected equal symbols, features and layers, "
        + "except for width; average a model and another that was trained further from it")
  }
}
