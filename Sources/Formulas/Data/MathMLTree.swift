import Files

extension MathMLElement {
  /// Makes an element without children.
  init(_ tag: XMLTag) {
    self.init(name: tag.name, id: tag["xml:id"], isAccent: tag["accent"] == "true")
  }
}

/// An element of presentation MathML whose leaves refer to symbols by their id.
struct MathMLElement {
  var name: String
  var id: String?
  /// True for `mover` with a sign that belongs to what is under it.
  var isAccent = false
  var children: [MathMLElement] = []

  /// The symbols that this element adds to a layout: the first and the last of its outer row.
  private typealias Chain = (first: Int, last: Int)

  /// Returns the links of the symbols; nil if an element names no symbol, a symbol is not named, or
  /// the result is not a tree.
  ///
  /// - Parameters:
  ///   - symbols: The symbols.
  ///   - indices: The index of a symbol by the id of its element.
  func layout(_ symbols: [FormulaSymbol], _ indices: [String: Int]) -> SymbolLayout? {
    var links = [SymbolLayout.Link?](repeating: nil, count: symbols.count)
    var isUsed = [Bool](repeating: false, count: symbols.count)
    guard add(indices, &links, &isUsed) != nil, !isUsed.contains(false) else { return nil }
    return try? SymbolLayout(symbols: symbols, links: links)
  }

  private func symbol(_ indices: [String: Int], _ isUsed: inout [Bool]) -> Int? {
    guard let index = id.flatMap({ indices[$0] }), !isUsed[index] else { return nil }
    isUsed[index] = true
    return index
  }

  private func add(
    _ indices: [String: Int], _ links: inout [SymbolLayout.Link?], _ isUsed: inout [Bool]
  ) -> Chain? {
    switch name {
    case "mfrac": relate([.above, .below], indices, &links, &isUsed)
    case "msqrt":
      MathMLElement(
        name: "mroot", id: id, children: [MathMLElement(name: "mrow", children: children)]
      )
      .relate([.inside], indices, &links, &isUsed)
    case "mroot": relate([.inside, .above], indices, &links, &isUsed)
    case "msup": attach([.superscript], indices, &links, &isUsed)
    case "msub": attach([.subscript], indices, &links, &isUsed)
    case "msubsup": attach([.subscript, .superscript], indices, &links, &isUsed)
    case "munder": attach([.below], indices, &links, &isUsed)
    case "mover" where isAccent: accent(indices, &links, &isUsed)
    case "mover": attach([.above], indices, &links, &isUsed)
    case "munderover": attach([.below, .above], indices, &links, &isUsed)
    case "mi", "mn", "mo", "mtext":
      symbol(indices, &isUsed).map { ($0, $0) }
    default: row(indices, &links, &isUsed)
    }
  }

  private func row(
    _ indices: [String: Int], _ links: inout [SymbolLayout.Link?], _ isUsed: inout [Bool]
  ) -> Chain? {
    var chain: Chain?
    for child in children {
      guard let next = child.add(indices, &links, &isUsed) else { return nil }
      if let chain { links[next.first] = SymbolLayout.Link(chain.last, .right) }
      chain = (chain?.first ?? next.first, next.last)
    }
    return chain
  }

  /// A symbol of its own whose children are in places around it.
  private func relate(
    _ relations: [FormulaRelation], _ indices: [String: Int], _ links: inout [SymbolLayout.Link?],
    _ isUsed: inout [Bool]
  ) -> Chain? {
    guard let sign = symbol(indices, &isUsed), children.count == relations.count else { return nil }
    for (child, relation) in zip(children, relations) {
      guard let chain = child.add(indices, &links, &isUsed) else { return nil }
      links[chain.first] = SymbolLayout.Link(sign, relation)
    }
    return (sign, sign)
  }

  /// A sign above a row, which comes first.
  private func accent(
    _ indices: [String: Int], _ links: inout [SymbolLayout.Link?], _ isUsed: inout [Bool]
  ) -> Chain? {
    guard children.count == 2, let base = children[0].add(indices, &links, &isUsed),
      let sign = children[1].add(indices, &links, &isUsed), sign.first == sign.last
    else { return nil }
    links[base.first] = SymbolLayout.Link(sign.first, .below)
    return sign
  }

  /// A base, and scripts that belong to its last symbol.
  private func attach(
    _ relations: [FormulaRelation], _ indices: [String: Int], _ links: inout [SymbolLayout.Link?],
    _ isUsed: inout [Bool]
  ) -> Chain? {
    guard children.count == relations.count + 1,
      let base = children[0].add(indices, &links, &isUsed)
    else { return nil }
    for (child, relation) in zip(children.dropFirst(), relations) {
      guard let chain = child.add(indices, &links, &isUsed) else { return nil }
      links[chain.first] = SymbolLayout.Link(base.last, relation)
    }
    return base
  }
}
