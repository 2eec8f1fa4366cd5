import Files
import Foundation

extension SafeTensors {
  /// The bytes of a file, tensors in the order of ``tensors``, each in its own data type.
  ///
  /// The same content gives the same bytes: metadata keys are sorted. The header is padded with
  /// spaces to a multiple of 8. F16 rounds to nearest, ties to even. O(values).
  ///
  /// - Throws: ``SafeTensorsError`` with `nonFinite`, `float16Overflow` or `headerTooLong`.
  package func serialized() throws(SafeTensorsError) -> Data {
    try serialized { $0.dataType }
  }

  /// The bytes of a file, each tensor in the data type that `dataType` gives for it.
  ///
  /// - Throws: As ``serialized()``.
  package func serialized(
    as dataType: (Tensor) -> DataType
  ) throws(SafeTensorsError) -> Data {
    let types = tensors.map(dataType)
    let header = headerBytes(types)
    guard header.count <= Self.maximumHeaderLength else {
      throw SafeTensorsError(
        .headerTooLong(declared: UInt64(header.count), maximum: Self.maximumHeaderLength))
    }
    let dataCount = zip(tensors, types).reduce(0) { $0 + $1.0.values.count * $1.1.size }
    var bytes = Data(capacity: 8 + header.count + dataCount)
    withUnsafeBytes(of: UInt64(header.count).littleEndian) { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: header)
    bytes.count += dataCount
    let start = 8 + header.count
    let result = bytes.withUnsafeMutableBytes { raw -> Result<Void, SafeTensorsError.Reason> in
      guard let base = raw.baseAddress else { return .success(()) }
      var target = base + start
      for (tensor, type) in zip(tensors, types) {
        if let index = Self.encode(tensor.values, as: type, into: target) {
          return .failure(Self.reason(tensor, index: index))
        }
        target += tensor.values.count * type.size
      }
      return .success(())
    }
    if case .failure(let reason) = result { throw SafeTensorsError(reason) }
    return bytes
  }

  /// Writes a complete file or none: writes and syncs a temporary file in the same folder, renames
  /// it to `url`, and syncs the folder.
  ///
  /// - Throws: the ``SafeTensorsError`` of ``serialized()``, or `system` with the refused
  ///   operation. An existing file at `url` is then unchanged.
  package func write(to url: URL) throws(SafeTensorsError) {
    let bytes: Data
    do {
      bytes = try serialized()
    } catch {
      throw SafeTensorsError(error.reason, file: url.path)
    }
    let temporary = url.deletingLastPathComponent().appendingPathComponent(
      ".\(url.lastPathComponent).\(UInt64.random(in: 0 ... .max)).tmp")
    do throws(FileError) {
      try AtomicFile.replace(
        url.path, with: bytes, temporary: temporary.path, folderSync: .attempted)
    } catch {
      let operation =
        error.operation == .creating ? "creating a temporary file" : error.operation.rawValue
      throw SafeTensorsError(.system(operation: operation, code: error.code), file: url.path)
    }
  }

  private static func reason(_ tensor: Tensor, index: Int) -> SafeTensorsError.Reason {
    tensor.values[index].isFinite
      ? .float16Overflow(tensor: tensor.name, index: index)
      : .nonFinite(tensor: tensor.name, index: index)
  }

  /// Writes values; returns the index of the first one that the type cannot hold, or nil.
  private static func encode(
    _ values: [Float], as dataType: DataType, into target: UnsafeMutableRawPointer
  ) -> Int? {
    let complete = values.withUnsafeBufferPointer { source in
      switch dataType {
      case .float32: encodeFloat32(source, into: target)
      case .float16: HalfPrecision.encode(source, into: target)
      }
    }
    if complete { return nil }
    switch dataType {
    case .float32: return values.firstIndex { !$0.isFinite }
    case .float16: return values.firstIndex { !HalfPrecision.fits($0) }
    }
  }

  /// Writes little-endian binary32; false if a value is not finite. One pass, vectorised.
  private static func encodeFloat32(
    _ values: UnsafeBufferPointer<Float>, into target: UnsafeMutableRawPointer
  ) -> Bool {
    guard let source = values.baseAddress else { return true }
    var largest: Int32 = 0
    for index in 0..<values.count {
      let bits = source[index].bitPattern
      largest = max(largest, Int32(bitPattern: bits & 0x7FFF_FFFF))
      target.storeBytes(of: bits.littleEndian, toByteOffset: index &* 4, as: UInt32.self)
    }
    return largest < Int32(bitPattern: Float.infinity.bitPattern)
  }

  private func headerBytes(_ types: [DataType]) -> [UInt8] {
    var members: [String] = []
    if !metadata.isEmpty {
      let pairs = metadata.sorted { $0.key < $1.key }.map {
        "\(Self.quoted($0)):\(Self.quoted($1))"
      }
      members.append("\"\(Self.metadataKey)\":{\(pairs.joined(separator: ","))}")
    }
    var offset = 0
    for (tensor, type) in zip(tensors, types) {
      let end = offset + tensor.values.count * type.size
      let shape = tensor.shape.map(String.init).joined(separator: ",")
      members.append(
        "\(Self.quoted(tensor.name)):{\"dtype\":\"\(type.rawValue)\",\"shape\":[\(shape)],"
          + "\"data_offsets\":[\(offset),\(end)]}")
      offset = end
    }
    var bytes = Array("{\(members.joined(separator: ","))}".utf8)
    bytes.append(contentsOf: repeatElement(0x20, count: (8 - bytes.count % 8) % 8))
    return bytes
  }

  /// Returns a JSON string. Characters that JSON forbids are escaped as the reference
  /// implementation does.
  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\u{8}": result += "\\b"
      case "\u{C}": result += "\\f"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\u{0}"..<"\u{20}":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
