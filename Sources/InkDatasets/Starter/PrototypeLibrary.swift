/// Prototypes by label, in the order of the labels' first lines.
struct PrototypeLibrary: Sendable {
  /// The labels, each once.
  let labels: [String]
  /// The prototypes of each label, at least one.
  let prototypes: [String: [Prototype]]

  /// Parses texts of prototype notation.
  init(_ sources: [Prototypes.Source]) throws(PrototypeError) {
    var labels: [String] = []
    var prototypes: [String: [Prototype]] = [:]
    for source in sources {
      for prototype in try PrototypeParser.parse(source.text, name: source.name) {
        if prototypes[prototype.label] == nil { labels.append(prototype.label) }
        prototypes[prototype.label, default: []].append(prototype)
      }
    }
    self.labels = labels
    self.prototypes = prototypes
  }

  /// The forms of a label that stand alone, with the share of people who write each: the shares sum to
  /// one. Empty where it has none.
  func formsAlone(of label: String) -> [(prototype: Prototype, share: Double)] {
    let alone = (prototypes[label] ?? []).filter { !$0.isJoining }
    let total = alone.reduce(0) { $0 + $1.weight }
    return alone.map { ($0, $0.weight / total) }
  }

  /// Digits, letters and symbols; parsed once per process.
  static let characters = Result { () throws(PrototypeError) in
    try PrototypeLibrary([
      .init(name: "digits", text: Prototypes.digits),
      .init(name: "upper case", text: Prototypes.upperCase),
      .init(name: "lower case", text: Prototypes.lowerCase),
      .init(name: "symbols", text: Prototypes.symbols),
    ])
  }

  /// Shapes of diagrams; parsed once per process.
  static let shapes = Result { () throws(PrototypeError) in
    try PrototypeLibrary([.init(name: "shapes", text: Prototypes.shapes)])
  }

  /// Editing gestures; parsed once per process.
  static let gestures = Result { () throws(PrototypeError) in
    try PrototypeLibrary([.init(name: "gestures", text: Prototypes.gestures)])
  }
}
