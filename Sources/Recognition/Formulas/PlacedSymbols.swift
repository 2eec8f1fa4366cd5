import Formulas
import Foundation
import InkCore

/// The symbols of one segmentation with their boxes, and the lines and roots around each.
package struct PlacedSymbols {
  /// Strokes of each symbol, ascending.
  package let groups: [[Int]]
  /// Boxes of the symbols.
  package let boxes: [BoundingBox]
  /// The class of each symbol; the relations depend on it.
  package var labels: [Int] {
    didSet { measureSurroundings() }
  }
  /// The typical size of a stroke.
  package let unit: Double
  /// The box of all symbols.
  package let frame: BoundingBox
  private let kinds: SymbolKinds
  /// The nearest bar above and below each symbol, and the smallest root around it.
  package private(set) var barsAbove: [Int?] = []
  package private(set) var barsBelow: [Int?] = []
  package private(set) var roots: [Int?] = []
  /// True for the leftmost symbol between the same bars and in the same root.
  package private(set) var isLeftmost: [Bool] = []
  /// The middle of the body of each letter, without ascenders and descenders.
  package private(set) var middles: [Double] = []

  package init(_ groups: [[Int]], labels: [Int], in ink: FormulaInk, kinds: SymbolKinds) {
    self.groups = groups
    boxes = groups.map { ink.box(of: $0) }
    self.labels = labels
    self.kinds = kinds
    unit = ink.unit
    var frame = boxes.first ?? BoundingBox(minX: 0, minY: 0, maxX: 1, maxY: 1)
    for box in boxes { frame.formUnion(box) }
    self.frame = frame
    measureSurroundings()
  }

  private mutating func measureSurroundings() {
    let count = groups.count
    let bars = (0..<count).filter {
      kinds.isBar[labels[$0]] && boxes[$0].width > 2 * boxes[$0].height
    }
    let signs = (0..<count).filter { kinds.isRoot[labels[$0]] }
    barsAbove = (0..<count).map { nearestBar(among: bars, to: $0, isAbove: true) }
    barsBelow = (0..<count).map { nearestBar(among: bars, to: $0, isAbove: false) }
    roots = (0..<count).map { symbol in
      signs.filter {
        $0 != symbol && boxes[$0].width * boxes[$0].height > 0
          && boxes[$0].contains(x: boxes[symbol].midX, y: boxes[symbol].midY)
          && boxes[$0].width >= boxes[symbol].width
      }.min { boxes[$0].width < boxes[$1].width }
    }
    middles = (0..<count).map { index in
      let box = boxes[index]
      switch kinds.heights[labels[index]] {
      case .ascender: return box.minY + 0.62 * box.height
      case .descender: return box.minY + 0.36 * box.height
      case .centered: return box.midY
      }
    }
    isLeftmost = (0..<count).map { index in
      !(0..<count).contains {
        $0 != index && boxes[$0].midX < boxes[index].midX && hasSameSurroundings($0, index)
      }
    }
  }

  /// True if two symbols are between the same bars and in the same root.
  package func hasSameSurroundings(_ first: Int, _ second: Int) -> Bool {
    barsAbove[first] == barsAbove[second] && barsBelow[first] == barsBelow[second]
      && roots[first] == roots[second]
  }

  private func nearestBar(among bars: [Int], to symbol: Int, isAbove: Bool) -> Int? {
    let box = boxes[symbol]
    return bars.filter { bar in
      guard bar != symbol, boxes[bar].width > 0.8 * box.width else { return false }
      let line = boxes[bar]
      guard line.minX - 0.1 * unit <= box.midX, box.midX <= line.maxX + 0.1 * unit else {
        return false
      }
      return isAbove ? line.midY < box.midY : line.midY > box.midY
    }.min { abs(boxes[$0].midY - box.midY) < abs(boxes[$1].midY - box.midY) }
  }

  /// The symbols without some of them being replaced: a copy with other classes.
  package func relabeled(_ labels: [Int]) -> PlacedSymbols {
    guard labels != self.labels else { return self }
    var copy = self
    copy.labels = labels
    return copy
  }
}

/// Facts about the classes of a model that the geometry needs.
package struct SymbolKinds: Sendable {
  /// The extent of a symbol relative to the body of small letters.
  package enum Height: Sendable {
    case ascender, descender, centered
  }

  /// True for `-`, which is the bar of fractions too.
  package let isBar: [Bool]
  /// True for the sign of roots.
  package let isRoot: [Bool]
  /// The extents.
  package let heights: [Height]

  package init(labels: [String]) {
    isBar = labels.map { $0 == "-" }
    isRoot = labels.map { $0 == #"\sqrt"# }
    heights = labels.map { label in
      let descenders: Set<String> = ["g", "p", "q", "y", "j", #"\gamma"#, #"\mu"#, #"\rho"#]
      if descenders.contains(label) { return .descender }
      let ascenders: Set<String> = [
        "b", "d", "f", "h", "k", "l", "t", "i", "!", #"\beta"#, #"\theta"#, #"\lambda"#,
        #"\Delta"#, #"\delta"#, #"\lim"#, #"\log"#,
      ]
      if ascenders.contains(label) { return .ascender }
      if label.count == 1, let character = label.first,
        character.isNumber || character.isUppercase
      {
        return .ascender
      }
      return .centered
    }
  }
}
