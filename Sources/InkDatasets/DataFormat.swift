/// A format that data can be named in.
public enum DataFormat: String, Hashable, Sendable, CaseIterable {
  /// A UNIPEN folder.
  case unipen
  /// A folder of gesture XML: $1 or MMG.
  case dollar
  /// Labelled strokes, one JSON object per line.
  case ndjson
  /// Quick, Draw! raw drawings.
  case quickdraw
  /// Our own labelled-ink JSON Lines.
  case ink
  /// Ink that this package makes itself.
  case starter

  /// Formats of the command-line contract that this version does not read.
  public static let unavailable = [
    "iam-ondb", "inkml", "flowchart", "omniglot", "jiix",
  ]

  /// The keys that this format takes after `?`.
  public var keys: [String] {
    let common = [
      "area", "fold", "labels", "limit", "split", "splits", "writers", "y",
    ]
    switch self {
    case .unipen: return ["category"] + common
    case .starter: return common + ["count", "length", "population", "seed", "style", "words"]
    case .dollar, .ndjson, .quickdraw, .ink: return common
    }
  }
}
