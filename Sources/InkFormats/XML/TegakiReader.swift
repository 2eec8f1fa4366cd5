import InkCore

/// Reads character XML of Tegaki and Tomoe: `<character>` with `<utf8>`, and `<strokes>` of points.
///
///     <character><utf8>一</utf8><strokes><stroke><point x="54" y="142" timestamp="0"/>…</stroke></strokes>
///     </character>
///
/// Each character is a record; its label is `utf8`, its writer that of the collection or the character.
/// `timestamp` is milliseconds, `pressure` the force, where it differs within a character. A bad
/// file yields a failure and reading goes on.
package enum TegakiReader {
  package typealias Element = InkReader.Element

  /// Returns the records of a file's bytes.
  package static func records(
    of bytes: [UInt8], path: String, source: String, yAxis: YAxis
  ) -> [Element] {
    do throws(InkFormatError) {
      return try XMLText.utf8(bytes).withUnsafeBufferPointer {
        (buffer) throws(InkFormatError) -> [Element] in
        var scanner = XMLScanner(buffer, path: path)
        var document = TegakiDocument(sign: yAxis == .up ? -1 : 1)
        while let tag = try scanner.nextTag() { try document.take(tag, from: &scanner) }
        guard !document.characters.isEmpty else {
          throw scanner.error(
            .missingKey, expected: "an element character", found: "a file without one")
        }
        return document.characters.enumerated().map { index, character in
          character.map {
            InkRecord(
              labeled: $0, location: SourceLocation(path: path), source: source,
              indexInSource: index, level: .character)
          }
        }
      }
    } catch {
      return [.failure(error)]
    }
  }
}

/// Builds inks from the tags of a character file.
private struct TegakiDocument {
  let sign: Double
  private(set) var characters: [Result<LabeledInk, InkFormatError>] = []
  private var writer: String?
  private var current: LabeledInk?

  init(sign: Double) {
    self.sign = sign
  }

  mutating func take(
    _ tag: XMLScanner.Tag, from scanner: inout XMLScanner
  ) throws(InkFormatError) {
    switch (tag.name, tag.kind) {
    case ("character", .start): current = LabeledInk(ink: Ink(), label: "", writer: writer)
    case ("character", .end):
      guard var character = current else { return }
      current = nil
      character.ink.strokes.removeAll(where: \.points.isEmpty)
      character.ink.removeConstantForce()
      guard !character.ink.isEmpty else {
        characters.append(
          .failure(
            scanner.error(
              .emptyInk, expected: "at least one point in a character", found: "none")))
        return
      }
      characters.append(.success(character))
    case ("utf8", .start), ("literal", .start): current?.label = try scanner.content()
    case ("writer", .start), ("writer-id", .start):
      let name = try scanner.content()
      if current == nil { writer = name } else { current?.writer = name }
    case ("stroke", .start): current?.ink.strokes.append(Stroke(points: []))
    case ("point", .start), ("point", .empty):
      guard let index = current?.ink.strokes.indices.last else { return }
      let point = StrokePoint(
        x: try scanner.number("x", of: tag), y: sign * (try scanner.number("y", of: tag)),
        t: tag["timestamp"].flatMap(XMLScanner.double).flatMap { $0.isFinite ? $0 : nil },
        force: tag["pressure"].flatMap(XMLScanner.double).flatMap { $0.isFinite ? $0 : nil })
      current?.ink.strokes[index].points.append(point)
    default: break
    }
  }
}

extension Ink {
  /// Removes a force that never changes: devices without a sensor write one.
  fileprivate mutating func removeConstantForce() {
    let forces = Set(strokes.flatMap { $0.points.compactMap(\.force) })
    guard forces.count == 1 else { return }
    for stroke in strokes.indices {
      for point in strokes[stroke].points.indices { strokes[stroke].points[point].force = nil }
    }
  }
}
