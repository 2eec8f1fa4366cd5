// swift-format-ignore-file
// The examples of docs/Training.md, written by scripts/doc-examples: change the page.

import Foundation
import InkDatasets
import Training

func exampleTraining1() async throws {
  let data = try GlyphTrainingData(
    training: [DataSpecification(parsing: "ink:mine.jsonl?split=train")],
    validation: [DataSpecification(parsing: "ink:mine.jsonl?split=val")])
  let trainer = try GlyphTrainer(
    configuration: GlyphPreset.standard.configuration, training: data.training,
    validation: data.validation, workers: 4)
  let model = try trainer.train()
  _ = data
  _ = trainer
  _ = model
}
