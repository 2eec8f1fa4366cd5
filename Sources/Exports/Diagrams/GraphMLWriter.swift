import Files

/// Writes GraphML 1.0: blocks as nodes with their text, kind, page and box, edges with their heads.
enum GraphMLWriter {
  /// - Throws: ``ExportError/nothing(format:needs:)`` for a document without blocks.
  static func text(of document: ExportDocument) throws(ExportError) -> String {
    let graph = DiagramGraph(document)
    guard !graph.nodes.isEmpty else {
      throw .nothing(format: "GraphML", needs: "a diagram or text")
    }
    var result = """
      <?xml version="1.0" encoding="UTF-8"?>
      <graphml xmlns="http://graphml.graphdrawing.org/xmlns">

      """
    let keys = [
      ("node", "label", "string"), ("node", "kind", "string"), ("node", "page", "int"),
      ("node", "x", "double"), ("node", "y", "double"), ("node", "width", "double"),
      ("node", "height", "double"), ("edge", "text", "string"), ("edge", "arrow", "string"),
    ]
    for (owner, name, type) in keys {
      result +=
        "<key id=\"\(name)\" for=\"\(owner)\" attr.name=\"\(name)\" attr.type=\"\(type)\"/>\n"
    }
    result += "<graph id=\"ink\" edgedefault=\"directed\">\n"
    for node in graph.nodes {
      result += "<node id=\"\(node.id)\">\n"
      result +=
        data("label", node.label) + data("kind", node.kind) + data("page", "\(node.page + 1)")
      if let box = node.box {
        for (name, value) in [
          ("x", box.minX), ("y", box.minY), ("width", box.width), ("height", box.height),
        ] { result += data(name, "\((value * 1000).rounded() / 1000)") }
      }
      result += "</node>\n"
    }
    for edge in graph.edges {
      let isDirected = edge.startArrow != edge.endArrow
      let (from, to) =
        edge.startArrow && !edge.endArrow ? (edge.to, edge.from) : (edge.from, edge.to)
      result += "<edge source=\"\(from)\" target=\"\(to)\" directed=\"\(isDirected)\">\n"
      result += data(
        "arrow", edge.startArrow && edge.endArrow ? "both" : isDirected ? "end" : "none")
      if !edge.label.isEmpty { result += data("text", edge.label) }
      result += "</edge>\n"
    }
    return result + "</graph>\n</graphml>\n"
  }

  private static func data(_ key: String, _ value: String) -> String {
    "<data key=\"\(key)\">\(XMLText.escaped(value))</data>\n"
  }
}
