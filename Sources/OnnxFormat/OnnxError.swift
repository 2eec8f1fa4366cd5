import Foundation

/// An ONNX file that cannot be written or read.
package enum OnnxError: Error, Hashable, CustomStringConvertible {
  /// ONNX has no form for a model.
  case notExpressible(model: String, reason: String)
  /// The file is no ONNX file, or is damaged.
  case malformed(path: String, found: String)
  /// The file is no export of this project.
  case foreign(path: String, found: String)

  /// The place, what was expected, what was found, and what to do.
  package var description: String {
    switch self {
    case .notExpressible(let model, let reason):
      "\(model): cannot be written as ONNX: \(reason); name a glyph model or a line model"
    case .malformed(let path, let found):
      "\(path): expected an ONNX file, found \(found); export the model once more"
    case .foreign(let path, let found):
      "\(path): expected a file of 'ductus models export', found \(found); networks of other "
        + "programs cannot be imported, because their features are not known"
    }
  }
}

extension OnnxError: LocalizedError {
  /// The text of `localizedDescription`: ``description``.
  package var errorDescription: String? { description }
}
