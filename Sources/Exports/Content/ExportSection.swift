import InkCore
import InkEditor

/// A part of a page for writers of texts.
enum ExportSection {
  /// A block that is neither an item of a list nor part of a diagram.
  case block(ExportBlock)
  /// Neighbouring items of lists.
  case list([ListNode])
  /// Blocks that edges join.
  case diagram(ExportDiagram)
}

/// Blocks that edges join, and these edges.
struct ExportDiagram {
  var blocks: [ExportBlock]
  var edges: [ExportEdge]

  /// The diagram as a drawing with its texts, line by line.
  var figure: ExportBlock {
    ExportBlock(
      id: blocks.first?.id ?? 0, .figure(blocks.flatMap(\.content.lines)),
      box: BoundingBox(holding: blocks.compactMap(\.box)),
      drawing: blocks.flatMap(\.drawing) + edges.flatMap(\.drawing),
      language: blocks.lazy.compactMap(\.language).first)
  }

  /// The diagram as a document.
  var document: ExportDocument {
    let box = BoundingBox(minX: 0, minY: 0, maxX: 1, maxY: 1)
    return ExportDocument(pages: [ExportPage(box: box, blocks: blocks, edges: edges)])
  }
}

extension ExportPage {
  /// The sections in reading order. A diagram is where its first block is. O(blocks + edges).
  var sections: [ExportSection] {
    let groups = diagramsByBlock
    var result: [ExportSection] = []
    var items: [ExportBlock] = []
    var seen: Set<Int> = []
    func endList() {
      if !items.isEmpty { result.append(.list(ListNode.trees(of: items))) }
      items = []
    }
    for block in blocks {
      if let group = groups[block.id] {
        guard seen.insert(group).inserted else { continue }
        endList()
        let own = blocks.filter { groups[$0.id] == group }
        let ids = Set(own.map(\.id))
        let edges = edges.filter { edge in
          edge.from.map(ids.contains) ?? false || edge.to.map(ids.contains) ?? false
        }
        result.append(.diagram(ExportDiagram(blocks: own, edges: edges)))
      } else if block.isItem {
        items.append(block)
      } else {
        endList()
        result.append(.block(block))
      }
    }
    endList()
    return result
  }

  /// The diagram that each block is in, by the smallest number of its blocks; blocks without edges are
  /// in none.
  private var diagramsByBlock: [Int: Int] {
    let known = Set(blocks.map(\.id))
    var groups: [Int: Int] = [:]
    func root(_ id: Int) -> Int {
      var id = id
      while let next = groups[id], next != id { id = next }
      return id
    }
    for edge in edges {
      guard let from = edge.from, let to = edge.to, from != to, known.contains(from),
        known.contains(to)
      else { continue }
      let (one, other) = (root(from), root(to))
      groups[one] = min(one, other)
      groups[other] = min(one, other)
    }
    return groups.keys.reduce(into: [:]) { $0[$1] = root($1) }
  }

  /// The page without the drawings that texts do not show.
  package var withoutUnseenDrawings: ExportPage {
    var result = self
    let groups = diagramsByBlock
    result.drawing = []
    for index in result.blocks.indices where groups[result.blocks[index].id] == nil {
      switch result.blocks[index].content {
      case .figure, .formula, .picture: continue
      case .paragraph, .heading, .item, .table: result.blocks[index].drawing = []
      }
    }
    return result
  }
}
