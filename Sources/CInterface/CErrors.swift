import CDuctus
import Foundation
import InkCore
import InkFormats
import ModelFormat
import Recognition

/// An error in the form that C reads: a code and a message.
final class CError {
  let code: ductus_code
  let message: CText

  init(_ code: ductus_code, _ message: String) {
    self.code = code
    self.message = CText(message)
  }

  /// Makes the error of an argument.
  static func argument(_ message: String) -> CError { CError(DUCTUS_INVALID_ARGUMENT, message) }

  /// Makes an error from that of a library.
  convenience init(_ error: any Error) {
    switch error {
    case let error as ExchangeError: self.init(Self.code(of: error.code), error.description)
    case is RecognitionError: self.init(DUCTUS_UNKNOWN_MODEL, "\(error)")
    case is InkFormatError: self.init(DUCTUS_UNREADABLE_FILE, "\(error)")
    case is InkError: self.init(DUCTUS_INVALID_ARGUMENT, "\(error)")
    default: self.init(DUCTUS_UNUSABLE_MODEL, "\(error)")
    }
  }

  private static func code(of code: ExchangeError.Code) -> ductus_code {
    switch code {
    case .malformedJSON, .missingField, .unknownField, .invalidValue, .unknownLexicon:
      DUCTUS_INVALID_ARGUMENT
    case .tooLarge: DUCTUS_TOO_LARGE
    case .unknownModel: DUCTUS_UNKNOWN_MODEL
    case .unusableModel: DUCTUS_UNUSABLE_MODEL
    case .notFound, .methodNotAllowed, .unsupportedMediaType, .forbidden, .unauthorized, .busy,
      .timedOut, .failed:
      DUCTUS_FAILED
    }
  }
}

/// A text in memory that C may read as long as this object lives.
final class CText: @unchecked Sendable {
  // Unchecked because the memory never changes.
  let pointer: UnsafePointer<CChar>
  private let memory: UnsafeMutablePointer<CChar>

  init(_ text: String) {
    memory = CText.copy(text)
    pointer = UnsafePointer(memory)
  }

  deinit { free(memory) }

  /// Returns a copy that `free` releases; it ends at the first zero byte of the text.
  static func copy(_ text: String) -> UnsafeMutablePointer<CChar> { strdup(text) }

  /// Reads a text of C; nil for NULL and for bytes that are not UTF-8.
  static func read(_ pointer: UnsafePointer<CChar>?) -> String? {
    pointer.flatMap { String(validatingCString: $0) }
  }
}

/// Conversions between objects and the pointers that C holds, each of which owns one reference.
enum Handle {
  /// Passes an object to C.
  static func make(_ object: some AnyObject) -> OpaquePointer {
    OpaquePointer(Unmanaged.passRetained(object).toOpaque())
  }

  /// Returns the object of a handle; nil for NULL.
  static func object<Object: AnyObject>(
    _ handle: OpaquePointer?, _ type: Object.Type = Object.self
  ) -> Object? {
    handle.map { Unmanaged<Object>.fromOpaque(UnsafeRawPointer($0)).takeUnretainedValue() }
  }

  /// Releases an object of C; does nothing for NULL.
  static func free<Object: AnyObject>(_ handle: OpaquePointer?, _ type: Object.Type) {
    guard let handle else { return }
    Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).release()
  }

  /// Stores a new error if the caller asked for one.
  static func report(_ error: CError, _ target: UnsafeMutablePointer<OpaquePointer?>?) {
    target?.pointee = make(error)
  }
}

/// `ductus_error_code`.
@_cdecl("ductus_error_code")
package func ductusErrorCode(_ error: OpaquePointer?) -> Int32 {
  Handle.object(error, CError.self).map { Int32($0.code.rawValue) } ?? 0
}

private let noText = CText("")

/// `ductus_error_message`.
@_cdecl("ductus_error_message")
package func ductusErrorMessage(_ error: OpaquePointer?) -> UnsafePointer<CChar> {
  Handle.object(error, CError.self)?.message.pointer ?? noText.pointer
}

/// `ductus_error_free`.
@_cdecl("ductus_error_free")
package func ductusErrorFree(_ error: OpaquePointer?) {
  Handle.free(error, CError.self)
}

/// `ductus_string_free`.
@_cdecl("ductus_string_free")
package func ductusStringFree(_ string: UnsafeMutablePointer<CChar>?) {
  free(string)
}

/// `ductus_abi_version`.
@_cdecl("ductus_abi_version")
package func ductusABIVersion() -> Int32 { DUCTUS_ABI_VERSION }

private let version = CText("0.1.0")

/// `ductus_version`.
@_cdecl("ductus_version")
package func ductusVersion() -> UnsafePointer<CChar> { version.pointer }
