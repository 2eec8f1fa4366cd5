import InkCore

/// Ink of one line, or of no line, that a decoration is drawn for.
struct DecoratedInk: Hashable, Sendable {
  /// The box of the ink.
  var box: BoundingBox
  /// The baseline and the height of small letters there.
  var metrics: LetterMetrics
}

/// The picture of a decoration.
struct DecorationPicture: Hashable, Sendable {
  /// The commands, in a group that is named after the kind.
  var command: DrawCommand
  /// True if it is drawn behind the ink.
  var isBehind: Bool
  /// The box of the commands.
  var box: BoundingBox
}

extension [DecorationPicture] {
  /// Returns commands that draw ink with the decorations behind and before it.
  func around(_ ink: [DrawCommand]) -> [DrawCommand] {
    guard !isEmpty else { return ink }
    return filter(\.isBehind).map(\.command) + ink + filter { !$0.isBehind }.map(\.command)
  }
}

extension Document {
  /// Returns the pictures of decorations by id. O(their ink).
  ///
  /// - Parameters:
  ///   - sheet: The theme.
  ///   - items: The items to draw; nil for all.
  func decorationPictures(
    _ sheet: StyleSheet, of items: Set<Int>? = nil
  ) -> [Int: DecorationPicture] {
    var result: [Int: DecorationPicture] = [:]
    let found = items.map { decorations.touching($0) } ?? decorations.all
    for decoration in found {
      var anchor = InkAnchor(decoration.parts)
      if let items { anchor = anchor.without(Set(anchor.items).subtracting(items)) }
      let look = sheet.look(of: decoration.kind, decoration.style)
      let commands = decorated(anchor).flatMap { decoration.kind.commands($0, look) }
      let command = DrawCommand.group(DrawGroup(name: decoration.kind.rawValue, commands))
      guard let box = command.box else { continue }
      result[decoration.id] = DecorationPicture(
        command: command, isBehind: decoration.kind == .highlight, box: box)
    }
    return result
  }

  /// Returns the pieces of ink that a decoration is drawn for, from top to bottom.
  func decorated(_ anchor: InkAnchor) -> [DecoratedInk] {
    var lines: [ObjectIdentifier: TextLine] = [:]
    // Ink that is in no line, by its block.
    var others: [String: [Int]] = [:]
    for item in anchor.items where strokes[item] != nil {
      if case .line(let line, _)? = places[item] {
        lines[ObjectIdentifier(line)] = line
      } else {
        others[block(of: item)?.id ?? "", default: []].append(item)
      }
    }
    var result = lines.values.flatMap { decorated(anchor, in: $0) }
    for items in others.values {
      let boxes = items.flatMap { item in
        (anchor.ranges[item] ?? []).compactMap { box(of: ItemPart(item: item, points: $0)) }
      }
      if let box = BoundingBox(holding: boxes) {
        result.append(DecoratedInk(box: box, metrics: LetterMetrics([], within: box)))
      }
    }
    return result.sorted { ($0.box.minY, $0.box.minX) < ($1.box.minY, $1.box.minX) }
  }

  private func decorated(_ anchor: InkAnchor, in line: TextLine) -> [DecoratedInk] {
    let text = BlockText(lines: [line])
    let base = LetterMetrics(line)
    var result: [DecoratedInk] = []
    for range in text.covered(by: anchor) {
      let letters = text.elements[range].compactMap { letter in
        BoundingBox(holding: letter.parts.compactMap(box)).map { (label: letter.label, box: $0) }
      }
      guard let box = BoundingBox(holding: letters.map(\.box)) else { continue }
      var metrics = LetterMetrics(letters, within: box)
      if !letters.contains(where: { "acemnorsuvwxz".contains($0.label) }) {
        metrics.xHeight = min(base.xHeight, max(box.height, base.xHeight / 2))
      }
      result.append(DecoratedInk(box: box, metrics: metrics))
    }
    // Ink of no character: it is not read, or was read as nothing.
    let read = Set(text.elements.lazy.flatMap(\.parts).map(\.item))
    let rest = anchor.items.filter { item in
      guard !read.contains(item), case .line(let own, _)? = places[item] else { return false }
      return own === line
    }
    let boxes = rest.flatMap { item in
      (anchor.ranges[item] ?? []).compactMap { box(of: ItemPart(item: item, points: $0)) }
    }
    // A mark of decorated characters needs no piece of its own.
    if let box = BoundingBox(holding: boxes), !result.contains(where: { $0.box.holds(box) }) {
      result.append(DecoratedInk(box: box, metrics: LetterMetrics([], within: box)))
    }
    return result
  }

  /// Returns the box of a part of an item as its ink is now; nil if there is none. O(points).
  func box(of part: ItemPart) -> BoundingBox? {
    guard let points = strokes[part.item]?.points else { return nil }
    let own = points[part.points.clamped(to: 0..<points.count)]
    guard let first = own.first else { return nil }
    var box = BoundingBox(minX: first.x, minY: first.y, maxX: first.x, maxY: first.y)
    for point in own.dropFirst() { box.formUnion(x: point.x, y: point.y) }
    return box
  }
}

extension StyleSheet {
  /// Returns the look of decorations of a kind. The class has the name of the kind, such as
  /// `underline`. Without a rule, lines have the colour of ink.
  public func look(of kind: DecorationKind) -> LineLook {
    let rule = rules[kind.rawValue]
    let usual = kind == .highlight ? Self.highlightColor : strokeStyle(for: "ink").inkColor
    return LineLook(color: rule?.color ?? usual, width: rule?.width ?? Chosen.width)
  }

  /// Returns the look of a decoration with a style of its own.
  func look(of kind: DecorationKind, _ style: DecorationStyle?) -> LineLook {
    let base = look(of: kind)
    return LineLook(color: style?.color ?? base.color, width: style?.width ?? base.width)
  }

  private static let highlightColor = InkColor(red: 0xFF, green: 0xE0, blue: 0x66, alpha: 0xB0)
}

extension DecorationKind {
  /// Returns the commands that draw a decoration of ink.
  fileprivate func commands(_ ink: DecoratedInk, _ look: StyleSheet.LineLook) -> [DrawCommand] {
    let (box, height) = (ink.box, ink.metrics.xHeight)
    let below = ink.metrics.baseline + max(look.width, Chosen.underline * height)
    func line(_ y: Double) -> DrawCommand {
      let ends = [PlanePoint(x: box.minX, y: y), PlanePoint(x: box.maxX, y: y)]
      return .stroke(DrawPath(ends, isClosed: false), look.color, LineStyle(width: look.width))
    }
    switch self {
    case .underline: return [line(below)]
    case .doubleUnderline:
      return [line(below), line(below + max(2 * look.width, Chosen.between * height))]
    case .strikeThrough: return [line(ink.metrics.baseline - height / 2)]
    case .highlight:
      return [.fill(DrawPath(box.grown(by: max(look.width, Chosen.margin * height))), look.color)]
    case .surround:
      let margin = max(2 * look.width, Chosen.distance * height)
      return [
        .stroke(
          DrawPath(box.grown(by: margin), radius: margin), look.color,
          LineStyle(width: look.width))
      ]
    }
  }
}

extension DrawPath {
  /// Makes the path of a box with round corners.
  ///
  /// - Parameters:
  ///   - box: The box.
  ///   - radius: The radius of the corners; at most half of a side.
  init(_ box: BoundingBox, radius: Double) {
    let radius = min(radius, box.width / 2, box.height / 2)
    let corners = box.corners
    for index in corners.indices {
      let (before, corner) = (corners[(index + 3) % 4], corners[index])
      let after = corners[(index + 1) % 4]
      func point(towards other: PlanePoint) -> PlanePoint {
        let length = max(abs(other.x - corner.x), abs(other.y - corner.y))
        let share = length > 0 ? radius / length : 0
        return PlanePoint(
          x: corner.x + share * (other.x - corner.x), y: corner.y + share * (other.y - corner.y))
      }
      let start = point(towards: before)
      append(index == 0 ? .move(start) : .line(start))
      append(.quadratic(control: corner, to: point(towards: after)))
    }
    append(.close)
  }
}

/// Numbers that were chosen and not derived, by eye on written lines as SVG in a browser.
private enum Chosen {
  /// The width of a line, in millimetres.
  static let width = 0.4
  /// The distance of an underline from the baseline, in heights of small letters.
  static let underline = 0.3
  /// The distance of the lines of a double underline, in heights of small letters.
  static let between = 0.25
  /// The margin of a highlight, in heights of small letters.
  static let margin = 0.15
  /// The distance of a surrounding line, in heights of small letters.
  static let distance = 0.35
}
