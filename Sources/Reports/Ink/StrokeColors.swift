import InkCore
import Layout

/// The colours of the strokes of a page by their kinds.
package struct StrokeColors: Hashable, Sendable {
  /// The kind of each stroke of the ink; nil for one without a kind.
  package var kinds: [StrokeKind?]
  /// The strokes that are drawn thicker, because their kind is wrong.
  package var wrong: Set<Int>

  /// Makes the colours of an ink.
  package init(_ kinds: [StrokeKind?], wrong: some Sequence<Int> = []) {
    self.kinds = kinds
    self.wrong = Set(wrong)
  }

  /// Returns the CSS classes of the strokes that a drawing shows: those with a finite point.
  func classes(of ink: Ink) -> [String] {
    ink.strokes.indices.filter { ink.strokes[$0].points.contains(where: \.hasFinitePosition) }.map {
      let kind = kinds.indices.contains($0) ? kinds[$0] : nil
      return Self.name(of: kind) + (wrong.contains($0) ? " x" : "")
    }
  }

  /// The CSS class of a kind.
  private static func name(of kind: StrokeKind?) -> String { kind.map { "k\($0.index)" } ?? "kn" }

  /// The colours of a kind, light and dark.
  private static func colors(of kind: StrokeKind?) -> (light: String, dark: String) {
    switch kind {
    case .text: ("#1c1b19", "#ecebe7")
    case .formula: ("#8b2fc9", "#cf9bff")
    case .drawing: ("#0e7490", "#5cc8e6")
    case .connector: ("#c2410c", "#ff8a5c")
    case .frame: ("#1d4fd8", "#7aa7ff")
    case .divider: ("#be185d", "#ff7ab8")
    case .underline: ("#15803d", "#5fd38d")
    case .strikeThrough: ("#dc2626", "#ff6b6b")
    case .bullet: ("#a16207", "#f0c419")
    case .tickBox: ("#65a30d", "#b5e550")
    case .tableRule: ("#7c8794", "#9fb0c3")
    case nil: ("#d4d0c8", "#55534e")
    }
  }

  /// The CSS of all kinds: strokes, and the samples of a legend.
  static let styleSheet: String = {
    let kinds: [StrokeKind?] = StrokeKind.allCases + [nil]
    func rules(_ color: (StrokeKind?) -> String) -> String {
      kinds.map { kind in
        let (name, color) = (name(of: kind), color(kind))
        return ".ink path.\(name){stroke:\(color)}.ink circle.\(name){fill:\(color)}"
          + ".legend .\(name){background:\(color)}"
      }.joined()
    }
    return """
      \(rules { colors(of: $0).light })
      @media(prefers-color-scheme:dark){\(rules { colors(of: $0).dark })}
      .ink path.x{stroke-width:56}.ink circle.x{stroke:currentColor;stroke-width:16}
      .legend{display:flex;flex-wrap:wrap;gap:4px 16px;list-style:none;padding:0;font-size:14px}
      .legend span{display:inline-block;width:20px;height:4px;border-radius:2px;margin-right:6px;\
      vertical-align:middle}
      """
  }()

  /// The values of a legend of some kinds.
  static func legend(of kinds: Set<StrokeKind?>) -> [[String: Any]] {
    let all: [StrokeKind?] = StrokeKind.allCases + [nil]
    return all.filter(kinds.contains).map {
      ["class": name(of: $0), "name": $0.map(\.title) ?? "none"]
    }
  }
}

extension StrokeKind {
  /// The name for people.
  var title: String {
    switch self {
    case .text: "text"
    case .formula: "formula"
    case .drawing: "drawing"
    case .connector: "connector"
    case .frame: "frame"
    case .divider: "divider"
    case .underline: "underline"
    case .strikeThrough: "strike-through"
    case .bullet: "bullet"
    case .tickBox: "tick box"
    case .tableRule: "table rule"
    }
  }
}
