import InkCore

/// Reads gesture XML: the $1 unistrokes (`<Gesture><Point X Y T/>…`) and the MMG multistrokes
/// (`<Gesture><Stroke><Point X Y T Pressure/>…`), one gesture per file.
///
/// - The label is `Name` without the number of the repetition: `~NN` at its end. If points are
///   directly in the gesture and there is no `~`, it is the digits at its end.
/// - The writer is `Subject`; `T` is milliseconds; y grows downward unless `yAxis` says otherwise.
/// - Numbers may have a decimal comma, as programs in many countries write them. A gesture without
///   `Name` is unlabelled.
/// - Force is `Pressure` divided by the median of the file's values above 0, if the values differ
///   within the file. A constant comes from a device without a sensor and is ignored.
///
/// A bad file yields a failure, and reading continues. Document types and their entities are
/// refused. Files are read in the order of their paths, one at a time.
package enum GestureXMLReader {
  package typealias Element = InkReader.Element

  /// Returns the record of a file's bytes.
  package static func record(of bytes: [UInt8], path: String, source: String, yAxis: YAxis)
    -> Element
  {
    let bytes = XMLText.utf8(bytes)
    do throws(InkFormatError) {
      var gesture = GestureXML(sign: yAxis == .up ? -1 : 1)
      let labeled = try bytes.withUnsafeBufferPointer {
        buffer throws(InkFormatError) -> LabeledInk in
        var scanner = XMLScanner(buffer, path: path)
        while let tag = try scanner.nextTag() { try gesture.take(tag, from: scanner) }
        return try gesture.labeledInk(from: scanner)
      }
      return .success(
        InkRecord(
          labeled: labeled, location: SourceLocation(path: path), source: source,
          indexInSource: 0))
    } catch {
      return .failure(error)
    }
  }
}

/// Builds an ink from the tags of a gesture file.
private struct GestureXML {
  let sign: Double
  private var name: String?
  private var writer: String?
  private var strokes: [[StrokePoint]] = []
  private var hasStrokeElements = false

  init(sign: Double) {
    self.sign = sign
  }

  mutating func take(_ tag: XMLScanner.Tag, from scanner: XMLScanner) throws(InkFormatError) {
    guard tag.kind != .end else { return }
    switch tag.name {
    case "Gesture":
      guard name == nil else {
        throw scanner.error(
          .malformed, expected: "one Gesture in a file", found: "another Gesture")
      }
      name = tag["Name"] ?? ""
      writer = tag["Subject"]
    case "Stroke":
      hasStrokeElements = true
      strokes.append([])
    case "Point":
      if strokes.isEmpty { strokes.append([]) }
      let point = StrokePoint(
        x: try scanner.number("X", of: tag), y: sign * (try scanner.number("Y", of: tag)),
        t: try tag["T"].map { _ throws(InkFormatError) in
          try scanner.number("T", of: tag)
        },
        force: try tag["Pressure"].map { _ throws(InkFormatError) in
          try scanner.number("Pressure", of: tag)
        })
      strokes[strokes.count - 1].append(point)
    default: break
    }
  }

  func labeledInk(from scanner: XMLScanner) throws(InkFormatError) -> LabeledInk {
    guard let name else {
      throw scanner.error(
        .missingKey, expected: "an element Gesture", found: "a file without one")
    }
    var ink = Ink(strokes: strokes.filter { !$0.isEmpty }.map(Stroke.init(points:)))
    guard !ink.isEmpty else {
      throw scanner.error(.emptyInk, expected: "at least one Point", found: "none")
    }
    Self.scaleForce(&ink)
    return LabeledInk(ink: ink, label: label(name), writer: writer)
  }

  private func label(_ name: String) -> String {
    let stem = name.prefix(name.count - name.reversed().prefix { "0"..."9" ~= $0 }.count)
    if stem.last == "~", stem.count < name.count { return String(stem.dropLast()) }
    return hasStrokeElements || stem.isEmpty ? name : String(stem)
  }

  private static func scaleForce(_ ink: inout Ink) {
    let forces = ink.strokes.flatMap { $0.points.compactMap(\.force) }
    let positive = forces.filter { $0 > 0 }.sorted()
    let varies = Set(forces).count > 1 && !positive.isEmpty
    for stroke in ink.strokes.indices {
      for point in ink.strokes[stroke].points.indices {
        let force = ink.strokes[stroke].points[point].force
        ink.strokes[stroke].points[point].force =
          varies ? force.map { $0 / positive[positive.count / 2] } : nil
      }
    }
  }
}
