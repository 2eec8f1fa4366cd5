import CDuctus
import DuctusKit
import Exports
import Files
import Foundation

/// A file in the form that C reads.
final class CFile: @unchecked Sendable {
  // Unchecked because the memory never changes.
  let pointer: UnsafePointer<UInt8>
  let count: Int
  private let memory: UnsafeMutablePointer<UInt8>

  init(_ bytes: [UInt8]) {
    memory = .allocate(capacity: max(bytes.count, 1))
    memory.initialize(from: bytes, count: bytes.count)
    (pointer, count) = (UnsafePointer(memory), bytes.count)
  }

  deinit { memory.deallocate() }
}

/// `ductus_export_options_default`.
@_cdecl("ductus_export_options_default")
package func ductusExportOptionsDefault() -> ductus_export_options {
  var options = ductus_export_options()
  options.size = UInt64(MemoryLayout<ductus_export_options>.size)
  options.scale = .nan
  options.dpi = ExportOptions().dpi
  return options
}

/// The most inks of an export.
private let mostInks: Int64 = 10_000

/// `ductus_export`.
@_cdecl("ductus_export")
package func ductusExport(
  _ recognizer: OpaquePointer?, _ inks: UnsafePointer<OpaquePointer?>?, _ count: Int64,
  _ format: UnsafePointer<CChar>?, _ options: UnsafePointer<ductus_export_options>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> OpaquePointer? {
  do {
    guard let recognizer = Handle.object(recognizer, CRecognizer.self) else {
      throw CArgument("recognizer: expected a recogniser, found NULL")
    }
    guard (1...mostInks).contains(count), let inks else {
      throw CArgument("inks: expected 1 to \(mostInks) inks, found none or more")
    }
    let requests = try (0..<Int(count)).map { index in
      guard let ink = Handle.object(inks[index], CInk.self) else {
        throw CArgument("inks[\(index)]: expected an ink, found NULL")
      }
      return recognizer.request(ink.value)
    }
    guard let name = CText.read(format), let format = ExportFormat(named: name) else {
      throw CArgument("format: expected \(ExportFormat.list), found another text or NULL")
    }
    let (choices, scale) = try choices(options?.pointee)
    let export = RequestExport(
      service: recognizer.service, format: format, options: choices, scale: scale)
    return Handle.make(CFile(try export.bytes(of: requests)))
  } catch let fault as CArgument {
    Handle.report(.argument(fault.message), error)
  } catch let fault as ExportError {
    Handle.report(CError(fault.code, fault.description), error)
  } catch let fault {
    Handle.report(CError(fault), error)
  }
  return nil
}

/// An argument of C that cannot be used.
private struct CArgument: Error {
  let message: String
  init(_ message: String) { self.message = message }
}

private func choices(
  _ options: ductus_export_options?
) throws(CArgument) -> (options: ExportOptions, scale: Double?) {
  guard let options else { return (ExportOptions(title: ""), nil) }
  guard options.size == UInt64(MemoryLayout<ductus_export_options>.size) else {
    throw CArgument(
      "size: expected the size of ductus_export_options, found another; begin with "
        + "ductus_export_options_default()")
  }
  var title = ""
  if options.title != nil {
    guard let text = CText.read(options.title) else {
      throw CArgument("title: expected UTF-8, found other bytes")
    }
    title = text
  }
  guard options.dpi.isFinite, options.dpi > 0 else {
    throw CArgument("dpi: expected a number above 0, found \(options.dpi)")
  }
  guard options.scale.isNaN || (options.scale.isFinite && options.scale > 0) else {
    throw CArgument("scale: expected NAN or a number above 0, found \(options.scale)")
  }
  return (
    ExportOptions(
      title: title, withoutStruckWords: options.without_struck_words != 0,
      drawsInk: options.draws_ink != 0, dpi: options.dpi),
    options.scale.isNaN ? nil : options.scale
  )
}

extension ExportError {
  /// The code of an error of C.
  fileprivate var code: ductus_code {
    switch self {
    case .noCairo, .noJPEG, .failedPicture, .unwritableFile: DUCTUS_FAILED
    case .tooManyPixels, .tooLargePicture, .tooLarge: DUCTUS_TOO_LARGE
    case .unusableResolution, .nothing, .severalPages, .unknownEnding, .unusableInk:
      DUCTUS_INVALID_ARGUMENT
    }
  }
}

/// `ductus_file_bytes`.
@_cdecl("ductus_file_bytes")
package func ductusFileBytes(_ file: OpaquePointer?) -> UnsafePointer<UInt8>? {
  Handle.object(file, CFile.self)?.pointer
}

/// `ductus_file_size`.
@_cdecl("ductus_file_size")
package func ductusFileSize(_ file: OpaquePointer?) -> Int64 {
  Int64(Handle.object(file, CFile.self)?.count ?? 0)
}

/// `ductus_file_write`.
@_cdecl("ductus_file_write")
package func ductusFileWrite(
  _ file: OpaquePointer?, _ path: UnsafePointer<CChar>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
  guard let file = Handle.object(file, CFile.self) else {
    Handle.report(.argument("file: expected a file, found NULL"), error)
    return -1
  }
  guard let path = CText.read(path), !path.isEmpty else {
    Handle.report(.argument("path: expected a path in UTF-8, found none"), error)
    return -1
  }
  do throws(FileError) {
    let bytes = Data(UnsafeBufferPointer(start: file.pointer, count: file.count))
    try AtomicFile.write(bytes, to: path)
    return 0
  } catch let fault {
    let reason = String(cString: strerror(fault.code))
    let message = ExportError.unwritableFile(path: path, reason: reason).description
    Handle.report(CError(DUCTUS_FAILED, message), error)
    return -1
  }
}

/// `ductus_file_free`.
@_cdecl("ductus_file_free")
package func ductusFileFree(_ file: OpaquePointer?) { Handle.free(file, CFile.self) }
