import InkCore

/// A style of an item, or none.
struct StyleChoice: Hashable, Sendable {
  var style: StrokeStyle?
}

extension Editor {
  /// The theme. Ink without a style of its own is drawn by it, and its line height of text sets the
  /// spacing of the guides. The default is ``StyleSheet/standard``.
  public var styleSheet: StyleSheet {
    get { read { state in state.rendering.styleSheet } }
    set {
      locked { state in
        guard newValue != state.rendering.styleSheet else { return }
        state.rendering.styleSheet = newValue
        if state.rendering.isWatched { state.rendering.invalidateAll() }
        state.refreshGuides(evenIfSame: true)
      }
    }
  }

  /// Gives items of ink a style, such as those of a word. It is one change that can be undone.
  ///
  /// - Parameters:
  ///   - style: The style, or nil so that the theme decides.
  ///   - items: The ids of the items; unknown ones are ignored.
  /// - Returns: The number of items that look different now.
  /// - Throws: ``EditorError/noPart``.
  @discardableResult
  public func setStyle(
    _ style: StrokeStyle?, forItems items: some Sequence<Int>
  ) throws(EditorError) -> Int {
    let items = Array(items)
    return try withDocument { (state, document) throws(EditorError) in
      state.change(document) { state in document.restyle(items, style) }
    }
  }
}

extension Document {
  /// Gives items a style. O(items).
  ///
  /// - Returns: The number of items that had another one.
  func restyle(_ items: [Int], _ style: StrokeStyle?) -> Int {
    var count = 0
    for item in items {
      guard let stroke = strokes[item], stroke.style != style else { continue }
      if drawnStyles[item] == nil { drawnStyles[item] = StyleChoice(style: stroke.style) }
      restyled[item] = StyleChoice(style: style)
      strokes[item]?.style = style
      changes.update(block(of: item) ?? root)
      count += 1
    }
    if count > 0 { markEdited() }
    return count
  }

  /// Gives ink the styles of another time. O(items that were restyled).
  func restoreStyles(_ then: [Int: StyleChoice]) {
    for item in Set(restyled.keys).union(then.keys) where restyled[item] != then[item] {
      guard let choice = then[item] ?? drawnStyles[item] else { continue }
      removed[item]?.style = choice.style
      guard strokes[item] != nil else { continue }
      strokes[item]?.style = choice.style
      changes.update(block(of: item) ?? root)
    }
    restyled = then
  }
}
