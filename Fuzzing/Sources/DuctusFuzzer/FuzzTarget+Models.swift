import Foundation

@testable import ModelFormat
@testable import Networks

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
    // What was read can be written, and read again as the same.
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
}
