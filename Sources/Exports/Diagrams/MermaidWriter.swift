import Foundation

/// Writes a flowchart of Mermaid: blocks as nodes with their text, and edges with their heads.
enum MermaidWriter {
  /// - Throws: ``ExportError/nothing(format:needs:)`` for a document without blocks.
  static func text(of document: ExportDocument) throws(ExportError) -> String {
    let graph = DiagramGraph(document)
    guard !graph.nodes.isEmpty else {
      throw .nothing(format: "Mermaid", needs: "a diagram or text")
    }
    var result = "flowchart \(direction(of: graph))\n"
    for node in graph.nodes {
      let label = node.label.isEmpty ? " " : node.label
      result += "  \(node.id)[\"\(escaped(label))\"]\n"
    }
    for edge in graph.edges {
      let line =
        switch (edge.startArrow, edge.endArrow) {
        case (true, true): "<-->"
        case (false, false): "---"
        case (_, _): "-->"
        }
      let (from, to) =
        edge.startArrow && !edge.endArrow ? (edge.to, edge.from) : (edge.from, edge.to)
      let label = edge.label.isEmpty ? "" : "|\"\(escaped(edge.label))\"|"
      result += "  \(from) \(line)\(label) \(to)\n"
    }
    return result
  }

  /// The direction in which most edges lead.
  private static func direction(of graph: DiagramGraph) -> String {
    var boxes: [String: (x: Double, y: Double)] = [:]
    for node in graph.nodes { if let box = node.box { boxes[node.id] = (box.midX, box.midY) } }
    var (across, down) = (0.0, 0.0)
    for edge in graph.edges {
      guard let from = boxes[edge.from], let to = boxes[edge.to] else { continue }
      across += abs(to.x - from.x)
      down += abs(to.y - from.y)
    }
    return across > down ? "LR" : "TD"
  }

  /// Returns a text for a label in quotation marks, in which signs have codes.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": result += "<br/>"
      case "\"", "#", "&", "<", ">", ";", "`", "\\": result += "#\(scalar.value);"
      default:
        if scalar.value >= 0x20 { result.unicodeScalars.append(scalar) }
      }
    }
    return result
  }
}
