import Foundation

/// Reads the tags of an XML text of any size piece by piece, with the rules of ``XMLReader``.
///
/// Only the tag or the text that is asked for is in memory. Text that nobody asks for, such as a
/// picture in base64, is skipped as it comes. Not thread-safe.
package final class XMLStream<Failure: Error> {
  /// Gives the next bytes, 0 at the end.
  package typealias Feed = (UnsafeMutableRawBufferPointer) throws(Failure) -> Int

  private let feed: Feed
  private let failure: (XMLProblem, _ line: Int) -> Failure
  private var reader = XMLReader(UnsafeBufferPointer(start: nil, count: 0))
  /// The bytes that were read and not yet taken are `start ..< end`.
  private var window = [UInt8](repeating: 0, count: XMLStreamLimits.chunk)
  private var start = 0
  private var end = 0
  private var isAtEnd = false
  private var newlines = 0

  /// The line of the next byte, from 1.
  package var line: Int { newlines + 1 }

  /// Starts at the first byte.
  ///
  /// - Parameters:
  ///   - feed: Gives the bytes.
  ///   - failure: Makes the error of a problem and its line.
  package init(_ feed: @escaping Feed, failure: @escaping (XMLProblem, _ line: Int) -> Failure) {
    self.feed = feed
    self.failure = failure
  }

  /// Returns the next tag, or nil at the end. Text before it is skipped.
  package func nextTag() throws(Failure) -> XMLTag? {
    while true {
      try skipText()
      guard start < end else {
        try mapping { (reader) throws(XMLProblem) in try reader.end() }
        return nil
      }
      if try isNext("<!--") {
        try skip(past: "-->")
      } else if try isNext("<?") {
        try skip(past: "?>")
      } else if try isNext("<![CDATA[") {
        try skip(past: "]]>")
      } else {
        let isDeclaration = try isNext("<!")
        let length = try tagLength(isDeclaration: isDeclaration)
        let tag = try piece(length) { (reader) throws(XMLProblem) -> XMLTag? in
          if !isDeclaration { return try reader.nextTag() }
          try reader.skipDocumentType()
          return nil
        }
        take(length)
        if let tag { return tag }
      }
    }
  }

  /// Passes the bytes of the text from here to the end tag of the element to a closure; see
  /// ``XMLReader/rawContent()``.
  package func content<Value>(_ body: (UnsafeBufferPointer<UInt8>) -> Value) throws(Failure)
    -> Value
  {
    let length = try contentLength()
    var taken = 0
    let value = try piece(length) { (reader) throws(XMLProblem) in
      let content = try reader.rawContent()
      taken = reader.position
      return content.withBytes(body)
    }
    take(taken)
    return value
  }

  // MARK: - The window

  /// Reads more bytes.
  ///
  /// - Returns: false at the end.
  private func fill() throws(Failure) -> Bool {
    guard !isAtEnd else { return false }
    if start > 0, start == end || end == window.count {
      window.withUnsafeMutableBytes { bytes in
        guard let base = bytes.baseAddress, end > start else { return }
        memmove(base, base + start, end - start)
      }
      (start, end) = (0, end - start)
    }
    if end == window.count { window += [UInt8](repeating: 0, count: window.count) }
    let got = try window.withUnsafeMutableBufferPointer { (bytes) throws(Failure) -> Int in
      try feed(UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: bytes[end...])))
    }
    end += got
    isAtEnd = got == 0
    return got > 0
  }

  /// Goes past bytes.
  private func take(_ count: Int) {
    newlines += Self.newlines(in: window[start..<(start + count)])
    start += count
  }

  private static func newlines(in bytes: ArraySlice<UInt8>) -> Int {
    bytes.withUnsafeBufferPointer { $0.reduce(0) { $0 &+ ($1 == 0x0A ? 1 : 0) } }
  }

  /// Returns the place of a byte after a number of bytes of the window, or nil; reads no more.
  private func place(of byte: UInt8, after count: Int) -> Int? {
    window.withUnsafeBytes { bytes in
      let from = start + count
      guard from < end, let base = bytes.baseAddress,
        let found = memchr(base + from, Int32(byte), end - from)
      else { return nil }
      return UnsafeRawPointer(found) - base - start
    }
  }

  private func isNext(_ text: StaticString, after count: Int = 0) throws(Failure) -> Bool {
    let length = text.utf8CodeUnitCount
    while end - start < count + length, try fill() {}
    guard end - start >= count + length else { return false }
    return (0..<length).allSatisfy { window[start + count + $0] == text.utf8Start[$0] }
  }

  // MARK: - Pieces

  private func skipText() throws(Failure) {
    var blanks = 0
    while true {
      if let place = place(of: UInt8(ascii: "<"), after: 0) { return take(place) }
      // Text has no limit, but a file of nothing has an end.
      let isBlank = window[start..<end].allSatisfy { $0 <= 0x20 }
      blanks = isBlank ? blanks + end - start : 0
      guard blanks <= XMLStreamLimits.blanks else {
        throw problem(
          .tooLarge, expected: "at most \(XMLStreamLimits.blanks >> 20) MB of blanks in a row",
          found: "more")
      }
      take(end - start)
      guard try fill() else { return }
    }
  }

  /// Goes past the next mark, which is not kept in memory up to there.
  private func skip(past mark: StaticString) throws(Failure) {
    let length = mark.utf8CodeUnitCount
    while true {
      if let place = place(of: mark.utf8Start[0], after: 0) {
        take(place)
        if try isNext(mark) { return take(length) }
        guard start < end else { break }
        take(1)
      } else {
        take(end - start)
        guard try fill() else { break }
      }
    }
    throw problem(
      .truncated, expected: "the end of a comment or instruction", found: "the end of the file")
  }

  /// Returns the number of bytes of a tag: up to its `>` outside of quotation marks, or to the end.
  private func tagLength(isDeclaration: Bool) throws(Failure) -> Int {
    var count = 1
    var quote: UInt8?
    while true {
      while count < end - start {
        let byte = window[start + count]
        count += 1
        if let open = quote {
          if byte == open { quote = nil }
        } else if byte == UInt8(ascii: ">") || (isDeclaration && byte == UInt8(ascii: "[")) {
          return count
        } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
          quote = byte
        }
      }
      guard try more(after: count) else { return count }
    }
  }

  /// Returns the number of bytes of the text of an element and of the two that end it, or to the
  /// end.
  private func contentLength() throws(Failure) -> Int {
    var count = 0
    while true {
      guard let place = place(of: UInt8(ascii: "<"), after: count) else {
        count = end - start
        guard try more(after: count) else { return count }
        continue
      }
      let close: StaticString
      if try isNext("<!--", after: place) {
        close = "-->"
      } else if try isNext("<![CDATA[", after: place) {
        close = "]]>"
      } else if try isNext("<?", after: place) {
        close = "?>"
      } else {
        return min(place + 2, end - start)
      }
      count = place + 2
      while try !isNext(close, after: count) {
        guard count < end - start else { return count }
        count += 1
        if count >= XMLStreamLimits.piece { _ = try more(after: count) }
      }
    }
  }

  /// Reads more of a piece.
  private func more(after count: Int) throws(Failure) -> Bool {
    guard count < XMLStreamLimits.piece else {
      throw problem(
        .tooLarge, expected: "a tag or text of at most \(XMLStreamLimits.piece >> 20) MB",
        found: "more")
    }
    return try fill()
  }

  /// Reads from the next bytes.
  private func piece<Value>(
    _ length: Int, _ body: (inout XMLReader) throws(XMLProblem) -> Value
  ) throws(Failure) -> Value {
    try mapping { (reader) throws(XMLProblem) in
      try window.withUnsafeBufferPointer { (bytes) throws(XMLProblem) in
        reader.resume(on: UnsafeBufferPointer(rebasing: bytes[start..<(start + length)]))
        return try body(&reader)
      }
    }
  }

  private func mapping<Value>(
    _ body: (inout XMLReader) throws(XMLProblem) -> Value
  ) throws(Failure) -> Value {
    do throws(XMLProblem) {
      return try body(&reader)
    } catch {
      let place = min(max(start, start + error.offset), end)
      throw failure(error, line + Self.newlines(in: window[start..<place]))
    }
  }

  private func problem(_ code: XMLProblem.Code, expected: String, found: String) -> Failure {
    failure(XMLProblem(code: code, offset: 0, expected: expected, found: found), line)
  }
}

private enum XMLStreamLimits {
  static let chunk = 1 << 16
  /// The most bytes of blanks in a row.
  static let blanks = 8 << 20
  /// The most bytes of a tag or of a text that is asked for: a stroke of millions of points.
  static let piece = 128 << 20
}
