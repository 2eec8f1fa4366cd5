import Foundation
import LanguageModels
import ModelFormat
import ModelStore
import OnnxFormat
import Recognition
import SafeTensors

extension FuzzTarget {
  static func safeTensors(_ bytes: [UInt8], _ canary: Canary) {
    guard let file = try? SafeTensors(bytes: Data(bytes)) else { return }
    for tensor in file.tensors {
      precondition(tensor.values.allSatisfy(\.isFinite), "a weight is not finite")
      canary.see(tensor.name)
    }
    for (key, value) in file.metadata {
      canary.see(key)
      canary.see(value)
    }
  }

  static func strictJSON(_ bytes: [UInt8], _ canary: Canary) {
    guard let value = try? JSONValue(parsing: Data(bytes)) else { return }
    see(value, canary)
    // A value that was read can be written, and read again unchanged.
    guard let written = try? JSONEncoder().encode(value) else {
      preconditionFailure("a value that was read cannot be written")
    }
    precondition((try? JSONValue(parsing: written)) == value, "a value changed on its way")
  }

  private static func see(_ value: JSONValue, _ canary: Canary) {
    switch value {
    case .string(let text): canary.see(text)
    case .array(let elements): for element in elements { see(element, canary) }
    case .object(let members): for member in members.values { see(member, canary) }
    default: break
    }
  }

  static func manifest(_ bytes: [UInt8], _ canary: Canary) {
    guard let manifest = try? ModelManifest(parsing: Data(bytes)) else { return }
    canary.see(manifest.name)
    guard let written = try? manifest.serialized() else {
      preconditionFailure("a manifest that was read cannot be written")
    }
    precondition((try? ModelManifest(parsing: written)) == manifest, "a manifest changed")
  }

  static func catalog(_ bytes: [UInt8], _ canary: Canary) {
    guard let catalog = try? Catalog(parsing: Data(bytes)) else { return }
    for entry in catalog.entries {
      canary.see(entry.name)
      _ = entry.description
    }
    _ = try? catalog.entry(for: "en-US")
    guard let written = try? catalog.serialized() else {
      preconditionFailure("a catalogue that was read cannot be written")
    }
    precondition((try? Catalog(parsing: written)) == catalog, "a catalogue changed")
  }

  static func languageTag(_ bytes: [UInt8], _ canary: Canary) {
    guard let tag = try? LanguageTag(parsing: String(decoding: bytes, as: UTF8.self)) else {
      return
    }
    precondition(
      (try? LanguageTag(parsing: tag.description)) == tag, "a tag changed on its way")
    // Tags are in lower case.
    canary.see((tag.privateUse ?? "").uppercased())
    _ = LanguageIndex([tag], tags: { [$0] }).bestMatches(for: tag)
  }

  static func languageModel(_ bytes: [UInt8], _ canary: Canary) {
    guard let model = try? LanguageModel(bytes: bytes) else { return }
    var state = model.start
    for scalar in "The quick, brown".unicodeScalars {
      let step = model.advance(state, model.symbols.symbol(of: scalar))
      precondition(!step.logProbability.isNaN, "a probability is not a number")
      state = step.state
    }
    // The weights may be any finite numbers, and so may contain any text.
    canary.see(String(decoding: bytes, as: UTF8.self))
  }

  /// The file of `ductus models import`: tensors, and the manifest in the metadata.
  static func onnx(_ bytes: [UInt8], _ canary: Canary) {
    guard let content = try? OnnxContent(bytes) else { return }
    for tensor in content.tensors {
      precondition(
        tensor.shape.reduce(1, *) == tensor.values.count, "a tensor has another shape")
      canary.see(tensor.name)
    }
    for (key, value) in content.metadata {
      canary.see(key)
      canary.see(value)
      _ = try? ModelManifest(parsing: Data(value.utf8))
    }
    let tensors = content.tensors.map {
      SafeTensors.Tensor(name: $0.name, dataType: .float16, shape: $0.shape, values: $0.values)
    }
    guard let written = try? SafeTensors(tensors: tensors).serialized() else { return }
    // Weights that are not finite in half precision are refused when the bundle is opened.
    if let read = try? SafeTensors(bytes: written) {
      precondition(read.tensors.count == tensors.count, "a tensor was lost")
    }
  }
}
