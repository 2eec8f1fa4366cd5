import InkEditor

/// The selected ink of a page in the form that clients get.
package struct PageSelection: Hashable, Sendable, Encodable {
  /// The strokes, sorted; empty if nothing is selected.
  package var items: [Int] = []
  /// True if some strokes are selected in part only.
  package var isPartial = false
  /// The box of the ink in millimetres: left, top, right, bottom.
  var box: [Double]?
  /// The types that the ink can be changed to.
  package var types: [String] = []

  /// Makes a selection of nothing.
  package init() {}

  /// Reads a selection of an editor; one that is not valid is a selection of nothing.
  init(_ selection: Selection?, _ editor: Editor) {
    guard let selection, let box = selection.box,
      let whole = try? editor.selection(ofItems: selection.items)
    else { return }
    items = selection.items
    isPartial = whole.parts != selection.parts
    self.box = PageBlock.numbers(box)
    types = (try? editor.availableSelectionTypes(selection))?.map(\.rawValue) ?? []
  }
}
