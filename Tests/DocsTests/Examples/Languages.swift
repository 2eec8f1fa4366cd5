// swift-format-ignore-file
// The examples of docs/Languages.md, written by scripts/doc-examples: change the page.

import DuctusKit
import Foundation
import PretrainedModels

func exampleLanguages1(_ manager: ModelManager) async throws {
  let models = CombinedModels([manager, try PretrainedModels()])
  let czech = DigitalInkRecognizer(model: "cs", provider: models)
  let both = DigitalInkRecognizer(model: "de,en", provider: models)
  let exact = try models.model(exactly: "pt-BR")     // nil: there is only pt
  let best = try models.model(for: "pt-BR")          // pt
  let known = try KnownLanguages.bestMatch(for: "pt-BR")
  _ = models
  _ = czech
  _ = both
  _ = exact
  _ = best
  _ = known
}
