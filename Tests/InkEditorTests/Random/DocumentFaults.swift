import InkCore
import InkEditor

extension Document {
  /// The rules that the document breaks. Use under the editor's lock.
  var faults: [String] {
    var faults: [String] = []
    func require(_ holds: Bool, _ fault: @autoclosure () -> String) {
      if !holds { faults.append(fault()) }
    }
    require(Set(order) == Set(strokes.keys) && order.count == strokes.count, "order of the ink")
    require(root.box == box(of: order), "box of the root")
    let tree = root.withDescendants
    require(Set(tree.map(\.id)) == Set(blocks.keys) && tree.count == blocks.count, "tree of blocks")
    var counts: [Int: Int] = [:]
    for block in tree {
      require(blocks[block.id] === block, "block \(block.id) is another")
      for child in block.children { require(child.parent === block, "parent of \(child.id)") }
      for item in block.items + block.lines.flatMap(\.items) { counts[item, default: 0] += 1 }
      for item in block.items {
        let isHere = if case .block(let own)? = places[item] { own === block } else { false }
        require(isHere, "item \(item) of block \(block.id) is elsewhere")
      }
      for end in block.ends {
        if let end { require(blocks[end]?.type == .node, "end \(end) of edge \(block.id)") }
      }
      for line in block.lines {
        require(line.block === block, "block of line \(line.id)")
        faults += self.faults(of: line)
      }
    }
    for item in unsorted + pending { counts[item, default: 0] += 1 }
    require(Set(counts.keys) == Set(order), "items in blocks")
    require(counts.values.allSatisfy { $0 == 1 }, "items in several blocks")
    require(asked.isSubset(of: unsorted), "asked items")
    let lines = tree.flatMap(\.lines)
    require(
      Set(lines.flatMap(\.runs).map(\.id)) == Set(runs.keys), "table of runs")
    require(activeBlock.map { blocks[$0.id] === $0 } ?? true, "active block")
    require(
      forcedShapes.allSatisfy { $0.items.allSatisfy { strokes[$0] != nil } }, "forced shapes")
    for decoration in decorations.all {
      let items = Set(decoration.parts.map(\.item))
      require(items.allSatisfy { strokes[$0] != nil }, "ink of decoration \(decoration.id)")
      require(
        !items.isEmpty && InkAnchor(decoration.parts).parts == decoration.parts,
        "parts of decoration \(decoration.id)")
      require(
        items.allSatisfy { decorations.touching([$0]).contains(decoration) },
        "index of decoration \(decoration.id)")
    }
    let decorated = Set(decorations.all.flatMap(\.parts).map(\.item))
    require(Set(decorations.items) == decorated, "items of decorations")
    return faults
  }

  private func faults(of line: TextLine) -> [String] {
    var faults: [String] = []
    func require(_ holds: Bool, _ fault: @autoclosure () -> String) {
      if !holds { faults.append("line \(line.id): " + fault()) }
    }
    require(line.runs.flatMap(\.items).sorted() == line.items.sorted(), "ink of its runs")
    require(line.items == inOrder(line.items), "order")
    require(line.box == box(of: line.items), "box")
    for run in line.runs {
      require(run.items == inOrder(run.items), "order of a run")
      require(run.box == box(of: run.items), "box of a run")
      for item in run.items {
        let isHere =
          if case .line(let own, let ownRun)? = places[item] {
            own === line && ownRun === run
          } else { false }
        require(isHere, "item \(item) is elsewhere")
      }
    }
    return faults
  }
}

extension Editor {
  /// The reasons why the editor is not idle, for the message of a failure.
  var pendingWork: String {
    let isDelivering = inbox.isBusy
    return read { state in
      let document = state.document
      let dirty = document?.dirtyRuns.filter { document?.isDirty($0) == true } ?? []
      return """
        \(state.workers) threads, sorting \(state.isClassifying), delay \(state.delayIsPending), busy \(state.busyBlocks), \
        asked \(document?.asked.count ?? 0) of \(document?.unsorted.count ?? 0), \
        shapes \(document?.forcedShapes ?? []), \(dirty.count) runs, delivering \(isDelivering)
        """
    }
  }
}
