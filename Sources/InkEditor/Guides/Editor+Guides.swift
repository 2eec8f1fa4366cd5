import Foundation
import InkCore
import Recognition

extension Editor {
  /// The guides of the part; nil without a part, if the key `text.guides.enable` is false, and in
  /// parts that have none: only "Text" and "Text Document" have guides.
  ///
  /// The spacing is the line height of text in the ``styleSheet``, unless the key
  /// `text.guides.spacing` is set. The width is that of the view at 100 %, so that it does not
  /// change when the view is scrolled or zoomed.
  public var guides: Guides? { locked { state in state.document.flatMap { state.guides($0) } } }

  /// Returns the rows of guides that have a part in a region, from top to bottom.
  ///
  /// - Parameter region: Millimetres; nil for what is seen.
  public func guideRows(in region: BoundingBox? = nil) -> [GuideRow] {
    locked { state in
      guard let guides = state.document.flatMap({ state.guides($0) }) else { return [] }
      return guides.rows(in: region ?? state.view.visibleBox)
    }
  }

  /// Returns the rows of ``guideRows(in:)`` in pixels of the view.
  ///
  /// - Parameter region: Millimetres; nil for what is seen.
  public func viewGuideRows(in region: BoundingBox? = nil) -> [ViewGuideRow] {
    let transform = viewTransform
    return guideRows(in: region).map { $0.inView(transform) }
  }
}

extension EditorState {
  /// Returns the guides of a document.
  mutating func guides(_ document: Document) -> Guides? {
    guard document.type == .text || document.type == .textDocument, let size = viewSize,
      boolean("text.guides.enable")
    else { return nil }
    let spacing = guideSpacing
    let page = transform.size(width: size.width, height: size.height)
    let left = number("text.margin.left")
    let right = page.width - number("text.margin.right")
    return Guides(
      top: number("text.margin.top"), spacing: spacing, left: left,
      right: max(right, left + spacing))
  }

  /// The height of a row.
  var guideSpacing: Double {
    mutating get {
      let key = "text.guides.spacing"
      let isSet = configuration.isSetHere(key) || engine.configuration.isSetHere(key)
      return isSet ? number(key) : rendering.styleSheet.text.lineHeight
    }
  }

  /// Reports guides that have changed, or only their place in pixels.
  ///
  /// - Parameter evenIfSame: True if guides are reported that have not changed in millimetres.
  mutating func refreshGuides(evenIfSame: Bool) {
    guard let document else { return }
    let now = guides(document)
    let isChanged = now != rendering.guides
    guard isChanged || (evenIfSame && now != nil) else { return }
    rendering.guides = now
    if rendering.isWatched { rendering.invalidate(.background) }
    pendingEvents.append(.guidesChanged(region: view.visibleBox))
  }

  /// Returns the row of a line of writing as its writing area, or an estimate of the area if the
  /// ink is in no row: above the first one, or much taller or smaller than a row.
  func writingArea(of ink: Ink, on guides: Guides) -> WritingArea? {
    guard let estimate = WritingArea.estimate(of: ink) else {
      // A dot has no size that says anything of its line.
      guard let box = ink.boundingBox, let row = guides.row(nearBaseline: box.maxY) else {
        return nil
      }
      return try? WritingArea(
        x: row.left, y: row.top, width: row.box.width, height: guides.spacing)
    }
    let share = estimate.height / guides.spacing
    guard share <= Chosen.tallest, share >= Chosen.smallest,
      let row = guides.row(nearBaseline: estimate.baseline)
    else { return estimate }
    return try? WritingArea(
      x: row.left, y: row.top, width: row.box.width, height: guides.spacing)
  }
}

extension WritingArea {
  /// The baseline of an estimated area, which reaches from half a capital below it to the top of
  /// capitals.
  var baseline: Double { y + height / 1.5 }
}

/// Numbers that were chosen and not derived.
private enum Chosen {
  /// The tallest line of ink that is read with its row. Chosen by hand.
  static let tallest = 1.5
  /// The smallest line of ink that is read with its row. Chosen by hand.
  static let smallest = 0.5
}
