import Foundation

/// An error in a safetensors file, with the path of the file.
@usableFromInline
package struct SafeTensorsError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problem. Offsets and lengths are in bytes. Offsets in the header count from its `{`,
  /// offsets of tensors from the end of the header.
  @usableFromInline package enum Reason: Error, Hashable, Sendable {
    /// The file is shorter than its 8-byte length field.
    case tooShort(bytes: Int)
    /// The header is declared longer than ``SafeTensors/maximumHeaderLength``.
    case headerTooLong(declared: UInt64, maximum: Int)
    /// The declared header reaches beyond the end of the file.
    case headerBeyondEnd(declared: Int, available: Int)
    /// The header is not JSON of the expected form.
    case malformedHeader(offset: Int, expected: String)
    /// A key occurs twice in one object of the header.
    case duplicateKey(String)
    /// A tensor lacks `dtype`, `shape` or `data_offsets`.
    case missingField(tensor: String, field: String)
    /// A tensor has a field that is not in the format.
    case unknownField(tensor: String, field: String)
    /// A tensor has a data type other than F32 and F16.
    case unsupportedDataType(tensor: String, found: String)
    /// A tensor begins after its end.
    case reversedOffsets(tensor: String, begin: Int, end: Int)
    /// A tensor does not begin at the end of the previous one: a gap or an overlap.
    case notContiguous(tensor: String, expected: Int, found: Int)
    /// The number of bytes that the shape needs does not fit an integer.
    case shapeOverflow(tensor: String)
    /// The number of bytes differs from shape x data type.
    case lengthMismatch(tensor: String, expected: Int, found: Int)
    /// The last tensor ends before or after the end of the file.
    case dataLength(expected: Int, found: Int)
    /// A value is NaN or infinite; `index` counts in row-major order.
    case nonFinite(tensor: String, index: Int)
    /// A value is beyond ±65504, the range of F16, after rounding.
    case float16Overflow(tensor: String, index: Int)
    /// A tensor has the reserved name `__metadata__`.
    case reservedName(String)
    /// The number of values differs from the product of the shape, or a dimension is negative.
    case shapeMismatch(tensor: String, shape: [Int], values: Int)
    /// The operating system refused an operation, with its `errno`.
    case system(operation: String, code: Int32)
  }

  /// The problem.
  package let reason: Reason
  /// The path of the file, or nil if the bytes came from memory.
  package let file: String?

  /// Makes an error of its facts.
  @usableFromInline package init(_ reason: Reason, file: String? = nil) {
    self.reason = reason
    self.file = file
  }

  /// The message: what happened, where, and what to do.
  @usableFromInline package var description: String {
    "\(file ?? "safetensors data"): \(reason)"
  }
}

extension SafeTensorsError.Reason: CustomStringConvertible {
  private static let rewrite = "write the file again with a safetensors library"
  private static let fetch = "the file is damaged or cut: fetch or save it again"

  /// The message without the file: what was expected, what was found, and what to do.
  @usableFromInline package var description: String {
    switch self {
    case .tooShort(let bytes):
      "expected at least 8 bytes, found \(bytes); \(Self.fetch)"
    case .headerTooLong(let declared, let maximum):
      "expected a header of at most \(maximum) bytes, found \(declared); "
        + "this is not a safetensors file"
    case .headerBeyondEnd(let declared, let available):
      "the declared header has \(declared) bytes, the file only \(available) more; \(Self.fetch)"
    case .malformedHeader(let offset, let expected):
      "header, byte \(offset): expected \(expected); \(Self.rewrite)"
    case .duplicateKey(let key):
      "header: duplicate key \(key); \(Self.rewrite)"
    case .missingField(let tensor, let field):
      "tensor \(tensor): no field \(field); \(Self.rewrite)"
    case .unknownField(let tensor, let field):
      "tensor \(tensor): unknown field \(field); \(Self.rewrite)"
    case .unsupportedDataType(let tensor, let found):
      "tensor \(tensor): expected data type F32 or F16, found \(found); convert the tensor"
    case .reversedOffsets(let tensor, let begin, let end):
      "tensor \(tensor): begins at \(begin), after its end at \(end); \(Self.rewrite)"
    case .notContiguous(let tensor, let expected, let found):
      "tensor \(tensor): expected to begin at \(expected), found \(found); \(Self.rewrite)"
    case .shapeOverflow(let tensor):
      "tensor \(tensor): the size of its shape does not fit 63 bits; \(Self.rewrite)"
    case .lengthMismatch(let tensor, let expected, let found):
      "tensor \(tensor): its shape takes \(expected) bytes, its offsets \(found); \(Self.rewrite)"
    case .dataLength(let expected, let found):
      "the tensors take \(expected) bytes, the file holds \(found); \(Self.fetch)"
    case .nonFinite(let tensor, let index):
      "tensor \(tensor), value \(index): expected a finite number, found NaN or infinity; "
        + "the training that made it diverged"
    case .float16Overflow(let tensor, let index):
      "tensor \(tensor), value \(index): beyond ±65504, the range of F16; store it as F32"
    case .reservedName(let name):
      "\(name) is reserved; give the tensor another name"
    case .shapeMismatch(let tensor, let shape, let values):
      "tensor \(tensor): shape \(shape) does not hold \(values) values"
    case .system(let operation, let code):
      "\(operation) failed: \(String(cString: strerror(code)))"
    }
  }
}

extension SafeTensorsError: LocalizedError {
  /// The text of `localizedDescription`: ``description``.
  @usableFromInline package var errorDescription: String? { description }
}

extension SafeTensorsError.Reason: LocalizedError {
  /// The text of `localizedDescription`: ``description``.
  @usableFromInline package var errorDescription: String? { description }
}
