// swift-format-ignore-file
// The examples of docs/Shipping.md, written by scripts/doc-examples: change the page.

import DuctusKit
import Foundation

func exampleShipping1(_ bundleURL: URL) async throws {
  let opened = try OpenModel.open(bundleURL)
  let recognizer = try opened.recognizer()
  _ = opened
  _ = recognizer
}

func exampleShipping2(_ catalogURL: URL, _ keyURL: URL) async throws {
  let publisherKey = try VerifyingKey(contentsOf: keyURL)
  let manager = try ModelManager(
    storage: ModelManager.defaultStorage, catalog: catalogURL, trustedKeys: [publisherKey])
  for try await event in manager.download("latin") {
    if case .downloading(let progress) = event.state { print(progress.fraction) }
  }
  let recognizer = DigitalInkRecognizer(model: "en-US", provider: manager)
  _ = publisherKey
  _ = manager
  _ = recognizer
}
