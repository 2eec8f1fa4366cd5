import CDuctus
import DuctusKit
import Foundation
import ModelFormat
import PretrainedModels

/// The models that C can open by name.
struct NamedModels: BundleFinder {
  /// Returns the installed models, followed by those that came with the library.
  static func provider() throws -> any ModelProvider {
    var providers: [any ModelProvider] = []
    let store = ModelManager.defaultStorage
    // A manager creates its folder, so use one only if the store exists.
    if FileManager.default.fileExists(atPath: store.path) {
      providers.append(try ModelManager(storage: store))
    }
    do {
      providers.append(try PretrainedModels())
    } catch  where !providers.isEmpty {
      // A library without its own models still offers the installed ones.
    }
    return CombinedModels(providers)
  }

  /// Names the places where packs find the parts that they share; it does so once.
  private static let findsSharedParts: Void = SharedParts.add {
    [try? PretrainedModels.shippedFolder(), ModelManager.defaultStorage].compactMap { $0 }
  }

  func bundle(of name: String) throws -> URL? {
    _ = Self.findsSharedParts
    if name.contains("/") || name.hasSuffix(".ductus") { return URL(fileURLWithPath: name) }
    return try ProvidedBundles(try Self.provider()).bundle(of: name)
  }
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
public func ductusModelsList(_ error: UnsafeMutablePointer<OpaquePointer?>?) -> OpaquePointer? {
  do {
    let models = try NamedModels.provider().models
    return Handle.make(CModels(models.sorted { $0.identifier < $1.identifier }))
  } catch let fault {
    Handle.report(CError(fault), error)
    return nil
  }
}

/// `ductus_models_count`.
@_cdecl("ductus_models_count")
public func ductusModelsCount(_ models: OpaquePointer?) -> Int64 {
  Int64(Handle.object(models, CModels.self)?.models.count ?? 0)
}

/// `ductus_models_identifier`.
@_cdecl("ductus_models_identifier")
public func ductusModelsIdentifier(
  _ models: OpaquePointer?, _ index: Int64
) -> UnsafePointer<CChar>? {
  Handle.object(models, CModels.self)?.models[safe: index]?.identifier.pointer
}

/// `ductus_models_name`.
@_cdecl("ductus_models_name")
public func ductusModelsName(_ models: OpaquePointer?, _ index: Int64) -> UnsafePointer<CChar>? {
  Handle.object(models, CModels.self)?.models[safe: index]?.name.pointer
}

/// `ductus_models_kind`.
@_cdecl("ductus_models_kind")
public func ductusModelsKind(_ models: OpaquePointer?, _ index: Int64) -> UnsafePointer<CChar>? {
  Handle.object(models, CModels.self)?.models[safe: index]?.kind.pointer
}

/// `ductus_models_languages`.
@_cdecl("ductus_models_languages")
public func ductusModelsLanguages(
  _ models: OpaquePointer?, _ index: Int64
) -> UnsafePointer<CChar>? {
  Handle.object(models, CModels.self)?.models[safe: index]?.languages.pointer
}

/// `ductus_models_free`.
@_cdecl("ductus_models_free")
public func ductusModelsFree(_ models: OpaquePointer?) { Handle.free(models, CModels.self) }

/// `ductus_model_verify`.
@_cdecl("ductus_model_verify")
public func ductusModelVerify(
  _ model: UnsafePointer<CChar>?, _ signer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
  guard let name = CText.read(model), !name.isEmpty else {
    Handle.report(.argument("model: expected a name or a path in UTF-8, found none"), error)
    return -1
  }
  do {
    guard let url = try NamedModels().bundle(of: name) else {
      throw RecognitionError.modelNotDownloaded(name)
    }
    let bundle = try ModelBundle.open(url)
    signer?.pointee = bundle.signature.map { CText.copy($0.key.bytes.base64EncodedString()) }
    return 0
  } catch let fault {
    Handle.report(CError(fault), error)
    return -1
  }
}
