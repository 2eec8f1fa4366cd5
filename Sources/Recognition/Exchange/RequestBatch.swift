extension RecognitionService {
  /// Returns true if bytes are an array of requests, which HTTP accepts in addition to a single
  /// request.
  package static func isBatch(_ bytes: [UInt8]) -> Bool {
    bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "[")
  }

  /// Answers an array of requests, each independently and in order.
  ///
  /// - Throws: ``ExchangeError`` if the array as a whole is not JSON or has too many elements.
  package func answers(_ bytes: [UInt8]) throws(ExchangeError) -> [RecognitionAnswer] {
    try elements(of: bytes).map { answer(Array(bytes[$0])) }
  }

  /// Returns the requests of a body: one, or those of an array.
  ///
  /// - Throws: ``ExchangeError`` if one of them is not a request.
  package func requests(_ bytes: [UInt8]) throws(ExchangeError) -> [RecognitionRequest] {
    let parts = Self.isBatch(bytes) ? try elements(of: bytes).map { Array(bytes[$0]) } : [bytes]
    return try parts.map { part throws(ExchangeError) in
      try RecognitionRequest(
        parsing: part, limits: configuration.limits, defaults: configuration.defaults)
    }
  }

  /// Returns the places of the elements of an array.
  private func elements(of bytes: [UInt8]) throws(ExchangeError) -> [Range<Int>] {
    let limits = configuration.limits
    guard bytes.count <= limits.bytes else { throw .tooManyBytes(limits) }
    var elements: [Range<Int>] = []
    try bytes.withUnsafeBufferPointer { buffer throws(ExchangeError) in
      var scanner = ExchangeScanner(buffer)
      try scanner.array { (scanner) throws(ExchangeError) in
        guard elements.count < limits.batch else {
          throw ExchangeError(.tooLarge, "expected at most \(limits.batch) requests, found more")
        }
        _ = scanner.next()
        let start = scanner.position
        try scanner.skip()
        elements.append(start..<scanner.position)
      }
      try scanner.end(of: "array of requests")
    }
    return elements
  }
}
