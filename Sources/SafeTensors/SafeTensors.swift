import Foundation

/// Named tensors and string metadata: the content of a safetensors file.
///
/// The format is 8 bytes of header length, a JSON header, and the raw values, little-endian and in
/// row-major order (<https://github.com/huggingface/safetensors>). F32 and F16 are supported;
/// values are always held as `Float`. Tensor names that are canonically equivalent Unicode count
/// as equal. A value type; safe to share between threads.
///
/// ```swift
/// let weight = SafeTensors.Tensor(name: "dense.weight", shape: [2, 2], values: [1, 2, 3, 4])
/// try SafeTensors(tensors: [weight]).write(to: url)
/// let read = try SafeTensors(contentsOf: url)["dense.weight"]
/// ```
@usableFromInline package struct SafeTensors: Hashable, Sendable {
  /// The format of stored values.
  @usableFromInline package enum DataType: String, Hashable, Sendable, CaseIterable {
    /// IEEE 754 binary32.
    case float32 = "F32"
    /// IEEE 754 binary16.
    case float16 = "F16"

    /// Bytes per value.
    package var size: Int {
      switch self {
      case .float32: 4
      case .float16: 2
      }
    }
  }

  /// One named array of numbers.
  @usableFromInline package struct Tensor: Hashable, Sendable {
    /// The name, unique within the file; `__metadata__` is reserved.
    package var name: String
    /// The format of the values in the file.
    package var dataType: DataType
    /// The size of each dimension, each at least 0; empty for a single value.
    package var shape: [Int]
    /// The values in row-major order, as many as the product of `shape`, all finite.
    package var values: [Float]

    /// Makes a tensor. ``SafeTensors/init(tensors:metadata:)`` checks it.
    @usableFromInline package init(
      name: String, dataType: DataType = .float32, shape: [Int], values: [Float]
    ) {
      self.name = name
      self.dataType = dataType
      self.shape = shape
      self.values = values
    }
  }

  /// The longest header that is read, in bytes: the limit of the reference implementation.
  package static let maximumHeaderLength = 100_000_000

  /// The key of the header that holds the metadata.
  static let metadataKey = "__metadata__"

  /// The tensors: in the given order, or in the order of their values in the file.
  package let tensors: [Tensor]
  /// Strings about the tensors as a whole.
  package let metadata: [String: String]
  private let indices: [String: Int]

  /// Gathers tensors, checking names and shapes. O(tensors).
  ///
  /// - Throws: ``SafeTensorsError`` with `duplicateKey`, `reservedName`, `shapeMismatch` or
  ///   `shapeOverflow`.
  package init(tensors: [Tensor], metadata: [String: String] = [:]) throws(SafeTensorsError) {
    var indices: [String: Int] = [:]
    for (index, tensor) in tensors.enumerated() {
      if tensor.name == Self.metadataKey { throw SafeTensorsError(.reservedName(tensor.name)) }
      guard indices.updateValue(index, forKey: tensor.name) == nil else {
        throw SafeTensorsError(.duplicateKey(tensor.name))
      }
      guard tensor.shape.allSatisfy({ $0 >= 0 }) else {
        throw SafeTensorsError(
          .shapeMismatch(tensor: tensor.name, shape: tensor.shape, values: tensor.values.count))
      }
      guard let count = Self.elementCount(tensor.shape, size: tensor.dataType.size) else {
        throw SafeTensorsError(.shapeOverflow(tensor: tensor.name))
      }
      guard count == tensor.values.count else {
        throw SafeTensorsError(
          .shapeMismatch(tensor: tensor.name, shape: tensor.shape, values: tensor.values.count))
      }
    }
    self.tensors = tensors
    self.metadata = metadata
    self.indices = indices
  }

  /// The tensor of a name, or nil if there is none. O(1).
  package subscript(name: String) -> Tensor? {
    indices[name].map { tensors[$0] }
  }

  /// The product of the dimensions, or nil if it, times `size`, does not fit an `Int`.
  static func elementCount(_ shape: [Int], size: Int) -> Int? {
    var count = 1
    for dimension in shape {
      let (product, overflow) = count.multipliedReportingOverflow(by: dimension)
      if overflow { return nil }
      count = product
    }
    return count.multipliedReportingOverflow(by: size).overflow ? nil : count
  }
}
