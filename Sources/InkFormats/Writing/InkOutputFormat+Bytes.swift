import InkCore

extension InkOutputFormat {
  /// Returns labelled ink as a document in this format; see ``InkFileWriter``.
  ///
  /// - Throws: ``InkFormatError``: `nonFiniteNumber` for a value that is NaN or infinite,
  ///   `unequalLengths` or `malformed` for kinds that are not one known name for each stroke.
  public func bytes(of inks: [LabeledInk]) throws(InkFormatError) -> [UInt8] {
    var encoder = makeEncoder()
    var bytes: [UInt8] = []
    encoder.begin(&bytes)
    for labeled in inks {
      guard labeled.ink.hasFiniteNumbers else {
        throw InkFormatError(
          .nonFiniteNumber, at: SourceLocation(path: rawValue),
          expected: "finite numbers in the ink", found: "NaN or infinity",
          advice: "remove the point before writing")
      }
      try labeled.checkKinds(at: SourceLocation(path: rawValue))
      guard self == .jsonLines || !labeled.ink.isEmpty else { continue }
      _ = encoder.append(labeled, penWidth: nil, to: &bytes)
    }
    encoder.end(&bytes)
    return bytes
  }

  /// Makes an encoder of the format.
  func makeEncoder() -> any InkEncoder {
    switch self {
    case .jsonLines: JSONLinesEncoder()
    case .inkML: InkMLEncoder()
    case .unipen: UNIPENEncoder()
    case .svg: SVGEncoder()
    }
  }
}
