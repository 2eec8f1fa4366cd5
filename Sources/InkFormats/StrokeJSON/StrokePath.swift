import Files

/// Paths in JSON: path data of SVG as a text or as a list of commands, and numbers in a text.
enum StrokePath {
  /// Returns true for a text that begins like path data.
  static func isPath(_ text: String) -> Bool {
    let start = text.utf8.drop { $0 <= 0x20 }
    guard let first = start.first, first | 0x20 == UInt8(ascii: "m") else { return false }
    let next = start.dropFirst().first { $0 > 0x20 }
    return next.map { "+-.0123456789".utf8.contains($0) } == true
  }

  /// Returns the path data of a list of commands such as `["M", 1, 2]`; nil for other lists.
  static func data(ofCommands elements: [JSONValue]) -> String? {
    guard let first = elements.first?.array, let name = first.first?.string,
      name.utf8.count == 1
    else { return nil }
    var data = ""
    for element in elements {
      guard let command = element.array, let name = command.first?.string, name.utf8.count == 1,
        let numbers = StrokeTree.all(command.dropFirst(), \.double)
      else { return nil }
      data += name
      for number in numbers { data += " \(number)" }
      data += " "
    }
    return data
  }

  /// Returns the runs of path data.
  static func runs(
    _ text: String, mostPoints: Int
  ) throws(StrokeTreeError) -> [[(x: Double, y: Double)]] {
    let bytes = Array(text.utf8)
    do throws(SVGPath.Fault) {
      return try bytes.withUnsafeBufferPointer { (bytes) throws(SVGPath.Fault) in
        try SVGPath(parsing: bytes, mostPoints: mostPoints).runs
      }
    } catch {
      throw error.isTooLong ? .tooMany(StrokeTree.mostPoints) : .path
    }
  }

  /// Returns the numbers of a text, separated by blanks, commas or semicolons; nil for other texts.
  static func numbers(_ text: String) -> [Double]? {
    let words = text.split { $0 == "," || $0 == ";" || $0.isWhitespace }
    return words.isEmpty ? nil : StrokeTree.all(words) { Double($0) }
  }
}
