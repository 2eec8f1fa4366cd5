import InkCore

extension Editor {
  /// Makes a candidate of a shape its label: the form is fitted to the ink again. The shape keeps
  /// it until it is set to another type. One step of the history.
  ///
  /// - Parameters:
  ///   - label: One of the candidates of ``ContentBlock/shape``.
  ///   - block: A node or an edge.
  /// - Returns: The block of the shape: another one if a node became an edge, or the reverse.
  /// - Throws: ``EditorError/noSuchCandidate``, also for a block without a shape and for the label of
  ///   ink that is no shape, or ``EditorError/invalidBlock(_:)``.
  @discardableResult
  public func choose(
    _ label: String, forShape block: ContentBlock
  ) throws(EditorError) -> ContentBlock {
    try withNode(block) { (state, document, node) throws(EditorError) in
      guard let old = node.shape, label != ShapeFinder.reject,
        let place = old.candidates.firstIndex(where: { $0.text == label }),
        let fit = ShapeFit(
          Ink(
            strokes: node.items.compactMap { document.strokes[$0] }.map {
              Stroke(points: $0.points)
            }))
      else { throw .noSuchCandidate }
      let (form, deviation) = fit.form(of: label)
      var candidates = old.candidates
      candidates.insert(candidates.remove(at: place), at: 0)
      let shape = RecognizedShape(
        label: label, candidates: candidates, form: form, deviation: deviation)
      let changed = state.change(document) { (state) -> BlockNode? in
        document.markEdited()
        guard shape.isEdge == (node.type == .edge) else {
          let items = node.items
          document.makeShape(shape, items: items, allowsText: false)
          return items.first.flatMap { document.block(of: $0) }
        }
        node.shape = shape
        document.changes.update(node)
        return node
      }
      guard let changed else { throw .invalidBlock(block.id) }
      changed.isForced = true
      state.schedule()
      return state.handle(changed)
    }
  }
}
