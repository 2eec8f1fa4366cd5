import CDuctus
import DuctusKit
import Foundation
import InstalledModels
import ModelFormat

/// The models that C can open: by name, by language and by path.
enum CLibrary {
  static func library() -> ModelLibrary { InstalledModels.library(takesPaths: true) }
}

/// A list of models in the form that C reads.
final class CModels: Sendable {
  struct Model: Sendable {
    let identifier: CText
    let name: CText
    let kind: CText
    let languages: CText
  }

  let models: [Model]

  init(_ descriptions: [ModelDescription]) {
    models = descriptions.map {
      Model(
        identifier: CText($0.identifier), name: CText($0.name), kind: CText($0.kind.rawValue),
        languages: CText($0.languages.map(\.description).joined(separator: " ")))
    }
  }
}

/// `ductus_models_list`.
@_cdecl("ductus_models_list")
package func ductusModelsList(_ error: UnsafeMutablePointer<OpaquePointer?>?) -> OpaquePointer? {
  do {
    let library = CLibrary.library()
    let models = library.models
    if models.isEmpty, let fault = library.fault { throw fault }
    return Handle.make(CModels(models.sorted { $0.identifier < $1.identifier }))
  } catch let fault {
    Handle.report(CError(fault), error)
    return nil
  }
}

/// `ductus_models_count`.
@_cdecl("ductus_models_count")
package func ductusModelsCount(_ models: OpaquePointer?) -> Int64 {
  Int64(Handle.object(models, CModels.self)?.models.count ?? 0)
}

/// `ductus_models_identifier`.
@_cdecl("ductus_models_identifier")
package func ductusModelsIdentifier(
  _ models: OpaquePointer?, _ index: Int64
) -> UnsafePointer<CChar>? {
  Handle.object(models, CModels.self)?.models[safe: index]?.identifier.pointer
}

/// `ductus_models_name`.
@_cdecl("ductus_models_name")
package func ductusModelsName(_ models: OpaquePointer?, _ index: Int64) -> UnsafePointer<CChar>? {
  Handle.object(models, CModels.self)?.models[safe: index]?.name.pointer
}

/// `ductus_models_kind`.
@_cdecl("ductus_models_kind")
package func ductusModelsKind(_ models: OpaquePointer?, _ index: Int64) -> UnsafePointer<CChar>? {
  Handle.object(models, CModels.self)?.models[safe: index]?.kind.pointer
}

/// `ductus_models_languages`.
@_cdecl("ductus_models_languages")
package func ductusModelsLanguages(
  _ models: OpaquePointer?, _ index: Int64
) -> UnsafePointer<CChar>? {
  Handle.object(models, CModels.self)?.models[safe: index]?.languages.pointer
}

/// `ductus_models_free`.
@_cdecl("ductus_models_free")
package func ductusModelsFree(_ models: OpaquePointer?) { Handle.free(models, CModels.self) }

/// `ductus_model_verify`.
@_cdecl("ductus_model_verify")
package func ductusModelVerify(
  _ model: UnsafePointer<CChar>?, _ signer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
  guard let name = CText.read(model), !name.isEmpty else {
    Handle.report(.argument("model: expected a name or a path in UTF-8, found none"), error)
    return -1
  }
  do {
    let bundle = try ModelBundle.open(CLibrary.library().url(of: name))
    signer?.pointee = bundle.signature.map { CText.copy($0.key.bytes.base64EncodedString()) }
    return 0
  } catch let fault {
    Handle.report(CError(fault), error)
    return -1
  }
}
