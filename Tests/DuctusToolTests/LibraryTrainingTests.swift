import Evaluation
import Foundation
import InkDatasets
import ModelFormat
import Recognition
import Testing
import Training

/// Training from Swift writes the same bundle as the command.
@Suite(
  "A model that is trained from Swift and by the command", .serialized,
  .enabled(if: BuiltTool.found != nil, "the ductus binary is not beside the test bundle"))
final class LibraryTrainingTests {
  private let tool: BuiltTool
  private let folder: URL

  init() throws {
    tool = try #require(BuiltTool.found)
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("ductus-library-\(UInt64.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try "an\nin\non\nno\n".write(toFile: path("words.txt"), atomically: true, encoding: .utf8)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  /// The manifest without paths, times and command lines.
  private func manifest(_ name: String) throws -> ModelManifest {
    var manifest = try ModelBundle.open(URL(fileURLWithPath: path(name))).manifest
    (manifest.identifier, manifest.name) = ("", "")
    for index in manifest.metrics.indices {
      let command = manifest.metrics[index].command
      #expect(command.hasPrefix("ductus evaluate --model \(path(name)) "), "\(command)")
      manifest.metrics[index].command = command.replacingOccurrences(of: path(name), with: "")
    }
    let record = try #require(manifest.training)
    #expect(!record.command.isEmpty && !record.date.isEmpty && record.durationSeconds > 0)
    manifest.training?.command = ""
    manifest.training?.date = ""
    manifest.training?.durationSeconds = 0
    return manifest
  }

  private func weights(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path(name) + "/network.safetensors"))
  }

  private func expectSame() throws {
    let (command, library) = (try manifest("command.ductus"), try manifest("library.ductus"))
    #expect(library == command)
    #expect(try weights("library.ductus") == weights("command.ductus"))
  }

  @Test("Glyphs: the same manifest but for paths and times")
  func glyphs() throws {
    let data = "starter:characters?labels=[0-4]&count=400"
    let run = try tool.run(
      "train", "glyphs", "--data", data + "&split=train", "--validation", data + "&split=val",
      "--preset", "small", "--epochs", "2", "--batch-size", "32", "--workers", "2", "--output",
      path("command.ductus"))
    #expect(run.exitCode == 0, "\(run.errors)")

    let validation = [try DataSpecification(parsing: data + "&split=val")]
    let found = try GlyphTrainingData(
      training: [DataSpecification(parsing: data + "&split=train")], validation: validation)
    var configuration = GlyphPreset.small.configuration
    (configuration.epochs, configuration.batchSize) = (2, 32)
    (configuration.seed, configuration.precision) = (1, .fastest)
    let trainer = try GlyphTrainer(
      configuration: configuration, training: found.training, validation: found.validation,
      workers: 2)
    let model = try trainer.train()
    let bundle = folder.appendingPathComponent("library.ductus")
    let figures = try ValidationFigures(of: model, on: validation)
    let manifest = TrainedManifest(trainer, on: found)
      .manifest(of: bundle, metrics: figures.metrics(of: bundle.path))
    _ = try model.bundle(manifest).write(to: bundle)
    try expectSame()
  }

  @Test("Lines: the same tuned decoder, figures and manifest but for paths and times")
  func lines() throws {
    let data = "starter:words?words=\(path("words.txt"))&style=printed"
    let (train, val) = (data + "&split=train&limit=96", data + "&split=val&limit=16")
    let run = try tool.run(
      "train", "lines", "--data", train, "--validation", val, "--preset", "small", "--epochs", "1",
      "--workers", "2", "--output", path("command.ductus"))
    #expect(run.exitCode == 0, "\(run.errors)")

    let validation = [try DataSpecification(parsing: val)]
    let found = try LineTrainingData(
      training: [DataSpecification(parsing: train)], validation: validation)
    var configuration = LinePreset.small.configuration
    (configuration.epochs, configuration.seed, configuration.precision) = (1, 1, .fastest)
    let trainer = try LineTrainer(
      configuration: configuration, training: found.training, validation: found.validation,
      workers: 2)
    var model = try trainer.train()
    try model.tune(on: validation)
    let bundle = folder.appendingPathComponent("library.ductus")
    let figures = try ValidationFigures(of: model, on: validation)
    let manifest = TrainedManifest(trainer, on: found)
      .manifest(of: bundle, metrics: figures.metrics(of: bundle.path))
    _ = try model.bundle(manifest).write(to: bundle)
    try expectSame()
    #expect(try self.manifest("library.ductus").decoding?.count == 1)
  }
}
