import Layout

/// The kinds of the strokes of an InkML file, from the annotations of groups.
///
/// An annotation of type `kind` has one of the names of `StrokeKind`. For whole pages, names that other
/// programs give their groups count too: annotations of type `type` or `category`, and in the
/// files of flowcharts the label of a group. The innermost group with a kind decides.
struct InkMLKinds {
  /// The annotation that a kind comes from, the best first.
  enum Source: Int, Comparable {
    case kind, type, truth

    static func < (first: Source, second: Source) -> Bool { first.rawValue < second.rawValue }
  }

  /// The kind of a group.
  struct Found {
    var kind: StrokeKind
    var source: Source
  }

  /// The kinds by the names in files, in lower case and without spaces, hyphens and underscores.
  private static let names: [String: StrokeKind] = {
    var names: [String: StrokeKind] = [
      "textblock": .text, "textline": .text, "word": .text,
      "equation": .formula, "math": .formula,
      "diagram": .drawing, "figure": .drawing, "sketch": .drawing, "picture": .drawing,
      "arrow": .connector, "edge": .connector,
      "process": .frame, "decision": .frame, "data": .frame, "terminator": .frame,
      "connection": .frame, "node": .frame, "box": .frame, "markingencircling": .frame,
      "markingunderline": .underline, "checkbox": .tickBox,
    ]
    for kind in StrokeKind.allCases { names[kind.rawValue.lowercased()] = kind }
    return names
  }()

  /// Returns the kind that another program's name says; nil if it says none.
  static func kind(named name: String) -> StrokeKind? {
    names[name.lowercased().filter { !" -_".contains($0) }]
  }

  /// Returns the kind of each trace of a document; nil for traces without one. O(groups + traces).
  ///
  /// - Parameter last: The least reliable source to use.
  static func kinds(of document: InkMLDocument, upTo last: Source) -> [StrokeKind?] {
    var result = [StrokeKind?](repeating: nil, count: document.strokes.count)
    var kinds = [StrokeKind?](repeating: nil, count: document.groups.count)
    var viewed = kinds
    // A group comes behind the groups around it, so inner kinds replace outer ones.
    for (place, group) in document.groups.enumerated() {
      let own = group.strokeKind.flatMap { $0.source <= last ? $0.kind : nil }
      kinds[place] = own ?? group.parent.flatMap { kinds[$0] }
      guard let kind = kinds[place] else { continue }
      for member in group.members {
        switch member {
        case .trace(let trace): result[trace] = kind
        case .group: break
        case .view(let name, nil, nil, _):
          let name = InkMLDocument.bare(name)
          if let trace = document.places[name] {
            result[trace] = kind
          } else if let group = document.groupPlaces[name] {
            viewed[group] = kind
          }
        case .view: break
        }
      }
    }
    // The traces of groups that are viewed as a whole.
    for (place, group) in document.groups.enumerated() {
      viewed[place] = viewed[place] ?? group.parent.flatMap { viewed[$0] }
      guard let kind = viewed[place] else { continue }
      for case .trace(let trace) in group.members where result[trace] == nil {
        result[trace] = kind
      }
    }
    return result
  }
}
