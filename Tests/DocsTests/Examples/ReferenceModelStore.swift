// swift-format-ignore-file
// The examples of Sources/ModelStore/ModelStore.docc/ModelStore.md, written by scripts/doc-examples: change the page.

import DuctusKit
import Foundation

func exampleReferenceModelStore1(_ catalogURL: URL, _ keyURL: URL) async throws {
  let publisherKey = try VerifyingKey(contentsOf: keyURL)
  let manager = try ModelManager(
    storage: ModelManager.defaultStorage, catalog: catalogURL, trustedKeys: [publisherKey])
  for try await event in manager.download("latin-lines") {
    if case .downloading(let progress) = event.state { print(progress.fraction) }
  }
  let recognizer = DigitalInkRecognizer(model: "en-US", provider: manager)
  _ = publisherKey
  _ = manager
  _ = recognizer
}
