import Files
import Foundation
import ModelFormat
import Recognition
import SafeTensors

/// Reads the files that ``OnnxExport`` writes back into bundles, with the same bits.
package enum OnnxImport {
  /// Makes the bundle of a file, ready to be written. Nothing of it is checked against the network
  /// yet: open the written bundle.
  ///
  /// - Parameters:
  ///   - bytes: The content of the file.
  ///   - path: The path of the bytes, for errors.
  /// - Throws: ``OnnxError``, `ModelFormatError` or `SafeTensorsError`.
  package static func bundle(_ bytes: [UInt8], path: String) throws -> ModelBundleWriter {
    let content: OnnxContent
    do throws(OnnxContent.Fault) {
      content = try OnnxContent(bytes)
    } catch {
      throw OnnxError.malformed(path: path, found: error.found)
    }
    guard let text = content.metadata[OnnxExport.manifestKey] else {
      throw OnnxError.foreign(path: path, found: "no manifest in its metadata")
    }
    let manifest: ModelManifest
    do throws(ModelFormatError.Reason) {
      manifest = try ModelManifest(parsing: Data(text.utf8))
    } catch {
      throw ModelFormatError(error, path: path)
    }
    var writer = ModelBundleWriter(manifest: manifest)
    let tensors = content.tensors.map {
      SafeTensors.Tensor(name: $0.name, dataType: .float16, shape: $0.shape, values: $0.values)
    }
    try writer.add(
      part: "network.safetensors", role: ModelManifest.Part.networkRole,
      data: SafeTensors(tensors: tensors).serialized())
    return writer
  }
}
