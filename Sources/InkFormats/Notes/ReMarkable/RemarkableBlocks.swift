/// The identifier of an item that several devices may edit at once.
struct RemarkableID: Hashable, Comparable {
  /// The author, 0 for the program itself.
  var author: UInt8
  var value: UInt64

  /// The start and the end of every sequence.
  static let none = RemarkableID(author: 0, value: 0)

  static func < (left: RemarkableID, right: RemarkableID) -> Bool {
    (left.value, left.author) < (right.value, right.author)
  }

  /// The identifier of a character further on in the same text.
  func advanced(by count: Int) -> RemarkableID {
    RemarkableID(author: author, value: value &+ UInt64(count))
  }
}

/// Reads the tagged values of blocks of version 6.
///
/// A tag is the number of a member and the form of its value: 0xF an identifier, 0xC a length and so
/// many bytes, 8, 4 or 1 bytes.
extension ByteCursor {
  /// Reads a tag if it is the next one.
  mutating func hasTag(_ index: Int, _ form: Int) -> Bool {
    var ahead = self
    guard let tag = try? ahead.groups(), tag == UInt64(index << 4 | form) else { return false }
    self = ahead
    return true
  }

  private mutating func require(_ index: Int, _ form: Int) throws(InkFormatError) {
    guard hasTag(index, form) else {
      throw error(.malformed, expected: "the member \(index) of a block", found: "another one")
    }
  }

  mutating func identifier() throws(InkFormatError) -> RemarkableID {
    RemarkableID(author: try byte(), value: try groups())
  }

  mutating func identifier(_ index: Int) throws(InkFormatError) -> RemarkableID {
    try require(index, 0xF)
    return try identifier()
  }

  mutating func taggedLong(_ index: Int) throws(InkFormatError) -> UInt32 {
    try require(index, 4)
    return try long()
  }

  mutating func taggedFloat(_ index: Int) throws(InkFormatError) -> Double {
    try require(index, 4)
    return try float()
  }

  mutating func taggedDouble(_ index: Int) throws(InkFormatError) -> Double {
    try require(index, 8)
    return try double()
  }

  mutating func taggedByte(_ index: Int) throws(InkFormatError) -> UInt8 {
    try require(index, 1)
    return try byte()
  }

  /// Reads the bytes of a member.
  mutating func block(_ index: Int) throws(InkFormatError) -> ByteCursor {
    try require(index, 0xC)
    return try part(Int(try long()))
  }

  /// Reads the bytes of a member if it is the next one.
  mutating func optionalBlock(_ index: Int) throws(InkFormatError) -> ByteCursor? {
    hasTag(index, 0xC) ? try part(Int(try long())) : nil
  }

  /// Reads a text: its length, whether it is ASCII, and its bytes.
  mutating func lengthText() throws(InkFormatError) -> String {
    let count = try count(ofItems: 1)
    try skip(1)
    return try text(count)
  }
}

/// An ordered list that several devices may edit at once: each item names its left neighbour.
///
/// Of several items with one left neighbour, the later one stands first, because it was inserted
/// there when the other was already there.
struct RemarkableSequence<Value> {
  private struct Item {
    var id: RemarkableID
    /// Nil for what was deleted.
    var value: Value?
  }

  private var items: [Item] = []
  private var places: [RemarkableID: Int] = [:]
  private var lefts: [RemarkableID] = []

  /// Adds an item. An identifier counts once.
  mutating func add(_ value: Value?, id: RemarkableID, left: RemarkableID) {
    guard places[id] == nil else { return }
    places[id] = items.count
    items.append(Item(id: id, value: value))
    lefts.append(left)
  }

  /// The values that were not deleted, in their order. O(n log n).
  func ordered() -> [(id: RemarkableID, value: Value)] {
    // The items right of each, by its place; -1 is the start.
    var followers: [Int: [Int]] = [:]
    for (place, left) in lefts.enumerated() {
      // What follows something unknown stands at the start.
      followers[places[left] ?? -1, default: []].append(place)
    }
    var result: [(id: RemarkableID, value: Value)] = []
    var seen = [Bool](repeating: false, count: items.count)
    func walk(from start: Int) {
      var stack = [start]
      while let place = stack.popLast() {
        if place >= 0 {
          guard !seen[place] else { continue }
          seen[place] = true
          if let value = items[place].value { result.append((items[place].id, value)) }
        }
        // The last one that is pushed comes first.
        stack += (followers[place] ?? []).sorted { items[$0].id < items[$1].id }
      }
    }
    walk(from: -1)
    // Items in a circle have no start.
    for place in items.indices where !seen[place] { walk(from: place) }
    return result
  }
}
