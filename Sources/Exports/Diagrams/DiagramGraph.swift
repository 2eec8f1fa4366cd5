import InkCore

/// The nodes and edges of the pages of a document.
struct DiagramGraph {
  /// A block of a page.
  struct Node {
    /// A name of letters and digits, unique in the document.
    var id: String
    /// The text; lines are separated by line breaks.
    var label: String
    /// `text`, `table`, `figure`, `formula` or `picture`.
    var kind: String
    /// The box in millimetres; nil if there is no ink.
    var box: BoundingBox?
    var page: Int
  }

  /// A line or an arrow between two nodes.
  struct Edge {
    var from: String
    var to: String
    var startArrow: Bool
    var endArrow: Bool
    var label: String
  }

  private(set) var nodes: [Node] = []
  private(set) var edges: [Edge] = []

  /// Takes the blocks that have text or edges, and the edges with both ends.
  init(_ document: ExportDocument) {
    for (page, content) in document.pages.enumerated() {
      let joined = content.edges.filter { $0.from != nil && $0.to != nil }
      let ends = Set(joined.flatMap { [$0.from, $0.to] }.compactMap { $0 })
      func name(_ id: Int) -> String { document.pages.count > 1 ? "p\(page + 1)n\(id)" : "n\(id)" }
      var places: [Int: Int] = [:]
      for block in content.blocks {
        let label = block.content.lines.map(\.text).joined(separator: "\n")
        if let place = places[block.id] {
          // The items of a list are one block.
          nodes[place].label += "\n" + label
          if let box = block.box { nodes[place].box?.formUnion(box) }
          continue
        }
        guard !label.isEmpty || ends.contains(block.id) else { continue }
        places[block.id] = nodes.count
        nodes.append(
          Node(
            id: name(block.id), label: label, kind: block.content.kind, box: block.box, page: page))
      }
      for edge in joined {
        guard let from = edge.from, let to = edge.to, places[from] != nil, places[to] != nil else {
          continue
        }
        edges.append(
          Edge(
            from: name(from), to: name(to), startArrow: edge.startArrow, endArrow: edge.endArrow,
            label: edge.label))
      }
    }
  }
}

extension ExportBlock.Content {
  fileprivate var kind: String {
    switch self {
    case .paragraph, .heading, .item: "text"
    case .table: "table"
    case .figure: "figure"
    case .formula: "formula"
    case .picture: "picture"
    }
  }
}
