import InkCore
import Layout

// Moves ink that keeps its ids, its readings and its place in the order of writing.
extension Document {
  /// Moves items. Words and shapes whose ink moves as a whole go with it; other words are read
  /// again. O(items, and the blocks that they are in).
  ///
  /// Call it inside a step of the history. Lines keep their ink: the caller says if it belongs to
  /// another.
  func move(_ items: Set<Int>, dx: Double, dy: Double) {
    let items = items.filter { strokes[$0] != nil }
    guard !items.isEmpty, dx != 0 || dy != 0 else { return }
    markEdited()
    page.structureIsStale = true
    for item in items {
      let old = strokes[item]?.shift ?? .none
      let shift = Shift(dx: old.dx + dx, dy: old.dy + dy)
      strokes[item]?.move(to: shift)
      shifts[item] = shift
    }
    var lines: [Int: TextLine] = [:]
    var blocks: [String: BlockNode] = [:]
    for item in items {
      switch places[item] {
      case .line(let line, _)?: lines[line.id] = line
      case .block(let block)?: blocks[block.id] = block
      case nil: break
      }
    }
    for line in lines.values.sorted(by: { $0.id < $1.id }) {
      for run in line.runs { moveWords(of: run, items, dx: dx, dy: dy) }
      measure(line)
      orderLines(of: line.block)
      blocks[line.block.id] = line.block
    }
    for block in blocks.values.sorted(by: { $0.id < $1.id }) {
      if block.shape != nil, items.isSuperset(of: block.items) {
        block.shape = block.shape?.moved(dx: dx, dy: dy)
      }
      refresh(block)
    }
    root.box = box(of: order)
    changes.update(root)
  }

  /// Moves the words whose ink has moved, and reads a run again of which a word was torn apart.
  private func moveWords(of run: TextRun, _ items: Set<Int>, dx: Double, dy: Double) {
    guard !items.isDisjoint(with: run.items) else { return }
    var isTorn = false
    for index in run.words.indices {
      let ink = Set(
        run.words[index].items + run.words[index].characters.flatMap(\.parts).map(\.item))
      guard !items.isDisjoint(with: ink) else { continue }
      guard items.isSuperset(of: ink) else {
        isTorn = true
        continue
      }
      run.words[index].move(dx: dx, dy: dy)
    }
    guard isTorn else { return }
    for item in run.items where items.contains(item) { run.moved.insert(item) }
    run.touch()
    enqueue(run)
  }

  /// Moves ink to the places of another state.
  func moveBack(_ wanted: [Int: Shift]) {
    guard !shifts.isEmpty || !wanted.isEmpty else { return }
    for item in strokes.keys {
      let shift = wanted[item] ?? .none
      if strokes[item]?.shift != shift { strokes[item]?.move(to: shift) }
    }
    shifts = wanted
  }
}

extension TextWord {
  /// Moves the boxes of the word and its characters.
  mutating func move(dx: Double, dy: Double) {
    box = box.moved(dx: dx, dy: dy)
    for index in characters.indices {
      characters[index].box = characters[index].box?.moved(dx: dx, dy: dy)
    }
  }
}
