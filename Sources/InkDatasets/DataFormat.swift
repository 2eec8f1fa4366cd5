/// A format that data can be named in.
public enum DataFormat: String, Hashable, Sendable, CaseIterable {
  /// A UNIPEN folder.
  case unipen
  /// A folder of gesture XML: $1 or MMG.
  case dollar
  /// Labelled strokes, one JSON object per line.
  case ndjson
  /// IAM-OnDB lines of text.
  case iamOnDB = "iam-ondb"
  /// Quick, Draw! raw drawings.
  case quickdraw
  /// Our own labelled-ink JSON Lines.
  case ink

  /// Formats of the command-line contract that this version does not read.
  public static let unavailable = [
    "inkml", "flowchart", "omniglot", "jiix", "starter",
  ]

  /// The keys that this format takes after `?`.
  public var keys: [String] {
    let common = [
      "area", "fold", "labels", "limit", "split", "splits", "writers", "y",
    ]
    return self == .unipen ? ["category"] + common : common
  }

  /// The parts that `split=` takes.
  public var splits: [DataSplit] {
    self == .iamOnDB
      ? [.train, .val1, .val2, .val, .test, .all] : [.train, .val, .test, .all]
  }
}
