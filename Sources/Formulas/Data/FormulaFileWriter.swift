import Files
import InkCore

/// Writes labelled formulas as the InkML that ``FormulaFile`` reads: traces, a group of traces for each
/// symbol, LaTeX, and presentation MathML whose elements the groups refer to.
package enum FormulaFileWriter {
  /// The text of a file; nil without a layout.
  package static func text(of record: LabeledFormula) -> String? {
    guard let layout = record.layout, let root = layout.root else { return nil }
    var text = #"<ink xmlns="http://www.w3.org/2003/InkML">"# + "\n"
    text += annotation("truth", "$" + record.latex + "$")
    if let writer = record.writer { text += annotation("writer", writer) }
    text += #"<annotationXML type="truth" encoding="Content-MathML">"# + "\n"
    text += #"<math xmlns="http://www.w3.org/1998/Math/MathML">"#
    text += Elements(layout).row(from: root) + "</math>\n</annotationXML>\n"
    for (index, stroke) in record.ink.strokes.enumerated() {
      let points = stroke.points.map { "\(number($0.x)) \(number($0.y))" }
      text += #"<trace id="\#(index)">"# + points.joined(separator: ", ") + "</trace>\n"
    }
    text += #"<traceGroup xml:id="symbols">"# + "\n" + annotation("truth", "Segmentation")
    for (index, symbol) in layout.symbols.enumerated() {
      text += #"<traceGroup xml:id="g\#(index)">"# + annotation("truth", symbol.label)
      text += symbol.strokes.map { #"<traceView traceDataRef="\#($0)"/>"# }.joined()
      text += #"<annotationXML href="\#(Elements.id(index))"/></traceGroup>"# + "\n"
    }
    return text + "</traceGroup>\n</ink>\n"
  }

  private static func annotation(_ type: String, _ text: String) -> String {
    #"<annotation type="\#(type)">"# + XMLText.escaped(text) + "</annotation>\n"
  }

  private static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e9 ? "\(Int(value))" : "\(value)"
  }

  /// The elements of a layout, with the ids of their symbols.
  private struct Elements {
    private let symbols: [FormulaSymbol]
    private let children: [[FormulaRelation: Int]]

    init(_ layout: SymbolLayout) {
      symbols = layout.symbols
      children = layout.children
    }

    static func id(_ index: Int) -> String { "s\(index)" }

    /// A row as one element. Each symbol is visited once.
    func row(from first: Int) -> String {
      var parts: [String] = []
      var place: Int? = first
      while let here = place {
        parts.append(element(here))
        place = children[here][.right]
      }
      return parts.count == 1 ? parts[0] : "<mrow>\(parts.joined())</mrow>"
    }

    private func element(_ index: Int) -> String {
      let places = children[index]
      let symbol = symbols[index]
      let name = #" xml:id="\#(Self.id(index))""#
      func part(_ relation: FormulaRelation) -> String? { places[relation].map(row(from:)) }
      var base: String
      var (above, below) = (part(.above), part(.below))
      if symbol.label == "-", let over = above, let under = below {
        base = "<mfrac\(name)>\(over)\(under)</mfrac>"
        (above, below) = (nil, nil)
      } else if symbol.label == #"\sqrt"#, let inside = part(.inside) {
        base =
          above.map { "<mroot\(name)>\(inside)\($0)</mroot>" } ?? "<msqrt\(name)>\(inside)</msqrt>"
        above = nil
      } else if above == nil, let under = below,
        AccentSigns.accent(of: symbol.label, isSingle: true) != nil
      {
        base = "<mover accent=\"true\">\(under)\(leaf(symbol, name))</mover>"
        below = nil
      } else {
        base = leaf(symbol, name)
      }
      base = Self.scripted(base, part(.subscript), part(.superscript), ("msub", "msup", "msubsup"))
      return Self.scripted(base, below, above, ("munder", "mover", "munderover"))
    }

    private func leaf(_ symbol: FormulaSymbol, _ name: String) -> String {
      let text = XMLText.escaped(SymbolText.text(of: symbol.label))
      let isDigit = symbol.label.count == 1 && symbol.label.first?.isNumber == true
      let isName =
        SymbolText.functions.contains(symbol.label)
        || text.unicodeScalars.allSatisfy { $0.properties.isAlphabetic }
      let tag = isDigit ? "mn" : isName ? "mi" : "mo"
      return "<\(tag)\(name)>\(text)</\(tag)>"
    }

    private static func scripted(
      _ base: String, _ lower: String?, _ upper: String?,
      _ names: (lower: String, upper: String, both: String)
    ) -> String {
      switch (lower, upper) {
      case (nil, nil): base
      case (let lower?, nil): "<\(names.lower)>\(base)\(lower)</\(names.lower)>"
      case (nil, let upper?): "<\(names.upper)>\(base)\(upper)</\(names.upper)>"
      case (let lower?, let upper?): "<\(names.both)>\(base)\(lower)\(upper)</\(names.both)>"
      }
    }
  }
}
