// swift-format-ignore-file
// The examples of docs/Training.md, written by scripts/doc-examples: change the page.

import Evaluation
import Foundation
import InkDatasets
import Training

func exampleTraining1(_ bundleURL: URL) async throws {
  let validation = [try DataSpecification(parsing: "ink:mine.jsonl?split=val")]
  let data = try LineTrainingData(
    training: [DataSpecification(parsing: "ink:mine.jsonl?split=train")], validation: validation)
  let trainer = try LineTrainer(
    configuration: LinePreset.base.configuration, training: data.training,
    validation: data.validation, workers: 4)
  var model = try trainer.train()
  try model.tune(on: validation)
  let figures = try ValidationFigures(of: model, on: validation)
  let manifest = TrainedManifest(trainer, on: data)
    .manifest(of: bundleURL, metrics: figures.metrics(of: bundleURL.path))
  _ = try model.bundle(manifest).write(to: bundleURL)
  _ = validation
  _ = data
  _ = trainer
  _ = model
  _ = figures
  _ = manifest
}
