import Foundation
import LanguageModels
import ModelFormat
import Recognition

/// The language models to read with: those that were given, or else the bundle's own.
struct ChosenLanguageModel {
  let model: LanguageModel
  /// Orders the best readings anew; nil where there is none.
  let recurrent: RecurrentLanguageModel?
  /// Bytes of all their files.
  let byteCount: Int
  private let sha256: String
  private let recurrentSHA256: String?

  /// Opens what was named.
  ///
  /// - Parameters:
  ///   - path: Of a language model; nil for the bundle's.
  ///   - recurrentPath: Of a recurrent one; nil for the bundle's, which goes with the bundle's other
  ///     one alone.
  /// - Returns: nil where neither the user nor the bundle has a language model.
  init?(_ path: String?, recurrent recurrentPath: String? = nil, of bundle: ModelBundle) throws {
    if let path {
      let file = try LanguageModelFile(contentsOf: path)
      (model, sha256) = (file.model, file.sha256)
    } else {
      let part = BundleRecognizer.part(BundleRecognizer.languageRole, of: bundle)
      guard let part, let own = try BundleRecognizer.languageModel(of: bundle) else { return nil }
      (model, sha256) = (own, part.sha256)
    }
    if let recurrentPath {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: recurrentPath))
      recurrent = try RecurrentLanguageModel(bytes: bytes, path: recurrentPath)
      recurrentSHA256 = ModelBundle.sha256(bytes)
      byteCount = model.byteCount + bytes.count
    } else {
      let part =
        path == nil ? BundleRecognizer.part(BundleRecognizer.recurrentRole, of: bundle) : nil
      recurrent = try part.flatMap { _ in try BundleRecognizer.recurrentModel(of: bundle) }
      recurrentSHA256 = part?.sha256
      byteCount = model.byteCount + (part?.length ?? 0)
    }
  }

  /// The key of a line model's numbers for these language models.
  var key: String {
    LineModel.decodingKey(languageModel: sha256, recurrentModel: recurrentSHA256)
  }

  /// What a model was tuned to for these language models.
  func configuration(of model: LineModel) -> DecoderConfiguration? {
    model.decoding(languageModel: sha256, recurrentModel: recurrentSHA256)
  }
}
