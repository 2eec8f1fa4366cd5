import InkCore

/// The place of a guide beside a block: above it, on the screen.
package enum GuidePlacement {
  /// Returns the rectangle of a guide in pixels.
  ///
  /// It is above the block, with its left edge at the block's; for text from right to left, with its
  /// right edge. If there is no room above, it is
  /// below; if there is none either, it is at the upper edge of the view. It never leaves the view,
  /// unless it is larger than the view.
  ///
  /// - Parameters:
  ///   - width: The width of the guide.
  ///   - height: The height of the guide.
  ///   - box: The box of the block in pixels.
  ///   - view: The size of the view in pixels.
  ///   - gap: The pixels between guide and block.
  ///   - direction: The direction of the block's text.
  package static func rectangle(
    width: Double, height: Double, beside box: BoundingBox, view: (width: Double, height: Double),
    gap: Double, direction: WritingDirection = .leftToRight
  ) -> BoundingBox {
    let wanted = direction == .rightToLeft ? box.maxX - width : box.minX
    let x = max(0, min(wanted, view.width - width))
    let above = box.minY - gap - height
    let below = box.maxY + gap
    let y: Double =
      if above >= 0 {
        min(above, max(0, view.height - height))
      } else if below >= 0, below + height <= view.height {
        below
      } else {
        0
      }
    return BoundingBox(minX: x, minY: y, maxX: x + width, maxY: y + height)
  }
}

extension Editor {
  /// Returns the place of a guide for the active block: above the block, moved with the view, on
  /// the screen.
  ///
  /// - Parameters:
  ///   - width: The width of the guide in pixels, above 0.
  ///   - height: The height of the guide in pixels, above 0.
  ///   - gap: The pixels between guide and block.
  /// - Returns: The rectangle in pixels; nil if no block is active or it has no ink.
  /// - Throws: ``EditorError/noPart``, or an invalid argument if a number is not finite.
  public func guideRectangle(
    width: Double, height: Double, gap: Double = 8
  ) throws(EditorError) -> BoundingBox? {
    guard width.isFinite, height.isFinite, gap.isFinite, width > 0, height > 0 else {
      throw .invalidArgument(
        "size of the guide", expected: "finite numbers above 0", found: "\(width) x \(height)")
    }
    return try withDocument { (state, document) throws(EditorError) in
      guard let block = document.activeBlock, let box = block.box, let view = state.viewSize else {
        return nil
      }
      let (from, to) = (
        state.transform.view(x: box.minX, y: box.minY),
        state.transform.view(x: box.maxX, y: box.maxY)
      )
      return GuidePlacement.rectangle(
        width: width, height: height,
        beside: BoundingBox(minX: from.x, minY: from.y, maxX: to.x, maxY: to.y), view: view,
        gap: gap, direction: document.direction(of: block))
    }
  }
}
