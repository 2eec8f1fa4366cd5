import Files
import Foundation

extension SafeTensors {
  /// Reads and checks a file. O(bytes); takes about twice the file in memory.
  ///
  /// - Throws: ``SafeTensorsError`` naming the file; see ``init(bytes:)``.
  package init(contentsOf url: URL) throws(SafeTensorsError) {
    do throws(SafeTensorsError) {
      try self.init(bytes: try Self.contents(of: url))
    } catch {
      throw SafeTensorsError(error.reason, file: url.path)
    }
  }

  private static func contents(of url: URL) throws(SafeTensorsError) -> Data {
    let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw SafeTensorsError(.system(operation: "opening", code: errno))
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw SafeTensorsError(.system(operation: "reading", code: errno))
    }
    var bytes = Data(count: Int(status.st_size))
    let (filled, code) = bytes.withUnsafeMutableBytes { Descriptor.readAll(descriptor, into: $0) }
    guard code == 0 else { throw SafeTensorsError(.system(operation: "reading", code: code)) }
    return bytes.prefix(filled)
  }

  /// Reads and checks the bytes of a file. O(bytes).
  ///
  /// Every byte is accounted for: a header of at most ``maximumHeaderLength`` bytes, no duplicate
  /// key, tensors that follow each other without gap or overlap to the end of the data, lengths
  /// that agree with shape and type, finite values.
  ///
  /// - Throws: ``SafeTensorsError`` with the first problem found.
  package init(bytes: Data) throws(SafeTensorsError) {
    let tensors: [Tensor]
    let header: SafeTensorsHeader
    do {
      let headerLength = try Self.headerLength(bytes)
      let dataStart = bytes.startIndex + 8 + headerLength
      header = try SafeTensorsHeader(parsing: [UInt8](bytes[(bytes.startIndex + 8)..<dataStart]))
      let layout = try Self.layout(of: header, dataCount: bytes.endIndex - dataStart)
      tensors = try Self.tensors(layout, in: bytes, dataOffset: 8 + headerLength)
    } catch {
      throw SafeTensorsError(error)
    }
    try self.init(tensors: tensors, metadata: header.metadata)
  }

  private static func headerLength(_ bytes: Data) throws(SafeTensorsError.Reason) -> Int {
    guard bytes.count >= 8 else { throw .tooShort(bytes: bytes.count) }
    let declared = bytes.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard declared <= UInt64(maximumHeaderLength) else {
      throw .headerTooLong(declared: declared, maximum: maximumHeaderLength)
    }
    let length = Int(declared)
    guard length <= bytes.count - 8 else {
      throw .headerBeyondEnd(declared: length, available: bytes.count - 8)
    }
    return length
  }

  /// A tensor whose place and size have been checked.
  private struct Placed {
    var entry: SafeTensorsHeader.Entry
    var dataType: DataType
    var count: Int
  }

  /// Checks that the tensors, in the order of their offsets, cover the data exactly.
  private static func layout(
    of header: SafeTensorsHeader, dataCount: Int
  ) throws(SafeTensorsError.Reason) -> [Placed] {
    let order = header.entries.indices.sorted {
      let (left, right) = (header.entries[$0], header.entries[$1])
      return (left.begin, left.end, $0) < (right.begin, right.end, $1)
    }
    var placed: [Placed] = []
    var expected = 0
    for index in order {
      let entry = header.entries[index]
      guard let dataType = DataType(rawValue: entry.dataType) else {
        throw .unsupportedDataType(tensor: entry.name, found: entry.dataType)
      }
      guard entry.begin <= entry.end else {
        throw .reversedOffsets(tensor: entry.name, begin: entry.begin, end: entry.end)
      }
      guard entry.begin == expected else {
        throw .notContiguous(tensor: entry.name, expected: expected, found: entry.begin)
      }
      guard let count = elementCount(entry.shape, size: dataType.size) else {
        throw .shapeOverflow(tensor: entry.name)
      }
      guard count * dataType.size == entry.end - entry.begin else {
        throw .lengthMismatch(
          tensor: entry.name, expected: count * dataType.size, found: entry.end - entry.begin)
      }
      placed.append(Placed(entry: entry, dataType: dataType, count: count))
      expected = entry.end
    }
    guard expected == dataCount else { throw .dataLength(expected: expected, found: dataCount) }
    return placed
  }

  private static func tensors(
    _ layout: [Placed], in bytes: Data, dataOffset: Int
  ) throws(SafeTensorsError.Reason) -> [Tensor] {
    let result = bytes.withUnsafeBytes { raw -> Result<[Tensor], SafeTensorsError.Reason> in
      var tensors: [Tensor] = []
      for placed in layout {
        let slice = UnsafeRawBufferPointer(
          rebasing: raw[(dataOffset + placed.entry.begin)..<(dataOffset + placed.entry.end)])
        let (values, finite) = decode(slice, as: placed.dataType, count: placed.count)
        guard finite else {
          let index = firstNonFinite(slice, as: placed.dataType, count: placed.count)
          return .failure(.nonFinite(tensor: placed.entry.name, index: index))
        }
        tensors.append(
          Tensor(
            name: placed.entry.name, dataType: placed.dataType, shape: placed.entry.shape,
            values: values))
      }
      return .success(tensors)
    }
    return try result.get()
  }

  private static func decode(
    _ raw: UnsafeRawBufferPointer, as dataType: DataType, count: Int
  ) -> (values: [Float], finite: Bool) {
    guard count > 0, let source = raw.baseAddress else { return ([], true) }
    var finite = true
    let values = [Float](unsafeUninitializedCapacity: count) { target, initialized in
      guard let base = target.baseAddress else { return }
      switch dataType {
      case .float32: finite = decodeFloat32(source, count: count, into: base)
      case .float16: finite = HalfPrecision.decode(source, count: count, into: base)
      }
      initialized = count
    }
    return (values, finite)
  }

  /// Reads little-endian binary32; false if a value is not finite. One pass, vectorised.
  private static func decodeFloat32(
    _ source: UnsafeRawPointer, count: Int, into target: UnsafeMutablePointer<Float>
  ) -> Bool {
    var largest: Int32 = 0
    for index in 0..<count {
      let bits = UInt32(
        littleEndian: source.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self))
      largest = max(largest, Int32(bitPattern: bits & 0x7FFF_FFFF))
      target[index] = Float(bitPattern: bits)
    }
    return largest < Int32(bitPattern: Float.infinity.bitPattern)
  }

  /// Finds the first value whose exponent bits are all set; called only if there is one.
  private static func firstNonFinite(
    _ raw: UnsafeRawBufferPointer, as dataType: DataType, count: Int
  ) -> Int {
    let index = (0..<count).first { index in
      switch dataType {
      case .float32:
        let bits = raw.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)
        return !Float(bitPattern: UInt32(littleEndian: bits)).isFinite
      case .float16:
        let bits = raw.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self)
        let mask = HalfPrecision.exponentMask
        return UInt16(littleEndian: bits) & mask == mask
      }
    }
    return index ?? 0
  }
}
